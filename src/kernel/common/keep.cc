#include "kernel/common/keep.h"

#include "base/simd_targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/common/keep.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<std::uint32_t>;
using DI = hn::RebindToSigned<D>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;

// ---- LineOwner::has and HotSlots::slot, for a vector ----

HWY_INLINE M has(const LineOwner& o, V place) {
  const D d;
  const V hash = hn::ShiftRight<16>(hn::Mul(hn::ShiftRightSame(place, o.log_line), hn::Set(d, kLineHash)));
  return hn::Eq(hn::ShiftRight<16>(hn::Mul(hash, hn::Set(d, o.owners))), hn::Set(d, o.owner));
}

HWY_INLINE V slot_of(const HotSlots& slots, V place) {
  return hn::ShiftRightSame(hn::Mul(place, hn::Set(D(), kPlaceHash)), slots.shift);
}

HWY_INLINE M is_hot(const HotSlots& slots, V place) {
  const D d;
  const V slot = slot_of(slots, place);
  const V word = hn::GatherIndex(d, slots.bits, hn::BitCast(DI(), hn::ShiftRight<5>(slot)));
  return hn::Ne(hn::And(hn::Shr(word, hn::And(slot, hn::Set(d, 31U))), hn::Set(d, 1U)), hn::Zero(d));
}

// ---- blocks ----

HWY_INLINE V place_at(const OffsetBlock& b, Index j) {
  const D d;
  return hn::Add(hn::BitCast(d, hn::LoadU(DI(), b.offset + j)), hn::Set(d, b.to));
}

HWY_INLINE M valid_at(const OffsetBlock& b, Index j) {
  const D d;
  if (b.valid == nullptr) return hn::Eq(hn::Zero(d), hn::Zero(d));
  return hn::Ne(hn::PromoteTo(d, hn::LoadU(hn::Rebind<std::uint8_t, D>(), b.valid + j)), hn::Zero(d));
}

/// `lane`: 0, 1, 2 …, made once by the caller: Highway 1.0.3 makes it in memory, which was most of the time.
HWY_INLINE Index append(const OffsetBlock& b, Index j, hn::Vec<DI> lane, M which, const PositionList& list, Index at) {
  const DI di;
  const auto mask = hn::RebindMask(di, which);
  const auto source = hn::Add(lane, hn::Set(di, b.source + static_cast<std::int32_t>(j)));
  hn::StoreU(hn::Compress(source, mask), di, list.source + at);
  hn::StoreU(hn::Compress(hn::LoadU(di, b.offset + j), mask), di, list.offset + at);
  return static_cast<Index>(hn::CountTrue(di, mask));
}

HWY_INLINE Index append_one(const OffsetBlock& b, Index j, bool which, const PositionList& list, Index at) {
  list.offset[at] = b.offset[j];
  list.source[at] = b.source + static_cast<std::int32_t>(j);
  return which ? 1 : 0;
}

HWY_INLINE std::uint32_t one_place(const OffsetBlock& b, Index j) {
  return static_cast<std::uint32_t>(b.offset[j]) + b.to;
}
HWY_INLINE bool is_valid(const OffsetBlock& b, Index j) { return b.valid == nullptr || b.valid[j] != 0; }

Index KeepOwned(const LineOwner& owner, const OffsetBlock& b, const PositionList& kept) {
  const auto lanes = static_cast<Index>(hn::Lanes(D()));
  const auto lane = hn::Iota(DI(), 0);
  Index n = 0, j = 0;
  for (; j + lanes <= b.count; j += lanes)
    n += append(b, j, lane, hn::And(valid_at(b, j), has(owner, place_at(b, j))), kept, n);
  for (; j < b.count; ++j) n += append_one(b, j, is_valid(b, j) && owner.has(one_place(b, j)), kept, n);
  return n;
}

KeptApart KeepApart(const LineOwner& owner, const HotSlots& slots, const OffsetBlock& b, const PositionList& cold,
                    const PositionList& hot) {
  const auto lanes = static_cast<Index>(hn::Lanes(D()));
  const auto lane = hn::Iota(DI(), 0);
  KeptApart n{0, 0};
  Index j = 0;
  for (; j + lanes <= b.count; j += lanes) {
    const V place = place_at(b, j);
    const M mine = hn::And(valid_at(b, j), has(owner, place)), heated = is_hot(slots, place);
    n.cold += append(b, j, lane, hn::AndNot(heated, mine), cold, n.cold);
    n.hot += append(b, j, lane, hn::And(heated, mine), hot, n.hot);
  }
  for (; j < b.count; ++j) {
    const std::uint32_t place = one_place(b, j);
    const bool mine = is_valid(b, j) && owner.has(place), heated = slots.may_be(place);
    n.cold += append_one(b, j, mine && !heated, cold, n.cold);
    n.hot += append_one(b, j, mine && heated, hot, n.hot);
  }
  return n;
}

void Slots(const HotSlots& slots, const OffsetBlock& b, std::uint32_t* slot) {
  const auto lanes = static_cast<Index>(hn::Lanes(D()));
  Index j = 0;
  for (; j + lanes <= b.count; j += lanes) hn::StoreU(slot_of(slots, place_at(b, j)), D(), slot + j);
  for (; j < b.count; ++j) slot[j] = slots.slot(one_place(b, j));
}

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner {
HWY_EXPORT(KeepOwned);
HWY_EXPORT(KeepApart);
HWY_EXPORT(Slots);

Index keep_owned(const LineOwner& owner, const OffsetBlock& block, const PositionList& kept) {
  return HWY_DYNAMIC_DISPATCH(KeepOwned)(owner, block, kept);
}
KeptApart keep_apart(const LineOwner& owner, const HotSlots& slots, const OffsetBlock& block, const PositionList& cold,
                     const PositionList& hot) {
  return HWY_DYNAMIC_DISPATCH(KeepApart)(owner, slots, block, cold, hot);
}
void hot_slots(const HotSlots& slots, const OffsetBlock& block, std::uint32_t* slot) {
  HWY_DYNAMIC_DISPATCH(Slots)(slots, block, slot);
}
}  // namespace garner
#endif
