#include <gtest/gtest.h>

#include "garner/error.h"
#include "garner/tensorrt.h"

namespace garner::tensorrt {
namespace {

TEST(Tensorrt, TR21_TheLineOfATensor) {
  const Tensor x = value_or_throw(Tensor::zeros(DType::kF32, {2, 3, 4, 5}));
  EXPECT_EQ(log_line(Role::kInput, x, "inputT0"), "Input ->DataType.FLOAT, (2, 3, 4, 5), (2, 3, 4, 5), inputT0");
  EXPECT_EQ(log_line(Role::kOutput, tensor({1, 2}), "out", Axes{kDynamic}), "Output->DataType.INT32, (-1,), (2,), out");
  EXPECT_EQ(log_line(Role::kOutput, scalar<Index>(1), "s"), "Output->DataType.INT64, (), (), s");
}

TEST(Tensorrt, TR21_TheValuesBelowIt) {
  EXPECT_EQ(log_tensor(Role::kOutput, tensor({1020.0F, 1021.0F}), "out"),
            "Output->DataType.FLOAT, (2,), (2,), out\n[1020. 1021.]");
}

TEST(Tensorrt, TR21_AWideRangeIsScientific) {
  EXPECT_EQ(log_tensor(Role::kInput, tensor({10.0F, 1.0F, 1234.0F}), "x"),
            "Input ->DataType.FLOAT, (3,), (3,), x\n[1.000e+01 1.000e+00 1.234e+03]");
}

TEST(Tensorrt, TR21_NamesOfTheDTypes) {
  const auto logged = [](DType dtype) {
    const std::string line = log_line(Role::kInput, View(dtype, nullptr, {0}), "x");
    return line.substr(17, line.find(',') - 17);
  };
  EXPECT_EQ(logged(DType::kBool), "BOOL");
  EXPECT_EQ(logged(DType::kI8), "INT8");
  EXPECT_EQ(logged(DType::kF8E4M3), "FP8");
  EXPECT_EQ(logged(DType::kF16), "HALF");
  EXPECT_EQ(logged(DType::kBF16), "BF16");
  EXPECT_EQ(logged(DType::kF64), "f64");
}

}  // namespace
}  // namespace garner::tensorrt
