// Every module of conformance/mlir, by name: JAX's own lowering, with its inputs and results inside.
#include "garner/mlir.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

namespace garner::conformance {
namespace {

std::filesystem::path folder() { return GARNER_SOURCE_DIR "/conformance/mlir"; }

std::vector<std::string> stored() {
  std::vector<std::string> names;
  if (!std::filesystem::is_directory(folder())) return names;
  for (const auto& entry : std::filesystem::directory_iterator(folder())) names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::string text_of(const std::string& name) {
  std::ifstream file(folder() / fmt::format("{}.mlir", name));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

class MlirModules : public testing::TestWithParam<std::string> {};

TEST_P(MlirModules, GiveJaxResults) {
  const auto module = mlir::parse(text_of(GetParam()));
  ASSERT_TRUE(module.ok()) << module.status().message;
  for (const int threads : {1, 3}) {
    const auto results = mlir::run(*module, {}, "main", {.threads = threads});
    ASSERT_TRUE(results.ok()) << results.status().rule << " " << results.status().message;
  }
}

/// A module whose expectation was changed must fail: otherwise the checks check nothing.
TEST_P(MlirModules, NoticeAnotherResult) {
  std::string text = text_of(GetParam());
  const std::size_t at = text.find("call @tested");
  ASSERT_NE(at, std::string::npos);
  text.replace(text.find("func.func public @main() {") + 26, 0,
               "\n    %other = stablehlo.constant dense<true> : tensor<3x1x4x1x5xi1>");
  const std::size_t check = text.find("(%results#0, %expected0)");
  const std::size_t types = text.find(" : (", check), comma = text.find(">, ", types),
                    end = text.find(") -> ()", types);
  text.replace(comma + 3, end - comma - 3, "tensor<3x1x4x1x5xi1>");
  text.replace(check, 24, "(%results#0, %other)");
  const auto module = mlir::parse(text);
  ASSERT_TRUE(module.ok()) << module.status().message;
  EXPECT_EQ(mlir::run(*module, {}).status().rule, "M9");
}

INSTANTIATE_TEST_SUITE_P(Conformance, MlirModules, testing::ValuesIn(stored()),
                         [](const auto& info) { return info.param; });

TEST(MlirStored, ModulesAreAtLeastSixty) { EXPECT_GE(stored().size(), 60U); }

}  // namespace
}  // namespace garner::conformance
