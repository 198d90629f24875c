#include "base/fail.h"
#include "ranks/rank_table.h"
#include "table/guard.h"
#include "tensor/shape.h"

namespace garner::tables {
namespace {

constexpr const char* kOp = "share";

const char* name(Shards kind) {
  switch (kind) {
    case Shards::kBlock: return "block";
    case Shards::kCyclic: return "cyclic";
    case Shards::kHashed: return "hashed";
  }
  return "";
}

Status check_rows(const Tensor& rows) {
  GARNER_TRY(validate(rows, "share: rows"));
  if (rows.rank() > 0) return {};
  return fail(Code::kInvalidArgument, "RK2", "{}: rows have rank 0, allowed 1 or more", kOp);
}

/// All of a table that must be the same on every rank, in numbers: first how many there are.
Axes facts_of(const Tensor& rows, const ShareOptions& options) {
  Axes out = {static_cast<Index>(rows.dtype()), static_cast<Index>(options.shards), options.unique ? 1 : 0};
  out.insert(out.end(), rows.shape().begin() + 1, rows.shape().end());
  return out;
}

Status differ(int rank) {
  return fail(Code::kInvalidArgument, "RK3",
              "{}: dtype, row shape or options of rank {} are not those of rank 0, allowed the same on all", kOp, rank);
}

/// The numbers are looked at on every rank, so every rank finds the same.
Status check_same(Group& group, const Axes& mine) {
  const Index count[] = {static_cast<Index>(mine.size())};
  GARNER_ASSIGN(const Axes counts, group.all_gather(count));
  for (int k = 0; k < group.size(); ++k)
    if (counts[static_cast<std::size_t>(k)] != counts[0]) return differ(k);
  GARNER_ASSIGN(const Axes all, group.all_gather(mine));
  for (int k = 0; k < group.size(); ++k)
    if (!std::equal(all.begin(), all.begin() + counts[0], all.begin() + k * counts[0])) return differ(k);
  return {};
}

Result<Sharding> sharding_of(Group& group, Index mine, Shards kind) {
  const Index extent[] = {mine};
  GARNER_ASSIGN(const Axes extents, group.all_gather(extent));
  GARNER_ASSIGN(const Sharding blocks, Sharding::blocks(extents));
  if (kind == Shards::kBlock) return blocks;
  GARNER_ASSIGN(Sharding even, Sharding::even(kind, blocks.rows(), group.size()));
  for (int k = 0; k < group.size(); ++k)
    if (even.extent(k) != blocks.extent(k))
      return fail(Code::kInvalidArgument, "RK2", "{}: rows of rank {} are {}, allowed {} of {} ({} sharding)", kOp, k,
                  blocks.extent(k), even.extent(k), even.rows(), name(kind));
  return even;
}

Result<Table> table_on(Group group, Sharding sharding, const Tensor& rows, bool unique) {
  Axes shape = rows.shape();
  shape[0] = sharding.rows();
  auto table = std::make_shared<RankTable>(std::move(group), std::move(sharding), rows, shape, unique);
  Status status = elements_of(rows.dtype(), shape, "share: table").status();
  if (status.ok()) status = table->open();
  GARNER_TRY(table->agree(std::move(status)));
  return Table(table);
}

/// The rows of a table that one rank has, copied.
Result<Tensor> rows_on(const Table& whole, const Sharding& sharding, int rank, const RunOptions& run) {
  Axes ids(static_cast<std::size_t>(sharding.extent(rank)));
  for (std::size_t j = 0; j < ids.size(); ++j) ids[j] = sharding.id(sharding.begin(rank) + static_cast<Index>(j));
  Axes shape = whole.shape();
  shape[0] = sharding.extent(rank);
  GARNER_ASSIGN(Tensor rows, Tensor::empty(whole.dtype(), shape));
  GARNER_TRY(whole.backend()->read(ids, rows.as<std::byte>(), run));
  return rows;
}

}  // namespace

Result<Table> share(std::shared_ptr<Ranks> ranks, const Tensor& rows, const ShareOptions& options) {
  Group group(std::move(ranks));
  GARNER_TRY(group.agree(check_rows(rows)));
  GARNER_TRY(check_same(group, facts_of(rows, options)));
  GARNER_ASSIGN(Sharding sharding, sharding_of(group, rows.shape()[0], options.shards));
  return table_on(std::move(group), std::move(sharding), rows, options.unique);
}

Result<Table> share(std::shared_ptr<Ranks> ranks, const Table& whole, const ShareOptions& options,
                    const RunOptions& run) {
  Group group(ranks);
  const Index extent[] = {whole.rows()};
  GARNER_TRY(check_same(group, Axes(extent, extent + 1)));
  GARNER_ASSIGN(const Sharding sharding, Sharding::even(options.shards, whole.rows(), group.size()));
  Result<Tensor> rows = guarded(kOp, [&] { return rows_on(whole, sharding, group.rank(), run); });
  GARNER_TRY(group.agree(rows.status()));
  return tables::share(std::move(ranks), *rows, options);
}

Result<MutableView> local(const Table& table) {
  GARNER_ASSIGN(const auto on, rank_table("local", table));
  return on->rows().view();
}

Result<Sharding> sharding(const Table& table) {
  GARNER_ASSIGN(const auto on, rank_table("sharding", table));
  return on->sharding();
}

}  // namespace garner::tables
