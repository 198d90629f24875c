// Choosing by masks: where, masked_fill, masked_select, masked_scatter, compress. Each becomes a plan: a masked read,
// or a read or write at the positions where the mask is true.
#include "base/fail.h"
#include "garner/cuda.h"
#include "garner/index.h"
#include "index/engine.h"
#include "run/job_builder.h"

namespace garner::index {
namespace {

Status check_bool(const char* op, const char* what, const View& view) {
  if (view.dtype() == DType::kBool) return {};
  return fail(Code::kType, "IX3", "{}: {} is {}, allowed bool", op, what, name(view.dtype()));
}

Status check_same(const char* op, const char* what, const View& view, const View& other) {
  if (view.dtype() == other.dtype()) return {};
  return fail(Code::kType, "IX3", "{}: {} is {}, allowed {}", op, what, name(view.dtype()), name(other.dtype()));
}

Result<View> stretched(const char* op, const char* what, const View& view, const Axes& shape) {
  auto out = broadcast_to(view, shape);
  if (out.ok()) return out;
  return fail(Code::kInvalidArgument, "IX5", "{}: {} has shape {}, allowed one broadcastable to {}", op, what,
              list(view.shape()), list(shape));
}

Result<Axes> common_shape(const char* op, const std::vector<Axes>& shapes) {
  if (auto common = broadcast_shapes(shapes)) return *std::move(common);
  std::string given;
  for (const Axes& shape : shapes) given += ' ' + list(shape);
  return fail(Code::kInvalidArgument, "IX5", "{}: shapes are{}, allowed shapes that broadcast together", op, given);
}

/// a where cond is true, b elsewhere, over `shape`.
Result<Job> choose(const char* op, const View& cond, const View& a, const View& b, const Axes& shape) {
  GARNER_TRY(check_bool(op, "mask", cond));
  GARNER_TRY(check_same(op, "the second value", b, a));
  GARNER_ASSIGN(const View operand, stretched(op, "value", a, shape));
  GARNER_TRY(stretched(op, "mask", cond, shape));
  GARNER_TRY(stretched(op, "value", b, shape));
  auto job = JobBuilder::gather(op, operand, shape);
  for (Index axis = 0; axis < operand.rank(); ++axis) job.follow(axis, axis);
  return std::move(job.mask(cond).fill(b)).build();
}

/// Places of `along` an axis that a list of positions names; -1 gives the fill.
struct Picked {
  View operand;
  Index axis;
  Tensor positions;
  std::optional<View> fill;
};

Result<Job> pick(const char* op, const Picked& p) {
  Axes domain = p.operand.shape();
  domain[static_cast<std::size_t>(p.axis)] = p.positions.elements();
  auto job = JobBuilder::gather(op, p.operand, domain);
  for (Index a = 0; a < p.operand.rank(); ++a)
    if (a != p.axis) job.follow(a, a);
  const Bounds bounds{.hi = p.operand.extent(p.axis), .policy = OutOfRange::kFill};
  job.look_up(p.axis, job.term(p.positions, {p.axis}, bounds, "position", "IX7"));
  if (p.fill) job.fill(*p.fill);
  Job built = std::move(job).build();
  built.kept.push_back(p.positions);
  return built;
}

Status where_to(const View& cond, const View& a, const View& b, const RunOptions& run, Output& out) {
  GARNER_ASSIGN(const Axes shape, common_shape("where", {cond.shape(), a.shape(), b.shape()}));
  return deliver(choose("where", cond, a, b, shape), shape, run, out);
}

Status fill_to(const View& input, const View& mask, const View& value, const RunOptions& run, Output& out) {
  return deliver(choose("masked_fill", mask, value, input, input.shape()), input.shape(), run, out);
}

Status select_to(const View& input, const View& mask, const RunOptions& run, Output& out) {
  constexpr const char* kOp = "masked_select";
  GARNER_TRY(check_bool(kOp, "mask", mask));
  GARNER_ASSIGN(const Axes shape, common_shape(kOp, {input.shape(), mask.shape()}));
  GARNER_ASSIGN(const View wide_input, broadcast_to(input, shape));
  GARNER_ASSIGN(const View wide_mask, broadcast_to(mask, shape));
  GARNER_ASSIGN(const Packed packed, pack_anywhere(wide_input, kOp, run));
  GARNER_ASSIGN(Tensor positions, index::flatnonzero(wide_mask, {}, run));
  const Axes result = positions.shape();
  return deliver(pick(kOp, {flat(packed), 0, std::move(positions), std::nullopt}), result, run, out);
}

Result<Job> scatter_job(const char* op, const Packed& input, const Tensor& positions, const View& source) {
  if (source.elements() < positions.elements())
    return fail(Code::kInvalidArgument, "IX5", "{}: source has {} elements, allowed [{}, 2^63)", op, source.elements(),
                positions.elements());
  const View updates = source.seen_as(positions.shape());
  auto job = JobBuilder::scatter(op, flat(input), updates, Combine::kAssign);
  job.look_up(0, job.term(positions, {0}, {.hi = input.view().elements()}, "position", "IX7"));
  return std::move(job).build();
}

Status scatter_to(const View& input, const View& mask, const View& source, const RunOptions& run, Output& out) {
  constexpr const char* kOp = "masked_scatter";
  GARNER_TRY(check_bool(kOp, "mask", mask));
  GARNER_TRY(check_same(kOp, "source", source, input));
  GARNER_ASSIGN(const View wide_mask, stretched(kOp, "mask", mask, input.shape()));
  GARNER_ASSIGN(const Packed packed, pack_anywhere(input, kOp, run));
  GARNER_ASSIGN(const Packed values, pack_anywhere(source, kOp, run));
  GARNER_ASSIGN(const Tensor positions, index::flatnonzero(wide_mask, {}, run));
  return deliver(scatter_job(kOp, packed, positions, values.view()), input.shape(), run, out);
}

// ---- compress ----

struct Along {
  View operand;
  Index axis;
};

Result<Along> operand_of(const char* op, const Packed& packed, const CompressOptions& options) {
  if (!options.axis) return Along{flat(packed), 0};
  GARNER_ASSIGN(const Index axis, axis_of(op, *options.axis, packed.view().rank()));
  return Along{packed.view(), axis};
}

Status check_condition(const char* op, const View& condition, const Along& along) {
  const Index extent = along.operand.extent(along.axis);
  if (condition.rank() == 1 && condition.extent(0) <= extent) return {};
  return fail(Code::kInvalidArgument, "IX5", "{}: condition has shape {}, allowed [0] to [{}] on axis {}", op,
              list(condition.shape()), extent, along.axis);
}

/// Where the condition is true, and how often that is.
struct Places {
  Tensor positions;
  Index count = 0;
};

/// `counted`: all are counted, also those past the capacity.
Result<Places> places_of(const View& condition, std::optional<Index> capacity, bool counted, const RunOptions& run) {
  Places places;
  if (!capacity || !counted) {
    GARNER_ASSIGN(places.positions, index::flatnonzero(condition, {.capacity = capacity}, run));
    places.count = places.positions.elements();
  } else {
    GARNER_ASSIGN(places.positions, cuda::empty(DType::kI64, {*capacity}, condition.device(), run.stream));
    GARNER_ASSIGN(places.count, index::flatnonzero_into(condition, places.positions.view(), {}, run));
  }
  return places;
}

Result<Index> compress_to(const View& input, const View& condition, const CompressOptions& options, bool counted,
                          const RunOptions& run, Output& out) {
  constexpr const char* kOp = "compress";
  GARNER_ASSIGN(const Packed packed, pack_anywhere(input, kOp, run));
  GARNER_ASSIGN(const Along along, operand_of(kOp, packed, options));
  GARNER_TRY(check_condition(kOp, condition, along));
  if (options.fill) GARNER_TRY(check_same(kOp, "fill", *options.fill, input));
  GARNER_ASSIGN(const Places places, places_of(condition, options.capacity, counted, run));
  const Result<Job> job = pick(kOp, {along.operand, along.axis, places.positions, options.fill});
  GARNER_TRY(deliver(job, job->result_shape, run, out));
  return places.count;
}

}  // namespace

Result<Tensor> where(const View& cond, const View& a, const View& b, const RunOptions& run) {
  return fresh([&](Output& out) { return where_to(cond, a, b, run, out); });
}
Status where_into(const View& cond, const View& a, const View& b, const MutableView& out, const RunOptions& run) {
  return into(out, run, [&](Output& o) { return where_to(cond, a, b, run, o); });
}
Result<Tensor> masked_fill(const View& input, const View& mask, const View& value, const RunOptions& run) {
  return fresh([&](Output& out) { return fill_to(input, mask, value, run, out); });
}
Status masked_fill_into(const View& input, const View& mask, const View& value, const MutableView& out,
                        const RunOptions& run) {
  return into(out, run, [&](Output& o) { return fill_to(input, mask, value, run, o); });
}
Result<Tensor> masked_select(const View& input, const View& mask, const RunOptions& run) {
  return fresh([&](Output& out) { return select_to(input, mask, run, out); });
}
Status masked_select_into(const View& input, const View& mask, const MutableView& out, const RunOptions& run) {
  return into(out, run, [&](Output& o) { return select_to(input, mask, run, o); });
}
Result<Tensor> masked_scatter(const View& input, const View& mask, const View& source, const RunOptions& run) {
  return fresh([&](Output& out) { return scatter_to(input, mask, source, run, out); });
}
Status masked_scatter_into(const View& input, const View& mask, const View& source, const MutableView& out,
                           const RunOptions& run) {
  return into(out, run, [&](Output& o) { return scatter_to(input, mask, source, run, o); });
}

Result<Tensor> compress(const View& input, const View& condition, const CompressOptions& options,
                        const RunOptions& run) {
  Output out;
  GARNER_TRY(compress_to(input, condition, options, /*counted=*/false, run, out));
  return out.take();
}
Result<Index> compress_into(const View& input, const View& condition, const MutableView& given,
                            const CompressOptions& given_options, const RunOptions& run) {
  CompressOptions options = given_options;
  const Index axis = options.axis.value_or(0), along = axis < 0 ? axis + given.rank() : axis;
  options.capacity = along >= 0 && along < given.rank() ? given.extent(along) : 0;
  Output out(given);
  GARNER_ASSIGN(const Index count, compress_to(input, condition, options, /*counted=*/true, run, out));
  GARNER_TRY(out.close(run));
  return count;
}

}  // namespace garner::index
