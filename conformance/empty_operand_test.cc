// Operands without an element, and without an address: every index is a bad one, and nothing may be read or written.
#include <gtest/gtest.h>

#include "garner/garner.h"

namespace garner {
namespace {

struct Nothing {
  std::vector<Index> index{0, 3, -1};
  std::vector<float> values{1, 2, 3, 4, 5, 6, 7, 8, 9};
  View ids{DType::kI64, index.data(), {3}}, pairs{DType::kI64, index.data(), {3, 1}},
      rows{DType::kF32, values.data(), {3, 3}}, line{DType::kF32, values.data(), {3}}, none{DType::kF32, nullptr, {0}},
      no_rows{DType::kF32, nullptr, {0, 3}};
};

TEST(EmptyOperand, GathersNameTheFirstIndex) {
  const Nothing n;
  EXPECT_THROW(torch::take(n.none, n.ids), IndexError);
  EXPECT_THROW(torch::take(n.no_rows, n.ids), IndexError);
  EXPECT_THROW(torch::index_select(n.none, 0, n.ids), IndexError);
  EXPECT_THROW(torch::index_select(n.no_rows, 0, n.ids), IndexError);
  EXPECT_THROW(torch::gather(n.none, 0, n.ids), Error);
  EXPECT_THROW(onnx::gather(n.none, n.ids), Error);
  EXPECT_THROW(tensorflow::gather_nd(n.no_rows, n.pairs), Error);
  EXPECT_THROW(numpy::take(n.none, n.ids), Error);
}

TEST(EmptyOperand, ScattersNameTheFirstIndex) {
  const Nothing n;
  EXPECT_THROW(torch::index_add(n.none, 0, n.ids, n.line), Error);
  EXPECT_THROW(torch::index_add(n.no_rows, 0, n.ids, n.rows), Error);
  EXPECT_THROW(torch::scatter_add(n.none, 0, n.ids, n.line), Error);
  EXPECT_THROW(torch::scatter(n.none, 0, n.ids, n.line), Error);
}

}  // namespace
}  // namespace garner
