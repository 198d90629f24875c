// StableHLO text: every text is a module or refused; a small module runs or is refused.
#include "garner/mlir.h"
#include "fuzz/target.h"

namespace garner::fuzz {
namespace {

std::size_t count(std::string_view text, std::string_view word) {
  std::size_t out = 0;
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) ++out;
  return out;
}

/// A module may loop for ever, and functions that call each other twice take a time of two to their number.
bool is_short(std::string_view text) { return count(text, "while") == 0 && count(text, "call") <= 8; }

/// Zeros of every type it asks for.
std::optional<std::vector<Tensor>> arguments_of(const mlir::Signature& function) {
  std::vector<Tensor> out;
  for (const mlir::Argument& argument : function.arguments) {
    auto zeros = Tensor::zeros(argument.type.dtype, argument.type.shape);
    require_sound(zeros.status());
    if (!zeros.ok()) return std::nullopt;
    out.push_back(*std::move(zeros));
  }
  return out;
}

void run_function(const mlir::Module& module, const mlir::Signature& function) {
  const auto arguments = arguments_of(function);
  if (!arguments) return;
  const std::vector<View> views(arguments->begin(), arguments->end());
  const auto results = mlir::run(module, views, function.name, {.threads = 1, .kernel = {}});
  require_sound(results.status());
  if (!results.ok()) return;
  for (const Tensor& result : *results) touch(result);
}

}  // namespace

void test_one(std::string_view bytes) {
  for (const std::string_view piece : mlir::pieces(bytes)) {
    const auto module = mlir::parse(piece);
    require_sound(module.status());
    if (!module.ok() || !is_short(piece)) continue;
    for (const mlir::Signature& function : module->functions()) run_function(*module, function);
  }
}

}  // namespace garner::fuzz
