#include "kernel/common/buckets.h"

#include <limits>

#include "device/cpu/threads.h"
#include "device/cpu/tuning.h"
#include "kernel/common/segments.h"

namespace garner {
namespace {

constexpr Index kSkipped = std::numeric_limits<Index>::min();

bool pays(const Launch& l) {
  const Index bytes = (l.facts.span.hi - l.facts.span.lo + 1) * l.buffers.widths[0];
  return bytes >= tuning().bucketed_bytes && l.facts.elements * l.buffers.widths[0] >= bytes + bytes / 2;
}

std::optional<RowUpdates> room_for(Index updates) {
  auto target = Tensor::empty(DType::kI64, {updates}), source = Tensor::empty(DType::kI64, {updates});
  if (!target.ok() || !source.ok()) return std::nullopt;
  return RowUpdates{*std::move(target), *std::move(source), updates};
}

/// Where each row goes and comes from, in index order; kSkipped for those that go nowhere.
void resolve_all(const Launch& l, RowUpdates& out) {
  Index *target = out.target.as<Index>(), *source = out.source.as<Index>();
  parallel_ranges(l.threads, l.facts.rows, 8 * SegmentWalker::kCapacity, [&](Index begin, Index end) {
    SegmentWalker(l, l.plan.domain.size() - 1).walk(begin, end, [&](const Segment& s) {
      for (Index j = 0; j < s.count; ++j) {
        target[s.first + j] = s.valid == nullptr || s.valid[j] != 0 ? s.offset[j] : kSkipped;
        source[s.first + j] = s.dense + j * s.dense_step;
      }
    });
  });
}

/// A stable counting sort; pieces of the list count and place on threads of their own, and keep their order.
class BucketSort {
 public:
  BucketSort(const Launch& l, const RowUpdates& from)
      : l_(l),
        from_(from),
        lo_(l.facts.span.lo),
        elements_(std::max<Index>(1, tuning().bucket_bytes / l.buffers.widths[0])),
        buckets_((l.facts.span.hi - lo_) / elements_ + 1),
        pieces_(l.threads),
        next_(static_cast<std::size_t>(pieces_ * buckets_), 0) {}

  void run(RowUpdates& to) {
    each_piece([&](Index p, Index begin, Index end) {
      for (Index i = begin; i < end; ++i)
        if (target(i) != kSkipped) ++slot(p, target(i));
    });
    to.size = add_up();
    Index *out_target = to.target.as<Index>(), *out_source = to.source.as<Index>();
    each_piece([&](Index p, Index begin, Index end) {
      for (Index i = begin; i < end; ++i) {
        if (target(i) == kSkipped) continue;
        const Index at = slot(p, target(i))++;
        out_target[at] = target(i);
        out_source[at] = from_.source.as<Index>()[i];
      }
    });
  }

 private:
  Index target(Index i) const { return from_.target.as<Index>()[i]; }
  Index& slot(Index piece, Index offset) {
    return next_[static_cast<std::size_t>(piece * buckets_ + (offset - lo_) / elements_)];
  }

  template <class F>
  void each_piece(const F& f) const {
    const Index n = from_.size;
    parallel_ranges(l_.threads, pieces_, 1, [&](Index first, Index last) {
      for (Index p = first; p < last; ++p) f(p, n * p / pieces_, n * (p + 1) / pieces_);
    });
  }

  /// Counts become first places: bucket by bucket, in it piece by piece.
  Index add_up() {
    Index sum = 0;
    for (Index b = 0; b < buckets_; ++b)
      for (Index p = 0; p < pieces_; ++p) sum += std::exchange(next_[static_cast<std::size_t>(p * buckets_ + b)], sum);
    return sum;
  }

  const Launch& l_;
  const RowUpdates& from_;
  Index lo_, elements_, buckets_, pieces_;
  std::vector<Index> next_;
};

}  // namespace

std::optional<RowUpdates> in_buckets(const Launch& l) {
  if (!pays(l)) return std::nullopt;
  auto all = room_for(l.facts.rows), sorted = room_for(l.facts.rows);
  if (!all || !sorted) return std::nullopt;
  resolve_all(l, *all);
  BucketSort(l, *all).run(*sorted);
  return sorted;
}

}  // namespace garner
