// The rows that each bag of indices names, combined into one row (row_pool.h). Bags are shared out between threads.
#include "base/fail.h"
#include "device/cpu/threads.h"
#include "index/engine.h"
#include "index/order.h"
#include "index/outputs.h"
#include "index/row_pool.h"
#include "index/there.h"

namespace garner::index {
namespace {

constexpr const char* kOp = "embedding_bag";

/// Bag b holds indices [begins[b], begins[b + 1]).
struct Bags {
  IndexList indices;
  Axes begins;
  Index count() const { return static_cast<Index>(begins.size()) - 1; }
};

Status check_table(const View& table, const View& indices, const BagOptions& options) {
  if (kind(table.dtype()) != Kind::kFloat)
    return fail(Code::kType, "IX3", "{}: table is {}, allowed a float dtype", kOp, name(table.dtype()));
  if (table.rank() != 2)
    return fail(Code::kInvalidArgument, "IX5", "{}: table has rank {}, allowed 2", kOp, table.rank());
  const Index rank = options.offsets ? 1 : 2;
  if (indices.rank() != rank)
    return fail(Code::kInvalidArgument, "IX5", "{}: indices have rank {}, allowed {} (1 with offsets, 2 without)", kOp,
                indices.rank(), rank);
  return {};
}

Status check_weights(const View& table, const View& indices, const BagOptions& options) {
  if (!options.weights) return {};
  if (options.mode != BagMode::kSum)
    return fail(Code::kUnsupported, "IX6", "{}: weights are given, allowed for sums only", kOp);
  if (options.weights->dtype() != table.dtype() || options.weights->shape() != indices.shape())
    return fail(Code::kInvalidArgument, "IX5", "{}: weights are {} {}, allowed {} {}", kOp,
                name(options.weights->dtype()), list(options.weights->shape()), name(table.dtype()),
                list(indices.shape()));
  return {};
}

Status check_offsets(std::span<const Index> begins, Index count) {
  for (std::size_t b = 0; b < begins.size(); ++b) {
    const Index lo = b == 0 ? 0 : begins[b - 1], hi = b == 0 ? 0 : count;
    if (begins[b] < lo || begins[b] > hi)
      return fail(Code::kInvalidArgument, "IX8", "{}: offsets[{}] is {}, allowed [{}, {}]", kOp, b, begins[b], lo, hi);
  }
  return {};
}

/// Rows of a matrix of indices are bags of equal size; offsets say where each bag of a vector begins.
Result<Bags> bags_of(const View& indices, const BagOptions& options, const RunOptions& run) {
  GARNER_ASSIGN(IndexList values, integers_of(indices, kOp, "indices", run));
  Bags bags{std::move(values), {}};
  const Index n = indices.elements();
  if (!options.offsets) {
    bags.begins.reserve(static_cast<std::size_t>(indices.extent(0)) + 1);
    for (Index b = 0; b <= indices.extent(0); ++b) bags.begins.push_back(b * indices.extent(1));
    return bags;
  }
  if (options.offsets->rank() != 1)
    return fail(Code::kInvalidArgument, "IX5", "{}: offsets have rank {}, allowed 1", kOp, options.offsets->rank());
  GARNER_ASSIGN(const IndexList offsets, integers_of(*options.offsets, kOp, "offsets", run));
  GARNER_TRY(check_offsets(offsets, n));
  bags.begins.assign(offsets.begin(), offsets.end());
  if (!options.last_offset_is_end || bags.begins.empty()) bags.begins.push_back(n);
  return bags;
}

Status outside(Index at, Index index, Index rows) {
  return fail(Code::kIndex, "IX7", "{}: indices[{}] is {}, allowed [0, {})", kOp, at, index, rows);
}

Status check_indices(const Bags& bags, Index rows) {
  const Index at = first_outside(bags.indices, rows);
  if (at < 0) return {};
  return outside(at, bags.indices[static_cast<std::size_t>(at)], rows);
}

struct Arguments {
  const Packed& table;
  const Packed& weights;
  const BagOptions& options;
  const Bags& bags;
};

void pool(const Arguments& a, const RunOptions& run, void* out) {
  const View& table = a.table.view();
  const Index columns = table.extent(1);
  const Index bytes = static_cast<Index>(a.bags.indices.size()) * columns * width(table.dtype());
  const Index grain = std::max<Index>(1, a.bags.count() * kBytesPerThread / std::max<Index>(bytes, 1));
  const RowPool rows{.dtype = table.dtype(),
                     .table = a.table.data(),
                     .columns = columns,
                     .indices = a.bags.indices,
                     .begins = a.bags.begins,
                     .weights = a.options.weights ? a.weights.data() : nullptr,
                     .padding = a.options.padding,
                     .mode = a.options.mode};
  parallel_ranges(thread_count(run.threads, bytes), a.bags.count(), grain,
                  [&](Index begin, Index end) { pool_rows(rows, begin, end, out); });
}

// ---- on a device ----

on_cuda::Pooling pooling_of(BagMode mode) {
  switch (mode) {
    case BagMode::kSum: return on_cuda::Pooling::kSum;
    case BagMode::kMean: return on_cuda::Pooling::kMean;
    case BagMode::kMax: return on_cuda::Pooling::kMax;
  }
  return on_cuda::Pooling::kSum;
}

/// Offsets are looked at on the CPU, indices on the device; both before anything is written.
Result<Index> bags_there(const View& indices, const BagOptions& options, const RunOptions& run) {
  if (!options.offsets) return indices.extent(0);
  if (options.offsets->rank() != 1)
    return fail(Code::kInvalidArgument, "IX5", "{}: offsets have rank {}, allowed 1", kOp, options.offsets->rank());
  GARNER_TRY(check_integer(*options.offsets, kOp, "offsets"));
  GARNER_ASSIGN(const Tensor here, cuda::copy_to(*options.offsets, {}, run.stream));
  GARNER_ASSIGN(const IndexList begins, integers_of(here, kOp, "offsets", run));
  GARNER_TRY(check_offsets(begins, indices.elements()));
  return here.elements() - (options.last_offset_is_end && here.elements() > 0 ? 1 : 0);
}

Status check_there(const View& indices, Index rows, const RunOptions& run) {
  const on_cuda::Integers integers = integers_there(indices);
  GARNER_ASSIGN(const auto seen, on_cuda::look_at(where(indices, run), integers, 0, rows));
  if (seen.outside < 0) return {};
  GARNER_ASSIGN(const Index index, on_cuda::integer_at(where(indices, run), integers, seen.outside));
  return outside(seen.outside, index, rows);
}

std::vector<const View*> inputs_of(const View& table, const View& indices, const BagOptions& options) {
  std::vector<const View*> inputs{&table, &indices};
  for (const auto* more : {&options.weights, &options.offsets})
    if (*more) inputs.push_back(&**more);
  return inputs;
}

Status combine_there(const View& table, const View& indices, const BagOptions& options, const RunOptions& run,
                     Output& out) {
  const std::vector<const View*> inputs = inputs_of(table, indices, options);
  GARNER_TRY(device_of(kOp, inputs));
  GARNER_TRY(check_integer(indices, kOp, "indices"));
  GARNER_ASSIGN(const Packed rows, pack_anywhere(table, kOp, run));
  GARNER_ASSIGN(const Packed weights, pack_anywhere(options.weights.value_or(table), kOp, run));
  GARNER_ASSIGN(const Packed names, pack_anywhere(indices, kOp, run));
  GARNER_ASSIGN(const Index bags, bags_there(indices, options, run));
  GARNER_ASSIGN(const Packed begins, pack_anywhere(options.offsets.value_or(indices), kOp, run));
  GARNER_TRY(check_there(names.view(), table.extent(0), run));
  GARNER_TRY(out.open(kOp, table.dtype(), {bags, table.extent(1)}, inputs, run.stream));
  const on_cuda::BagQuery query{.table = rows.data(),
                                .weights = options.weights ? weights.data() : nullptr,
                                .indices = integers_there(names.view()),
                                .offsets = options.offsets ? integers_there(begins.view()) : on_cuda::Integers{},
                                .bags = bags,
                                .columns = table.extent(1),
                                .each = options.offsets ? 0 : indices.extent(1),
                                .pooling = pooling_of(options.mode),
                                .pads = options.padding.has_value(),
                                .padding = options.padding.value_or(0)};
  return finished(on_cuda::pool_bags(where(table, run), table.dtype(), query, out.data()), table, run);
}

}  // namespace

Status embedding_bag(const View& table, const View& indices, const BagOptions& options, const RunOptions& run,
                     Output& out) {
  GARNER_TRY(check_table(table, indices, options));
  GARNER_TRY(check_weights(table, indices, options));
  if (!table.device().is_cpu() || !indices.device().is_cpu()) return combine_there(table, indices, options, run, out);
  GARNER_ASSIGN(const Packed rows, pack(table, kOp, run));
  GARNER_ASSIGN(const Packed weights, pack(options.weights.value_or(table), kOp, run));
  GARNER_ASSIGN(const Bags bags, bags_of(indices, options, run));
  GARNER_TRY(check_indices(bags, table.extent(0)));
  GARNER_TRY(
      out.open(kOp, table.dtype(), {bags.count(), table.extent(1)}, inputs_of(table, indices, options), run.stream));
  pool({rows, weights, options, bags}, run, out.data());
  return {};
}

Result<Tensor> embedding_bag(const View& table, const View& indices, const BagOptions& options, const RunOptions& run) {
  return fresh([&](Output& out) { return embedding_bag(table, indices, options, run, out); });
}
Status embedding_bag_into(const View& table, const View& indices, const MutableView& out, const BagOptions& options,
                          const RunOptions& run) {
  return into(out, run, [&](Output& o) { return embedding_bag(table, indices, options, run, o); });
}

}  // namespace garner::index
