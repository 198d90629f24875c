// Variables of other shapes, and their rules: each is the transpose of another one here.
#include <algorithm>

#include "grad/ops.h"
#include "grad/shape.h"

namespace garner::grad {
namespace {

using Gradients = std::vector<Var>;

bool is_permutation_of_axes(const Axes& order) {
  Axes sorted = order;
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t a = 0; a < sorted.size(); ++a)
    if (sorted[a] != static_cast<Index>(a)) return false;
  return true;
}

/// Counted from 0, all of them, each once; rule G5.
Axes full_order(const Axes& order, Index rank) {
  Axes out = order;
  if (order.empty())
    for (Index a = rank; a-- > 0;) out.push_back(a);
  for (Index& axis : out) axis += axis < 0 ? rank : 0;
  if (static_cast<Index>(out.size()) == rank && is_permutation_of_axes(out)) return out;
  throw_error(fail(Code::kInvalidArgument, "G5", "transpose: order is {}, allowed each of the {} axes once",
                   list(order), rank));
}

Axes inverse(const Axes& order) {
  Axes out(order.size());
  for (std::size_t a = 0; a < order.size(); ++a) out[static_cast<std::size_t>(order[a])] = static_cast<Index>(a);
  return out;
}

/// The axes along which `shape` is stretched to `wide`, if it can be.
std::optional<Axes> stretched_axes(const Axes& shape, const Axes& wide) {
  if (shape.size() > wide.size()) return std::nullopt;
  const std::size_t lead = wide.size() - shape.size();
  Axes axes;
  for (std::size_t a = 0; a < wide.size(); ++a) {
    const Index extent = a < lead ? 1 : shape[a - lead];
    if (extent != 1 && extent != wide[a]) return std::nullopt;
    if (extent != wide[a] || a < lead) axes.push_back(static_cast<Index>(a));
  }
  return axes;
}

Var padded(const Var& a, const Span& span, Index extent) {
  Axes before = a.shape(), after = a.shape();
  const auto along = static_cast<std::size_t>(span.axis);
  before[along] = span.begin, after[along] = extent - span.begin - span.count;
  return concatenate({zeros_like(a.value(), before), a, zeros_like(a.value(), after)}, span.axis);
}

/// Of each part that wants one, its own places of the gradient.
Gradients parts_of(const Var& gradient, const std::vector<Span>& spans, const std::vector<bool>& wanted) {
  Gradients out;
  for (std::size_t i = 0; i < spans.size(); ++i) out.push_back(wanted[i] ? slice(gradient, spans[i]) : Var());
  return out;
}

}  // namespace

Index axis_of(const char* op, Index axis, Index rank) {
  if (axis < -rank || axis >= rank)
    throw_error(fail(Code::kInvalidArgument, "G5", "{}: axis is {}, allowed [{}, {})", op, axis, -rank, rank));
  return axis < 0 ? axis + rank : axis;
}

Var reshape(const Var& a, const Axes& shape) {
  const Axes full = value_or_throw(plain::resolved(shape, a.elements()));
  if (full == a.shape()) return a;
  Var out = record("reshape", a.value().reshaped(full), {a},
                   [back = a.shape()](const Var& g) -> Gradients { return {reshape(g, back)}; });
  share_version(a, out);
  return out;
}

Var transpose(const Var& a, const Axes& order) {
  const Axes full = full_order(order, a.rank());
  return record("transpose", value_or_throw(plain::transpose(a.value(), full)), {a},
                [back = inverse(full)](const Var& g) -> Gradients { return {transpose(g, back)}; });
}

Var broadcast(const Var& a, const Axes& shape) {
  if (shape == a.shape()) return a;
  return record("broadcast", value_or_throw(plain::broadcast(a.value(), shape)), {a},
                [back = a.shape()](const Var& g) -> Gradients { return {sum_to(g, back)}; });
}

Var sum_to(const Var& a, const Axes& shape) {
  if (shape == a.shape()) return a;
  const auto axes = stretched_axes(shape, a.shape());
  if (!axes)
    throw_error(fail(Code::kInvalidArgument, "G5", "sum_to: shape is {}, allowed one that broadcasts to {}",
                     list(shape), list(a.shape())));
  return reshape(sum(a, {.axes = axes}), shape);
}

Var slice(const Var& a, const Span& span) {
  const Index extent = a.shape()[static_cast<std::size_t>(span.axis)];
  return record("slice", value_or_throw(plain::slice(a.value(), span.axis, span.begin, span.count)), {a},
                [span, extent](const Var& g) -> Gradients { return {padded(g, span, extent)}; });
}

Var concatenate(const std::vector<Var>& parts, Index axis) {
  if (parts.empty())
    throw_error(fail(Code::kInvalidArgument, "G5", "concatenate: number of parts is 0, allowed [1, 2^63)"));
  const Index along = axis_of("concatenate", axis, parts.front().rank());
  std::vector<Tensor> tensors;
  tensors.reserve(parts.size());
  for (const Var& part : parts) tensors.push_back(part.value());
  Tensor value = value_or_throw(plain::concatenate(tensors, along));
  std::vector<Span> spans;
  std::vector<bool> wanted;
  Index begin = 0;
  for (const Var& part : parts) {
    spans.push_back({along, begin, part.shape()[static_cast<std::size_t>(along)]});
    begin += spans.back().count;
    wanted.push_back(part.requires_grad());
  }
  return record("concatenate", std::move(value), parts,
                [spans, wanted](const Var& g) { return parts_of(g, spans, wanted); });
}

}  // namespace garner::grad
