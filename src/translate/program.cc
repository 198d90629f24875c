#include "translate/program.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "garner/view.h"
#include "tensor/cast.h"

namespace garner::translate_detail {
namespace {

Index product(const Axes& shape) { return std::accumulate(shape.begin(), shape.end(), Index{1}, std::multiplies<>()); }

/// Overflow of the constants of a call wraps around, as it does in the targets.
std::uint64_t unsigned_of(Index v) { return static_cast<std::uint64_t>(v); }

Tensor same_bytes(const Tensor& value, DType dtype) {
  auto out = Tensor::empty(dtype, value.shape());
  if (!out.ok()) return value;
  std::memcpy(out->mutable_data(), value.data(), static_cast<std::size_t>(value.bytes()));
  return *out;
}

}  // namespace

Axes broadcast_shape(const Axes& a, const Axes& b) {
  const std::array<Axes, 2> both{a, b};
  return broadcast_shapes(both).value_or(a);
}

int Builder::put(Node node) {
  program_.nodes.push_back(std::move(node));
  return static_cast<int>(program_.nodes.size()) - 1;
}

std::optional<Index> Builder::number_in(int a) const {
  const Node& node = program_[a];
  const bool is = node.op == Op::kConstant && node.dtype == DType::kI64 && node.shape.empty();
  return is ? std::optional(*node.value.as<Index>()) : std::nullopt;
}

std::optional<bool> Builder::truth_in(int a) const {
  const Node& node = program_[a];
  const bool is = node.op == Op::kConstant && node.dtype == DType::kBool && node.shape.empty();
  return is ? std::optional(*node.value.as<unsigned char>() != 0) : std::nullopt;
}

int Builder::truth(bool value) { return constant(scalar(value)); }

int Builder::input(const std::string& name, DType dtype, const Axes& shape) {
  const auto number = static_cast<Index>(program_.inputs.size());
  const int n = put({.op = Op::kInput, .dtype = dtype, .shape = shape, .number = number, .name = name});
  program_.inputs.push_back(n);
  return n;
}

int Builder::constant(Tensor value) {
  const DType dtype = value.dtype();
  const Axes shape = value.shape();
  return put({.op = Op::kConstant, .dtype = dtype, .shape = shape, .value = std::move(value)});
}

int Builder::number(Index value) { return constant(scalar(value)); }

int Builder::zeros(DType dtype, const Axes& shape) {
  auto zero = Tensor::zeros(dtype, {});
  return broadcast(constant(zero.ok() ? *zero : Tensor()), shape);
}

int Builder::iota(Index n) { return put({.op = Op::kIota, .shape = {n}, .number = n}); }

int Builder::coordinate(std::size_t axis, const Axes& domain) {
  Axes shape(domain.size(), 1);
  shape[axis] = domain[axis];
  return reshape(iota(domain[axis]), shape);
}

int Builder::reshape(int a, const Axes& shape) {
  if (program_[a].shape == shape) return a;
  return put({.op = Op::kReshape, .args = {a}, .dtype = program_[a].dtype, .shape = shape});
}

int Builder::flat(int a) { return reshape(a, {product(program_[a].shape)}); }

int Builder::broadcast(int a, const Axes& shape) {
  if (program_[a].shape == shape) return a;
  return put({.op = Op::kBroadcast, .args = {a}, .dtype = program_[a].dtype, .shape = shape});
}

int Builder::transpose(int a, const Axes& axes) {
  if (std::ranges::is_sorted(axes)) return a;
  Axes shape;
  for (const Index axis : axes) shape.push_back(program_[a].shape[static_cast<std::size_t>(axis)]);
  return put({.op = Op::kTranspose, .args = {a}, .dtype = program_[a].dtype, .shape = shape, .axes = axes});
}

int Builder::slice(int a, const Axes& starts, const Axes& extents, const Axes& steps) {
  if (program_[a].shape == extents) return a;
  const DType dtype = program_[a].dtype;
  return put({.op = Op::kSlice, .args = {a}, .dtype = dtype, .shape = extents, .axes = starts, .steps = steps});
}

int Builder::convert(int a, DType dtype) {
  if (program_[a].dtype == dtype) return a;
  if (program_[a].op == Op::kConstant)
    if (const auto value = cast(program_[a].value, dtype); value.ok()) return constant(*value);
  return put({.op = Op::kConvert, .args = {a}, .dtype = dtype, .shape = program_[a].shape});
}

int Builder::bitcast(int a, DType dtype) {
  if (program_[a].dtype == dtype) return a;
  if (program_[a].op == Op::kConstant) return constant(same_bytes(program_[a].value, dtype));
  return put({.op = Op::kBitcast, .args = {a}, .dtype = dtype, .shape = program_[a].shape});
}

int Builder::binary(Op op, int a, int b, DType dtype) {
  const Axes shape = broadcast_shape(program_[a].shape, program_[b].shape);
  return put({.op = op, .args = {a, b}, .dtype = dtype, .shape = shape});
}

int Builder::add(int a, int b) {
  const auto x = number_in(a), y = number_in(b);
  if (x && y) return number(static_cast<Index>(unsigned_of(*x) + unsigned_of(*y)));
  if (y == 0) return a;
  return x == 0 ? b : binary(Op::kAdd, a, b, program_[a].dtype);
}

int Builder::mul(int a, int b) {
  const auto x = number_in(a), y = number_in(b);
  if (x && y) return number(static_cast<Index>(unsigned_of(*x) * unsigned_of(*y)));
  return y == 1 ? a : binary(Op::kMul, a, b, program_[a].dtype);
}

int Builder::clamp(int a, Index low, Index high) {
  if (const auto x = number_in(a)) return number(std::clamp(*x, low, high));
  return put({.op = Op::kClamp, .args = {a}, .shape = program_[a].shape, .low = low, .high = high});
}

int Builder::mod(int a, Index n) {
  if (const auto x = number_in(a)) return number((*x % n + n) % n);
  return put({.op = Op::kMod, .args = {a}, .shape = program_[a].shape, .number = n});
}

int Builder::less(int a, int b) {
  const auto x = number_in(a), y = number_in(b);
  return x && y ? truth(*x < *y) : binary(Op::kLess, a, b, DType::kBool);
}

int Builder::land(int a, int b) {
  if (const auto x = truth_in(a)) return *x ? b : a;
  if (const auto y = truth_in(b)) return *y ? a : b;
  return binary(Op::kAnd, a, b, DType::kBool);
}

int Builder::lnot(int a) {
  if (const auto x = truth_in(a)) return truth(!*x);
  return put({.op = Op::kNot, .args = {a}, .dtype = DType::kBool, .shape = program_[a].shape});
}

int Builder::select(int condition, int a, int b) {
  const Axes shape = broadcast_shape(program_[condition].shape, broadcast_shape(program_[a].shape, program_[b].shape));
  if (const auto x = truth_in(condition)) return broadcast(*x ? a : b, shape);
  return put({.op = Op::kSelect, .args = {condition, a, b}, .dtype = program_[a].dtype, .shape = shape});
}

int Builder::take(int a, int places) {
  return put({.op = Op::kTake, .args = {a, places}, .dtype = program_[a].dtype, .shape = program_[places].shape});
}

int Builder::take_axis(int a, int places, Index axis) {
  Axes shape = program_[a].shape;
  const Axes& middle = program_[places].shape;
  shape.erase(shape.begin() + axis);
  shape.insert(shape.begin() + axis, middle.begin(), middle.end());
  return put({.op = Op::kTakeAxis, .args = {a, places}, .dtype = program_[a].dtype, .shape = shape, .number = axis});
}

int Builder::take_elements(int a, int places, Index axis) {
  return put({.op = Op::kTakeElements,
              .args = {a, places},
              .dtype = program_[a].dtype,
              .shape = program_[places].shape,
              .number = axis});
}

int Builder::concat(int a, int b) {
  const Axes shape{program_[a].shape[0] + program_[b].shape[0]};
  return put({.op = Op::kConcat, .args = {a, b}, .dtype = program_[a].dtype, .shape = shape});
}

int Builder::scatter(int a, int places, int updates, Combine combine, bool in_order) {
  return put({.op = Op::kScatter,
              .args = {a, places, updates},
              .dtype = program_[a].dtype,
              .shape = program_[a].shape,
              .combine = combine,
              .in_order = in_order});
}

void Builder::check(int condition, const std::string& message) {
  put({.op = Op::kCheck, .args = {condition}, .dtype = DType::kBool, .name = message});
}

}  // namespace garner::translate_detail
