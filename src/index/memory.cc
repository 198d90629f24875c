#include "index/memory.h"

#include <algorithm>

#include "base/fail.h"
#include "dtype/dispatch.h"
#include "garner/cuda.h"
#include "index/runs.h"
#include "run/copy.h"
#include "tensor/shape.h"

namespace garner::index {

void copy_elements(const View& from, const MutableView& to, const RunOptions& options) {
  const Effort effort{options.threads, 2 * from.elements() * width(from.dtype())};
  dispatch(from.dtype(), [&]<class T>() {
    const auto* source = static_cast<const T*>(from.data());
    auto* target = static_cast<T*>(to.mutable_data());
    for_each_run(from.shape(), {from.stride(), to.stride()}, effort, [&](const Run& run) {
      const T* read = source + run.start[0];
      T* write = target + run.start[1];
      for (Index j = 0; j < run.count; ++j) write[j * run.step[1]] = read[j * run.step[0]];
    });
  });
}

Result<Packed> pack(const View& view, const char* op, const RunOptions& options) {
  GARNER_TRY(validate(view, op));
  return pack_anywhere(view, op, options);
}

Result<Packed> pack_anywhere(const View& view, const char* op, const RunOptions& options) {
  GARNER_TRY(validate_anywhere(view, op));
  Packed packed;
  packed.view_ = view;
  if (is_row_major(view) || view.elements() == 0) return packed;
  if (view.device().is_cpu()) {
    GARNER_ASSIGN(packed.copy_, Tensor::empty(view.dtype(), view.shape()));
    copy_elements(view, packed.copy_->view(), options);
  } else {
    GARNER_ASSIGN(packed.copy_, contiguous(view, options));
  }
  packed.view_ = *packed.copy_;
  return packed;
}

namespace {

Status lies_elsewhere(const char* op, Device is, Device allowed) {
  return fail(Code::kUnsupported, "V9", "{}: an argument lies on {}, allowed {} as the others", op, garner::name(is),
              garner::name(allowed));
}

Status copied(const View& from, const MutableView& to, const RunOptions& options) {
  if (!from.device().is_cpu()) return copy_into(from, to, options);
  copy_elements(from, to, options);
  return {};
}

}  // namespace

Result<Device> device_of(const char* op, std::span<const View* const> views) {
  Device device;
  for (const View* view : views)
    if (!view->device().is_cpu()) device = view->device();
  for (const View* view : views)
    if (view->device() != device) return lies_elsewhere(op, view->device(), device);
  return device;
}

Status Output::check(const char* op, DType dtype, const Axes& shape) const {
  GARNER_TRY(device_.is_cpu() ? validate(*given_, op) : validate_anywhere(*given_, op));
  if (given_->device() != device_) return lies_elsewhere(op, given_->device(), device_);
  if (given_->dtype() != dtype || given_->shape() != shape)
    return fail(Code::kInvalidArgument, refusal_.rule, "{}: out is {} {}, allowed {} {}", op, name(given_->dtype()),
                list(given_->shape()), name(dtype), list(shape));
  if (!overlaps_itself(*given_)) return {};
  return fail(Code::kInvalidArgument, refusal_.rule, "{}: out has strides {}, allowed those that keep elements apart",
              op, list(given_->stride()));
}

Status Output::open(const char* op, DType dtype, const Axes& shape, std::span<const View* const> inputs, void* stream) {
  dtype_ = dtype;
  GARNER_ASSIGN(device_, device_of(op, inputs));
  const auto read = [&](const View* input) { return may_overlap(*input, *given_); };
  if (given_ != nullptr) {
    GARNER_TRY(check(refusal_.op == nullptr ? op : refusal_.op, dtype, shape));
    if (is_row_major(*given_) && std::ranges::none_of(inputs, read)) return {};
  }
  GARNER_ASSIGN(fresh_, cuda::empty(dtype, shape, device_, stream));
  return {};
}

Status Output::close(const RunOptions& options) {
  return given_ != nullptr && fresh_ ? copied(*fresh_, *given_, options) : Status{};
}

Status Output::put(const View& from, const RunOptions& options) { return copied(from, seen_as(from.shape()), options); }

Lanes lanes_of(const Axes& shape, Index axis) {
  Lanes lanes;
  for (Index a = 0; a < static_cast<Index>(shape.size()); ++a)
    (a < axis ? lanes.outer : a == axis ? lanes.count : lanes.inner) *= shape[static_cast<std::size_t>(a)];
  return lanes;
}

Result<Index> axis_of(const char* op, Index axis, Index rank) {
  if (axis < -rank || axis >= rank)
    return fail(Code::kInvalidArgument, "IX1", "{}: axis is {}, allowed [{}, {})", op, axis, -rank, rank);
  return axis < 0 ? axis + rank : axis;
}

Axes without_axis(Axes shape, Index axis) {
  shape.erase(shape.begin() + axis);
  return shape;
}

}  // namespace garner::index
