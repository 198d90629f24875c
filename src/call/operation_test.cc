// An operation held by a program: values by position, the caller's memory, gradients.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "call/call.h"
#include "garner/error.h"
#include "tensor/pool.h"

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

/// The second call of a kind is ready; it does what the first one did, and no more than once.
TEST(Operation, AScatterInPlaceAgainAndWithABadIndex) {
  const Operation add = found("torch", "scatter_add");
  std::vector<float> table{1, 2, 3};
  const MutableView self(table);
  const auto update = [&](std::vector<Index> index) {
    return add.call_into({{View(self)}, {Index{0}}, {View(index)}, {tensor({5.F, 7.F, 9.F})}}, self).status();
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(update({2, 0, 2}).ok());
  EXPECT_EQ(table, (std::vector<float>{22, 2, 45}));
  EXPECT_EQ(update({2, 3, 1}).message, "torch.scatter_add: index[1] is 3, allowed [0, 3) on axis 0 of operand [3]");
  EXPECT_EQ(table, (std::vector<float>{22, 11, 50}));  // every other position has been done, once (docs/rules.md)
}

TEST(Operation, P11_InPlaceOnWhatIsAddedOrOnAPart) {
  const Operation add = found("torch", "scatter_add");
  std::vector<float> memory{1, 2, 3, 4};
  const MutableView self(memory.data(), {3}), beside(memory.data() + 1, {3});
  const Tensor index = tensor<Index>({2, 0, 1}), ones = tensor({1.F, 1.F, 1.F});
  const auto rule = [&](const View& operand, const View& updates, const MutableView& out) {
    return add.call_into({{operand}, {Index{0}}, {index}, {updates}}, out).status().rule;
  };
  EXPECT_EQ(rule(View(self), ones, self), "");  // now the kind is known
  EXPECT_EQ(rule(View(self), View(self), self), "P11");
  EXPECT_EQ(rule(View(self), View(beside), self), "P11");
  EXPECT_EQ(rule(View(ones), View(self), self), "P11");
  EXPECT_EQ(rule(View(self), ones, beside), "P11");
  EXPECT_EQ(memory, (std::vector<float>{2, 3, 4, 4}));
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

Tensor large(DType dtype, const Axes& shape) {
  Tensor t = value_or_throw(Tensor::empty(dtype, shape));
  std::memset(t.mutable_data(), 1, static_cast<std::size_t>(t.bytes()));
  return t;
}

/// Operations without a plan, with results so large that fresh ones come from the pool.
struct Large {
  const char *dialect, *op;
  Values values;
  std::vector<std::pair<DType, Axes>> results;
};

std::vector<Large> large_calls() {
  constexpr Index n = 1 << 20;
  const Tensor flags = large(DType::kBool, {n}), pairs = large(DType::kU8, {n, 2});
  const Tensor sequence = tensor<std::uint8_t>({0, 1, 2}), bytes = large(DType::kU8, {n});
  const Tensor table = value_or_throw(Tensor::zeros(DType::kF32, {n, 2}));
  const Tensor zeros = value_or_throw(Tensor::zeros(DType::kI64, {2, 2}));
  const Tensor row = value_or_throw(Tensor::zeros(DType::kF32, {2, 2}));
  const std::pair<DType, Axes> positions{DType::kI64, {n}}, rows{DType::kI64, {n, 1}};
  return {{"torch", "nonzero", {{flags}}, {rows}},
          {"numpy", "argwhere", {{flags}}, {rows}},
          {"onnx", "NonZero", {{flags}}, {{DType::kI64, {1, n}}}},
          {"deepnet", "true_idx", {{flags}}, {rows}},
          {"deepnet", "all_idx", {{flags}}, {rows}},
          {"torch", "argmax", {{pairs}, {Index{1}}}, {positions}},
          {"onnx", "ArgMin", {{pairs}, {Index{1}}}, {rows}},
          {"deepnet", "arg_max_axis", {{Index{1}}, {pairs}}, {positions}},
          {"deepnet", "find_axis", {{scalar(std::uint8_t{1})}, {Index{1}}, {pairs}}, {positions}},
          {"torch", "searchsorted", {{sequence}, {bytes}}, {positions}},
          {"torch", "topk", {{pairs}, {Index{1}}}, {{DType::kU8, {n, 1}}, rows}},
          {"onnx", "TopK", {{pairs}, {tensor<Index>({1})}}, {{DType::kU8, {n, 1}}, rows}},
          {"torch", "scatter_reduce", {{table}, {Index{0}}, {zeros}, {row}, {Word{"amax"}}}, {{DType::kF32, {n, 2}}}},
          {"torch", "put", {{table}, {zeros}, {row}}, {{DType::kF32, {n, 2}}}}};
}

TEST(Operation, WhatHasNoPlanIsWrittenStraightToTheCallersMemory) {
  for (const Large& call : large_calls()) {
    const Operation operation = found(call.dialect, call.op);
    SCOPED_TRACE(operation.name());
    std::vector<Tensor> out;
    std::vector<MutableView> views;
    for (const auto& [dtype, shape] : call.results) {
      out.push_back(large(dtype, shape));
      views.push_back(out.back().view());
    }
    const PoolStats before = pool_stats();
    const auto into = operation.call_into(call.values, views);
    ASSERT_TRUE(into.ok()) << into.status().message;
    const PoolStats after = pool_stats();
    EXPECT_EQ(after.hits + after.misses, before.hits + before.misses) << "a second result was made";
    const auto fresh = operation.call(call.values);
    ASSERT_TRUE(fresh.ok()) << fresh.status().message;
    for (std::size_t i = 0; i < out.size(); ++i)
      EXPECT_EQ(std::memcmp(out[i].data(), (*fresh)[i].data(), static_cast<std::size_t>(out[i].bytes())), 0);
  }
}

TEST(Operation, MemoryThatIsReadIsWrittenAfterwards) {
  std::vector<Index> x{5, 3, 0, 4};
  const MutableView self(x);
  ASSERT_TRUE(found("torch", "searchsorted").call_into({{tensor<Index>({1, 4})}, {View(self)}}, self).ok());
  EXPECT_EQ(x, (Axes{2, 1, 0, 1}));
}

TEST(Operation, AnotherNumberOfPositionsIsRefusedUntouched) {
  std::vector<Index> out(5, -7);
  const auto into = [&](Index rows) {
    return found("torch", "nonzero").call_into({{tensor({0, 1, 1, 1})}}, MutableView(out.data(), {rows, 1})).status();
  };
  for (const Index rows : {2, 4}) {
    EXPECT_EQ(into(rows).message, fmt::format("torch.nonzero: out is i64 [{},1], allowed i64 [3,1]", rows));
    EXPECT_EQ(out, Axes(5, -7));
  }
  EXPECT_TRUE(into(3).ok());
  EXPECT_EQ(out, (Axes{1, 2, 3, -7, -7}));
}

TEST(Operation, SeveralResultsHaveTheirOwnMemory) {
  std::vector<float> values(2);
  Axes indices(2);
  const Values call{{tensor({3.F, 9.F, 4.F})}, {Index{2}}};
  const Operation topk = found("torch", "topk");
  ASSERT_TRUE(topk.call_into(call, std::vector<MutableView>{values, indices}).ok());
  EXPECT_EQ(values, (std::vector<float>{9, 4}));
  EXPECT_EQ(indices, (Axes{1, 2}));
  const MutableView both(indices);
  EXPECT_EQ(topk.call_into({{tensor<Index>({3, 9})}, {Index{2}}}, std::vector<MutableView>{both, both}).status().rule,
            "P11");
  EXPECT_EQ(topk.call_into(call, std::vector<MutableView>{values}).status().message,
            "torch.topk: 2 results, allowed 1");
  EXPECT_EQ(topk.call_into(call, {values, MutableView(indices.data(), {2}, {0})}).status().rule, "P10");
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
