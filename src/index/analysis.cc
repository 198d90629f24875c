#include "garner/analysis.h"

#include <mutex>

#include "base/fail.h"
#include "device/cpu/threads.h"
#include "dtype/dispatch.h"
#include "garner/index.h"
#include "index/memory.h"
#include "run/known_indices.h"

namespace garner {

namespace {
View flat(const Tensor& t) { return {t.dtype(), t.data(), {t.elements()}}; }
}  // namespace

struct AnalysedIndices::Held {
  explicit Held(Tensor values) : copy(std::move(values)), view(copy) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { forget(copy.data()); }

  Tensor copy;
  View view;
  IndexFacts facts;
  std::once_flag ordered;
  Status status;
  Tensor permutation, segments;

  void order();
};

namespace {

/// Of one stretch; stretches meet in order.
struct Seen {
  Index first = 0, last = 0, min = INT64_MAX, max = INT64_MIN;
  bool sorted = true, rising = true;
};

Index as_index(std::uint64_t v) {
  return v > static_cast<std::uint64_t>(INT64_MAX) ? INT64_MAX : static_cast<Index>(v);
}
template <class T>
Index as_index(T v) {
  return static_cast<Index>(v);
}

template <class T>
Seen look_at(const T* values, Index count) {
  T low = values[0], high = values[0];
  bool falls = false, stays = false;
  for (Index i = 1; i < count; ++i) {
    low = std::min(low, values[i]);
    high = std::max(high, values[i]);
    falls |= values[i] < values[i - 1];
    stays |= values[i] == values[i - 1];
  }
  return {as_index(values[0]), as_index(values[count - 1]), as_index(low), as_index(high), !falls, !falls && !stays};
}

Seen joined(const Seen& a, const Seen& b) {
  return {a.first,
          b.last,
          std::min(a.min, b.min),
          std::max(a.max, b.max),
          a.sorted && b.sorted && a.last <= b.first,
          a.rising && b.rising && a.last < b.first};
}

Seen look_at(const Tensor& copy, int threads) {
  constexpr Index kPiece = 1 << 16;
  std::vector<Seen> seen(static_cast<std::size_t>((copy.elements() + kPiece - 1) / kPiece));
  parallel_ranges(threads, static_cast<Index>(seen.size()), 1, [&](Index begin, Index end) {
    dispatch_index(copy.dtype(), [&]<class T>() {
      for (Index p = begin; p < end; ++p)
        seen[static_cast<std::size_t>(p)] =
            look_at(copy.as<T>() + p * kPiece, std::min(kPiece, copy.elements() - p * kPiece));
    }, [] {});
  });
  Seen all = seen[0];
  for (std::size_t p = 1; p < seen.size(); ++p) all = joined(all, seen[p]);
  return all;
}

bool has_neighbours_alike(const Tensor& sorted) {
  return dispatch_index(sorted.dtype(), [&]<class T>() {
    const T* v = sorted.as<T>();
    return std::adjacent_find(v, v + sorted.elements()) != v + sorted.elements();
  }, [] { return false; });
}

/// More values than places cannot all be different; otherwise a sort tells.
Result<bool> are_unique(const Tensor& copy, const Seen& seen, const RunOptions& options) {
  if (seen.sorted) return seen.rising;
  if (copy.elements() - 1 > seen.max - seen.min && seen.max - seen.min >= 0) return false;
  GARNER_ASSIGN(const Tensor sorted, index::sort(flat(copy), {}, options));
  return !has_neighbours_alike(sorted);
}

}  // namespace

void AnalysedIndices::Held::order() {
  auto sorted_positions = index::argsort(flat(copy), {});
  if (!sorted_positions.ok()) return void(status = sorted_positions.status());
  permutation = *std::move(sorted_positions);
  std::vector<Index> starts;
  dispatch_index(copy.dtype(), [&]<class T>() {
    const Index* order = permutation.as<Index>();
    for (Index i = 0; i < copy.elements(); ++i)
      if (i == 0 || copy.as<T>()[order[i]] != copy.as<T>()[order[i - 1]]) starts.push_back(i);
  }, [] {});
  starts.push_back(copy.elements());
  auto made = Tensor::empty(DType::kI64, {static_cast<Index>(starts.size())});
  if (!made.ok()) return void(status = made.status());
  std::copy(starts.begin(), starts.end(), made->as<Index>());
  segments = *std::move(made);
}

const View& AnalysedIndices::view() const { return held_->view; }
const IndexFacts& AnalysedIndices::facts() const { return held_->facts; }

Result<Tensor> AnalysedIndices::permutation() const {
  std::call_once(held_->ordered, [&] { held_->order(); });
  if (!held_->status.ok()) return held_->status;
  return held_->permutation;
}

Result<Tensor> AnalysedIndices::segments() const {
  GARNER_TRY(to_status(permutation()));
  return held_->segments;
}

Result<AnalysedIndices> analyse(const View& indices, Index extent, const RunOptions& options) {
  GARNER_TRY(validate(indices, "analyse: indices"));
  if (!is_integer(indices.dtype()))
    return fail(Code::kType, "P6", "analyse: indices are {}, allowed i8 … i64, u8 … u64", name(indices.dtype()));
  if (extent < 0) return fail(Code::kInvalidArgument, "IX6", "analyse: extent is {}, allowed [0, 2^63)", extent);
  GARNER_ASSIGN(Tensor copy, contiguous(indices));
  auto held = std::make_shared<AnalysedIndices::Held>(std::move(copy));
  held->facts = {.count = held->copy.elements(), .extent = extent};
  if (held->facts.count == 0) return AnalysedIndices(std::move(held));
  const Seen seen = look_at(held->copy, thread_count(options.threads, held->copy.bytes()));
  held->facts.min = seen.min;
  held->facts.max = seen.max;
  held->facts.in_range = seen.min >= 0 && seen.max < extent;
  held->facts.sorted = seen.sorted;
  GARNER_ASSIGN(held->facts.unique, are_unique(held->copy, seen, options));
  remember({held->copy.dtype(), held->copy.data(), held->facts.count, seen.min, seen.max});
  return AnalysedIndices(std::move(held));
}

}  // namespace garner
