#include "dialect/numpy/key.h"

#include <algorithm>

#include "base/checked_math.h"
#include "base/fail.h"
#include "garner/index.h"
#include "tensor/walk.h"

namespace garner::numpy {
namespace {

bool is_mask(const View& index) { return index.dtype() == DType::kBool; }

/// How many axes of the array a part speaks of.
struct Consumes {
  Index operator()(Index) const { return 1; }
  Index operator()(const Slice&) const { return 1; }
  Index operator()(const NewAxis&) const { return 0; }
  Index operator()(const Ellipsis&) const { return 0; }
  Index operator()(const View& index) const { return is_mask(index) ? index.rank() : 1; }
};

/// Python's slice.indices(): the first position, the step, and how many there are.
struct Range {
  Index first, step, count;
};

Index clipped(Index value, Index extent, Index lowest, Index highest) {
  if (value < 0) value = checked_add(value, extent).value_or(lowest);
  return std::clamp(value, lowest, highest);
}

Range range_of(const Slice& slice, Index step, Index extent) {
  const bool up = step > 0;
  const Index lowest = up ? 0 : -1, highest = up ? extent : extent - 1;
  const Index first = slice.start ? clipped(*slice.start, extent, lowest, highest) : (up ? lowest : highest);
  const Index last = slice.stop ? clipped(*slice.stop, extent, lowest, highest) : (up ? highest : lowest);
  const Index distance = up ? last - first : first - last;
  if (distance <= 0) return {0, 0, 0};
  // The step's size as a count of positions it leaves out: the least integer has no opposite.
  const Index left_out = up ? step - 1 : -(step + 1);
  const Index count = left_out >= distance ? 1 : (distance - 1) / (left_out + 1) + 1;
  return {first, count > 1 ? step : 0, count};
}

/// Reads the parts in order. Integers belong to the block of index arrays when there is one, so they count for its
/// place.
class Reader {
 public:
  Reader(const char* op, const View& array, Index spare)
      : out_{.op = op,
             .extents = array.shape(),
             .stretches = {},
             .lookups = {},
             .positions = {},
             .slots = {},
             .block = {},
             .kept = {}},
        spare_(spare) {}

  Status operator()(Index value) {
    join_block();
    const Index extent = out_.extents[at(axis_)];
    if (value < -extent || value >= extent)
      return fail(Code::kIndex, "NP3", "{}: index is {}, allowed [{}, {}) on axis {} of operand {}", out_.op, value,
                  -extent, extent, axis_, list(out_.extents));
    out_.positions.push_back({axis_++, value < 0 ? value + extent : value});
    return {};
  }

  Status operator()(const Slice& slice) {
    const Index step = slice.step.value_or(1);
    if (step == 0)
      return fail(Code::kInvalidArgument, "NP12", "{}: step is 0, allowed all but 0 on axis {}", out_.op, axis_);
    const Range range = range_of(slice, step, out_.extents[at(axis_)]);
    out_.stretches.push_back({axis_++, add_slot(range.count), range.first, range.step, range.count});
    return {};
  }

  Status operator()(const NewAxis&) {
    add_slot(1);
    return {};
  }

  /// Also one that stands for no axis sets index arrays apart.
  Status operator()(const Ellipsis&) {
    leave_block();
    for (; spare_ > 0; --spare_) GARNER_TRY((*this)(Slice{}));
    return {};
  }

  Status operator()(const View& index) {
    GARNER_TRY(validate_anywhere(index, fmt::format("{}: index", out_.op)));
    join_block();
    if (is_mask(index)) return take_mask(index);
    if (!is_integer(index.dtype()))
      return fail(Code::kIndex, "NP5", "{}: index is {}, allowed bool or an integer dtype", out_.op,
                  name(index.dtype()));
    if (index.rank() > 0) add_array(index.shape());
    out_.lookups.push_back({axis_++, index});
    return {};
  }

  Result<Selection> finish() && {
    GARNER_TRY((*this)(Ellipsis{}));
    auto block = broadcast_shapes(arrays_);
    if (!block)
      return fail(Code::kIndex, "NP8", "{}: index arrays have shapes {}, allowed what broadcasts together", out_.op,
                  shapes_text(arrays_));
    out_.block = *std::move(block);
    if (place_ == Place::kSplit) out_.block_at = 0;
    return std::move(out_);
  }

 private:
  static std::size_t at(Index axis) { return static_cast<std::size_t>(axis); }

  /// A mask is the positions where it is true: one index array per axis, or none but still a shape when it has no axis.
  Status take_mask(const View& mask) {
    for (Index a = 0; a < mask.rank(); ++a)
      if (mask.extent(a) != out_.extents[at(axis_ + a)])
        return fail(Code::kIndex, "NP11", "{}: extent of the mask is {}, allowed {} on axis {}", out_.op,
                    mask.extent(a), out_.extents[at(axis_ + a)], axis_ + a);
    GARNER_ASSIGN(Tensor rows, index::nonzero(mask, {.layout = Layout::kColumns}));
    out_.kept.push_back(std::move(rows));
    const View found = out_.kept.back();
    add_array({found.extent(1)});
    for (Index a = 0; a < mask.rank(); ++a) out_.lookups.push_back({axis_++, slice_at(found, 0, a)});
    return {};
  }

  void add_array(const Axes& shape) { arrays_.push_back(shape); }

  Index add_slot(Index extent) {
    leave_block();
    out_.slots.push_back(extent);
    return static_cast<Index>(out_.slots.size()) - 1;
  }

  void join_block() {
    if (place_ == Place::kNone) out_.block_at = static_cast<Index>(out_.slots.size());
    place_ = place_ == Place::kNone || place_ == Place::kOpen ? Place::kOpen : Place::kSplit;
  }
  void leave_block() {
    if (place_ == Place::kOpen) place_ = Place::kLeft;
  }

  enum class Place { kNone, kOpen, kLeft, kSplit };
  Selection out_;
  Index axis_ = 0, spare_;  // axes that no part speaks of: the ellipsis stands for them
  std::vector<Axes> arrays_;
  Place place_ = Place::kNone;
};

/// How many axes are left for the ellipsis.
Result<Index> spare_axes(const char* op, const View& array, const Key& key) {
  Index spoken = 0, ellipses = 0;
  for (const KeyPart& part : key) {
    spoken += std::visit(Consumes{}, part);
    ellipses += std::holds_alternative<Ellipsis>(part) ? 1 : 0;
  }
  if (ellipses > 1) return fail(Code::kIndex, "NP10", "{}: the key has {} ellipses, allowed [0, 1]", op, ellipses);
  if (spoken > array.rank())
    return fail(Code::kIndex, "NP9", "{}: the key speaks of {} axes, allowed [0, {}]", op, spoken, array.rank());
  return array.rank() - spoken;
}

/// An index that no element is read or written through is wrong all the same, unless the index arrays broadcast to
/// none.
Status check_unread(const Selection& selection) {
  if (!any_zero(shape_of(selection))) return {};
  for (const Lookup& l : selection.lookups)
    if (l.index.rank() == 0 || !any_zero(selection.block))
      GARNER_TRY(check_values({selection.op, selection.extents, l.axis}, l.index));
  return {};
}

Index domain_axis(const Selection& selection, Index slot) {
  return slot < selection.block_at ? slot : slot + static_cast<Index>(selection.block.size());
}

/// NumPy's own way for array[mask] = values takes a list of them, and nothing that would broadcast to one.
Status check_masked_value(const Write& write) {
  const View* mask = write.key.size() == 1 ? std::get_if<View>(&write.key[0]) : nullptr;
  const bool whole = mask != nullptr && is_mask(*mask) && mask->rank() > 0 && mask->rank() == write.array.rank();
  if (!whole || write.value.rank() <= 1) return {};
  return fail(Code::kType, "NP14", "{}: value has rank {}, allowed 0 or 1 under one mask", write.op,
              write.value.rank());
}

}  // namespace

Result<Selection> resolve(const char* op, const View& array, const Key& key) {
  GARNER_TRY(validate_anywhere(array, fmt::format("{}: array", op)));
  GARNER_ASSIGN(const Index spare, spare_axes(op, array, key));
  Reader reader(op, array, spare);
  for (const KeyPart& part : key) GARNER_TRY(std::visit(reader, part));
  GARNER_ASSIGN(Selection out, std::move(reader).finish());
  GARNER_TRY(check_unread(out));
  return out;
}

Axes shape_of(const Selection& selection) {
  Axes shape = selection.slots;
  shape.insert(shape.begin() + selection.block_at, selection.block.begin(), selection.block.end());
  return shape;
}

void address(JobBuilder& job, const Selection& selection) {
  for (const Position& p : selection.positions) job.shift(p.axis, p.value);
  for (const Stretch& s : selection.stretches)
    job.follow(s.axis, domain_axis(selection, s.slot), s.step).shift(s.axis, s.first);
  const Index end = selection.block_at + static_cast<Index>(selection.block.size());
  for (const Lookup& l : selection.lookups) {
    const Index extent = selection.extents[static_cast<std::size_t>(l.axis)], rank = l.index.rank();
    const Bounds bounds = bounds_of(Mode::kRaise, extent);
    job.look_up(l.axis, job.term(l.index, axes_from(end - rank, rank), bounds, "index", "NP3"));
  }
}

Result<Job> lower_write(const Write& write, Combine combine) {
  GARNER_ASSIGN(Selection selection, resolve(write.op, write.array, write.key));
  GARNER_TRY(validate_anywhere(write.value, fmt::format("{}: value", write.op)));
  const bool drops = write.ones == LeadingOnes::kDropped;
  if (drops) GARNER_TRY(check_masked_value(write));
  const Axes shape = shape_of(selection);
  const View value = drops ? without_leading_ones(write.value, static_cast<Index>(shape.size())) : write.value;
  GARNER_ASSIGN(const View updates, updates_for({write.op, value, write.array.dtype(), shape}, selection.kept));
  auto job = JobBuilder::scatter(write.op, write.array, updates, combine);
  address(job, selection);
  return finish(std::move(job), std::move(selection.kept));
}

Result<Key> apart_from(const View& target, const Key& key, std::vector<Tensor>& kept) {
  Key out = key;
  for (KeyPart& part : out)
    if (View* index = std::get_if<View>(&part)) { GARNER_ASSIGN(*index, apart_from(target, *index, kept)); }
  return out;
}

}  // namespace garner::numpy
