// onnx.TopK(X, K, *, axis=-1, largest=1, sorted=1); up to opset 9 the number is the attribute k.
#include "base/fail.h"
#include "dialect/onnx/node.h"
#include "index/outputs.h"

namespace garner::onnx {
namespace {

constexpr const char* kOp = "onnx.TopK";

DTypes dtypes(const Node& node) { return node.opset < 11 ? kFloats : with_bf16(kReals, node, 24); }

Status check_k(const Node& node, Index k, Index extent, Index axis) {
  if (k >= 0 && k <= extent) return {};
  return fail(Code::kInvalidArgument, "OX15", "{}: k is {}, allowed [0, {}] on axis {}", node.op, k, extent, axis);
}

Status choose(const View& X, Index k, const TopKAttributes& attributes, const RunOptions& options,
              const index::TopKOutputs& out) {
  const Node node{kOp, attributes.opset};
  GARNER_TRY(check_opset(node, 1));
  if (!attributes.largest) GARNER_TRY(check_since(node, 11, "largest", "0"));
  if (!attributes.sorted) GARNER_TRY(check_since(node, 11, "sorted", "0"));
  GARNER_TRY(check_dtype(node, {"X", X.dtype()}, dtypes(node)));
  GARNER_ASSIGN(const Index axis, effective_axis(node, attributes.axis, -X.rank(), X.rank()));
  GARNER_TRY(check_k(node, k, X.extent(axis), axis));
  // Without `sorted` ONNX leaves the order open; the sorted one is as good as any.
  return index::top_k(X, k, {.axis = axis, .largest = attributes.largest}, options, out);
}

/// The number, from the place where the opset has it.
Result<Index> k_of(Arguments& a, Index opset) {
  const bool input = opset >= 10;
  const char *wanted = input ? "K" : "k", *other = input ? "k" : "K";
  if (a.has(other) || !a.has(wanted))
    return fail(Code::kInvalidArgument, "OX5", "{}: {} is {}, allowed {} in opset {}", kOp,
                a.has(other) ? other : wanted, a.has(other) ? "given" : "missing", wanted, opset);
  if (!input) return a.integer("k");
  const View K = a.tensor("K");
  GARNER_TRY(check_dtype({kOp, opset}, {"K", K.dtype()}, bit(DType::kI64)));
  GARNER_TRY(validate(K, kOp));
  if (K.shape() == Axes{1}) return *static_cast<const Index*>(K.data());
  return fail(Code::kInvalidArgument, "OX15", "{}: shape of K is {}, allowed [1]", kOp, list(K.shape()));
}

Status top_k_of(Arguments& a, const RunOptions& options, const index::TopKOutputs& out) {
  const View X = a.tensor("X");
  const TopKAttributes attributes{.axis = a.integer("axis"),
                                  .largest = a.integer("largest") != 0,
                                  .opset = opset_of(a),
                                  .sorted = a.integer("sorted") != 0};
  GARNER_TRY(a.status());
  GARNER_TRY(check_opset({kOp, attributes.opset}, 1));
  GARNER_ASSIGN(const Index k, k_of(a, attributes.opset));
  GARNER_TRY(a.status());
  return choose(X, k, attributes, options, out);
}

Status evaluate(Arguments& a, const RunOptions& options, Results& results) {
  GARNER_ASSIGN(const std::span<index::Output> out, results.room(2));
  return top_k_of(a, options, {out[0], out[1]});
}

Result<std::vector<grad::Var>> record(Arguments& a, const Leaves& leaves) {
  GARNER_ASSIGN(const TopK top,
                index::fresh_top_k([&](const index::TopKOutputs& out) { return top_k_of(a, {}, out); }));
  const grad::Var values = grad::take_along(leaves.of(a.tensor("X")), top.indices, a.integer("axis"));
  return std::vector<grad::Var>{values, grad::Var(top.indices)};
}

}  // namespace

TopK top_k(const View& X, Index k, const TopKAttributes& attributes, const RunOptions& options) {
  return value_or_throw(
      index::fresh_top_k([&](const index::TopKOutputs& out) { return choose(X, k, attributes, options, out); }));
}

extern const Op op_top_k;
const Op op_top_k = on_any_device(
    {"TopK", "(X, K=None, *, axis=-1, largest=1, sorted=1, k=None, opset=None)", nullptr, evaluate, record});

}  // namespace garner::onnx
