// An operation held by a program: values by position, the caller's memory, gradients.
#include <gtest/gtest.h>

#include "call/call.h"
#include "garner/error.h"

namespace garner {
namespace {

Operation found(const char* dialect, const char* op) { return value_or_throw(Operation::find(dialect, op)); }

const Tensor kTable = tensor({{10, 20, 30}, {40, 50, 60}});
const Tensor kIndex = tensor({{2, 1}, {0, 2}});

TEST(Operation, SaysWhatItTakes) {
  const Operation gather = found("torch", "gather");
  EXPECT_EQ(gather.name(), "torch.gather");
  EXPECT_EQ(gather.dialect(), "torch");
  ASSERT_EQ(gather.parameters().size(), 4U);
  EXPECT_EQ(gather.parameters()[1].name, "dim");
  EXPECT_FALSE(gather.parameters()[3].by_position);
}

TEST(Operation, A1_NoSuchOperation) {
  EXPECT_EQ(Operation::find("torch", "nope").status().rule, "A1");
  EXPECT_EQ(Operation::find("nope", "gather").status().rule, "A1");
}

TEST(Operation, ValuesInOrderAndDefaultsAfterThem) {
  const auto results = found("torch", "gather").call({{kTable}, {Index{1}}, {kIndex}});
  ASSERT_TRUE(results.ok()) << results.status().message;
  EXPECT_EQ(to_string(results->front()), "[[30 20]\n [40 60]]");
}

TEST(Operation, A2_MissingAndTooMany) {
  const Operation gather = found("torch", "gather");
  EXPECT_EQ(gather.call({{kTable}}).status().message, "torch.gather: dim is missing");
  EXPECT_EQ(gather.call(Values(5)).status().message, "torch.gather: 5 arguments, allowed 4");
  EXPECT_EQ(gather.vjp(Values(5), {}).status().rule, "A2");
}

TEST(Operation, SomebodyElsesMemoryWithStrides) {
  const std::int64_t columns[] = {10, 40, 20, 50, 30, 60};
  const View table(columns, {2, 3}, {1, 2});
  const auto results = found("torch", "gather").call({{table}, {Index{1}}, {View(kIndex)}});
  ASSERT_TRUE(results.ok()) << results.status().message;
  EXPECT_EQ(to_string(results->front()), "[[30 20]\n [40 60]]");
}

TEST(Operation, AScatterOnItsOwnOperandIsInPlace) {
  std::vector<float> table{1, 2, 3};
  const MutableView self(table);
  const auto results = found("torch", "scatter_add")
                           .call_into({{View(self)}, {Index{0}}, {tensor<Index>({2, 2})}, {tensor({5.F, 7.F})}}, self);
  ASSERT_TRUE(results.ok()) << results.status().message;
  EXPECT_TRUE(results->empty());
  EXPECT_EQ(table, (std::vector<float>{1, 2, 15}));
}

TEST(Operation, AFetchingOneReturnsWhatWasThere) {
  std::vector<float> array{1, 2, 3};
  const MutableView self(array);
  const auto before =
      found("cutile", "atomic_add").call_into({{View(self)}, {tensor<Index>({1, 1})}, {tensor({5.F, 7.F})}}, self);
  ASSERT_TRUE(before.ok()) << before.status().message;
  EXPECT_EQ(to_string(before->front()), "[2. 7.]");
  EXPECT_EQ(array, (std::vector<float>{1, 14, 3}));
}

TEST(Operation, A6_OutOfAnotherShapeOrDtype) {
  const Operation gather = found("torch", "gather");
  const Values values{{kTable}, {Index{1}}, {kIndex}};
  std::vector<std::int32_t> flat(4);
  std::vector<float> floats(4);
  EXPECT_EQ(gather.call_into(values, MutableView(flat)).status().rule, "A6");
  EXPECT_EQ(gather.call_into(values, MutableView(floats.data(), {2, 2})).status().message,
            "torch.gather: out is f32 [2,2], allowed i32 [2,2]");
  EXPECT_EQ(found("torch", "topk").call_into({{kTable}, {Index{1}}}, MutableView(flat)).status().rule, "A6");
}

TEST(Operation, Gradients) {
  const Tensor x = tensor({{1.F, 2.F}, {3.F, 4.F}}), ones = tensor({{1.F, 1.F}});
  const auto gradients = found("torch", "gather").vjp({{View(x)}, {Index{0}}, {tensor<Index>({{1, 1}})}}, {ones});
  ASSERT_TRUE(gradients.ok()) << gradients.status().message;
  ASSERT_EQ(gradients->size(), 3U);
  EXPECT_EQ(to_string(std::get<Tensor>((*gradients)[0].held)), "[[0. 0.]\n [1. 1.]]");
  EXPECT_TRUE((*gradients)[1].is_none());
  EXPECT_TRUE((*gradients)[2].is_none());
}

TEST(Operation, ARankZeroIntegerStandsForItsValue) {
  const auto results = found("torch", "gather").call({{kTable}, {scalar(std::int32_t{-1})}, {kIndex}});
  ASSERT_TRUE(results.ok()) << results.status().message;
  EXPECT_EQ(to_string(results->front()), "[[30 20]\n [40 60]]");
}

TEST(Operation, ListsOfTrueAndFalseAreMasks) {
  auto list = std::make_shared<Values>(Values{{true}, {false}, {true}});
  const auto results = found("torch", "masked_select").call({{tensor({7, 8, 9})}, {list}});
  ASSERT_TRUE(results.ok()) << results.status().message;
  EXPECT_EQ(to_string(results->front()), "[7 9]");
  auto mixed = std::make_shared<Values>(Values{{true}, {Index{1}}});
  EXPECT_EQ(found("torch", "masked_select").call({{tensor({7, 8})}, {mixed}}).status().rule, "A3");
}

}  // namespace
}  // namespace garner
