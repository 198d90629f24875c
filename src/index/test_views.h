// For the tests here: random views of any dtype and layout, their elements, and the plain order of elements.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "dtype/convert.h"
#include "garner/index.h"
#include "tensor/walk.h"

namespace garner::index {

template <class T>
bool plain_nan(T v) {
  if constexpr (is_complex_v<T>) return plain_nan(v.real()) || plain_nan(v.imag());
  else return to_compute(v) != to_compute(v);
}

/// NaN above all numbers, complex numbers part by part.
template <class T>
bool plain_less(T a, T b) {
  if (plain_nan(a) || plain_nan(b)) return !plain_nan(a);
  if constexpr (is_complex_v<T>) return a.real() != b.real() ? a.real() < b.real() : a.imag() < b.imag();
  else return to_compute(a) < to_compute(b);
}
template <class T>
bool strictly_less(T a, T b) {
  return plain_less(a, b) && !(plain_nan(a) && plain_nan(b));
}

template <class T>
bool plain_equal(T a, T b) {
  return !strictly_less(a, b) && !strictly_less(b, a);
}

/// A view and the memory it looks at.
struct Sample {
  Tensor memory;
  View view;
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  Index below(Index n) { return std::uniform_int_distribution<Index>(0, n - 1)(engine_); }
  bool one_in(Index n) { return below(n) == 0; }

  /// One axis has up to `most` places, the others a few.
  Axes shape(Index rank, Index most, bool allow_empty = true) {
    Axes out;
    const Index longest = rank > 0 ? below(rank) : 0;
    for (Index a = 0; a < rank; ++a)
      out.push_back(allow_empty && one_in(12) ? 0 : 1 + below(a == longest ? most : std::min<Index>(most, 5)));
    return out;
  }

  /// Few different values, so that there are ties; NaN, infinity, both zeros and the ends of the range among them.
  template <class T>
  T value() {
    if constexpr (is_complex_v<T>) {
      return T(value<typename T::value_type>(), value<typename T::value_type>());
    } else if constexpr (is_index_v<T>) {
      if (one_in(10)) return one_in(2) ? std::numeric_limits<T>::max() : std::numeric_limits<T>::min();
      return static_cast<T>(below(5));
    } else if constexpr (std::is_same_v<T, Bool>) {
      return Bool(one_in(2));
    } else {
      constexpr float kOdd[] = {NAN, INFINITY, -INFINITY, -0.0F, 0.0F};
      return T(one_in(3) ? kOdd[below(5)] : static_cast<float>(below(7)) - 3);
    }
  }

  /// Row-major.
  Tensor tensor(DType dtype, const Axes& shape) {
    Tensor t = value_or_throw(Tensor::empty(dtype, shape));
    dispatch(dtype, [&]<class T>() {
      for (Index i = 0; i < t.elements(); ++i) t.as<T>()[i] = value<T>();
    });
    return t;
  }

  /// Any strides: axes in any order, steps of ±1 or ±2, now and then 0.
  Sample view(DType dtype, const Axes& shape) {
    Axes order(shape.size()), stride(shape.size());
    for (std::size_t a = 0; a < order.size(); ++a) order[a] = static_cast<Index>(a);
    std::shuffle(order.begin(), order.end(), engine_);
    Index reach = 1, first = 0;
    for (const Index o : order) {
      const auto a = static_cast<std::size_t>(o);
      const Index step = one_in(8) ? 0 : (one_in(3) ? 2 : 1) * (one_in(3) ? -1 : 1), span = step * reach;
      stride[a] = span;
      if (span < 0) first += (std::max<Index>(shape[a], 1) - 1) * -span;
      reach *= std::max<Index>(std::abs(step), 1) * std::max<Index>(shape[a], 1);
    }
    Sample s{value_or_throw(Tensor::empty(dtype, {reach})), {}};
    dispatch(dtype, [&]<class T>() {
      for (Index i = 0; i < reach; ++i) s.memory.as<T>()[i] = value<T>();
    });
    const auto* data = static_cast<const std::byte*>(s.memory.data()) + first * width(dtype);
    s.view = View(dtype, data, shape, stride);
    return s;
  }

 private:
  std::mt19937 engine_;
};

template <class T>
std::vector<T> elements(const View& view) {
  std::vector<T> out;
  walk_bytes(view, [&](const std::byte* at) {
    out.emplace_back();
    std::memcpy(static_cast<void*>(&out.back()), at, sizeof(T));
  });
  return out;
}

/// f(lane, its number among the lanes in row-major order) along an axis.
template <class T, class F>
void for_each_lane(const View& view, Index axis, F&& f) {
  Axes rest = view.shape();
  rest.erase(rest.begin() + axis);
  Index number = 0;
  walk_positions(rest, [&](const Axes& at) {
    View lane = view;
    for (Index a = 0, d = 0; a < view.rank(); ++a) {
      if (a == axis) ++d;
      else lane = slice_at(lane, d, at[static_cast<std::size_t>(a < axis ? a : a - 1)]);
    }
    f(elements<T>(lane), number++);
  });
}

/// body(T, random, round) for every dtype, `rounds` times; the seed is in the trace.
template <class Body>
void for_each_dtype(int rounds, Body&& body) {
  for (const DTypeInfo& d : kDTypes)
    for (int round = 0; round < rounds; ++round) {
      const unsigned seed = static_cast<unsigned>(round) * 100 + static_cast<unsigned>(d.dtype);
      SCOPED_TRACE(testing::Message() << d.name << " seed " << seed);
      Random random(seed);
      dispatch(d.dtype, [&]<class T>() { body.template operator()<T>(random, d.dtype); });
    }
}

/// Says in the test's record that these functions ran with this dtype; conformance/support reads it.
inline void ran(std::initializer_list<const char*> functions, DType dtype) {
  for (const char* function : functions)
    testing::Test::RecordProperty(std::string("index.") + function + ".none." + std::string(name(dtype)), "runs");
}

inline std::vector<Index> indices(const View& view) { return elements<Index>(view); }

template <class Call>
std::string rule_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) { return error.rule(); }
  return "";
}

template <class T>
bool plain_equal(const std::vector<T>& a, const std::vector<T>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const T& x, const T& y) { return plain_equal(x, y); });
}

/// The memory of a result, every element twice as far from the next, backwards.
class Spread {
 public:
  Spread(DType dtype, const Axes& shape) {
    Axes stride = row_major(shape);
    Index reach = 1;
    for (std::size_t a = 0; a < shape.size(); ++a)
      stride[a] *= -2, reach += std::max<Index>(shape[a] - 1, 0) * -stride[a];
    memory_ = value_or_throw(Tensor::zeros(dtype, {reach}));
    auto* last = static_cast<std::byte*>(memory_.mutable_data()) + (reach - 1) * width(dtype);
    view_ = MutableView(dtype, last, shape, stride);
  }
  const MutableView& view() const { return view_; }

 private:
  Tensor memory_;
  MutableView view_;
};

/// The fresh result, after checking that the same written into spread-out memory is the same.
template <class Into>
void expect_into(const Tensor& wanted, Into&& into) {
  const Spread out(wanted.dtype(), wanted.shape());
  into(out.view());
  EXPECT_TRUE(same_bits(out.view(), wanted)) << to_string(out.view()) << "\nnot\n" << to_string(wanted);
}

}  // namespace garner::index
