// The same call in another library's words, or the reason why that library cannot say it.
#pragma once
#include "garner/call.h"

namespace garner {

/// Why there is no translation. Rules T2…: docs/rules.md.
struct Refusal {
  std::string rule, reason;  // "T6", one line
  std::string input;         // what would come out differently: "index = -1, which …"
};

/// A tensor of the call, which is a parameter of the translation. Its dtype and shape are part of the translation;
/// its values are not.
struct TranslatedInput {
  std::string name;
  DType dtype = DType::kF32;
  Axes shape;
};

/// For every value of its inputs that the call accepts, the source gives the call's result: bit for bit, but for what
/// `notes` say (floating-point sums in another order). Where the call itself refuses an input, nothing is promised;
/// Python sources then raise IndexError.
struct Translation {
  std::string to, language;  // "torch", "python"; "mlir" or "cpp"
  std::string source;        // empty when refused. Python: a function `call(inputs…)`
  std::vector<TranslatedInput> inputs;
  std::vector<std::string> notes;
  std::optional<Refusal> refusal;
};

/// What `to` may be, in order of the alphabet.
std::vector<std::string> translation_targets();

/// Numbers and lists in the call are constants of the translation, tensors its inputs. Looks at the call's plan, and
/// lowers it again with other values to see that the plan does not depend on them. Rules: T1 no such target, and
/// those of the call itself; a call that has no translation is a Refusal and no error.
Result<Translation> translate(const Call& call, std::string_view to);

/// A StableHLO module with `func.func public @main`. Rules T2… as errors.
Result<std::string> to_stablehlo(const Call& call);

// ---- ONNX: the graph, for somebody else to write down ----

/// An attribute: an integer, integers, or a word.
struct OnnxAttribute {
  std::string name;
  std::variant<Index, Axes, std::string> value;
};
/// One operator of the domain "" at kOnnxOpset.
struct OnnxNode {
  std::string op;
  std::vector<std::string> inputs, outputs;  // names of values; an empty one is left out
  std::vector<OnnxAttribute> attributes;
};
struct OnnxValue {
  std::string name;
  DType dtype = DType::kF32;
  Axes shape;
};
struct OnnxInitializer {
  std::string name;
  Tensor value;
};
/// Nodes stand in an order in which they can run. Every name is written once: by an input, an initializer or a node.
struct OnnxGraph {
  std::string name = "call";
  std::vector<OnnxValue> inputs, outputs;
  std::vector<OnnxInitializer> initializers;
  std::vector<OnnxNode> nodes;
};
inline constexpr Index kOnnxOpset = 18;  // the first whose scatters take min and max

/// Rules T2… as errors.
Result<OnnxGraph> to_onnx(const Call& call);

}  // namespace garner
