// Sums of many single elements in a large target. Positions are sorted by no more than the panel of the target that
// they update, in index order; then a block brings what is touched of a panel into shared memory, adds there, and takes
// it back. A sort by places (scatter_sorted.cuh) moves every update once more for each digit, and then goes to each
// place by itself.
//
//   samples  places that very many updates go to (hot_places.cuh) are kept apart
//   keys     of panels, of hot places, of what updates nothing; the updates themselves go along
//   sort     by these, stable
//   bounds   where the updates of each begin; panels of too many updates are split
//   hot      combined by whole warps, in blocks (kernel/common/block_sums.h), as in scatter_sorted.cuh
//   parts    of panels that are split: a block each looks through all of the panel's updates, and counts those of every
//            place, as a sum may be longer than a block here
//   panels   all others, a block each
//
// The last three run side by side.
#include <bit>

#include "kernel/common/workspace.cuh"
#include "kernel/scatter_combine/panel_parts.cuh"
#include "kernel/scatter_combine/panel_updates.cuh"
#include "kernel/scatter_combine/sort_pairs.h"

namespace garner {
namespace kernel {
extern const Kernel scatter_cuda;
}  // namespace kernel
namespace {

constexpr Index kManyUpdates = 1 << 22;  // so many are not worth a wrong guess
constexpr Index kSkewed = 4;  // hot places, and samples too many in a panel

/// What the last sample found, of whatever call that was; null where there is no such memory.
Index* last_sample() {
  static const auto number = cuda_number();
  return number.ok() ? number->get() : nullptr;
}

/// Under skew most panels have places that many updates meet in, and where few panels have them all they are split into
/// parts; a sort by places is quicker then (32 M single f32 on an H200: zipf 1.9 ms, not 2.9; into a hundredth of 256 M
/// places 2, not 5.8; spread evenly 2.0, and 1.56 by panels). Whether it is so is only known on the device, and nobody
/// waits for that: a call is taken to be like those before it. The bits are the same either way.
bool seems_skewed(const Launch& l) {
  const volatile Index* found = last_sample();
  return l.facts.elements >= kManyUpdates && found != nullptr && *found >= kSkewed;
}

int log_panel(DType dtype) { return log_panel(static_cast<unsigned>(width(dtype))); }

/// Memory besides the sorted list.
struct Room {
  unsigned *key = nullptr, *update = nullptr, *sample = nullptr;
  std::byte *cub = nullptr, *block_sums = nullptr;
  uint4* zero = nullptr;
  std::size_t sort_bytes = 0;
};

Panels panels_of(const Launch& l) {
  Panels p{};
  Sorted<unsigned>& s = p.sorted;
  s.count = l.facts.elements;
  s.lo = l.facts.span.lo;
  s.log_apart = log_apart(l.plan, l.plan.domain.size());
  s.block = block_of(l);  // sums have one
  s.carried = true;
  p.places = static_cast<unsigned>((l.facts.span.hi - s.lo) >> s.log_apart) + 1;
  p.log_panel = log_panel(l.plan.dtype);
  p.count = static_cast<unsigned>((static_cast<Index>(p.places) + (Index{1} << p.log_panel) - 1) >> p.log_panel);
  p.count = std::max(p.count, 1U);  // of no place at all, nothing is updated
  p.most = static_cast<unsigned>(std::min<Index>(s.block, kMostUpdates));
  s.nowhere = (p.count + kMostHot) << p.log_panel;
  return p;
}

cudaError_t sort(const Launch& l, const Panels& p, Room& room) {
  return sort_pairs({room.cub, room.sort_bytes},
                    Pairs<unsigned>{room.key, room.update, p.sorted.key, p.sorted.from, p.sorted.count, p.log_panel,
                                    static_cast<int>(std::bit_width(p.sorted.nowhere))},
                    stream_of(l));
}

void want_sample(Panels& p, Room& room, Workspace& work) {
  work.want(room.sample, kSamples);
  work.want(p.hot, 1);
  work.want(room.zero, 1);
}

bool want_memory(const Launch& l, Panels& p, Room& room, Workspace& work) {
  Sorted<unsigned>& s = p.sorted;
  if (!noted(l, sort(l, p, room), "SortPairs")) return false;
  for (unsigned** list : {&room.key, &room.update, &s.key, &s.from}) work.want(*list, s.count);
  work.want(room.cub, static_cast<Index>(room.sort_bytes));
  work.want(p.begin, Index{p.count} + kMostHot + 1);
  work.want(p.split, (s.count / (Index{p.most} + 1)) << std::max(0, p.log_panel - kLogLeastPart));
  const Index blocks = s.count / s.block;
  for (unsigned** longs : {&s.long_begin, &s.long_end}) work.want(*longs, kMostHot + blocks);
  work.want(room.block_sums, (blocks + 1) * width(l.plan.dtype));
  return true;
}

bool get_memory(const Launch& l, Panels& p, Room& room, Workspace& work) {
  if (!want_memory(l, p, room, work) || !work.get(l)) return false;
  p.sorted.longs = &room.zero->x;
  p.splits = &room.zero->y;
  p.next = &room.zero->z;
  p.sorted.block_sums = room.block_sums;
  return true;
}

PlaceNumbers numbers_of(const Panels& p) { return {p.sorted.lo, p.sorted.log_apart}; }

void sample(const Launch& l, const Panels& p, const Room& room) {
  with_places(l, l.plan.domain.size(), [&]<class Places>(const Places& places) {
    take_samples<<<kSamples / kBlockThreads, kBlockThreads, 0, stream_of(l)>>>(places, numbers_of(p), room.sample);
  });
  // Four times as many as one would expect, and a few.
  const Crowd crowd{p.log_panel, 8 + 4 * kSamples / static_cast<int>(std::min<unsigned>(p.count, 4 * kSamples))};
  find_hot<<<1, kSampleThreads, 0, stream_of(l)>>>(room.sample, crowd, p.hot, room.zero, last_sample());
}

bool make_list(const Launch& l, const Panels& p, Room& room) {
  const Along updates{Along::What::kUpdate, l.buffers.dense[0], width(l.plan.dtype)};
  with_places(l, l.plan.domain.size(), [&]<class Places>(const Places& places) {
    panel_keys<<<blocks_for((p.sorted.count + kKeysEach - 1) / kKeysEach), kBlockThreads, 0, stream_of(l)>>>(
        places, p, numbers_of(p), room.key, room.update, updates);
  });
  if (!launched(l, "panel_keys") || !noted(l, sort(l, p, room), "SortPairs")) return false;
  const unsigned bounds = p.count + kMostHot + 1;
  bound_panels<<<(bounds + kBlockThreads - 2) / (kBlockThreads - 1), kBlockThreads, 0, stream_of(l)>>>(p);
  list_hot<<<1, kMostHot, 0, stream_of(l)>>>(p);
  return launched(l, "list_hot");
}

template <class S>
constexpr bool kFits = sizeof(S) == 2 || sizeof(S) == 4;

template <class T>
void update(const Launch& l, const Panels& p) {
  using S = typename T::Storage;
  const Work<S> w{static_cast<S*>(l.buffers.indexed[0]),
                  static_cast<S*>(p.sorted.block_sums),
                  static_cast<const S*>(l.buffers.dense[0]),
                  l.plan.combine,
                  rounds(l.plan.dtype),
                  0};
  const Index blocks = p.sorted.count / p.sorted.block;
  const unsigned warps = resident_blocks(l, (kMostHot + blocks) * 32);
  const auto processors = static_cast<unsigned>(device_attribute(l, cudaDevAttrMultiProcessorCount));
  constexpr std::size_t kPanel = sizeof(PanelMemory<S>), kSplit = sizeof(PartMemory<S>);
  if (!allow_shared(l, update_panels<T>, kPanel) || !allow_shared(l, update_parts<T>, kSplit)) return;
  combine_long<T, unsigned><<<warps, kBlockThreads, 0, stream_of(l)>>>(p.sorted, w);
  if (!launched(l, "combine_long")) return;
  const Following second{l.cuda->device, stream_of(l), processors * 2, kPanelThreads, kSplit};
  if (p.sorted.count > p.most && !noted(l, follow(second, update_parts<T>, p, w), "update_parts")) return;
  const Following third{l.cuda->device, stream_of(l), std::min(p.count, processors * 4), kPanelThreads, kPanel};
  if (!noted(l, follow(third, update_panels<T>, p, w), "update_panels")) return;
  if (blocks > 0) finish_blocks<T, unsigned><<<warps, kBlockThreads, 0, stream_of(l)>>>(p.sorted, w);
  launched(l, "finish_blocks");
}

void launch(const Launch& l) {
  const OnDevice on(l.cuda->device);
  Panels p = panels_of(l);
  Room room;
  Workspace few, work;
  want_sample(p, room, few);
  if (!few.get(l)) return;
  sample(l, p, room);
  if (!launched(l, "find_hot")) return;
  if (seems_skewed(l)) return kernel::scatter_cuda.run(l);
  if (!get_memory(l, p, room, work)) return;
  if (!make_list(l, p, room)) return;
  with_device_element(l.plan.dtype, [&]<class T>() {
    if constexpr (kFits<typename T::Storage>) update<T>(l, p);
  });
}

Index workspace(const Launch& l) {
  const OnDevice on(l.cuda->device);
  Panels p = panels_of(l);
  Room room;
  Workspace few, work;
  want_sample(p, room, few);
  want_memory(l, p, room, work);
  return few.bytes() +
         (l.facts.elements >= kManyUpdates ? std::max(work.bytes(), kernel::scatter_cuda.workspace(l)) : work.bytes());
}

Index places_at_most(const PlanFacts& facts) { return facts.span.hi - facts.span.lo + 1; }

const char* refuses(const IndexPlan& plan, const PlanFacts& facts) {
  if (!fits_device(plan)) return "it takes 32 axes and 32 index tensors at most";
  if (plan.direction != Direction::kScatter || plan.combine != Combine::kAdd) return "it only adds";
  const int bytes = width(plan.dtype);
  if (!carries<unsigned>(plan) || bytes < 2) return "it adds numbers of 16 and 32 bits, whose steps are no results";
  const Index panels = (places_at_most(facts) >> log_panel(plan.dtype)) + 1;
  if ((panels + kMostHot + 1) << log_panel(plan.dtype) > UINT32_MAX) return "its places do not fit 32 bits";
  return facts.elements < UINT32_MAX ? nullptr : "it has too many updates for 32 bits";
}

/// Of more updates than places many meet, and are better sorted. The first term is more than the 0.1 ms that it takes:
/// fewer than some ten million updates were not measured beside the other kernels, which keep them.
double cost_ns(const IndexPlan&, const PlanFacts& f) {
  const auto updates = static_cast<double>(f.elements), places = static_cast<double>(places_at_most(f));
  return 400000 + 0.022 * updates + 0.0025 * places + 0.06 * std::max(0.0, updates - places);
}

}  // namespace

namespace kernel {
extern const Kernel panel_scatter_cuda;
const Kernel panel_scatter_cuda{
    .name = "panel_scatter_cuda",
    .device = DeviceKind::kCuda,
    .refuses = refuses,
    .cost_ns = cost_ns,
    .run = launch,
    .workspace = workspace,
};
}  // namespace kernel
}  // namespace garner
