#include "index/row_pool.h"

#include <algorithm>
#include <limits>

#include "base/simd_targets.h"
#include "device/cpu/prefetch.h"
#include "dtype/convert.h"
#include "index/order.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "index/row_pool.cc"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace garner::index {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class T> using Sum = Compute<T>;

template <class T, class D>
HWY_INLINE hn::Vec<D> load_one_by_one(D d, const T* from) {
  Sum<T> lanes[HWY_MAX_BYTES / sizeof(Sum<T>)];
  for (std::size_t k = 0; k < hn::Lanes(d); ++k) lanes[k] = to_compute(from[k]);
  return hn::LoadU(d, lanes);
}

/// As many elements as D has lanes, in the type they are added in.
template <class T, class D>
HWY_INLINE hn::Vec<D> load(D d, const T* from) {
  [[maybe_unused]] const auto* bits = reinterpret_cast<const std::uint16_t*>(from);
  if constexpr (std::is_same_v<T, Sum<T>>) {
    return hn::LoadU(d, from);
  } else if constexpr (std::is_same_v<T, Eigen::bfloat16>) {
    const hn::RebindToUnsigned<D> du;
    return hn::BitCast(d, hn::ShiftLeft<16>(hn::PromoteTo(du, hn::LoadU(hn::Rebind<std::uint16_t, D>(), bits))));
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
  } else if constexpr (std::is_same_v<T, Eigen::half>) {  // here the machine converts
    const hn::Rebind<hwy::float16_t, D> dh;
    return hn::PromoteTo(d, hn::BitCast(dh, hn::LoadU(hn::RebindToUnsigned<decltype(dh)>(), bits)));
#endif
  } else {
    return load_one_by_one(d, from);
  }
}

template <class T, class D, class V>
HWY_INLINE void store(D d, V sum, T* to) {
  if constexpr (std::is_same_v<T, Sum<T>>) {
    hn::StoreU(sum, d, to);
  } else {
    Sum<T> lanes[HWY_MAX_BYTES / sizeof(Sum<T>)];
    hn::StoreU(sum, d, lanes);
    for (std::size_t k = 0; k < hn::Lanes(d); ++k) to[k] = convert<T>(lanes[k]);
  }
}

/// What a bag begins with, and what a row does to it.
struct Add {
  template <class S> static constexpr S kStart = S(0);
  template <class D, class V>
  static HWY_INLINE V apply(D, V sum, V row, V) {
    return hn::Add(sum, row);
  }
};
struct AddWeighted : Add {
  template <class D, class V>
  static HWY_INLINE V apply(D, V sum, V row, V weight) {
    return hn::Add(sum, hn::Mul(row, weight));
  }
};
/// NaN stays, as in every other maximum here.
struct Raise {
  template <class S> static constexpr S kStart = -std::numeric_limits<S>::infinity();
  template <class D, class V>
  static HWY_INLINE V apply(D, V best, V row, V) {
    return hn::IfThenElse(hn::Or(hn::Gt(row, best), hn::IsNaN(row)), row, best);
  }
};

template <class T, class Op>
class Pooling {
 public:
  Pooling(const RowPool& pool, void* out)
      : pool_(pool),
        table_(static_cast<const T*>(pool.table)),
        weights_(static_cast<const T*>(pool.weights)),
        out_(static_cast<T*>(out)),
        padding_(pool.padding.value_or(-1)) {}

  HWY_INLINE void bag(Index number) {
    const auto b = static_cast<std::size_t>(number);
    begin_ = pool_.begins[b], end_ = pool_.begins[b + 1];
    to_ = out_ + number * pool_.columns;
    const hn::ScalableTag<Sum<T>> d;
    const Index lanes = static_cast<Index>(hn::Lanes(d));
    Index column = 0;
    for (; column + 4 * lanes <= pool_.columns; column += 4 * lanes) columns<true>(d, column);
    for (; column + lanes <= pool_.columns; column += lanes) columns<false>(d, column);
    for (; column < pool_.columns; ++column) columns<false>(hn::CappedTag<Sum<T>, 1>(), column);
  }

 private:
  /// One vector of columns, or four side by side, which stay in registers for a whole bag.
  template <bool kFour, class D>
  HWY_INLINE void columns(D d, Index column) {
    const Index lanes = static_cast<Index>(hn::Lanes(d));
    const auto start = hn::Set(d, Op::template kStart<Sum<T>>);
    auto s0 = start, s1 = start, s2 = start, s3 = start;
    Index taken = 0;
    for (Index i = begin_; i < end_; ++i) {
      if (column == 0) ask_ahead(i);
      const Index row = pool_.indices[static_cast<std::size_t>(i)];
      if (row == padding_) continue;
      const T* from = table_ + row * pool_.columns + column;
      const auto weight = hn::Set(d, weights_ == nullptr ? Sum<T>(1) : to_compute(weights_[i]));
      const auto take = [&](auto& sum, Index k)
                            HWY_ATTR { sum = Op::apply(d, sum, load(d, from + k * lanes), weight); };
      take(s0, 0);
      if constexpr (kFour) take(s1, 1), take(s2, 2), take(s3, 3);
      ++taken;
    }
    const auto finish = [&](auto sum, Index k)
                            HWY_ATTR { store(d, finished(d, sum, taken), to_ + column + k * lanes); };
    finish(s0, 0);
    if constexpr (kFour) finish(s1, 1), finish(s2, 2), finish(s3, 3);
  }

  template <class D, class V>
  HWY_INLINE V finished(D d, V sum, Index taken) const {
    if (taken == 0) return hn::Zero(d);
    return pool_.mode == BagMode::kMean ? hn::Div(sum, hn::Set(d, static_cast<Sum<T>>(taken))) : sum;
  }

  /// Rows come from all over the table: they are asked for while those before are added, also across bags (512 K rows
  /// of 256 B on two cores: 20.9 ms without, 5 so).
  HWY_INLINE void ask_ahead(Index i) const {
    constexpr Index kAhead = 16, kMostBytes = 1024;  // the hardware goes on by itself
    if (i + kAhead >= static_cast<Index>(pool_.indices.size())) return;
    const Index row = pool_.indices[static_cast<std::size_t>(i + kAhead)];
    ask_for(table_ + row * pool_.columns, std::min<Index>(pool_.columns * static_cast<Index>(sizeof(T)), kMostBytes));
  }

  const RowPool& pool_;
  const T *table_, *weights_;
  T *out_, *to_ = nullptr;
  Index padding_, begin_ = 0, end_ = 0;
};

template <class T, class Op>
void pool_as(const RowPool& pool, Index first, Index last, void* out) {
  Pooling<T, Op> pooling(pool, out);
  for (Index bag = first; bag < last; ++bag) pooling.bag(bag);
}

void PoolRows(const RowPool& pool, Index first, Index last, void* out) {
  dispatch(pool.dtype, [&]<class T>() {
    if constexpr (has_nan_v<T> && !is_complex_v<T>) {
      if (pool.mode == BagMode::kMax) pool_as<T, Raise>(pool, first, last, out);
      else if (pool.weights == nullptr) pool_as<T, Add>(pool, first, last, out);
      else pool_as<T, AddWeighted>(pool, first, last, out);
    }
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace garner::index
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace garner::index {
HWY_EXPORT(PoolRows);
void pool_rows(const RowPool& pool, Index first, Index last, void* out) {
  HWY_DYNAMIC_DISPATCH(PoolRows)(pool, first, last, out);
}
}  // namespace garner::index
#endif
