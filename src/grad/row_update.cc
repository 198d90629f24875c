// The formulas, as loops the compiler turns into vector code, once per instruction set. The build compiles this file
// with -fno-math-errno, without which √ is a call, and -ffp-contract=off, so that every CPU gives the same bits.
#include "grad/row_update.h"

#include <algorithm>

#include "base/simd_targets.h"
#include "device/cpu/threads.h"
#include "dtype/convert.h"
#include "grad/row_check.h"
#include "grad/step_formula.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grad/row_update.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner {
namespace HWY_NAMESPACE {

/// Elements that are widened at a time where the table is not what is computed in: they stay in the first cache.
constexpr Index kChunk = 512;

/// n elements of everything, all of the type that is computed in.
template <class S>
struct Operands {
  S* HWY_RESTRICT table;
  const S* HWY_RESTRICT gradient;
  S* HWY_RESTRICT first;
  S* HWY_RESTRICT second;
  Index n;
};

template <class Step, class S>
HWY_INLINE void apply(const StepNumbers<S>& n, const Operands<S>& o) {
  S* HWY_RESTRICT w = o.table;
  S* HWY_RESTRICT first = o.first;
  S* HWY_RESTRICT second = o.second;
  const S* HWY_RESTRICT g = o.gradient;
  for (Index i = 0; i < o.n; ++i) {
    if constexpr (Step::kStates == 0) Step::apply(n, w[i], g[i]);
    else if constexpr (Step::kStates == 1) Step::apply(n, w[i], g[i], first[i]);
    else Step::apply(n, w[i], g[i], first[i], second[i]);
  }
}

template <class S>
HWY_INLINE void apply(const StepRule& rule, const Operands<S>& operands) {
  const StepNumbers<S> numbers(rule);
  with_step(rule.formula, [&]<class Step>() { apply<Step>(numbers, operands); });
}

/// One run of elements: where they are.
template <class T, class S>
struct Run {
  T* table;
  const T* gradient;
  S* first;
  S* second;
  Index n;
};

/// g + decay w, in the type that is computed in.
template <class T, class S>
HWY_INLINE void widen_gradient(const Run<T, S>& run, S decay, S* HWY_RESTRICT out) {
  for (Index i = 0; i < run.n; ++i) out[i] = to_compute(run.gradient[i]);
  if (decay == 0) return;
  for (Index i = 0; i < run.n; ++i) out[i] += decay * to_compute(run.table[i]);
}

/// At most kChunk elements, by way of memory of the type that is computed in.
template <class T, class S>
HWY_INLINE void run_widened(const StepRule& rule, const Run<T, S>& run) {
  S gradient[kChunk], table[kChunk];
  widen_gradient(run, static_cast<S>(rule.weight_decay), gradient);
  for (Index i = 0; i < run.n; ++i) table[i] = to_compute(run.table[i]);
  apply(rule, Operands<S>{table, gradient, run.first, run.second, run.n});
  for (Index i = 0; i < run.n; ++i) run.table[i] = static_cast<T>(table[i]);
}

template <class S>
S* behind(S* pointer, Index by) {
  return pointer == nullptr ? nullptr : pointer + by;
}

template <class T, class S>
HWY_INLINE void run_piece(const StepRule& rule, const Run<T, S>& run) {
  if constexpr (std::is_same_v<T, S>)
    if (rule.weight_decay == 0) return apply(rule, Operands<S>{run.table, run.gradient, run.first, run.second, run.n});
  for (Index at = 0; at < run.n; at += kChunk)
    run_widened(rule, Run<T, S>{run.table + at, run.gradient + at, behind(run.first, at), behind(run.second, at),
                                std::min(kChunk, run.n - at)});
}

template <class T>
Run<T, Compute<T>> run_at(const Pieces& pieces, const UpdateMemory& memory, Index i) {
  using S = Compute<T>;
  const Index row = pieces.rows == nullptr ? i : pieces.rows[i], done = i * pieces.length;
  return {static_cast<T*>(memory.table) + row * pieces.table_step, static_cast<const T*>(memory.gradient) + done,
          behind(static_cast<S*>(memory.state[0]), row * pieces.length),
          behind(static_cast<S*>(memory.state[1]), row * pieces.length), std::min(pieces.length, pieces.total - done)};
}

template <class T>
void update_range(const StepRule& rule, const Pieces& pieces, const UpdateMemory& memory, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) run_piece(rule, run_at<T>(pieces, memory, i));
}

void UpdateRange(const StepRule& rule, const Pieces& pieces, const UpdateMemory& memory, Index begin, Index end) {
  dispatch(memory.dtype, [&]<class T>() {
    if constexpr (is_table_v<T>) update_range<T>(rule, pieces, memory, begin, end);
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace garner
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner {
namespace {
HWY_EXPORT(UpdateRange);
}  // namespace

void update(const StepRule& rule, const Pieces& pieces, const UpdateMemory& memory, int threads) {
  const Index bytes = pieces.total * width(memory.dtype) * (3 + 2 * static_cast<Index>(rule.states));
  const Index grain = std::max<Index>(1, pieces.count * kBytesPerThread / std::max<Index>(bytes, 1));
  parallel_ranges(thread_count(threads, bytes), pieces.count, grain,
                  [&](Index begin, Index end) { HWY_DYNAMIC_DISPATCH(UpdateRange)(rule, pieces, memory, begin, end); });
}

}  // namespace garner
#endif
