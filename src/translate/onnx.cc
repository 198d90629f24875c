// Each operation of a program is one node. Indices are in range by then, so that the operators' own rules for bad ones
// do not matter. ScatterElements leaves open which of several updates stays; programs do not ask it (kMax decides).
#include "translate/onnx.h"

#include <algorithm>

#include "base/fail.h"
#include "dtype/onnx_types.h"

namespace garner::translate_detail {
namespace {

/// Of the complex ones, hardly an operator takes any.
bool has(DType t) { return onnx_number(t) != 0 && !is_float8(t) && kind(t) != Kind::kComplex; }

/// ONNX has our words. Others than these are refused before (Target::combines).
std::string_view reduction(Combine combine) {
  return is_arithmetic(combine) && combine != Combine::kAssign ? name(combine) : "none";
}

Tensor vector_of(const Axes& values) {
  return detail::copy_literal(DType::kI64, {static_cast<Index>(values.size())}, values.data());
}

class GraphWriter {
 public:
  explicit GraphWriter(const Program& program) : program_(program), names_(program.nodes.size()) {}

  OnnxGraph write() {
    for (int n = 0; n < static_cast<int>(program_.nodes.size()); ++n) add(n);
    for (std::size_t i = 0; i < program_.results.size(); ++i) add_output(i);
    return std::move(graph_);
  }

 private:
  const std::string& name_of(int n) const { return names_[static_cast<std::size_t>(n)]; }

  std::string constant(Tensor value) {
    std::string name = fmt::format("c{}", graph_.initializers.size());
    graph_.initializers.push_back({name, std::move(value)});
    return name;
  }

  std::string integers(const Axes& values) { return constant(vector_of(values)); }

  void put(int n, const char* op, const std::vector<std::string>& more = {},
           std::vector<OnnxAttribute> attributes = {}) {
    std::vector<std::string> inputs;
    for (const int a : program_[n].args) inputs.push_back(name_of(a));
    inputs.insert(inputs.end(), more.begin(), more.end());
    names_[static_cast<std::size_t>(n)] = fmt::format("t{}", n);
    graph_.nodes.push_back({op, std::move(inputs), {name_of(n)}, std::move(attributes)});
  }

  void add_slice(int n) {
    const Node& node = program_[n];
    Axes ends, axes;
    for (std::size_t a = 0; a < node.shape.size(); ++a) {
      ends.push_back(node.axes[a] + (node.shape[a] - 1) * node.steps[a] + 1);
      axes.push_back(static_cast<Index>(a));
    }
    put(n, "Slice", {integers(node.axes), integers(ends), integers(axes), integers(node.steps)});
  }

  void add(int n) {
    const Node& node = program_[n];
    auto& name = names_[static_cast<std::size_t>(n)];
    switch (node.op) {
      case Op::kInput: graph_.inputs.push_back({name = node.name, node.dtype, node.shape}); break;
      case Op::kConstant: name = constant(node.value); break;
      case Op::kIota:
        put(n, "Range", {constant(scalar(Index{0})), constant(scalar(node.number)), constant(scalar(Index{1}))});
        break;
      case Op::kReshape: put(n, "Reshape", {integers(node.shape)}, {{"allowzero", Index{1}}}); break;
      case Op::kBroadcast: put(n, "Expand", {integers(node.shape)}); break;
      case Op::kTranspose: put(n, "Transpose", {}, {{"perm", node.axes}}); break;
      case Op::kSlice: add_slice(n); break;
      case Op::kConvert: put(n, "Cast", {}, {{"to", Index{onnx_number(node.dtype)}}}); break;
      case Op::kBitcast: break;  // the target moves every dtype as itself
      case Op::kAdd: put(n, "Add"); break;
      case Op::kMul: put(n, "Mul"); break;
      case Op::kClamp: put(n, "Clip", {constant(scalar(node.low)), constant(scalar(node.high))}); break;
      case Op::kMod: put(n, "Mod", {constant(scalar(node.number))}); break;
      case Op::kLess: put(n, "Less"); break;
      case Op::kAnd: put(n, "And"); break;
      case Op::kNot: put(n, "Not"); break;
      case Op::kSelect: put(n, "Where"); break;
      case Op::kTake: put(n, "Gather", {}, {{"axis", Index{0}}}); break;
      case Op::kTakeAxis: put(n, "Gather", {}, {{"axis", node.number}}); break;
      case Op::kTakeElements: put(n, "GatherElements", {}, {{"axis", node.number}}); break;
      case Op::kConcat: put(n, "Concat", {}, {{"axis", Index{0}}}); break;
      case Op::kScatter:
        put(n, "ScatterElements", {}, {{"axis", Index{0}}, {"reduction", std::string(reduction(node.combine))}});
        break;
      case Op::kCheck: break;  // a graph cannot raise
    }
  }

  /// A result may be an input or a constant itself; an output needs a node and a name of its own.
  void add_output(std::size_t i) {
    const Node& node = program_[program_.results[i]];
    const std::string name = fmt::format("result{}", i == 0 ? "" : fmt::format("{}", i));
    graph_.nodes.push_back({"Identity", {name_of(program_.results[i])}, {name}, {}});
    graph_.outputs.push_back({name, node.dtype, node.shape});
  }

  const Program& program_;
  std::vector<std::string> names_;
  OnnxGraph graph_;
};

}  // namespace

const Target& onnx_target() {
  static const Target kTarget{.name = "onnx",
                              .has = has,
                              .moved_as = as_itself,
                              .combines = is_arithmetic,
                              .small_sums = false,
                              .keeps_nan = false,
                              .selects_data = false,  // ONNX Runtime's Where makes 0.0 of -0.0
                              .can_check = false};
  return kTarget;
}

OnnxGraph onnx_graph(const Program& program) { return GraphWriter(program).write(); }

}  // namespace garner::translate_detail
