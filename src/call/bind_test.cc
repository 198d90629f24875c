// Arguments to their parameters, and the whole way of a call.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "call/call.h"
#include "garner/error.h"

namespace garner {
namespace {

Op op_of(const char* signature) {
  Op op{};
  op.name = "y";
  op.signature = signature;
  return op;
}

/// By default a and b are by position only, c both ways, d and e by name only; c and d have defaults.
Result<Arguments> bound(const std::string& call, const char* signature = "(a, b, /, c=30, *, d=None, e)") {
  return bind(op_of(signature), value_or_throw(parse_call(call)));
}

TEST(Bind, PutsEachInItsPlace) {
  Arguments args = value_or_throw(bound("x.y(1, 2, 3, d=4, e=5)"));
  for (const auto& [name, value] : {std::pair<const char*, Index>{"a", 1}, {"b", 2}, {"c", 3}, {"d", 4}, {"e", 5}})
    EXPECT_EQ(args.integer(name), value) << name;
  EXPECT_TRUE(args.status().ok());
  EXPECT_EQ(args.op(), "x.y");
}

TEST(Bind, NamesInAnyOrder) {
  Arguments args = value_or_throw(bound("x.y(1, 2, e=5, c=3)"));
  EXPECT_EQ(args.integer("c"), 3);
  EXPECT_EQ(args.integer("e"), 5);
}

TEST(Bind, Defaults) {
  Arguments args = value_or_throw(bound("x.y(1, 2, e=5)"));
  EXPECT_EQ(args.integer("c"), 30);
  EXPECT_FALSE(args.has("d"));
  EXPECT_TRUE(args.value("d").is_none());
}

struct Refused {
  const char* what;
  const char* call;
  const char* message;
};

TEST(Bind, A2_Table) {
  const Refused cases[] = {
      {"missing by position", "x.y(1, e=5)", "x.y: b is missing"},
      {"missing by name", "x.y(1, 2)", "x.y: e is missing"},
      {"too many", "x.y(1, 2, 3, 4, e=5)", "x.y: 4 arguments by position, allowed 3"},
      {"keyword-only by position", "x.y(1, 2, 3, 4)", "x.y: 4 arguments by position, allowed 3"},
      {"positional-only by name", "x.y(1, b=2, e=5)", "x.y: b is given by name, allowed by position only"},
      {"twice by name", "x.y(1, 2, e=5, e=6)", "x.y: e is given twice"},
      {"by position and by name", "x.y(1, 2, 3, c=4, e=5)", "x.y: c is given twice"},
      {"unknown", "x.y(1, 2, e=5, f=6)", "x.y: there is no parameter f"},
  };
  for (const Refused& c : cases) {
    const Status s = bound(c.call).status();
    EXPECT_EQ(s.rule, "A2") << c.what;
    EXPECT_EQ(s.code, Code::kType) << c.what;
    EXPECT_EQ(s.message, c.message) << c.what;
  }
}

TEST(Bind, A2_ByNameAndThenByPosition) { EXPECT_EQ(bound("x.y(a=7, 1, 2)", "(a, b)").status().rule, "A2"); }

TEST(Bind, NothingToBind) {
  EXPECT_TRUE(bound("x.y()", "()").ok());
  EXPECT_EQ(bound("x.y(1)", "()").status().rule, "A2");
}

TEST(Bind, EverySignatureParses) {
  for (const Dialect& d : dialects())
    for (const Op* op : d.ops) {
      const Status s = bind(*op, {d.name, op->name, {}}).status();
      EXPECT_TRUE(s.ok() || s.rule == "A2") << d.name << '.' << op->name << ": " << s.message;
    }
}

TEST(FindOp, A1) {
  EXPECT_TRUE(find_op("lucid", "gather").ok());
  EXPECT_EQ(find_op("nope", "gather").status().rule, "A1");
  EXPECT_EQ(find_op("nope", "gather").status().message, "call: there is no dialect nope");
  EXPECT_EQ(find_op("lucid", "nope").status().rule, "A1");
  EXPECT_EQ(find_op("lucid", "nope").status().message, "call: lucid has no operation nope");
  EXPECT_EQ(find_op("", "").status().rule, "A1");
}

Arguments only(const char* value) { return value_or_throw(bound(fmt::format("x.y({})", value), "(a)")); }

struct Wrong {
  const char* value;
  void (*read)(Arguments&);
  const char* message;
};

TEST(Arguments, A3_KindsOfArguments) {
  const Wrong cases[] = {
      {"1.5", [](Arguments& a) { (void)a.integer("a"); }, "x.y: a must be an integer"},
      {"None", [](Arguments& a) { (void)a.integer("a"); }, "x.y: a must be an integer"},
      {"true", [](Arguments& a) { (void)a.integer("a"); }, "x.y: a must be an integer"},
      {"ND", [](Arguments& a) { (void)a.tensor("a"); }, "x.y: a must be a tensor"},
      {"[[1], [2, 3]]", [](Arguments& a) { (void)a.tensor("a"); }, "x.y: a must be a tensor"},
      {"[[], [1]]", [](Arguments& a) { (void)a.tensor("a"); }, "x.y: a must be a tensor"},
      {"[1, ND]", [](Arguments& a) { (void)a.integers("a"); }, "x.y: a must be a list of integers"},
      {"1", [](Arguments& a) { (void)a.flag("a"); }, "x.y: a must be true or false"},
      {"1", [](Arguments& a) { (void)a.word("a"); }, "x.y: a must be a word"},
      {"[f32[1], None]", [](Arguments& a) { (void)a.tensors("a"); }, "x.y: a must be tensors without None"},
      {"ND", [](Arguments& a) { (void)a.maybe_integer("a"); }, "x.y: a must be an integer"},
  };
  for (const Wrong& c : cases) {
    Arguments args = only(c.value);
    c.read(args);
    EXPECT_EQ(args.status().rule, "A3") << c.value;
    EXPECT_EQ(args.status().code, Code::kType) << c.value;
    EXPECT_EQ(args.status().message, c.message) << c.value;
  }
}

TEST(Arguments, TheFirstWrongOneIsRemembered) {
  Arguments args = value_or_throw(bound("x.y(ND, 1)", "(a, b)"));
  (void)args.integer("a");
  (void)args.word("b");
  EXPECT_EQ(args.status().message, "x.y: a must be an integer");
}

TEST(Arguments, NumbersAndListsAsTensors) {
  Arguments number = only("3"), list = only("[[1, 2], [3, 4]]"), mixed = only("[1, 2.5]"), flag = only("true");
  EXPECT_EQ(number.tensor("a").dtype(), DType::kI64);
  EXPECT_EQ(number.tensor("a").rank(), 0);
  EXPECT_EQ(list.tensor("a").shape(), (Axes{2, 2}));
  EXPECT_EQ(mixed.tensor("a").dtype(), DType::kF64);
  EXPECT_EQ(flag.tensor("a").dtype(), DType::kBool);
}

TEST(Arguments, ListsOfIntegersAndTensors) {
  Arguments list = only("[1, -2]"), single = only("7"), tensors = only("(f32[1], i8[2, 3])"),
            none = only("[None, f32[1]]");
  EXPECT_EQ(list.integers("a"), (Axes{1, -2}));
  EXPECT_EQ(single.integers("a"), Axes{7});
  ASSERT_EQ(tensors.tensors("a").size(), 2U);
  EXPECT_EQ(tensors.tensors("a")[1].dtype(), DType::kI8);
  ASSERT_EQ(none.maybe_tensors("a").size(), 2U);
  EXPECT_FALSE(none.maybe_tensors("a")[0].has_value());
}

TEST(Arguments, NoneIsAbsent) {
  Arguments args = only("None");
  EXPECT_FALSE(args.has("a"));
  EXPECT_EQ(args.maybe_tensor("a"), std::nullopt);
  EXPECT_EQ(args.maybe_integer("a"), std::nullopt);
  EXPECT_TRUE(args.status().ok());
}

constexpr const char* kCall = "lucid.gather(i64[[10, 20, 30], [40, 50, 60]], 1, index=i32[[2, 1], [0, 2]])";

TEST(Evaluate, RunsTheCall) {
  const auto results = evaluate(value_or_throw(parse_call(kCall)));
  ASSERT_TRUE(results.ok()) << results.status().message;
  ASSERT_EQ(results->size(), 1U);
  EXPECT_TRUE(same_bits((*results)[0], tensor<Index>({{30, 20}, {40, 60}})));
}

TEST(Lower, JobsKeepTheirLiterals) {
  Jobs jobs;
  { jobs = value_or_throw(lower(value_or_throw(parse_call(kCall)))); }
  ASSERT_EQ(jobs.size(), 1U);
  EXPECT_TRUE(same_bits(value_or_throw(run_one(jobs[0])), tensor<Index>({{30, 20}, {40, 60}})));
}

struct Failing {
  const char* call;
  const char* rule;
};

TEST(Evaluate, RulesComeThrough) {
  for (const Failing& c :
       {Failing{"nope.gather()", "A1"}, Failing{"lucid.nope()", "A1"}, Failing{"lucid.gather(i64[1])", "A2"},
        Failing{"lucid.gather(i64[1], ND, i64[0])", "A3"}, Failing{"lucid.gather(i64[1], 3, i64[0])", "LU3"},
        Failing{"lucid.gather(i64[1], 0, i64[7])", "LU6"}})
    EXPECT_EQ(evaluate(value_or_throw(parse_call(c.call))).status().rule, c.rule) << c.call;
}

}  // namespace
}  // namespace garner
