// onnx.Unique(X, *, axis=None, sorted=1): each value, or each slice along an axis, once.
#include <algorithm>

#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "index/outputs.h"

namespace garner::onnx {
namespace {

/// Writes values[places] to an output that is open.
Status take(const View& values, const View& places, const RunOptions& options, index::Output& out, Index axis = 0) {
  GARNER_ASSIGN(const Job job, lower_gather(values, places, {.axis = axis}));
  return run_into(job, out.seen_as(job.result_shape), options);
}

View flat(const index::Packed& packed) { return packed.view().seen_as({packed.view().elements()}); }

Status unique_elements(const View& X, const char* op, const RunOptions& options, const index::UniqueOutputs& out) {
  GARNER_ASSIGN(const index::Packed packed, index::pack_anywhere(X, op, options));
  return to_status(index::unique(flat(packed), options, out));
}

/// The same memory with one axis in front.
View axis_first(const View& view, Index axis) {
  Axes shape = view.shape(), stride = view.stride();
  std::rotate(shape.begin(), shape.begin() + axis, shape.begin() + axis + 1);
  std::rotate(stride.begin(), stride.begin() + axis, stride.begin() + axis + 1);
  return view.seen_as(shape, stride);
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
  GARNER_ASSIGN(const index::Packed packed, index::pack(axis_first(X, axis), op, options));
  GARNER_ASSIGN(Unique elements, index::unique(flat(packed), options));
  const Index count = X.extent(axis);
  return Rows{std::move(elements.inverse), count, count == 0 ? 0 : X.elements() / count};
}

Axes order_of(const Rows& rows) {
  Axes order = axes_from(0, rows.count);
  std::ranges::sort(order, [&](Index a, Index b) { return rows.less(a, b); });
  return order;
}

/// What has one entry per value and one per slice, and the values, `shape` of them.
Status open(const char* op, const index::UniqueOutputs& out, const View& values, const Axes& shape, Index count,
            Index inverse) {
  GARNER_TRY(out.values.open(op, values.dtype(), shape, {&values}));
  GARNER_TRY(out.index.open(op, DType::kI64, {count}, {&values}));
  GARNER_TRY(out.inverse.open(op, DType::kI64, {inverse}, {&values}));
  return out.counts.open(op, DType::kI64, {count}, {&values});
}

Status unique_slices(const View& X, Index axis, const char* op, const RunOptions& options,
                     const index::UniqueOutputs& out) {
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
  Axes shape = X.shape();
  shape[static_cast<std::size_t>(axis)] = static_cast<Index>(first.size());
  GARNER_TRY(open(op, out, X, shape, static_cast<Index>(first.size()), rows.count));
  std::ranges::copy(first, out.index.as<Index>());
  std::ranges::copy(counts, out.counts.as<Index>());
  std::ranges::copy(inverse, out.inverse.as<Index>());
  return take(X, View(first), options, out.values, axis);
}

/// `order` lists the old places; `place` says where each of them has gone.
Status by_appearance(const Unique& by_value, Index axis, const char* op, const RunOptions& options,
                     const index::UniqueOutputs& out) {
  GARNER_ASSIGN(const Tensor order, index::argsort(by_value.index, {}, options));
  GARNER_ASSIGN(const Tensor place, index::argsort(order, {}, options));
  const View values = by_value.values;
  GARNER_TRY(open(op, out, values, values.shape(), order.elements(), by_value.inverse.elements()));
  GARNER_TRY(take(values, order, options, out.values, axis));
  GARNER_TRY(take(by_value.index, order, options, out.index));
  GARNER_TRY(take(place, by_value.inverse, options, out.inverse));
  return take(by_value.counts, order, options, out.counts);
}

Status find(const View& X, const UniqueAttributes& attributes, const RunOptions& options,
            const index::UniqueOutputs& out) {
  const Node node{"onnx.Unique", attributes.opset};
  GARNER_TRY(check_opset(node, 11));
  GARNER_TRY(check_dtype(node, {"X", X.dtype()}, with_bf16(kAny, node, 28)));
  Index axis = 0;
  if (attributes.axis) { GARNER_ASSIGN(axis, effective_axis(node, *attributes.axis, -X.rank(), X.rank())); }
  const auto sorted = [&](const index::UniqueOutputs& to) {
    return attributes.axis ? unique_slices(X, axis, node.op, options, to) : unique_elements(X, node.op, options, to);
  };
  if (attributes.sorted) return sorted(out);
  GARNER_ASSIGN(const Unique by_value, index::fresh_unique(sorted));
  return by_appearance(by_value, axis, node.op, options, out);
}

}  // namespace

Unique unique(const View& X, const UniqueAttributes& attributes, const RunOptions& options) {
  return value_or_throw(
      index::fresh_unique([&](const index::UniqueOutputs& out) { return find(X, attributes, options, out); }));
}

namespace {

Status find_by(Arguments& a, const RunOptions& options, const index::UniqueOutputs& out) {
  const View X = a.tensor("X");
  const UniqueAttributes attributes{
      .axis = a.maybe_integer("axis"), .sorted = a.integer("sorted") != 0, .opset = opset_of(a)};
  GARNER_TRY(a.status());
  return find(X, attributes, options, out);
}

/// The first of equal elements (or slices) is the one that is returned.
Result<std::vector<grad::Var>> record(Arguments& a, const Leaves& leaves) {
  GARNER_ASSIGN(const Unique found,
                index::fresh_unique([&](const index::UniqueOutputs& out) { return find_by(a, {}, out); }));
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
const Op op_unique = on_any_device({"Unique", "(X, *, axis=None, sorted=1, opset=None)", nullptr,
                                    [](Arguments& a, const RunOptions& options, Results& results) -> Status {
  GARNER_ASSIGN(const std::span<index::Output> out, results.room(4));
  return find_by(a, options, {out[0], out[1], out[2], out[3]});
}, record});

}  // namespace garner::onnx
