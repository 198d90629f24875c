// Each value once, in order. Equal means an equal key: NaNs are one value, -0 and 0 are one value.
#include "base/fail.h"
#include "index/lane_sorter.h"
#include "index/lanes.h"
#include "index/outputs.h"
#include "index/there.h"

namespace garner::index {
namespace {

constexpr const char* kOp = "unique";

/// All positions in the order of their elements, and where in it each new value begins.
struct Groups {
  Axes order, begins;  // begins has one more entry: the number of elements
  Index count() const { return static_cast<Index>(begins.size()) - 1; }
};

template <class T>
void find_begins(const T* data, Groups& groups) {
  const Keys<T> key(kAscending);
  for (std::size_t i = 0; i < groups.order.size(); ++i)
    if (i == 0 || key(data[groups.order[i]]) != key(data[groups.order[i - 1]]))
      groups.begins.push_back(static_cast<Index>(i));
  groups.begins.push_back(static_cast<Index>(groups.order.size()));
}

Groups group(const Packed& packed, const RunOptions& run) {
  const Index n = packed.view().elements();
  Groups groups{Axes(static_cast<std::size_t>(n)), {}};
  const DType dtype = packed.view().dtype();
  LaneSorter().sort({dtype, packed.data(), n, 1, kAscending}, thread_count(run.threads, 32 * n), groups.order.data());
  dispatch(dtype, [&]<class T>() { find_begins(packed.as<T>(), groups); });
  return groups;
}

Status open(const UniqueOutputs& out, const View& input, Index capacity, void* stream) {
  GARNER_TRY(out.values.open(kOp, input.dtype(), {capacity}, {&input}, stream));
  GARNER_TRY(out.index.open(kOp, DType::kI64, {capacity}, {&input}, stream));
  GARNER_TRY(out.counts.open(kOp, DType::kI64, {capacity}, {&input}, stream));
  return out.inverse.open(kOp, DType::kI64, input.shape(), {&input}, stream);
}

/// The first of equal elements stands for them: it is the first of its group.
void write_group(const Groups& groups, Index g, const UniqueOutputs& out) {
  const Index begin = groups.begins[static_cast<std::size_t>(g)], end = groups.begins[static_cast<std::size_t>(g) + 1];
  out.index.as<Index>()[g] = groups.order[static_cast<std::size_t>(begin)];
  out.counts.as<Index>()[g] = end - begin;
}

void write_inverse(const Groups& groups, Index* inverse) {
  for (Index g = 0; g < groups.count(); ++g)
    for (Index i = groups.begins[static_cast<std::size_t>(g)]; i < groups.begins[static_cast<std::size_t>(g) + 1]; ++i)
      inverse[groups.order[static_cast<std::size_t>(i)]] = g;
}

/// Entries past the last group are 0.
template <class T>
void write_values(const T* data, const Index* index, Index count, std::span<T> out) {
  for (Index g = 0; g < count; ++g) out[static_cast<std::size_t>(g)] = data[index[g]];
  std::fill(out.begin() + count, out.end(), T{});
}

Result<Index> unique_there(const View& input, std::optional<Index> given, const RunOptions& run,
                           const UniqueOutputs& out) {
  GARNER_ASSIGN(const Packed packed, pack_anywhere(input, kOp, run));
  GARNER_ASSIGN(const KeyCode code, code_there(kOp, input, kAscending));
  const on_cuda::SortQuery query{packed.data(), code};
  GARNER_ASSIGN(const on_cuda::Groups groups, on_cuda::group_equal(where(input, run), query, input.elements()));
  const Index capacity = given.value_or(groups.count);
  GARNER_TRY(open(out, input, capacity, run.stream));
  GARNER_TRY(on_cuda::write_groups(where(input, run), groups, query,
                                   {.values = out.values.data(),
                                    .index = out.index.as<Index>(),
                                    .counts = out.counts.as<Index>(),
                                    .inverse = out.inverse.as<Index>(),
                                    .capacity = capacity}));
  return groups.count;
}

/// As many as there are, or as given.
Result<Index> unique_all(const View& input, std::optional<Index> given, const RunOptions& run,
                         const UniqueOutputs& out) {
  if (!input.device().is_cpu()) return unique_there(input, given, run, out);
  GARNER_ASSIGN(const Packed packed, pack(input, kOp, run));
  const Groups groups = group(packed, run);
  const Index capacity = given.value_or(groups.count()), n = std::min(capacity, groups.count());
  GARNER_TRY(open(out, input, capacity, run.stream));
  for (Index g = 0; g < n; ++g) write_group(groups, g, out);
  std::fill(out.index.as<Index>() + n, out.index.as<Index>() + capacity, 0);
  std::fill(out.counts.as<Index>() + n, out.counts.as<Index>() + capacity, 0);
  write_inverse(groups, out.inverse.as<Index>());
  dispatch(input.dtype(), [&]<class T>() {
    const std::span values(out.values.as<T>(), static_cast<std::size_t>(capacity));
    write_values(packed.as<T>(), out.index.as<Index>(), n, values);
  });
  return groups.count();
}

}  // namespace

Result<Index> unique(const View& input, const RunOptions& run, const UniqueOutputs& out) {
  return unique_all(input, std::nullopt, run, out);
}

Result<Unique> unique(const View& input, const RunOptions& run) {
  return fresh_unique([&](const UniqueOutputs& out) { return unique(input, run, out); });
}

Result<Index> unique_into(const View& input, const UniqueOut& given, const RunOptions& run) {
  Output values(given.values), index(given.index), inverse(given.inverse), counts(given.counts);
  const Index capacity = given.values.rank() == 1 ? given.values.extent(0) : 0;
  GARNER_ASSIGN(const Index count, unique_all(input, capacity, run, {values, index, inverse, counts}));
  for (Output* out : {&values, &index, &inverse, &counts}) GARNER_TRY(out->close(run));
  return count;
}

}  // namespace garner::index
