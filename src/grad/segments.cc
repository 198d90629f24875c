// Segments and bags: rows combined by an id.
#include "base/fail.h"
#include "garner/cuda.h"
#include "garner/index.h"
#include "grad/elementwise.h"
#include "grad/masks.h"
#include "grad/place.h"
#include "grad/state.h"
#include "index/segment.h"
#include "run/job_builder.h"
#include "tensor/cast.h"

namespace garner::grad {
namespace {

Var segment(SegmentOp op, const Var& data, const View& ids, Index segments, OutOfRange policy = OutOfRange::kTrap) {
  return call({data},
              [&](const std::vector<View>& v) { return index::lower_segment(op, v[0], ids, segments, policy); });
}

/// How many rows each segment has: i64.
Tensor row_counts(const View& ids, Index segments) {
  const Tensor one = scalar(Index{1});
  const View ones = value_or_throw(broadcast_to(one, ids.shape()));
  return value_or_throw(run_one(index::lower_segment(SegmentOp::kSum, ones, ids, segments, OutOfRange::kDrop)));
}

/// The number of rows of each segment (1 for none), as a column beside the sums.
Var divisor(const View& ids, Index segments, const Var& sums) {
  const Tensor counts = row_counts(ids, segments);
  const Tensor rows = value_or_throw(plain::add(counts, choose(is_zero(counts), 1, 0)));
  Axes column(sums.shape().size(), 1);
  column[0] = segments;
  return reshape(Var(value_or_throw(plain::converted(rows, sums.dtype()))), column);
}

// ---- bags ----

/// i64 in the CPU's memory, fetched from a device where they lie on one.
Tensor integers_here(const View& view) {
  if (view.device().is_cpu()) return value_or_throw(cast(view, DType::kI64));
  return value_or_throw(cast(value_or_throw(cuda::copy_to(view, {})), DType::kI64));
}

/// Which bag each index belongs to; one past the last bag, which is dropped, for padding.
Tensor bag_ids(const BagInput& bags) {
  const Tensor begins = integers_here(bags.begins), rows = integers_here(bags.indices);
  const Index count = begins.elements() - 1;
  Tensor out = value_or_throw(Tensor::empty(DType::kI64, rows.shape()));
  for (Index bag = 0; bag < count; ++bag)
    for (Index i = begins.as<Index>()[bag]; i < begins.as<Index>()[bag + 1]; ++i)
      out.as<Index>()[i] = rows.as<Index>()[i] == bags.padding ? count : bag;
  const Device device = bags.indices.device();
  return device.is_cpu() ? out : value_or_throw(cuda::copy_to(out, device));
}

/// Rule IX8: begins rise from 0 to the number of indices.
void check_begins(const BagInput& bags) {
  const Tensor begins = integers_here(bags.begins);
  const Index n = begins.elements(), end = bags.indices.elements();
  bool rising = bags.begins.rank() == 1 && bags.indices.rank() == 1 && n > 0 && begins.as<Index>()[0] == 0 &&
                begins.as<Index>()[n - 1] == end;
  for (Index i = 1; rising && i < n; ++i) rising = begins.as<Index>()[i] >= begins.as<Index>()[i - 1];
  if (!rising)
    throw_error(fail(Code::kInvalidArgument, "IX8",
                     "embedding_bag: begins do not rise from 0 to {}, the number of indices", end));
}

Result<Job> lower_rows(const View& table, const View& indices) {
  if (table.rank() != 2)
    return fail(Code::kInvalidArgument, "IX5", "embedding_bag: table has rank {}, allowed 2", table.rank());
  auto job = JobBuilder::gather("embedding_bag", table, {indices.extent(0), table.extent(1)});
  job.look_up(0, job.term(indices, {0}, {.hi = table.extent(0)}, "indices", "IX7"));
  return std::move(job.follow(1, 1)).build();
}

struct Bags {
  Var rows;      // one per index
  Tensor ids;    // of the bag it belongs to
  Index count;
};
Bags open(const Var& table, const BagInput& bags) {
  check_begins(bags);
  const Var rows = call({table}, [&](const std::vector<View>& v) { return lower_rows(v[0], bags.indices); });
  return {rows, bag_ids(bags), bags.begins.elements() - 1};
}

Var combined(SegmentOp op, const Bags& bags, const Var& rows) {
  return segment(op, rows, bags.ids, bags.count, OutOfRange::kDrop);
}

}  // namespace

Var segment_sum(const Var& data, const View& ids, Index segments) {
  return segment(SegmentOp::kSum, data, ids, segments);
}
Var segment_mean(const Var& data, const View& ids, Index segments) {
  const Var sums = segment(SegmentOp::kMean, data, ids, segments);
  return sums / divisor(ids, segments, sums);
}
Var segment_min(const Var& data, const View& ids, Index segments) {
  return segment(SegmentOp::kMin, data, ids, segments);
}
Var segment_max(const Var& data, const View& ids, Index segments) {
  return segment(SegmentOp::kMax, data, ids, segments);
}
Var segment_prod(const Var& data, const View& ids, Index segments) {
  return segment(SegmentOp::kProd, data, ids, segments);
}

Var embedding_bag_sum(const Var& table, const BagInput& bags, const Var& weights) {
  const Bags b = open(table, bags);
  if (!weights) return combined(SegmentOp::kSum, b, b.rows);
  return combined(SegmentOp::kSum, b, b.rows * reshape(weights, {weights.elements(), 1}));
}

Var embedding_bag_mean(const Var& table, const BagInput& bags) {
  const Bags b = open(table, bags);
  const Var sums = combined(SegmentOp::kMean, b, b.rows);
  return sums / divisor(b.ids, b.count, sums);
}

/// An empty bag holds 0, not the least number.
Var embedding_bag_max(const Var& table, const BagInput& bags) {
  const Bags b = open(table, bags);
  const Var best = combined(SegmentOp::kMax, b, b.rows);
  const Var some(negated(is_zero(row_counts(b.ids, b.count))));
  return keep(reshape(some, {b.count, 1}).value(), best);
}

}  // namespace garner::grad
