// Rules P10–P19 by their id, and that whatever breaks one leaves all memory as it was.
#include "run/check.h"

#include <gtest/gtest.h>

#include <array>

#include "run/job_builder.h"

namespace garner {
namespace {

/// All tensors of a job in one block, so that one comparison shows whether anything was written.
class Arena {
 public:
  Arena() {
    // No two rows alike, so that any copy from one place to another shows.
    for (std::size_t i = 0; i < bytes_.size(); ++i) bytes_[i] = static_cast<std::byte>(i * 7 + i / 256);
    for (Index i = 0; i < 4; ++i) at<Index>(kIndex)[i] = 2 * i;
    for (Index i = 0; i < 64; ++i) at<std::uint8_t>(kMask)[i] = 1;
    start_ = bytes_;
  }
  template <class T> T* at(Index byte) { return reinterpret_cast<T*>(bytes_.data() + byte); }
  float* f32(Index byte) { return at<float>(byte); }
  bool untouched() const { return bytes_ == start_; }

  View operand() { return {f32(kOperand), {8, 16}}; }
  View index() { return {at<Index>(kIndex), {4}}; }
  View updates() { return {f32(kUpdates), {4, 16}}; }
  View mask() { return {DType::kBool, at<std::uint8_t>(kMask), {4, 16}}; }
  View fill() { return {f32(kFill), {}}; }
  MutableView gathered() { return {f32(kOut), {4, 16}}; }
  MutableView scattered() { return {f32(kOut), {8, 16}}; }

  static constexpr Index kOperand = 0, kIndex = 1024, kUpdates = 1536, kMask = 2048, kFill = 2304, kOut = 3072;

 private:
  alignas(64) std::array<std::byte, 4096> bytes_{};
  std::array<std::byte, 4096> start_{};
};

Job rows(Arena& a) {
  auto b = JobBuilder::gather("op", a.operand(), {4, 16});
  const int t = b.term(a.index(), {0}, {.hi = 8}, "index", "P16");
  return std::move(b.look_up(0, t).follow(1, 1)).build();
}

Job masked_rows(Arena& a) {
  auto b = JobBuilder::gather("op", a.operand(), {4, 16});
  const int t = b.term(a.index(), {0}, {.hi = 8, .policy = OutOfRange::kFill}, "index", "P16");
  return std::move(b.look_up(0, t).follow(1, 1).mask(a.mask()).fill(a.fill())).build();
}

Job adding_rows(Arena& a) {
  auto b = JobBuilder::scatter("op", a.operand(), a.updates(), Combine::kAdd);
  const int t = b.term(a.index(), {0}, {.hi = 8}, "index", "P16");
  return std::move(b.look_up(0, t).follow(1, 1)).build();
}

using Make = Job (*)(Arena&);
using Out = MutableView (*)(Arena&);
MutableView gathered(Arena& a) { return a.gathered(); }
MutableView scattered(Arena& a) { return a.scattered(); }

void expect_rule(const char* rule, const char* what, Make make, Out out,
                 const std::function<void(Job&, Arena&)>& change = {}) {
  Arena a;
  Job job = make(a);
  if (change) change(job, a);
  EXPECT_EQ(run_into(job, out(a)).rule, rule) << what;
  EXPECT_TRUE(a.untouched()) << what;
}

TEST(Check, GoodJobsRun) {
  for (const Make make : {rows, masked_rows}) {
    Arena a;
    EXPECT_TRUE(run_into(make(a), a.gathered()).ok());
    EXPECT_FALSE(a.untouched());
  }
  Arena a;
  EXPECT_TRUE(run_into(adding_rows(a), a.scattered()).ok());
}

TEST(Check, P10_OutOverlapsItself) {
  expect_rule("P10", "stride 0", rows, [](Arena& a) { return MutableView(a.f32(Arena::kOut), {4, 16}, {0, 1}); });
  expect_rule("P10", "rows in rows", rows, [](Arena& a) { return MutableView(a.f32(Arena::kOut), {4, 16}, {8, 1}); });
  expect_rule("P10", "scatter", adding_rows,
              [](Arena& a) { return MutableView(a.f32(Arena::kOut), {8, 16}, {16, 0}); });
}

TEST(Check, P11_OutOverlapsAnInput) {
  for (const Index byte : {Arena::kOperand, Arena::kOperand + 4, Arena::kIndex, Arena::kMask, Arena::kFill}) {
    Arena a;
    EXPECT_EQ(run_into(masked_rows(a), {a.f32(byte), {4, 16}}).rule, "P11") << byte;
    EXPECT_TRUE(a.untouched()) << byte;
  }
  for (const Index byte : {Arena::kOperand + 4, Arena::kUpdates - 256, Arena::kIndex - 480}) {
    Arena a;
    EXPECT_EQ(run_into(adding_rows(a), {a.f32(byte), {8, 16}}).rule, "P11") << byte;
    EXPECT_TRUE(a.untouched()) << byte;
  }
}

TEST(Check, P11_TheOperandOfAGatherIsNotItsOutput) {
  expect_rule("P11", "same place", [](Arena& a) {
    auto b = JobBuilder::gather("op", a.operand(), {8, 16});
    return std::move(b.follow(0, 0).follow(1, 1)).build();
  }, [](Arena& a) { return MutableView(a.f32(Arena::kOperand), {8, 16}); });
}

TEST(Check, P11_TransposedOperandIsAnotherPlace) {
  expect_rule("P11", "strides differ", adding_rows,
              [](Arena& a) { return MutableView(a.f32(Arena::kOperand), {8, 16}, {1, 8}); });
}

TEST(Check, InPlaceIsAllowed) {
  Arena a;
  EXPECT_TRUE(run_into(adding_rows(a), {a.f32(Arena::kOperand), {8, 16}}).ok());
  EXPECT_FALSE(a.untouched());
}

/// In place is for the operand. Updates in the same memory would be read after they were written.
TEST(Check, P11_UpdatesAreNeverInPlace) {
  Arena a;
  auto b = JobBuilder::scatter("op", a.operand(), a.operand(), Combine::kAdd);
  const Job job = std::move(b.follow(0, 0).follow(1, 1)).build();
  EXPECT_EQ(run_into(job, {a.f32(Arena::kOperand), {8, 16}}).rule, "P11");
  EXPECT_TRUE(a.untouched());
}

TEST(Check, P12_WrongShape) {
  for (const Axes& shape : {Axes{16, 4}, Axes{64}, Axes{}, Axes{4, 16, 1}, Axes{4, 0}}) {
    Arena a;
    EXPECT_EQ(run_into(rows(a), {a.f32(Arena::kOut), shape}).rule, "P12") << shape.size();
    EXPECT_TRUE(a.untouched());
  }
}

TEST(Check, P13_WrongDtype) {
  const Out out = [](Arena& a) { return MutableView(DType::kI32, a.f32(Arena::kOut), {4, 16}); };
  expect_rule("P13", "i32", rows, out);
  Arena a;
  EXPECT_EQ(run_into(rows(a), out(a)).code, Code::kType);
}

TEST(Check, P14_DtypesOfInputs) {
  const auto as = [](View& v, DType t) { v = View(t, v.data(), v.shape(), v.stride()); };
  expect_rule("P14", "operand", rows, gathered, [&](Job& j, Arena&) { as(*j.operand, DType::kI32); });
  expect_rule("P14", "updates", adding_rows, scattered, [&](Job& j, Arena&) { as(*j.updates, DType::kI32); });
  expect_rule("P14", "fill", masked_rows, gathered, [&](Job& j, Arena&) { as(*j.fill, DType::kI32); });
  expect_rule("P14", "mask", masked_rows, gathered, [&](Job& j, Arena&) { as(*j.mask, DType::kU8); });
  expect_rule("P14", "index", rows, gathered, [&](Job& j, Arena&) { as(j.indices[0], DType::kU64); });
}

TEST(Check, P15_PartsThatAreMissingOrTooMany) {
  expect_rule("P15", "no operand", rows, gathered, [](Job& j, Arena&) { j.operand.reset(); });
  expect_rule("P15", "no index", rows, gathered, [](Job& j, Arena&) { j.indices.clear(); });
  expect_rule("P15", "an index too many", rows, gathered, [](Job& j, Arena& a) { j.indices.push_back(a.index()); });
  expect_rule("P15", "updates of a gather", rows, gathered, [](Job& j, Arena& a) { j.updates = a.updates(); });
  expect_rule("P15", "no updates", adding_rows, scattered, [](Job& j, Arena&) { j.updates.reset(); });
  expect_rule("P15", "no mask", masked_rows, gathered, [](Job& j, Arena&) { j.mask.reset(); });
  expect_rule("P15", "mask the plan knows not", rows, gathered, [](Job& j, Arena& a) { j.mask = a.mask(); });
  expect_rule("P15", "no fill", masked_rows, gathered, [](Job& j, Arena&) { j.fill.reset(); });
  expect_rule("P15", "operands without updates", adding_rows, scattered,
              [](Job& j, Arena& a) { j.more_operands = {a.operand()}; });
}

TEST(Check, P17_NoUserFunction) {
  expect_rule("P17", "user", adding_rows, scattered, [](Job& j, Arena&) { j.plan.combine = Combine::kUser; });
}

struct Forced {
  const char* kernel;
  Make make;
  Out out;
  Code code;
};

TEST(Check, P18_Kernels) {
  for (const Forced& f : {Forced{"nonsense", rows, gathered, Code::kInvalidArgument},
                          Forced{"scatter_assign", rows, gathered, Code::kUnsupported},
                          Forced{"row_copy", masked_rows, gathered, Code::kUnsupported}}) {
    Arena a;
    const Status s = run_into(f.make(a), f.out(a), {.threads = 1, .kernel = f.kernel});
    EXPECT_EQ(s.rule, "P18") << f.kernel;
    EXPECT_EQ(s.code, f.code) << f.kernel;
    EXPECT_TRUE(a.untouched()) << f.kernel;
  }
}

/// A scatter first copies its operand into out: not before the kernel is known.
TEST(Check, P18_ScatterLeavesOutAlone) {
  for (const char* kernel : {"nonsense", "row_copy", "scatter_assign"}) {
    Arena a;
    EXPECT_EQ(run_into(adding_rows(a), a.scattered(), {.threads = 1, .kernel = kernel}).rule, "P18");
    EXPECT_TRUE(a.untouched()) << kernel;
  }
}

TEST(Check, P19_InputsThatDoNotCoverTheDomain) {
  const auto cut = [](View& v, Axes shape) { v = View(v.dtype(), v.data(), std::move(shape), v.stride()); };
  expect_rule("P19", "index", rows, gathered, [&](Job& j, Arena&) { cut(j.indices[0], {3}); });
  expect_rule("P19", "empty index", rows, gathered, [&](Job& j, Arena&) { cut(j.indices[0], {0}); });
  expect_rule("P19", "updates", adding_rows, scattered, [&](Job& j, Arena&) { cut(*j.updates, {4, 15}); });
  expect_rule("P19", "mask", masked_rows, gathered, [&](Job& j, Arena&) { cut(*j.mask, {3, 16}); });
  expect_rule("P19", "read backwards", rows, gathered, [](Job& j, Arena&) { j.plan.terms[0].stride[0] = -1; });
}

TEST(Check, P19_OperandThatDoesNotCoverThePlan) {
  const auto cut = [](View& v) { v = View(v.dtype(), v.data(), {4, 16}, v.stride()); };
  Arena a;
  Job job = rows(a);
  cut(*job.operand);
  EXPECT_FALSE(run_into(job, a.gathered()).ok()) << "indices reach 8 rows, the operand has 4";
  EXPECT_TRUE(a.untouched());
  Job shifted = rows(a);
  shifted.plan.indexed_base = 16;
  EXPECT_FALSE(run_into(shifted, a.gathered()).ok()) << "the base moves the last row out of the operand";
}

/// Shapes are refused before memory is made or written by them.
TEST(Check, ResultShapeMustBeThePlans) {
  Arena a;
  Job gather = rows(a), scatter = adding_rows(a);
  gather.result_shape = {2, 16};
  scatter.result_shape = {4, 16};
  EXPECT_FALSE(run_into(gather, {a.f32(Arena::kOut), {2, 16}}).ok()) << "the domain has 4 rows, the result 2";
  EXPECT_FALSE(run_into(scatter, {a.f32(Arena::kOut), {4, 16}}).ok()) << "the plan reaches 8 rows, the result has 4";
  EXPECT_TRUE(a.untouched());
}

TEST(Check, ViewAndPlanRulesComeThrough) {
  expect_rule("V4", "null operand", rows, gathered,
              [](Job& j, Arena&) { j.operand = View(DType::kF32, nullptr, {8, 16}); });
  expect_rule("V1", "negative index extent", rows, gathered,
              [](Job& j, Arena& a) { j.indices[0] = View(a.at<Index>(Arena::kIndex), {-4}); });
  expect_rule("V3", "strides", rows, gathered, [](Job& j, Arena& a) { j.operand = View(a.f32(0), {8, 16}, {1}); });
  expect_rule("P4", "bounds", rows, gathered, [](Job& j, Arena&) { j.plan.terms[0].bounds.hi = 9; });
  expect_rule("V4", "null out", rows, [](Arena&) { return MutableView(static_cast<float*>(nullptr), {4, 16}); });
  expect_rule("P3", "far out", rows,
              [](Arena& a) { return MutableView(a.f32(Arena::kOut), {4, 16}, {Index{1} << 59, 1}); });
}

TEST(Check, MessagesBeginWithTheOperation) {
  Arena a;
  Job job = rows(a);
  job.indices[0] = View(static_cast<const Index*>(nullptr), {4});
  EXPECT_EQ(run_into(job, a.gathered()).message, "op: index: data is null, shape is [4]");
}

TEST(SamePlace, AllOfItMustAgree) {
  Arena a;
  const View v = a.operand();
  EXPECT_TRUE(same_place(v, a.operand()));
  EXPECT_FALSE(same_place(v, View(a.f32(4), {8, 16})));
  EXPECT_FALSE(same_place(v, View(a.f32(0), {16, 8})));
  EXPECT_FALSE(same_place(v, View(a.f32(0), {8, 16}, {1, 8})));
  EXPECT_FALSE(same_place(v, View(DType::kI32, a.f32(0), {8, 16})));
}

}  // namespace
}  // namespace garner
