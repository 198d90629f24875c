// Runs a program by the letter of program.h: what every target's spelling must agree with. For tests.
#pragma once
#include <gtest/gtest.h>

#include "dtype/convert.h"
#include "garner/error.h"
#include "kernel/common/combine.h"
#include "tensor/cast.h"
#include "tensor/walk.h"
#include "translate/program.h"

namespace garner::translate_detail {

class Interpreter {
 public:
  Interpreter(const Program& program, const std::vector<Tensor>& inputs) : program_(program), inputs_(inputs) {}

  /// Throws what value_or_throw throws; adds a test failure where an index leaves its array.
  std::vector<Tensor> run() {
    for (const Node& node : program_.nodes) done_.push_back(one(node));
    std::vector<Tensor> results;
    for (const int r : program_.results) results.push_back(done_[static_cast<std::size_t>(r)]);
    return results;
  }

  bool checks_passed() const { return passed_; }

 private:
  const Tensor& arg(const Node& node, std::size_t i) const { return done_[static_cast<std::size_t>(node.args[i])]; }

  static Tensor made(const Node& node) { return value_or_throw(Tensor::zeros(node.dtype, node.shape)); }

  static Tensor wide(const Tensor& t, const Axes& shape) {
    return value_or_throw(contiguous(value_or_throw(broadcast_to(t, shape))));
  }

  /// out[i] = f(operands[i]…) in i64 or bool.
  template <class To, class From, class F>
  Tensor map(const Node& node, F&& f) const {
    Tensor out = made(node);
    std::vector<Tensor> operands;
    for (std::size_t i = 0; i < node.args.size(); ++i) operands.push_back(wide(arg(node, i), node.shape));
    for (Index i = 0; i < out.elements(); ++i)
      out.as<To>()[i] = f(operands.front().as<From>()[i], operands.back().as<From>()[i]);
    return out;
  }

  template <class F>
  Tensor arithmetic(const Node& node, F&& f) const {
    return dispatch(node.dtype, [&]<class T>() { return map<T, T>(node, f); });
  }

  Tensor strided(const Node& node, Index offset, const Axes& stride) const {
    const View from = arg(node, 0);
    const auto* first = static_cast<const std::byte*>(from.data()) + offset * width(node.dtype);
    return value_or_throw(contiguous(View(node.dtype, first, node.shape, stride)));
  }

  Tensor transposed(const Node& node) const {
    Axes stride;
    for (const Index a : node.axes) stride.push_back(row_major(arg(node, 0).shape())[static_cast<std::size_t>(a)]);
    return strided(node, 0, stride);
  }

  Tensor sliced(const Node& node) const {
    Axes stride = row_major(arg(node, 0).shape());
    const Index offset = dot(node.axes, stride);
    for (std::size_t a = 0; a < stride.size(); ++a) stride[a] *= node.steps[a];
    return strided(node, offset, stride);
  }

  Tensor reinterpreted(const Node& node) const {
    Tensor out = made(node);
    std::memcpy(out.mutable_data(), arg(node, 0).data(), static_cast<std::size_t>(out.bytes()));
    return out;
  }

  Tensor selected(const Node& node) const {
    Tensor out = made(node);
    const Tensor c = wide(arg(node, 0), node.shape), a = wide(arg(node, 1), node.shape),
                 b = wide(arg(node, 2), node.shape);
    for (Index i = 0; i < out.elements(); ++i) copy(out, i, c.as<Bool>()[i] ? a : b, i);
    return out;
  }

  static void copy(Tensor& out, Index to, const Tensor& from, Index at) {
    const Index w = width(out.dtype());
    std::memcpy(out.as<std::byte>() + to * w, from.as<std::byte>() + at * w, static_cast<std::size_t>(w));
  }

  static bool inside(Index v, Index n) {
    EXPECT_TRUE(v >= 0 && v < n) << v << " of " << n;
    return v >= 0 && v < n;
  }

  /// Along one axis: whole slices, or one element for each index.
  Tensor taken(const Node& node, bool slices) const {
    const Tensor &from = arg(node, 0), &index = arg(node, 1);
    Tensor out = made(node);
    const auto axis = static_cast<std::size_t>(node.number), middle = slices ? index.shape().size() : 1;
    Index n = 0;
    walk_positions(node.shape, [&](const Axes& d) {
      Axes place = d;
      const auto first = d.begin() + static_cast<Index>(axis);
      const Axes own = slices ? Axes(first, first + static_cast<Index>(middle)) : d;
      if (slices) {
        place.erase(place.begin() + static_cast<Index>(axis), place.begin() + static_cast<Index>(axis + middle));
        place.insert(place.begin() + static_cast<Index>(axis), 0);
      }
      place[axis] = index.as<Index>()[dot(own, row_major(index.shape()))];
      if (inside(place[axis], from.shape()[axis])) copy(out, n, from, dot(place, row_major(from.shape())));
      ++n;
    });
    return out;
  }

  Tensor joined(const Node& node) const {
    Tensor out = made(node);
    for (Index i = 0; i < out.elements(); ++i) {
      const bool first = i < arg(node, 0).elements();
      copy(out, i, arg(node, first ? 0 : 1), first ? i : i - arg(node, 0).elements());
    }
    return out;
  }

  /// Backwards where the order is open, so that a program that depends on it is found out.
  Tensor scattered(const Node& node) const {
    Tensor out = value_or_throw(arg(node, 0).clone());
    const Tensor &places = arg(node, 1), &updates = arg(node, 2);
    const CombineRun combine = combiner_for(node.combine, node.dtype).run;
    const bool forwards = node.in_order || !is_integer(node.dtype);
    const Index w = width(node.dtype), count = updates.elements();
    for (Index i = 0; i < count; ++i) {
      const Index k = forwards ? i : count - 1 - i, to = places.as<Index>()[k];
      if (inside(to, out.elements())) combine(out.as<std::byte>() + to * w, updates.as<std::byte>() + k * w, 1);
    }
    return out;
  }

  Tensor counted(const Node& node) const {
    Tensor out = made(node);
    for (Index i = 0; i < node.number; ++i) out.as<Index>()[i] = i;
    return out;
  }

  Tensor checked(const Node& node) {
    for (Index i = 0; i < arg(node, 0).elements(); ++i) passed_ = passed_ && arg(node, 0).as<Bool>()[i];
    return {};
  }

  Tensor one(const Node& node) {
    const Index n = node.number;
    const auto unsigned_of = [](auto v) { return static_cast<std::uint64_t>(v); };
    switch (node.op) {
      case Op::kInput: return inputs_[static_cast<std::size_t>(n)];
      case Op::kConstant: return node.value;
      case Op::kIota: return counted(node);
      case Op::kReshape: return arg(node, 0).reshaped(node.shape);
      case Op::kBroadcast: return wide(arg(node, 0), node.shape);
      case Op::kTranspose: return transposed(node);
      case Op::kSlice: return sliced(node);
      case Op::kConvert: return value_or_throw(cast(arg(node, 0), node.dtype));
      case Op::kBitcast: return reinterpreted(node);
      case Op::kAdd:
        return arithmetic(node, [&]<class T>(T a, T b) {
          if constexpr (is_index_v<T>) return static_cast<T>(unsigned_of(a) + unsigned_of(b));
          else return convert<T>(to_compute(a) + to_compute(b));
        });
      case Op::kMul:
        return arithmetic(node, [&]<class T>(T a, T b) {
          if constexpr (is_index_v<T>) return static_cast<T>(unsigned_of(a) * unsigned_of(b));
          else return convert<T>(to_compute(a) * to_compute(b));
        });
      case Op::kClamp:
        return map<Index, Index>(node, [&](Index a, Index) { return std::clamp(a, node.low, node.high); });
      case Op::kMod: return map<Index, Index>(node, [&](Index a, Index) { return (a % n + n) % n; });
      case Op::kLess: return map<Bool, Index>(node, [](Index a, Index b) { return Bool(a < b); });
      case Op::kAnd: return map<Bool, Bool>(node, [](Bool a, Bool b) { return Bool(a && b); });
      case Op::kNot: return map<Bool, Bool>(node, [](Bool a, Bool) { return Bool(!a); });
      case Op::kSelect: return selected(node);
      case Op::kTake:
      case Op::kTakeAxis: return taken(node, true);
      case Op::kTakeElements: return taken(node, false);
      case Op::kConcat: return joined(node);
      case Op::kScatter: return scattered(node);
      case Op::kCheck: return checked(node);
    }
    return {};
  }

  const Program& program_;
  const std::vector<Tensor>& inputs_;
  std::vector<Tensor> done_;
  bool passed_ = true;
};

}  // namespace garner::translate_detail
