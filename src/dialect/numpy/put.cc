// numpy.put(a, ind, v, mode=raise)
//   a.flat[ind[d]] = v.flat[d % v.size], d counted through all of ind
#include <cstring>

#include "base/fail.h"
#include "dialect/numpy/convert.h"
#include "dialect/numpy/indices.h"
#include "garner/error.h"

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

/// v in the array's dtype and in the shape of the indices.
Result<View> updates_from(const View& v, DType dtype, const Axes& shape, std::vector<Tensor>& kept) {
  GARNER_ASSIGN(const View typed, as_dtype(v, dtype, kept));
  GARNER_ASSIGN(Tensor values, contiguous(typed));
  if (values.elements() != 1) { GARNER_ASSIGN(values, repeated(values, View(dtype, nullptr, shape).elements())); }
  kept.push_back(values);
  const Axes stride = values.elements() == 1 ? Axes(shape.size(), 0) : row_major(shape);
  return View(dtype, values.data(), shape, stride);
}

/// Without values nothing is written, but an empty array still refuses indices.
Result<View> used_indices(const View& a, const View& ind, const View& v, Mode mode) {
  GARNER_TRY(check_not_empty({kName, ind, mode}, a));
  return v.elements() == 0 ? View(ind.dtype(), ind.data(), {0}) : ind;
}

}  // namespace

Result<Job> lower_put(const View& a, const View& ind, const View& v, Mode mode) {
  GARNER_TRY(validate(a, fmt::format("{}: a", kName)));
  GARNER_TRY(validate(ind, fmt::format("{}: ind", kName)));
  GARNER_TRY(validate(v, fmt::format("{}: v", kName)));
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
  const View apart = value_or_throw(apart_from(a, ind, kept));  // lowering copies v
  const auto flat = flattened(a);  // one axis needs no coordinates
  const MutableView target = flat ? MutableView(a.dtype(), a.mutable_data(), flat->shape(), flat->stride()) : a;
  update(target, lower_put(target, apart, v, mode), run);
}

extern const Op op_put;
const Op op_put{"put", "(a, ind, v, mode=raise)", [](Arguments& args) -> Result<Jobs> {
  const View a = args.tensor("a"), ind = args.tensor("ind");
  GARNER_ASSIGN(const Mode mode, mode_argument(args));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View v, value_argument(args, "v", a.dtype(), kept));
  return one(lower_put(a, ind, v, mode));
}};

}  // namespace garner::numpy
