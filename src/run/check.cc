#include "run/check.h"

#include "plan/range.h"

namespace garner {
namespace {

Status check_dtypes(const Job& job) {
  const IndexPlan& plan = job.plan;
  const auto wrong = [&](const char* what, DType is, DType allowed) {
    return fail(Code::kType, "P14", "{}: {} is {}, allowed {}", job.op, what, name(is), name(allowed));
  };
  if (job.operand && job.operand->dtype() != plan.dtype) return wrong("operand", job.operand->dtype(), plan.dtype);
  if (job.updates && job.updates->dtype() != plan.dtype) return wrong("updates", job.updates->dtype(), plan.dtype);
  if (job.fill && job.fill->dtype() != plan.dtype) return wrong("fill", job.fill->dtype(), plan.dtype);
  if (job.mask && job.mask->dtype() != DType::kBool) return wrong("mask", job.mask->dtype(), DType::kBool);
  for (std::size_t t = 0; t < job.indices.size(); ++t)
    if (job.indices[t].dtype() != plan.terms[t].dtype)
      return wrong("index", job.indices[t].dtype(), plan.terms[t].dtype);
  return {};
}

/// Does the job bring what its plan asks for?
Status check_parts(const Job& job) {
  const IndexPlan& plan = job.plan;
  const bool scatter = plan.direction == Direction::kScatter;
  const bool complete = job.indices.size() == plan.terms.size() && scatter == job.updates.has_value() &&
                        (scatter || job.operand) && job.mask.has_value() == plan.mask_stride.has_value() &&
                        job.fill.has_value() == plan.fill_stride.has_value() &&
                        job.more_operands.size() == job.more_updates.size();
  if (!complete) return fail(Code::kInvalidArgument, "P15", "{}: the job has not the tensors its plan names", job.op);
  if (plan.combine == Combine::kUser && !device_of(job).is_cpu())
    return fail(Code::kUnsupported, "P24", "{}: combine is user, which runs on the CPU only", job.op);
  if (plan.combine == Combine::kUser && !job.user)
    return fail(Code::kInvalidArgument, "P17", "{}: combine is user, but no function is given", job.op);
  return {};
}

/// The elements a strided walk reads, against those the view has.
Status check_reach(const Job& job, const View& view, const Axes& stride, const char* what) {
  const auto reads = affine_range(0, job.plan.domain, stride), has = affine_range(0, view.shape(), view.stride());
  const bool fits = reads && (view.elements() > 0 && has && reads->lo >= has->lo && reads->hi <= has->hi);
  if (fits) return {};
  return fail(Code::kInvalidArgument, "P19", "{}: {} has shape {}, which does not cover the domain {}", job.op, what,
              list(view.shape()), list(job.plan.domain));
}

Axes indexed_shape(const IndexPlan& plan) {
  Axes shape;
  for (const AxisMap& map : plan.indexed) shape.push_back(map.extent);
  return shape;
}

/// The result has the plan's shape, and so has what a scatter starts from.
Status check_shapes(const Job& job) {
  const bool gather = job.plan.direction == Direction::kGather;
  const Axes shape = gather ? job.plan.domain : indexed_shape(job.plan);
  if (job.result_shape != shape)
    return fail(Code::kInvalidArgument, "P15", "{}: the result has shape {}, allowed {} (the plan's)", job.op,
                list(job.result_shape), list(shape));
  if (!gather && job.operand && job.operand->shape() != shape)
    return fail(Code::kInvalidArgument, "P15", "{}: operand has shape {}, allowed {}", job.op,
                list(job.operand->shape()), list(shape));
  return {};
}

/// A gather reads its operand by the plan's extents and strides; the operand must have those elements.
Status check_operand(const Job& job) {
  const Axes shape = indexed_shape(job.plan);
  if (job.plan.direction == Direction::kScatter || any_zero(shape)) return {};
  Axes stride;
  for (const AxisMap& map : job.plan.indexed) stride.push_back(map.stride);
  const auto reads = affine_range(job.plan.indexed_base, shape, stride),
             has = affine_range(0, job.operand->shape(), job.operand->stride());
  if (job.operand->elements() > 0 && reads && has && reads->lo >= has->lo && reads->hi <= has->hi) return {};
  return fail(Code::kInvalidArgument, "P19", "{}: operand has shape {}, which does not cover the plan's {}", job.op,
              list(job.operand->shape()), list(shape));
}

Status check_reaches(const Job& job) {
  if (any_zero(job.plan.domain)) return {};
  GARNER_TRY(check_operand(job));
  for (std::size_t t = 0; t < job.indices.size(); ++t)
    GARNER_TRY(check_reach(job, job.indices[t], job.plan.terms[t].stride, "index"));
  if (job.updates) GARNER_TRY(check_reach(job, *job.updates, job.plan.dense_stride, "updates"));
  if (job.mask) GARNER_TRY(check_reach(job, *job.mask, *job.plan.mask_stride, "mask"));
  if (job.fill) GARNER_TRY(check_reach(job, *job.fill, *job.plan.fill_stride, "fill"));
  return {};
}

}  // namespace

Device device_of(const Job& job) {
  Device device;
  const auto see = [&](const View& view, const char*) -> Status {
    if (!view.device().is_cpu()) device = view.device();
    return {};
  };
  static_cast<void>(for_each_input(job, see));
  return device;
}

bool mixes_devices(const Job& job) {
  const Device device = device_of(job);
  bool mixes = false;
  const auto see = [&](const View& view, const char*) -> Status {
    mixes = mixes || view.device() != device;
    return {};
  };
  static_cast<void>(for_each_input(job, see));
  return mixes;
}

bool same_place(const View& a, const View& b) {
  return a.data() == b.data() && a.device() == b.device() && a.dtype() == b.dtype() && a.shape() == b.shape() &&
         a.stride() == b.stride();
}

Status check_inputs(const Job& job) {
  GARNER_TRY(check_parts(job));
  GARNER_TRY(
      for_each_input(job, [&](const View& v, const char* what) { return validate_anywhere(v, job.op + ": " + what); }));
  GARNER_TRY(check_dtypes(job));
  GARNER_TRY(verify(job.plan));
  GARNER_TRY(check_shapes(job));
  return check_reaches(job);
}

Status check_memory(const std::string& op, const MutableView& out, Device device) {
  if (!validate_anywhere(out, "out").ok()) return validate_anywhere(out, op + ": out");  // the name costs a small call
  if (out.device() != device)
    return fail(Code::kInvalidArgument, "P23", "{}: out lies on {}, allowed {} as the others", op, name(out.device()),
                name(device));
  if (!overlaps_itself(out)) return {};
  return fail(Code::kInvalidArgument, "P10", "{}: out has stride {}, so that elements share memory", op,
              list(out.stride()));
}

Status check_output(const Job& job, const MutableView& out, const Axes& shape) {
  GARNER_TRY(check_memory(job.op, out, device_of(job)));
  if (out.shape() != shape)
    return fail(Code::kInvalidArgument, "P12", "{}: out has shape {}, allowed {}", job.op, list(out.shape()),
                list(shape));
  if (out.dtype() != job.plan.dtype)
    return fail(Code::kType, "P13", "{}: out is {}, allowed {}", job.op, name(out.dtype()), name(job.plan.dtype));
  return for_each_input(job, [&](const View& v, const char* what) -> Status {
    const bool is_operand = job.operand && &v == &*job.operand;
    const bool in_place = is_operand && job.plan.direction == Direction::kScatter && same_place(v, out);
    if (in_place || !may_overlap(v, out)) return {};
    return fail(Code::kInvalidArgument, "P11", "{}: out overlaps {}", job.op, what);
  });
}

}  // namespace garner
