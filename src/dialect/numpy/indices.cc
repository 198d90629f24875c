#include "dialect/numpy/indices.h"

#include <algorithm>

#include "base/fail.h"
#include "dialect/numpy/convert.h"
#include "dtype/dispatch.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::numpy {
namespace {

using Wide = __int128;  // holds every i64 and every u64

/// f(position, value) for every element, until one says stop.
template <class F>
Status walk_values(const View& index, F&& f) {
  Status status = validate(index, "index");
  walk_positions(index.shape(), [&](const Axes& at) {
    if (!status.ok()) return;
    const Wide value = dispatch_index(index.dtype(), [&]<class T>() -> Wide {
      return static_cast<const T*>(index.data())[dot(at, index.stride())];
    }, []() -> Wide { return 0; });
    status = f(at, value);
  });
  return status;
}

std::string decimal(Wide v) {
  return v < 0 ? std::to_string(static_cast<Index>(v)) : std::to_string(static_cast<std::uint64_t>(v));
}

Status out_of_range(const AxisOf& on, const Axes& at, Wide value, Index extent) {
  return fail(Code::kIndex, "NP3", "{}: index{} is {}, allowed [{}, {}) on axis {} of operand {}", on.op, list(at),
              decimal(value), -extent, extent, on.axis, list(on.shape));
}

/// What an index becomes, by the mode; none when it is out of range.
std::optional<Index> resolved(Wide value, Mode mode, Index extent) {
  switch (mode) {
    case Mode::kRaise: value = value < 0 ? value + extent : value; break;
    case Mode::kWrap: value = (value % extent + extent) % extent; break;
    case Mode::kClip: value = std::clamp<Wide>(value, 0, extent - 1); break;
  }
  return value >= 0 && value < extent ? std::optional(static_cast<Index>(value)) : std::nullopt;
}

/// Coordinates of flat positions: one row per axis of `shape`.
Result<Tensor> coordinates(const FlatIndices& flat, const Axes& shape, Index elements) {
  const Index count = flat.indices.elements(), rank = static_cast<Index>(shape.size());
  GARNER_ASSIGN(Tensor out, Tensor::empty(DType::kI64, {rank, count}));
  Index* next = out.as<Index>();
  GARNER_TRY(walk_values(flat.indices, [&](const Axes& at, Wide value) -> Status {
    const auto position = resolved(value, flat.mode, elements);
    if (!position) return out_of_range({flat.op, {elements}, 0}, at, value, elements);
    Index rest = *position;
    for (Index a = rank; a-- > 0; rest /= shape[static_cast<std::size_t>(a)])
      next[a * count] = rest % shape[static_cast<std::size_t>(a)];
    ++next;
    return {};
  }));
  return out;
}

}  // namespace

Result<Mode> mode_argument(Arguments& a) {
  const std::string text = a.word("mode");
  GARNER_TRY(a.status());
  if (text == "raise") return Mode::kRaise;
  if (text == "wrap") return Mode::kWrap;
  if (text == "clip") return Mode::kClip;
  return fail(Code::kInvalidArgument, "NP1", "{}: mode is {}, allowed raise, wrap, clip", a.op(), text);
}

Bounds bounds_of(Mode mode, Index extent) {
  switch (mode) {
    case Mode::kRaise: return {.hi = extent, .wrap = extent, .policy = OutOfRange::kTrap};
    case Mode::kWrap: return {.hi = extent, .policy = OutOfRange::kModulo};
    case Mode::kClip: return {.hi = extent, .policy = OutOfRange::kClamp};
  }
  return {};
}

Result<Index> effective_axis(const char* op, Index axis, Index rank) {
  if (axis < -rank || axis >= rank)
    return fail(Code::kInvalidArgument, "NP2", "{}: axis is {}, allowed [{}, {})", op, axis, -rank, rank);
  return axis < 0 ? axis + rank : axis;
}

Result<View> integer_indices(const char* op, const View& indices, IndexCast cast, std::vector<Tensor>& kept) {
  const bool unsafe = cast == IndexCast::kSafe && indices.dtype() == DType::kU64;
  if (indices.dtype() == DType::kBool) return as_dtype(indices, DType::kU8, kept);
  if (is_integer(indices.dtype()) && !unsafe) return indices;
  return fail(Code::kType, "NP4", "{}: indices are {}, allowed {}", op, name(indices.dtype()),
              cast == IndexCast::kSafe ? "bool, i8 to i64, u8 to u32" : "bool or an integer dtype");
}

Status check_values(const AxisOf& on, const View& index) {
  const Index extent = on.shape[static_cast<std::size_t>(on.axis)];
  return walk_values(index, [&](const Axes& at, Wide value) {
    return resolved(value, Mode::kRaise, extent) ? Status{} : out_of_range(on, at, value, extent);
  });
}

std::optional<View> flattened(const View& view) {
  if (view.elements() == 0) return view.seen_as({0});
  Index extent = 1, stride = 1;
  for (Index a = view.rank(); a-- > 0;) {
    if (view.extent(a) == 1) continue;
    if (extent == 1) stride = view.stride(a);
    else if (view.stride(a) != stride * extent) return std::nullopt;
    extent *= view.extent(a);
  }
  return view.seen_as({extent}, {stride});
}

Status check_not_empty(const FlatIndices& flat, const View& array) {
  if (array.elements() > 0 || flat.indices.elements() == 0) return {};
  return fail(Code::kIndex, "NP6", "{}: indices have shape {}, allowed no element (the array has none)", flat.op,
              list(flat.indices.shape()));
}

Status address_flat(JobBuilder& job, const View& operand, const FlatIndices& flat, std::vector<Tensor>& kept) {
  const Index elements = operand.elements(), rank = operand.rank();
  GARNER_TRY(check_not_empty(flat, operand));
  if (rank == 1) {
    const Axes along = axes_from(0, flat.indices.rank());
    job.look_up(0, job.term(flat.indices, along, bounds_of(flat.mode, elements), "index", "NP3"));
    return {};
  }
  GARNER_ASSIGN(Tensor rows, coordinates(flat, operand.shape(), elements));
  kept.push_back(std::move(rows));
  for (Index a = 0; a < rank; ++a) {
    const View row = slice_at(kept.back(), 0, a), like(row.dtype(), row.data(), flat.indices.shape());
    job.look_up(a, job.term(like, axes_from(0, like.rank()), {.hi = operand.extent(a)}, "index", "NP3"));
  }
  return {};
}

Result<View> apart_from(const View& target, const View& view, std::vector<Tensor>& kept) {
  GARNER_TRY(validate_anywhere(target, "array"));
  GARNER_TRY(validate_anywhere(view, "value or index"));
  if (!may_overlap(target, view)) return view;
  GARNER_ASSIGN(Tensor copy, contiguous(view));
  kept.push_back(std::move(copy));
  return View(kept.back());
}

void update(const MutableView& target, const Result<Job>& job, const RunOptions& run) {
  value_or_throw(run_in_place(value_or_throw(job), target, nullptr, run));
}

/// Assignment leaves out what a value's shape begins with too many of.
View without_leading_ones(const View& value, Index rank) {
  Index drop = 0;
  while (value.rank() - drop > rank && value.extent(drop) == 1) ++drop;
  return value.seen_as(Axes(value.shape().begin() + drop, value.shape().end()),
                       Axes(value.stride().begin() + drop, value.stride().end()));
}

Result<View> updates_for(const Assigned& assigned, std::vector<Tensor>& kept) {
  GARNER_ASSIGN(const View value, as_dtype(assigned.value, assigned.dtype, kept));
  const auto wide = broadcast_to(value, assigned.shape);
  if (wide.ok()) return *wide;
  return fail(Code::kInvalidArgument, "NP13", "{}: value has shape {}, allowed what broadcasts to {}", assigned.op,
              list(value.shape()), list(assigned.shape));
}

std::string shapes_text(std::span<const Axes> shapes) {
  std::vector<std::string> texts;
  for (const Axes& shape : shapes) texts.push_back(list(shape));
  return fmt::format("{}", fmt::join(texts, " "));
}

Job finish(JobBuilder job, std::vector<Tensor> kept) {
  Job out = std::move(job).build();
  out.kept = std::move(kept);
  return out;
}

}  // namespace garner::numpy
