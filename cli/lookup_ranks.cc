// garner lookup under a launcher: each rank keeps its share of the table and looks up its share of the ids; rank 0
// writes the one file.
#include <cstring>

#include "base/fail.h"
#include "cli/lookup.h"
#include "garner/format.h"
#include "ranks/group.h"

namespace garner::cli {
namespace {

/// What is looked up in one go, [begin, end) of the ids, in equal parts by rank.
struct Piece {
  Index begin, end;
  int ranks;
  Index of(int rank) const { return begin + (end - begin) * rank / ranks; }
};

/// Rank 0 has a file to write to, the others have not.
Result<std::optional<format::NpyWriter>> open_file(Group& group, const LookupRequest& request, DType dtype,
                                                   const Axes& shape) {
  std::optional<format::NpyWriter> writer;
  Status status;
  if (group.rank() == 0) {
    auto made = format::NpyWriter::create(request.out, dtype, shape);
    status = made.status();
    if (made.ok()) writer = *std::move(made);
  }
  GARNER_TRY(group.agree(status));
  return writer;
}

/// Everybody's rows to their place in rank 0's file.
Status collect(Group& group, const Piece& piece, const Tensor& mine, std::byte* file, Index row_bytes) {
  Messages messages = no_messages(group.size());
  messages.keep = std::make_shared<Tensor>(mine);
  if (group.rank() > 0) messages.sends[0] = bytes_of(mine.as<std::byte>(), mine.bytes());
  else if (mine.bytes() > 0)
    std::memcpy(file + piece.of(0) * row_bytes, mine.data(), static_cast<std::size_t>(mine.bytes()));
  for (int k = 1; group.rank() == 0 && k < group.size(); ++k)
    messages.receives[static_cast<std::size_t>(k)] =
        bytes_of(file + piece.of(k) * row_bytes, (piece.of(k + 1) - piece.of(k)) * row_bytes);
  return group.exchange(std::move(messages));
}

}  // namespace

Status look_up_on(const std::shared_ptr<Ranks>& ranks, const Table& table, const View& ids,
                  const LookupRequest& request) {
  constexpr Index kPiece = Index{64} << 20;  // of each rank
  Group group(ranks);
  const Axes shape = lookup_shape(table, ids);
  GARNER_ASSIGN(auto writer, open_file(group, request, table.dtype(), shape));
  auto* file = writer ? static_cast<std::byte*>(writer->view().mutable_data()) : nullptr;
  const Index count = ids.elements(), bytes = View(table.dtype(), nullptr, shape).elements() * width(table.dtype());
  const Index row_bytes = count == 0 ? 0 : bytes / count;
  const Index each = std::max<Index>(kPiece / std::max<Index>(row_bytes, 1), 1) * group.size();
  for (Index begin = 0; begin < count; begin += each) {
    const Piece piece{begin, std::min(begin + each, count), group.size()};
    const Index from = piece.of(group.rank()), until = piece.of(group.rank() + 1);
    GARNER_ASSIGN(const Tensor rows, tables::gather(table, ids.seen_as({until - from}, {1}, from),
                                                    lookup_options(request), {.threads = request.threads}));
    GARNER_TRY(collect(group, piece, rows, file, row_bytes));
    if (writer) writer->forget();
  }
  return group.agree(writer ? writer->commit() : Status{});
}

}  // namespace garner::cli
