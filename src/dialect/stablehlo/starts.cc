#include "dialect/stablehlo/starts.h"

#include <algorithm>

#include "base/fail.h"

namespace garner::stablehlo {
namespace {

Status check_count(const SliceWords& w, std::size_t starts, std::size_t rank) {
  if (starts == rank) return {};
  return fail(Code::kInvalidArgument, w.count, "{}: start_indices has {} entries, allowed {} (the rank of operand)",
              w.op, starts, rank);
}

Status check_start(const SliceWords& w, const View& start, DType dtype, std::size_t i) {
  if (!is_integer(start.dtype()))
    return fail(Code::kType, w.integer, "{}: start_indices[{}] is {}, allowed an integer dtype", w.op, i,
                name(start.dtype()));
  if (start.dtype() != dtype || start.rank() != 0)
    return fail(Code::kType, w.same, "{}: start_indices[{}] is {} of rank {}, allowed {} of rank 0", w.op, i,
                name(start.dtype()), start.rank(), name(dtype));
  return {};
}

Status check_sizes(const SliceWords& w, const Axes& operand, const Axes& sizes, const char* sizes_name) {
  if (sizes.size() != operand.size())
    return fail(Code::kInvalidArgument, w.rank, "{}: {} has {} entries, allowed {} (the rank of operand)", w.op,
                sizes_name, sizes.size(), operand.size());
  for (std::size_t d = 0; d < sizes.size(); ++d)
    if (sizes[d] < 0 || sizes[d] > operand[d])
      return fail(Code::kInvalidArgument, w.range, "{}: {}[{}] is {}, allowed [0, {}] on axis {}", w.op, sizes_name, d,
                  sizes[d], operand[d], d);
  return {};
}

}  // namespace

Status check_window_at(const SliceWords& w, const Axes& operand, const std::vector<View>& starts, const Axes& sizes,
                       const char* sizes_name) {
  GARNER_TRY(check_count(w, starts.size(), operand.size()));
  for (std::size_t i = 0; i < starts.size(); ++i) GARNER_TRY(check_start(w, starts[i], starts[0].dtype(), i));
  return check_sizes(w, operand, sizes, sizes_name);
}

void address_at(JobBuilder& job, const SliceWords& w, const Axes& operand, const std::vector<View>& starts) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    // An empty window counts as 1 long, so that no start is past the end.
    const Index window = std::max<Index>(job.domain()[i], 1);
    const Bounds bounds{.lo = 0, .hi = operand[i] - window + 1, .policy = OutOfRange::kClamp};
    const auto d = static_cast<Index>(i);
    job.follow(d, d).look_up(d, job.term(starts[i], {}, bounds, fmt::format("start_indices[{}]", i), w.integer));
  }
}

}  // namespace garner::stablehlo
