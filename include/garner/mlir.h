// StableHLO modules as text, the way JAX and the StableHLO project print them: reading and running them.
// What is offered, and rules M1–M9: docs/mlir.md.
#pragma once
#include <memory>
#include <string_view>

#include "garner/stablehlo.h"

namespace garner::mlir {

/// tensor<2x3xf32>
struct TensorType {
  DType dtype = DType::kF32;
  Axes shape;
  bool operator==(const TensorType&) const = default;
};

/// "tensor<2x3xf32>"
std::string to_string(const TensorType& type);

struct Argument {
  std::string name;  // "%arg0"
  TensorType type;
};

struct Signature {
  std::string name;  // "main"
  bool is_public = true;
  std::vector<Argument> arguments;
  std::vector<TensorType> results;
};

struct Program;

/// A module that has been read: every operation in it is offered, every name it uses is defined.
class Module {
 public:
  explicit Module(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  /// In the order of the text.
  std::vector<Signature> functions() const;
  /// The function of this name, or nothing.
  std::optional<Signature> function(std::string_view name) const;
  const Program& program() const { return *program_; }

 private:
  std::shared_ptr<const Program> program_;
};

/// Also without `module`, and in MLIR's generic form. Rules M1 not the language, M2 an operation that is not offered,
/// M3 a type that is not, M4 a name without a definition; all with line and column.
Result<Module> parse(std::string_view text);

/// The texts between lines of "// -----", each a module of its own.
std::vector<std::string_view> pieces(std::string_view text);

/// The function's results. Rules M4 no such function, M5–M8 operations and arguments that do not fit, M9 a check
/// (check.expect_eq and its like) that fails, and those of gather and scatter; all with line and column.
/// A window of a scatter that hangs over the edge: StableHLO leaves out the elements outside, XLA (and so JAX) the
/// window.
Result<std::vector<Tensor>> run(const Module& module, const std::vector<View>& arguments,
                                std::string_view function = "main", const RunOptions& options = {},
                                stablehlo::OutOfBounds out_of_bounds = stablehlo::OutOfBounds::kSkipElement);

}  // namespace garner::mlir
