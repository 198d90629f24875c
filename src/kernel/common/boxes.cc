#include "kernel/common/boxes.h"

#include <cstring>

#include "device/cpu/prefetch.h"
#include "device/cpu/stream.h"
#include "device/cpu/tuning.h"

namespace garner {
namespace {

constexpr Index kLine = 64;

constexpr Index kAhead = 16;  // rows
/// Lines of a panel that are on their way. A scatter reads its updates, too, and works longer on a line (4096 x 4096 on
/// a Zen 5: gather 8 8.4 ms, 16 9.0; scatter-add 8 12.1, 16 11.3).
Index lines_ahead(Direction direction) { return direction == Direction::kScatter ? 16 : 8; }

void copy_bytes(std::byte* to, const std::byte* from, Index bytes) {
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

/// f(row, packed row, bytes) for each, with so many rows to come on their way.
template <class F>
void each_row(const PackedPanel::Rows& r, std::byte* packed, Index ahead, const F& f) {
  const Index bytes = r.count * r.width, step = r.row_step * r.width;
  std::byte* row = r.data + r.first_row * r.width;
  for (Index n = 0; n < r.rows; ++n, row += step, packed += bytes) {
    if (ahead > 0 && n + ahead < r.rows) ask_for(row + ahead * step, bytes);
    f(row, packed, bytes);
  }
}

}  // namespace

std::byte* PackedPanel::load(const Rows& rows) {
  auto packed = Tensor::empty(DType::kU8, {rows.rows * rows.count * rows.width});
  if (!packed.ok()) return nullptr;
  packed_ = *std::move(packed);
  each_row(rows, packed_.as<std::byte>(), kAhead,
           [](const std::byte* row, std::byte* to, Index bytes) { copy_bytes(to, row, bytes); });
  return packed_.as<std::byte>();
}

void PackedPanel::store(const Rows& rows, bool past_caches) {
  if (!past_caches)
    return each_row(rows, packed_.as<std::byte>(), kAhead,
                    [](std::byte* row, const std::byte* packed, Index bytes) { copy_bytes(row, packed, bytes); });
  each_row(rows, packed_.as<std::byte>(), 0,
           [](std::byte* row, const std::byte* packed, Index bytes) { stream_copy(row, packed, bytes); });
  finish_stream();
}

void PackedPanel::copy(const Rows& from, const Rows& to) {
  const Index bytes = to.count * to.width, from_step = from.row_step * from.width, to_step = to.row_step * to.width;
  const std::byte* source = from.data + from.first_row * from.width;
  std::byte* row = to.data + to.first_row * to.width;
  for (Index n = 0; n < to.rows; ++n, source += from_step, row += to_step) copy_bytes(row, source, bytes);
}

PackedPanel::Rows Lines::rows_of(const Box& box, void* indexed, int width) const {
  const Bounds& b = plan_.terms[0].bounds;
  return {static_cast<std::byte*>(indexed),
          width,
          affine_.base + box.first + b.lo * scale_,
          scale_,
          b.hi - b.lo,
          box.count};
}

Lines::Lines(const Launch& l)
    : plan_(l.plan),
      span_(l.facts.span),
      index_(l.buffers.indices[0]),
      affine_(l.plan),
      inner_(l.plan.domain.back()),
      lines_(l.facts.elements / l.plan.domain.back()) {
  for (const AxisMap& map : l.plan.indexed)
    if (map.term >= 0) scale_ = map.stride;
  is_near_ = lies_near();
}

LineBatch Lines::batch(const Box& box, const Odometer& outer, Index lines) const {
  const IndexTerm& term = plan_.terms[0];
  const auto pitch = [&](const Axes& stride) { return stride.size() < 2 ? 0 : stride[stride.size() - 2]; };
  const Index bytes = width(term.dtype);
  const auto* index = static_cast<const std::byte*>(index_) + (outer.at(term.stride) + box.first) * bytes;
  return {.line = {.dtype = term.dtype,
                   .index = index,
                   .count = box.count,
                   .bounds = &term.bounds,
                   .scale = static_cast<std::int32_t>(scale_),
                   .step = static_cast<std::int32_t>(affine_.step.back())},
          .lines = lines,
          .index_pitch = pitch(term.stride),
          .indexed_pitch = pitch(affine_.step),
          .dense_pitch = pitch(plan_.dense_stride),
          .far = is_far(box.count),
          .reach = reach_of_next(box.count),
          .sweep = sweep_of_next(box.count),
          .ahead = box.count < inner_ && lines_ > 1 ? lines_ahead(plan_.direction) : 0};
}

Index Lines::lead(const void* dense, int width) const {
  const auto over = static_cast<Index>(reinterpret_cast<std::uintptr_t>(dense) % static_cast<std::uintptr_t>(kLine));
  return over % width != 0 ? 0 : (kLine - over) % kLine / width;
}

bool Lines::lies_near() const {
  const bool once =
      lines_ > 1 && std::all_of(affine_.step.begin(), affine_.step.end() - 1, [](Index s) { return s != 0; });
  return (span_.hi - span_.lo + 1) * width(plan_.dtype) < (once ? tuning().once_bytes : tuning().far_bytes);
}

bool Lines::panels_cover(Index bytes) const {
  const Bounds& b = plan_.terms[0].bounds;
  return panel() < inner_ && affine_.base + b.lo * scale_ == 0 && scale_ == inner_ &&
         (b.hi - b.lo) * inner_ * width(plan_.dtype) == bytes;
}

bool Lines::lines_cover(Index bytes) const {
  constexpr Index kMost = 256 << 10;  // a line's places stay in L2
  const Bounds& b = plan_.terms[0].bounds;
  const bool side_by_side = affine_.step.size() == 2 && affine_.step[0] == b.hi - b.lo && affine_.step[1] == 0;
  return side_by_side && scale_ == 1 && affine_.base + b.lo == 0 && reach() <= kMost && reach() * lines_ == bytes;
}

Index Lines::reach() const {
  const Bounds& b = plan_.terms[0].bounds;
  constexpr Index kMost = 1 << 24;  // under promise the bounds may be anything
  return std::min(b.hi - b.lo, kMost) * std::abs(scale_) * width(plan_.dtype);
}

bool Lines::is_far(Index count) const { return !is_near_ && count <= reach() / kLine; }

constexpr Index kMostReach = 64 << 10;

Index Lines::reach_of_next(Index count) const {
  const bool worth = !is_near_ && !is_far(count) && bounds_stay_inside() && scale_ > 0 && reach() <= kMostReach;
  return worth ? reach() : 0;
}

Index Lines::sweep_of_next(Index count) const {
  const bool side_by_side = scale_ == 1 && affine_.step.back() == 0;  // all that is reached may be read
  const bool worth = is_far(count) && count * kLine >= reach() && reach() <= kMostReach;
  return worth && side_by_side && bounds_stay_inside() ? reach() : 0;
}

bool Lines::bounds_stay_inside() const {
  const Bounds& b = plan_.terms[0].bounds;
  const Index first = affine_.base + b.lo * scale_, last = affine_.base + (b.hi - 1) * scale_;
  return std::min(first, last) >= span_.lo && std::max(first, last) + inner_ - 1 <= span_.hi;
}

Index Lines::panel() const {
  const Bounds& b = plan_.terms[0].bounds;
  const Index bytes = width(plan_.dtype), values = b.hi - b.lo;
  // The values lie apart, every line goes over the same ones again, and there are lines enough to pay for packing.
  const bool comes_back = std::all_of(affine_.step.begin(), affine_.step.end() - 1, [](Index s) { return s == 0; });
  const bool worth = comes_back && affine_.step.back() == 1 && std::abs(scale_) >= inner_ && lines_ >= values / 4;
  const Index most = tuning().panel_bytes;
  if (!worth || values <= 0 || !bounds_stay_inside() || values * inner_ * bytes <= tuning().packed_bytes ||
      values * kLine > most)
    return inner_;
  return std::min(inner_, most / (values * kLine) * kLine / bytes);
}

}  // namespace garner
