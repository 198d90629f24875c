// onnx.Unique(X, *, axis=None, sorted=1): each value, or each slice along an axis, once.
#include <algorithm>

#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "index/memory.h"

namespace garner::onnx {
namespace {

Result<Tensor> take(const View& values, const View& places, const RunOptions& options, Index axis = 0) {
  return run_one(lower_gather(values, places, {.axis = axis}), options);
}

Result<Tensor> tensor_of(const Axes& values) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(DType::kI64, {static_cast<Index>(values.size())}));
  std::ranges::copy(values, out.as<Index>());
  return out;
}

Result<Unique> unique_elements(const View& X, const char* op, const RunOptions& options) {
  GARNER_ASSIGN(const index::Packed packed, index::pack(X, op, options));
  return index::unique(View(X.dtype(), packed.data(), {X.elements()}), options);
}

/// The same memory with one axis in front.
View axis_first(const View& view, Index axis) {
  Axes shape = view.shape(), stride = view.stride();
  std::rotate(shape.begin(), shape.begin() + axis, shape.begin() + axis + 1);
  std::rotate(stride.begin(), stride.begin() + axis, stride.begin() + axis + 1);
  return {view.dtype(), view.data(), shape, stride};
}

/// The slices as rows of numbers that compare as their elements do.
struct Rows {
  Tensor numbers;
  Index count = 0, length = 0;
  std::span<const Index> operator[](Index row) const {
    return {numbers.as<Index>() + row * length, static_cast<std::size_t>(length)};
  }
  /// Equal rows go by their positions.
  bool less(Index a, Index b) const {
    const auto x = (*this)[a], y = (*this)[b];
    const auto order = std::lexicographical_compare_three_way(x.begin(), x.end(), y.begin(), y.end());
    return order < 0 || (order == 0 && a < b);
  }
  bool equal(Index a, Index b) const { return std::ranges::equal((*this)[a], (*this)[b]); }
};

Result<Rows> rows_of(const View& X, Index axis, const char* op, const RunOptions& options) {
  GARNER_ASSIGN(Unique elements, unique_elements(axis_first(X, axis), op, options));
  const Index count = X.extent(axis);
  return Rows{std::move(elements.inverse), count, count == 0 ? 0 : X.elements() / count};
}

Axes order_of(const Rows& rows) {
  Axes order = axes_from(0, rows.count);
  std::ranges::sort(order, [&](Index a, Index b) { return rows.less(a, b); });
  return order;
}

Result<Unique> unique_slices(const View& X, Index axis, const char* op, const RunOptions& options) {
  GARNER_TRY(validate(X, op));  // rows are compared on the CPU
  GARNER_ASSIGN(const Rows rows, rows_of(X, axis, op, options));
  Axes first, counts, inverse(static_cast<std::size_t>(rows.count));
  for (const Index row : order_of(rows)) {
    const bool fresh = first.empty() || !rows.equal(first.back(), row);
    if (fresh) first.push_back(row);
    if (fresh) counts.push_back(0);
    ++counts.back();
    inverse[static_cast<std::size_t>(row)] = static_cast<Index>(first.size()) - 1;
  }
  Unique out;
  GARNER_ASSIGN(out.index, tensor_of(first));
  GARNER_ASSIGN(out.counts, tensor_of(counts));
  GARNER_ASSIGN(out.inverse, tensor_of(inverse));
  GARNER_ASSIGN(out.values, take(X, out.index, options, axis));
  return out;
}

/// `order` lists the old places; `place` says where each of them has gone.
Result<Unique> by_appearance(const Unique& by_value, Index axis, const RunOptions& options) {
  GARNER_ASSIGN(const Tensor order, index::argsort(by_value.index, {}, options));
  GARNER_ASSIGN(const Tensor place, index::argsort(order, {}, options));
  Unique out;
  GARNER_ASSIGN(out.values, take(by_value.values, order, options, axis));
  GARNER_ASSIGN(out.index, take(by_value.index, order, options));
  GARNER_ASSIGN(out.inverse, take(place, by_value.inverse, options));
  GARNER_ASSIGN(out.counts, take(by_value.counts, order, options));
  return out;
}

Result<Unique> find(const View& X, const UniqueAttributes& attributes, const RunOptions& options) {
  const Node node{"onnx.Unique", attributes.opset};
  GARNER_TRY(check_opset(node, 11));
  GARNER_TRY(check_dtype(node, {"X", X.dtype()}, with_bf16(kAny, node, 28)));
  Index axis = 0;
  if (attributes.axis) { GARNER_ASSIGN(axis, effective_axis(node, *attributes.axis, -X.rank(), X.rank())); }
  auto by_value = attributes.axis ? unique_slices(X, axis, node.op, options) : unique_elements(X, node.op, options);
  if (!by_value.ok() || attributes.sorted) return by_value;
  return by_appearance(*by_value, axis, options);
}

}  // namespace

Unique unique(const View& X, const UniqueAttributes& attributes, const RunOptions& options) {
  return value_or_throw(find(X, attributes, options));
}

namespace {

Result<Unique> found_by(Arguments& a, const RunOptions& options) {
  const View X = a.tensor("X");
  const UniqueAttributes attributes{
      .axis = a.maybe_integer("axis"), .sorted = a.integer("sorted") != 0, .opset = opset_of(a)};
  GARNER_TRY(a.status());
  return find(X, attributes, options);
}

/// The first of equal elements (or slices) is the one that is returned.
Result<std::vector<grad::Var>> record(Arguments& a, const Leaves& leaves) {
  GARNER_ASSIGN(const Unique found, found_by(a, {}));
  const grad::Var X = leaves.of(a.tensor("X"));
  const auto axis = a.maybe_integer("axis");
  const grad::Var data = axis ? X : grad::reshape(X, {X.elements()});
  const auto lower = [&](const std::vector<View>& v) {
    return lower_gather(v[0], found.index, {.axis = axis.value_or(0)});
  };
  const grad::Var values = grad::call({data}, lower);
  return std::vector<grad::Var>{values, grad::Var(found.index), grad::Var(found.inverse), grad::Var(found.counts)};
}

}  // namespace

extern const Op op_unique;
const Op op_unique{"Unique", "(X, *, axis=None, sorted=1, opset=None)", nullptr,
                   [](Arguments& a, const RunOptions& options) -> Result<std::vector<Tensor>> {
  GARNER_ASSIGN(const Unique found, found_by(a, options));
  return std::vector<Tensor>{found.values, found.index, found.inverse, found.counts};
}, record};

}  // namespace garner::onnx
