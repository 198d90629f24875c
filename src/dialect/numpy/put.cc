// numpy.put(a, ind, v, mode=raise)
//   a.flat[ind[d]] = v.flat[d % v.size], d counted through all of ind
#include <cstring>

#include "base/fail.h"
#include "dialect/numpy/convert.h"
#include "dialect/numpy/indices.h"
#include "garner/error.h"
#include "tensor/shape.h"

namespace garner::numpy {
namespace {

constexpr const char* kName = "numpy.put";

/// Whole copies of `values` until `count` elements are full.
Result<Tensor> repeated(const Tensor& values, Index count) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(values.dtype(), {count}));
  for (Index done = 0, bytes; done < out.bytes(); done += bytes) {
    bytes = std::min(values.bytes(), out.bytes() - done);
    std::memcpy(out.as<std::byte>() + done, values.data(), static_cast<std::size_t>(bytes));
  }
  return out;
}

bool fits(const View& v, DType dtype, Index count) {
  return v.dtype() == dtype && v.elements() == count && is_row_major(v);
}

/// v in the array's dtype and in the shape of the indices: itself where it is that already.
Result<View> updates_from(const View& v, DType dtype, const Axes& shape, std::vector<Tensor>& kept) {
  if (fits(v, dtype, View(dtype, nullptr, shape).elements())) return v.seen_as(shape);
  GARNER_ASSIGN(const View typed, as_dtype(v, dtype, kept));
  GARNER_TRY(validate(typed, fmt::format("{}: v", kName)));
  GARNER_ASSIGN(Tensor values, contiguous(typed));
  if (values.elements() != 1) { GARNER_ASSIGN(values, repeated(values, View(dtype, nullptr, shape).elements())); }
  kept.push_back(values);
  const Axes stride = values.elements() == 1 ? Axes(shape.size(), 0) : row_major(shape);
  return View(dtype, values.data(), shape, stride);
}

/// The values, repeated, as a variable.
grad::Var spread(const grad::Var& values, Index count) {
  Tensor positions = value_or_throw(Tensor::empty(DType::kI64, {count}));
  for (Index i = 0; i < count; ++i) positions.as<Index>()[i] = i % values.elements();
  return grad::take_along(grad::reshape(values, {values.elements()}), positions, 0);
}

/// Without values nothing is written, but an empty array still refuses indices.
Result<View> used_indices(const View& a, const View& ind, const View& v, Mode mode) {
  GARNER_TRY(check_not_empty({kName, ind, mode}, a));
  return v.elements() == 0 ? ind.seen_as({0}) : ind;
}

}  // namespace

Result<Job> lower_put(const View& a, const View& ind, const View& v, Mode mode) {
  GARNER_TRY(validate_anywhere(a, fmt::format("{}: a", kName)));
  GARNER_TRY(validate_anywhere(ind, fmt::format("{}: ind", kName)));
  GARNER_TRY(validate_anywhere(v, fmt::format("{}: v", kName)));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View integers, integer_indices(kName, ind, IndexCast::kSafe, kept));
  GARNER_ASSIGN(const View used, used_indices(a, integers, v, mode));
  GARNER_ASSIGN(const View updates, updates_from(v, a.dtype(), used.shape(), kept));
  auto job = JobBuilder::scatter(kName, a, updates, Combine::kAssign);
  GARNER_TRY(address_flat(job, a, {kName, used, mode}, kept));
  return finish(std::move(job), std::move(kept));
}

void put(const MutableView& a, const View& ind, const View& v, Mode mode, const RunOptions& run) {
  std::vector<Tensor> kept;
  const View apart = value_or_throw(apart_from(a, ind, kept)), values = value_or_throw(apart_from(a, v, kept));
  const auto flat = flattened(a);  // one axis needs no coordinates
  const MutableView target = flat ? a.seen_as(flat->shape(), flat->stride()) : a;
  update(target, lower_put(target, apart, values, mode), run);
}

extern const Op op_put;
const Op op_put{"put", "(a, ind, v, mode=raise)", [](Arguments& args) -> Result<Jobs> {
  const View a = args.tensor("a"), ind = args.tensor("ind");
  GARNER_ASSIGN(const Mode mode, mode_argument(args));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View v, value_argument(args, "v", a.dtype(), kept));
  GARNER_ASSIGN(Job job, lower_put(a, ind, v, mode));
  job.kept.insert(job.kept.end(), kept.begin(), kept.end());
  return one(std::move(job));
}, nullptr, [](Arguments& args, const Leaves& leaves) -> Result<std::vector<grad::Var>> {
  const View a = args.tensor("a"), ind = args.tensor("ind");
  GARNER_ASSIGN(const Mode mode, mode_argument(args));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View v, value_argument(args, "v", a.dtype(), kept));
  const grad::Var values = spread(leaves.of(v), v.elements() == 0 ? 0 : ind.elements());
  return std::vector<grad::Var>{
      grad::call({leaves.of(a), values}, [&](const std::vector<View>& w) { return lower_put(w[0], ind, w[1], mode); })};
}};

}  // namespace garner::numpy
