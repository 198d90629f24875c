// Stable sort and argsort along an axis, and the k best of each lane: one order of positions, written as positions or
// as the elements there.
#include "base/fail.h"
#include "device/cpu/threads.h"
#include "index/lane_sorter.h"
#include "index/lanes.h"
#include "index/outputs.h"
#include "index/there.h"

namespace garner::index {
namespace {

/// Results of `keep` entries per lane along the axis; either pointer may be null.
struct Sorted {
  Index* positions;
  void* values;
  Index keep;
};

/// The lanes of a packed view, one number each.
struct LaneSet {
  const Packed& packed;
  Lanes lanes;
  Index total() const { return lanes.outer * lanes.inner; }
  /// Element offset of the first element of lane k, in an array that has `count` entries along the axis.
  Index start(Index k, Index count) const { return k / lanes.inner * count * lanes.inner + k % lanes.inner; }
};

template <class T>
void copy_values(const T* lane, Index stride, std::span<const Index> order, T* out) {
  for (std::size_t i = 0; i < order.size(); ++i) out[static_cast<Index>(i) * stride] = lane[order[i] * stride];
}

void write_lane(const LaneSet& set, Index k, std::span<const Index> order, const Sorted& out) {
  const Index stride = set.lanes.inner, to = set.start(k, out.keep), from = set.start(k, set.lanes.count);
  if (out.positions != nullptr)
    for (std::size_t i = 0; i < order.size(); ++i) out.positions[to + static_cast<Index>(i) * stride] = order[i];
  if (out.values == nullptr) return;
  dispatch(set.packed.view().dtype(),
           [&]<class T>() { copy_values(set.packed.as<T>() + from, stride, order, static_cast<T*>(out.values) + to); });
}

/// Kept from lane to lane.
struct Workspace {
  LaneSorter sorter;
  Axes positions;
};

/// work(workspace, lane, its number, threads inside) for every lane: many lanes are shared out, few are not.
template <class Work>
void each_lane(const LaneSet& set, const KeyRule& rule, const RunOptions& run, Work&& work) {
  const DType dtype = set.packed.view().dtype();
  // A pair is sorted with about four times the traffic of reading it once.
  const int threads = thread_count(run.threads, 4 * set.packed.view().elements() * 8);
  const bool inside = set.total() < threads;
  parallel_ranges(inside ? 1 : threads, set.total(), 1, [&](Index begin, Index end) {
    Workspace space;
    for (Index k = begin; k < end; ++k) {
      const auto* first = element(set.packed, set.start(k, set.lanes.count));
      work(space, SortLane{dtype, first, set.lanes.count, set.lanes.inner, rule}, k, inside ? threads : 1);
    }
  });
}

/// order(sorter, lane, threads inside, positions) for every lane, then positions, or the elements there, to their
/// place.
template <class Order>
void order_lanes(const LaneSet& set, const KeyRule& rule, const RunOptions& run, const Sorted& out, Order&& order) {
  each_lane(set, rule, run, [&](Workspace& space, const SortLane& lane, Index k, int threads) {
    space.positions.resize(static_cast<std::size_t>(out.keep));
    order(space.sorter, lane, threads, space.positions.data());
    write_lane(set, k, space.positions, out);
  });
}

void sort_alone(const LaneSet& set, const KeyRule& rule, const RunOptions& run, void* values) {
  const int bytes = width(set.packed.view().dtype());
  each_lane(set, rule, run, [&](Workspace& space, const SortLane& lane, Index k, int threads) {
    space.sorter.sort_values(lane, threads, static_cast<std::byte*>(values) + set.start(k, set.lanes.count) * bytes);
  });
}

struct Prepared {
  Packed packed;
  Index axis;
};

Result<Prepared> prepare(const char* op, const View& input, Index axis, const RunOptions& run) {
  GARNER_ASSIGN(const Index a, axis_of(op, axis, input.rank()));
  GARNER_ASSIGN(Packed packed, pack_anywhere(input, op, run));
  return Prepared{std::move(packed), a};
}

/// On a device: everything is sorted there, then the first entries are taken.
Status sort_there(const char* op, const Prepared& p, const KeyRule& rule, const RunOptions& run,
                  const on_cuda::SortedOut& out) {
  const View& view = p.packed.view();
  GARNER_ASSIGN(const KeyCode code, code_there(op, view, rule));
  return finished(on_cuda::sort_lanes(where(view, run), lanes_of(view.shape(), p.axis), {view.data(), code}, out), view,
                  run);
}

/// sort and argsort; the one not wanted is null.
Status sort_lanes(const char* op, const View& input, const SortOptions& options, const RunOptions& run,
                  std::pair<Output*, Output*> to) {
  GARNER_ASSIGN(const Prepared p, prepare(op, input, options.axis, run));
  auto [positions, values] = to;
  if (positions) GARNER_TRY(positions->open(op, DType::kI64, input.shape(), {&input}, run.stream));
  if (values) GARNER_TRY(values->open(op, input.dtype(), input.shape(), {&input}, run.stream));
  const LaneSet set{p.packed, lanes_of(input.shape(), p.axis)};
  const Sorted out{positions ? positions->as<Index>() : nullptr, values ? values->data() : nullptr, set.lanes.count};
  const KeyRule rule = options.descending ? kSortDescending : kAscending;
  if (!input.device().is_cpu())
    return sort_there(op, p, rule, run, {out.positions, out.values, out.keep, /*by_position=*/false});
  if (!positions && dtype_sorts_alone(input.dtype())) return sort_alone(set, rule, run, out.values), Status();
  order_lanes(set, rule, run, out,
              [](LaneSorter& sorter, const SortLane& lane, int threads, Index* at) { sorter.sort(lane, threads, at); });
  return {};
}

}  // namespace

Status top_k(const View& input, Index k, const TopKOptions& options, const RunOptions& run, const TopKOutputs& out) {
  constexpr const char* kOp = "top_k";
  GARNER_ASSIGN(const Prepared p, prepare(kOp, input, options.axis, run));
  const Index extent = input.extent(p.axis);
  if (k < 0 || k > extent)
    return fail(Code::kInvalidArgument, "IX6", "{}: k is {}, allowed [0, {}] on axis {}", kOp, k, extent, p.axis);
  Axes shape = input.shape();
  shape[static_cast<std::size_t>(p.axis)] = k;
  GARNER_TRY(out.values.open(kOp, input.dtype(), shape, {&input}, run.stream));
  GARNER_TRY(out.indices.open(kOp, DType::kI64, shape, {&input}, run.stream));
  const KeyRule rule = options.largest ? kSortDescending : kAscending;
  if (!input.device().is_cpu())
    return sort_there(kOp, p, rule, run, {out.indices.as<Index>(), out.values.data(), k, !options.sorted});
  const LaneSet set{p.packed, lanes_of(input.shape(), p.axis)};
  order_lanes(
      set, rule, run, {out.indices.as<Index>(), out.values.data(), k},
      [&](LaneSorter& sorter, const SortLane& lane, int, Index* at) { sorter.top(lane, k, options.sorted, at); });
  return {};
}

Result<Tensor> sort(const View& input, const SortOptions& options, const RunOptions& run) {
  return fresh([&](Output& out) { return sort_lanes("sort", input, options, run, {nullptr, &out}); });
}
Status sort_into(const View& input, const MutableView& out, const SortOptions& options, const RunOptions& run) {
  return into(out, run, [&](Output& o) { return sort_lanes("sort", input, options, run, {nullptr, &o}); });
}
Result<Tensor> argsort(const View& input, const SortOptions& options, const RunOptions& run) {
  return fresh([&](Output& out) { return sort_lanes("argsort", input, options, run, {&out, nullptr}); });
}
Status argsort_into(const View& input, const MutableView& out, const SortOptions& options, const RunOptions& run) {
  return into(out, run, [&](Output& o) { return sort_lanes("argsort", input, options, run, {&o, nullptr}); });
}

Result<TopK> top_k(const View& input, Index k, const TopKOptions& options, const RunOptions& run) {
  return fresh_top_k([&](const TopKOutputs& out) { return top_k(input, k, options, run, out); });
}
Status top_k_into(const View& input, Index k, const TopKOut& out, const TopKOptions& options, const RunOptions& run) {
  Output indices(out.indices), values(out.values);
  GARNER_TRY(top_k(input, k, options, run, {values, indices}));
  GARNER_TRY(indices.close(run));
  return values.close(run);
}

}  // namespace garner::index
