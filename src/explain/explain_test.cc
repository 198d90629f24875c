#include "garner/explain.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "dialect/op.h"
#include "explain/traffic.h"
#include "garner/error.h"

namespace garner {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr ExplainOptions kFixedRate{.bytes_per_second = 1e10};

Explanation explained(const std::string& text) {
  return value_or_throw(explain(value_or_throw(parse_call(text)), kFixedRate));
}
std::string rule_of(const std::string& text) {
  return explain(value_or_throw(parse_call(text)), kFixedRate).status().rule;
}

struct Golden {
  const char *call, *equation;
  std::vector<std::string> rules;
};

const Golden kGoldens[] = {
    {"lucid.gather(i64[[10, 20, 30], [40, 50, 60]], dim=1, index=i32[[2, 1], [0, 2]])",
     "result[i, j] = input_[i, index[i, j]]",
     {"index[i, j] in [0, 3), otherwise an error (LU6)"}},
    {"torch.gather(iota(f32, 2, 3), 1, i64[[2, 1], [0, 2]])",
     "result[i, j] = input[i, index[i, j]]",
     {"index[i, j] in [0, 3), otherwise an error (TO8)"}},
    {"torch.take(iota(f32, 2, 3), i64[5, -1])",
     "result[i] = input.flat[index[i]]",
     {"a negative index[i] counts from the end: 6 is added", "then index[i] in [0, 6), otherwise an error (TO8)"}},
    {"torch.index_select(iota(f32, 2, 3), 1, i64[2, 0])",
     "result[i, j] = input[i, index[j]]",
     {"index[j] in [0, 3), otherwise an error (TO8)"}},
    {"torch.scatter_add(zeros(f32, 3, 4), 0, i64[[0, 1, 2, 0]], f32[[1, 2, 3, 4]])",
     "result[index[0, j], j] += src[0, j]",
     {"index[0, j] in [0, 3), otherwise an error (TO8)", "result starts as input",
      "several updates of one place combine in row-major order"}},
    {"torch.scatter_reduce(zeros(f32, 4), 0, i64[0, 1], f32[1, 2], amax)",
     "result[index[i]] = max(result[index[i]], src[i])",
     {"index[i] in [0, 4), otherwise an error (TO8)", "result starts as input",
      "several updates of one place combine in row-major order"}},
    {"torch.masked_select(iota(f32, 2, 3), bool[[true, false, true], [false, true, false]])",
     "result[i] = input[nonzero(mask)[i, 0], nonzero(mask)[i, 1]]",
     {}},
    {"torch.index_put(iota(f32, 2, 3), [i64[0, 1], i64[2, 0]], f32[9, 8], true)",
     "result[indices[0][i], indices[1][i]] += values[i]",
     {"a negative indices[0][i] counts from the end: 2 is added",
      "then indices[0][i] in [0, 2), otherwise an error (TO8)",
      "a negative indices[1][i] counts from the end: 3 is added",
      "then indices[1][i] in [0, 3), otherwise an error (TO8)", "result starts as input",
      "several updates of one place combine in row-major order"}},
    {"numpy.take(iota(f32, 5), [7, -1], mode=wrap)",
     "result[i] = a[index[i]]",
     {"index[i] is taken modulo 5 into [0, 5)"}},
    {"numpy.take(iota(f32, 5), [7, -1], mode=clip)", "result[i] = a[index[i]]", {"index[i] is clamped to [0, 4]"}},
    {"numpy.getitem(iota(f32, 4, 5), (2, i64[0, 3]))",
     "result[i] = array[2, index[i]]",
     {"a negative index[i] counts from the end: 5 is added", "then index[i] in [0, 5), otherwise an error (NP3)"}},
    {"numpy.put(iota(f32, 5), [0, 2], f32[7, 8])",
     "result[index[i]] = v[i]",
     {"a negative index[i] counts from the end: 5 is added", "then index[i] in [0, 5), otherwise an error (NP3)",
      "result starts as a", "of several updates of one place the last in row-major order stays"}},
    {"numpy.choose([0, 1], [f32[1, 2], f32[3, 4]])",
     "result[i] = operand[a[i], i]",
     {"a[i] in [0, 2), otherwise an error (NP17)"}},
    {"jax.take(iota(f32, 5, 2), i32[7, 1], axis=0, mode=clip)",
     "result[i, j] = a[indices[i], j]",
     {"indices[i] is clamped to [0, 4]"}},
    {"jax.take(iota(f32, 5, 2), i32[7, 1], axis=0, mode=fill, fill_value=-1.5)",
     "result[i, j] = a[indices[i], j]",
     {"a negative indices[i] counts from the end: 5 is added",
      "then indices[i] in [0, 5), otherwise result[i, j] is -1.5"}},
    {"jax.at_add(f32[1, 2, 3], i32[7, 1], f32[10, 20])",
     "result[index[i]] += values[i]",
     {"a negative index[i] counts from the end: 3 is added", "then index[i] in [0, 3), otherwise the update is dropped",
      "result starts as x", "several updates of one place combine in row-major order"}},
    {"jax.at_min(f32[1, 2, 3], i32[7, 1], f32[10, 20])",
     "result[index[i]] = min(result[index[i]], values[i])",
     {"a negative index[i] counts from the end: 3 is added", "then index[i] in [0, 3), otherwise the update is dropped",
      "result starts as x", "several updates of one place combine in row-major order"}},
    {"jax.segment_sum(iota(f32, 4, 2), i32[0, 1, 0, 2], num_segments=3)",
     "result[segment_ids[i], j] += data[i, j]",
     {"segment_ids[i] in [0, 3), otherwise the update is dropped", "result starts as 0.0",
      "several updates of one place combine in row-major order"}},
    {"tensorflow.gather_nd(iota(f32, 2, 3), i32[[0, 1], [1, 2]])",
     "result[i] = params[indices[i, 0], indices[i, 1]]",
     {"indices[i, 0] in [0, 2), otherwise an error (TF5)", "indices[i, 1] in [0, 3), otherwise an error (TF5)"}},
    {"tensorflow.scatter_nd(i32[[1], [3]], f32[9, 10], [5])",
     "result[indices[i, 0]] += updates[i]",
     {"indices[i, 0] in [0, 5), otherwise an error (TF5)", "result starts as zeros",
      "several updates of one place combine in row-major order"}},
    {"tensorflow.boolean_mask(f32[1, 2, 3], bool[true, false, true])", "result[i] = tensor[nonzero(mask)[i, 0]]", {}},
    {"onnx.Gather(iota(f32, 3, 4), i64[0, -1], axis=1)",
     "result[i, j] = data[i, indices[j]]",
     {"a negative indices[j] counts from the end: 4 is added", "then indices[j] in [0, 4), otherwise an error (OX6)"}},
    {"onnx.GatherND(iota(f32, 2, 2, 3), i64[[1], [0]], batch_dims=1)",
     "result[i, j] = data[i, indices[i, 0], j]",
     {"a negative indices[i, 0] counts from the end: 2 is added",
      "then indices[i, 0] in [0, 2), otherwise an error (OX6)"}},
    {"onnx.ScatterElements(zeros(f32, 1, 5), i64[[1, 3]], f32[[1.5, 2.5]], axis=1, reduction=mul)",
     "result[0, indices[0, j]] *= updates[0, j]",
     {"a negative indices[0, j] counts from the end: 5 is added",
      "then indices[0, j] in [0, 5), otherwise an error (OX6)", "result starts as data",
      "several updates of one place combine in row-major order"}},
    {"onnx.OneHot(i64[0, 2], i64(3), f32[0, 1])",
     "result[i, indices[i]] = 1.0",
     {"a negative indices[i] counts from the end: 3 is added",
      "then indices[i] in [0, 3), otherwise the update is dropped", "result starts as 0.0",
      "of several updates of one place the last in row-major order stays"}},
    {"onnx.Where(bool[true, false], f32[1, 2], f32[3, 4])",
     "result[i] = X[i]",
     {"where condition[i] is false, result[i] is Y[i]"}},
    {"tensorrt.gather(iota(f32, 2, 3, 4), i32[[1], [-1]], mode=ND, num_elementwise_dims=1)",
     "result[i, j] = data[i, indices[i, 0], j]",
     {"a negative indices[i, 0] counts from the end: 3 is added",
      "then indices[i, 0] in [0, 3), otherwise result[i, j] is 0"}},
    {"tensorrt.scatter(zeros(f32, 3, 3), i32[[0, 1], [2, 2]], f32[1, 2], mode=ND)",
     "result[indices[i, 0], indices[i, 1]] = updates[i]",
     {"a negative indices[i, 0] counts from the end: 3 is added",
      "then indices[i, 0] in [0, 3), otherwise the update is dropped",
      "a negative indices[i, 1] counts from the end: 3 is added",
      "then indices[i, 1] in [0, 3), otherwise the update is dropped", "result starts as data",
      "of several updates of one place the last in row-major order stays"}},
    {"cutile.gather(iota(i32, 3, 4), (i32[[[0], [1]], [[2], [7]]], i32[[[0, 1, 2]], [[3, -1, 0]]]), mask=bool[true, "
     "false, true], padding_value=-9)",
     "result[i, j, k] = array[indices[0][i, j, 0], indices[1][i, 0, k]]",
     {"indices[0][i, j, 0] in [0, 3), otherwise result[i, j, k] is -9",
      "indices[1][i, 0, k] in [0, 4), otherwise result[i, j, k] is -9",
      "where mask[k] is false, result[i, j, k] is -9"}},
    {"cutile.gather(iota(i32, 3), i32[0, 1], check_bounds=False)",
     "result[i] = array[indices[0][i]]",
     {"indices[0][i] in [0, 3), which the caller promises and nobody checks"}},
    {"cutile.atomic_add(i32[1, 2, 3], i32[1, 1], i32[10, 20])",
     "result[indices[0][i]] += update[i]",
     {"indices[0][i] in [0, 3), otherwise the update is dropped", "result starts as array",
      "several updates of one place combine in row-major order", "the value before each update is a result, too"}},
    {"cutile.atomic_cas(i32[1, 2, 3], i32[1, 0], i32[2, 5], i32[10, 20])",
     "result[indices[0][i]] = desired[i] if result[indices[0][i]] == expected[i]",
     {"indices[0][i] in [0, 3), otherwise the update is dropped", "result starts as array",
      "several updates of one place combine in row-major order", "the value before each update is a result, too"}},
    {"deepnet.gather([None, i64[3, 1, 0]], iota(f64, 3, 4))",
     "result[i] = src[i, indices[1][i]]",
     {"indices[1][i] in [0, 4), otherwise an error (DN16)"}},
    {"deepnet.scatter([i64[0, 1], i64[1, 1]], [2, 2], f64[3, 4])",
     "result[indices[0][i], indices[1][i]] += src[i]",
     {"indices[0][i] in [0, 2), otherwise an error (DN21)", "indices[1][i] in [0, 2), otherwise an error (DN21)",
      "result starts as zeros", "several updates of one place combine in row-major order"}},
    {"deepnet.if_then_else(bool[true, false], f64[1, 2], f64[3, 4])",
     "result[i] = if_true[i]",
     {"where cond[i] is false, result[i] is if_false[i]"}},
    {"anvil.nvl_gather(iota(f32, 3, 3), i32[[1], [3]], slice_sizes=[1, 3], offset_dims=[2], collapsed_slice_dims=[1], "
     "operand_batching_dims=[], start_indices_batching_dims=[], start_index_map=[1], index_vector_dim=2)",
     "result[i, j] = operand[start_indices[i, 0] - 1, j]",
     {"start_indices[i, 0] is clamped to [1, 3]"}},
    {"stablehlo.gather(iota(f32, 4, 3), i64[[2], [9]], offset_dims=[1, 2], start_index_map=[0], index_vector_dim=1, "
     "slice_sizes=[2, 3])",
     "result[i, j, k] = operand[start_indices[i, 0] + j, k]",
     {"start_indices[i, 0] is clamped to [0, 2]"}},
    {"stablehlo.scatter(zeros(f32, 4), i64[[1], [7]], f32[5, 6], inserted_window_dims=[0], "
     "scatter_dims_to_operand_dims=[0], index_vector_dim=1, computation=add)",
     "result[scatter_indices[i, 0]] += updates[i]",
     {"scatter_indices[i, 0] in [0, 4), otherwise the update is dropped", "result starts as inputs",
      "several updates of one place combine in row-major order"}},
    {"stablehlo.dynamic_slice(iota(f32, 4, 4), [i64(3), i64(1)], [2, 2])",
     "result[i, j] = operand[start_indices[0] + i, start_indices[1] + j]",
     {"start_indices[0] is clamped to [0, 2]", "start_indices[1] is clamped to [0, 2]"}},
};

TEST(Explain, SaysTheEquationAndThePolicyOfEachDialect) {
  for (const Golden& golden : kGoldens) {
    const Explanation e = explained(golden.call);
    ASSERT_FALSE(e.jobs.empty()) << golden.call;
    EXPECT_EQ(e.jobs[0].equation, golden.equation) << golden.call;
    EXPECT_THAT(e.jobs[0].rules, testing::ElementsAreArray(golden.rules)) << golden.call;
  }
}

TEST(Explain, NamesOneWinnerAndSaysWhyTheOthersLost) {
  const Explanation e = explained("torch.index_select(iota(f32, 8, 16), 0, i64[3, 1])");
  const auto& kernels = e.jobs[0].kernels;
  EXPECT_TRUE(kernels.front().chosen);
  EXPECT_EQ(kernels.front().why, "chosen");
  for (std::size_t i = 1; i < kernels.size(); ++i) {
    EXPECT_FALSE(kernels[i].chosen);
    EXPECT_THAT(kernels[i].why, HasSubstr(kernels[i].accepts ? "costs " : "does not accept")) << kernels[i].name;
    if (kernels[i].accepts) { EXPECT_GE(kernels[i].cost_ns, kernels[0].cost_ns); }
  }
}

/// Every kernel that refuses one of these says what it misses; the general words are for kernels nobody described.
TEST(Explain, EveryRefusalHasAReason) {
  for (const Golden& golden : kGoldens) {
    const Explanation e = explained(golden.call);
    for (const KernelVerdict& k : e.jobs[0].kernels)
      if (!k.accepts) { EXPECT_THAT(k.why, HasSubstr("does not accept: ")) << golden.call << " " << k.name; }
  }
}

TEST(Explain, CountsEachByteOnce) {
  // 2 rows of 16 floats read and written, 2 indices.
  const Traffic rows = explained("torch.index_select(iota(f32, 8, 16), 0, i64[3, 1])").jobs[0].traffic;
  EXPECT_EQ(rows.operand, 2 * 16 * 4);
  EXPECT_EQ(rows.indices, 2 * 8);
  EXPECT_EQ(rows.result, 2 * 16 * 4);
  EXPECT_EQ(rows.total(), 272);
  // 12 reads of 3 elements.
  const Traffic few = explained("torch.index_select(f32[1, 2, 3], 0, zeros(i32, 12))").jobs[0].traffic;
  EXPECT_EQ(few.operand, 3 * 4);
  EXPECT_EQ(few.result, 12 * 4);
  // All 4 copied, 3 of them read and written again.
  const Traffic sums = explained("torch.scatter_add(zeros(f64, 4), 0, i64[2, 0, 2], f64[1, 2, 4])").jobs[0].traffic;
  EXPECT_EQ(sums.operand, 4 * 8);
  EXPECT_EQ(sums.updates, 3 * 8);
  EXPECT_EQ(sums.result, (4 + 2 * 3) * 8);
}

TEST(Explain, PredictsTheLargerOfBytesAndKernel) {
  const JobExplanation job = explained("torch.index_select(iota(f32, 8, 16), 0, i64[3, 1])").jobs[0];
  EXPECT_DOUBLE_EQ(job.copy_ns, 27.2);
  EXPECT_DOUBLE_EQ(job.kernel_ns, job.kernels[0].cost_ns / job.threads);
  EXPECT_DOUBLE_EQ(job.predicted_ns, std::max(job.copy_ns, job.kernel_ns));
}

TEST(Explain, MeasuresTheMachineOnce) {
  const double rate = copy_rate();
  EXPECT_GT(rate, 1e8);
  EXPECT_EQ(copy_rate(), rate);
  EXPECT_EQ(value_or_throw(explain(value_or_throw(parse_call("torch.take(f32[1, 2], i64[1])")))).bytes_per_second,
            rate);
}

TEST(Explain, AnOperationWithoutAPlanSaysWhatItGives) {
  const Explanation e = explained("torch.argmax(f32[1, 3, 2])");
  EXPECT_TRUE(e.jobs.empty());
  EXPECT_EQ(e.promise, "result[…] = where along dim the largest element of input stands");
  EXPECT_EQ(to_text(e), "torch.argmax(input, dim=None, keepdim=False)\n\nresult\n  " + e.promise + "\n");
}

TEST(Explain, EveryOperationWithoutAPlanIsListed) {
  for (const Dialect& dialect : dialects())
    for (const Op* op : dialect.ops)
      if (op->lower == nullptr) {
        EXPECT_NE(promise_of(dialect.name, op->name), "") << dialect.name << "." << op->name;
      }
}

TEST(Explain, RefusesAsTheCallDoes) {
  EXPECT_EQ(rule_of("nobody.gather(f32[1])"), "A1");
  EXPECT_EQ(rule_of("torch.gather(f32[1])"), "A2");
  EXPECT_EQ(rule_of("torch.gather(f32[1], ND, i64[0])"), "A3");
  EXPECT_EQ(rule_of("lucid.gather(f32[1], dim=3, index=i32[0])"), "LU3");
}

TEST(Explain, LooksAtNoIndexValue) { EXPECT_EQ(rule_of("torch.take(f32[1, 2], i64[9])"), ""); }

TEST(Explain, TakesEmptyTensors) {
  const Explanation e = explained("torch.index_select(f32{0, 4}, 0, i64{0})");
  EXPECT_EQ(e.jobs[0].traffic.total(), 0);
  EXPECT_EQ(e.jobs[0].equation, "result[i, j] = input[index[i], j]");
}

/// What is printed, on numbers that no change of a kernel changes.
TEST(Explain, Prints) {
  JobExplanation job{.equation = "result[i] = x[index[i]]",
                     .rules = {"index[i] in [0, 3), otherwise an error (TO8)"},
                     .plan = "gather f32 (i:2)\n",
                     .normal_form = "gather f32 (i:2)\n",
                     .facts = {{"elements", Index{2}}, {"can_skip", true}},
                     .kernels = {{"fast", true, true, 1500, "chosen"}, {"odd", false, false, 0, "does not accept: x"}},
                     .traffic = {.operand = 8, .indices = 16, .result = 2048},
                     .threads = 2,
                     .copy_ns = 10,
                     .kernel_ns = 750,
                     .predicted_ns = 750};
  const Explanation e{
      .op = "torch.take", .signature = "(input, index)", .promise = "", .bytes_per_second = 1e10, .jobs = {job}};
  EXPECT_EQ(to_text(e), R"(torch.take(input, index)

equation
  result[i] = x[index[i]]
    index[i] in [0, 3), otherwise an error (TO8)

plan
  gather f32 (i:2)

normal form
  the same

facts
  elements        2
  can_skip        yes

kernels
  fast              1.5 us  chosen
  odd                    -  does not accept: x

bytes that must move
  operand              8 B
  indices             16 B
  result             2 KiB
  in all          2.02 KiB

predicted time
  750 ns: the larger of
       10 ns  the bytes at this machine's copy rate, 10 GB/s
      750 ns  the cost model of fast on 2 threads
)");
}

TEST(Explain, IsJson) {
  const auto json = nlohmann::json::parse(to_json(explained("torch.take(f32[1, 2], i64[1])")));
  EXPECT_EQ(json["op"], "torch.take");
  EXPECT_TRUE(json["promise"].is_null());
  EXPECT_EQ(json["jobs"][0]["equation"], "result[0] = input[index[0]]");
  EXPECT_EQ(json["jobs"][0]["facts"]["elements"], 1);
  EXPECT_EQ(json["jobs"][0]["kernels"][0]["chosen"], true);
  EXPECT_EQ(json["jobs"][0]["bytes"]["total"], 16);
  const auto plain = nlohmann::json::parse(to_json(explained("torch.argmax(f32[1])")));
  EXPECT_TRUE(plain["jobs"].empty());
  EXPECT_TRUE(plain["promise"].is_string());
}

}  // namespace
}  // namespace garner
