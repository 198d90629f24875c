// Modules in tests: short ways to run them and to say what must be wrong.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "garner/mlir.h"

namespace garner::mlir {

/// The status of parsing and running a text.
inline Status status_of(std::string_view text, const std::vector<View>& arguments = {}) {
  const auto module = parse(text);
  return module.ok() ? run(*module, arguments).status() : module.status();
}

/// The results; a failure of the test, and none, when there are none.
inline std::vector<Tensor> results_of(std::string_view text, const std::vector<View>& arguments = {}) {
  const auto module = parse(text);
  EXPECT_TRUE(module.ok()) << module.status().message << "\n" << text;
  if (!module.ok()) return {};
  const auto results = run(*module, arguments);
  EXPECT_TRUE(results.ok()) << results.status().message << "\n" << text;
  return results.ok() ? *results : std::vector<Tensor>{};
}

/// Operations as the body of main.
inline std::string in_main(std::string_view body) {
  return fmt::format("func.func @main() {{\n{}\n  return\n}}\n", body);
}

/// Runs operations that check themselves.
inline void expect_runs(std::string_view body) {
  const Status status = status_of(in_main(body));
  EXPECT_TRUE(status.ok()) << status.rule << " " << status.message << "\n" << body;
}

/// The rule that operations break, at this line of them (the first is 2), with this in the message.
inline void expect_breaks(std::string_view body, std::string_view rule, std::string_view part) {
  const Status status = status_of(in_main(body));
  EXPECT_EQ(status.rule, rule) << status.message << "\n" << body;
  EXPECT_NE(status.message.find(part), std::string::npos) << status.message << "\n" << body;
  EXPECT_EQ(status.message.find('\n'), std::string::npos) << "an error is one line: " << status.message;
}

}  // namespace garner::mlir
