// The text form of values and calls.
#include "call/literal.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "garner/error.h"

namespace garner {
namespace {

Value value(const std::string& text, const Environment& names = {}) { return value_or_throw(parse_value(text, names)); }

template <class T>
T get(const std::string& text) {
  const auto parsed = parse_value(text);
  if (!parsed.ok()) throw_error(parsed.status());
  return std::get<T>(parsed->held);
}

template <class T>
std::vector<T> elements(const std::string& text) {
  const Tensor t = get<Tensor>(text);
  EXPECT_EQ(t.dtype(), dtype_of<T>) << text;
  return {t.as<T>(), t.as<T>() + t.elements()};
}

Axes shape(const std::string& text) { return get<Tensor>(text).shape(); }

void expect_a4(std::initializer_list<const char*> texts) {
  for (const char* text : texts) {
    const auto parsed = parse_value(text);
    EXPECT_FALSE(parsed.ok()) << text;
    EXPECT_EQ(parsed.status().rule, "A4") << text;
    EXPECT_EQ(parsed.status().code, Code::kInvalidArgument) << text;
  }
}

struct Integer {
  const char* text;
  Index value;
};

TEST(Literal, Integers) {
  for (const Integer& c : {Integer{"3", 3}, Integer{"-7", -7}, Integer{"+5", 5}, Integer{"0", 0}, Integer{" 12 ", 12},
                           Integer{"9223372036854775807", INT64_MAX}, Integer{"-9223372036854775808", INT64_MIN}})
    EXPECT_EQ(get<Index>(c.text), c.value) << c.text;
}

struct Real {
  const char* text;
  double value;
};

TEST(Literal, Reals) {
  for (const Real& c : {Real{"0.5", 0.5}, Real{"-.25", -0.25}, Real{"1.", 1}, Real{"1e3", 1000}, Real{"2E-2", 0.02},
                        Real{"+1.5e+1", 15}, Real{"inf", INFINITY}, Real{"-inf", -INFINITY}})
    EXPECT_EQ(get<double>(c.text), c.value) << c.text;
  EXPECT_TRUE(std::isnan(get<double>("nan")));
}

/// An integer that an Index cannot hold is no number at all: as a double it would be another one.
TEST(Literal, A4_IntegersThatDoNotFit) {
  expect_a4({"9223372036854775808", "-9223372036854775809", "99999999999999999999"});
}

TEST(Literal, A4_RealsThatDoNotFit) { expect_a4({"1e999", "-1e999"}); }

TEST(Literal, Words) {
  for (const char* text : {"ND", "x", "_a1", "infinite", "nan_x", "inf_"}) EXPECT_EQ(get<Word>(text).text, text);
  EXPECT_TRUE(value("None").is_none());
  for (const char* text : {"true", "True"}) EXPECT_TRUE(get<bool>(text));
  for (const char* text : {"false", "False"}) EXPECT_FALSE(get<bool>(text));
}

TEST(Literal, NamesOfTheEnvironment) {
  const Environment names{{"x", Value{Index{5}}}, {"None", Value{Index{6}}}};
  EXPECT_EQ(std::get<Index>(value("x", names).held), 5);
  const auto list = std::get<std::shared_ptr<Values>>(value("[x, y]", names).held);
  EXPECT_EQ(std::get<Index>((*list)[0].held), 5);
  EXPECT_EQ(std::get<Word>((*list)[1].held).text, "y");
}

Values items(const std::string& text) { return *get<std::shared_ptr<Values>>(text); }

TEST(Literal, ListsAndTuples) {
  for (const char* text : {"[1, 2]", "(1, 2)", "[1,2,]", "( 1 , 2 , )", "[\n1,\n2\n]"}) {
    const Values v = items(text);
    ASSERT_EQ(v.size(), 2U) << text;
    EXPECT_EQ(std::get<Index>(v[1].held), 2) << text;
  }
  for (const char* text : {"[]", "()", "[ ]", "( )"}) EXPECT_TRUE(items(text).empty()) << text;
  EXPECT_EQ(items("(1,)").size(), 1U);
  EXPECT_EQ(items("(1)").size(), 1U);
}

TEST(Literal, NestedAndMixed) {
  const Values v = items("[None, ND, true, 1.5, [1, (2, 3)], f32[7]]");
  ASSERT_EQ(v.size(), 6U);
  EXPECT_TRUE(v[0].is_none());
  EXPECT_EQ(std::get<Word>(v[1].held).text, "ND");
  EXPECT_TRUE(std::get<bool>(v[2].held));
  EXPECT_EQ(std::get<std::shared_ptr<Values>>(v[4].held)->size(), 2U);
  EXPECT_EQ(std::get<Tensor>(v[5].held).dtype(), DType::kF32);
}

TEST(Literal, TypedLists) {
  EXPECT_EQ(elements<float>("f32[[1, 2.5], [-3, 4e1]]"), (std::vector<float>{1, 2.5F, -3, 40}));
  EXPECT_EQ(shape("f32[[1, 2.5], [-3, 4e1]]"), (Axes{2, 2}));
  EXPECT_EQ(shape("i8[[[1], [2], [3]]]"), (Axes{1, 3, 1}));
  EXPECT_EQ(shape("i8[[1,2,],[3,4,],]"), (Axes{2, 2}));
  EXPECT_EQ(shape("f32[]"), Axes{0});
  EXPECT_EQ(shape("f32[[], []]"), (Axes{2, 0}));
}

TEST(Literal, TypedListOfEveryDtype) {
  for (const DTypeInfo& d : kDTypes) EXPECT_EQ(get<Tensor>(fmt::format("{}[0, 1]", d.name)).dtype(), d.dtype) << d.name;
}

TEST(Literal, IntegersToTheLastOne) {
  EXPECT_EQ(elements<std::uint64_t>("u64[18446744073709551615]"), std::vector<std::uint64_t>{UINT64_MAX});
  EXPECT_EQ(elements<Index>("i64[-9223372036854775808, 9223372036854775807]"),
            (std::vector<Index>{INT64_MIN, INT64_MAX}));
  EXPECT_EQ(elements<std::int8_t>("i8[-128, +127]"), (std::vector<std::int8_t>{-128, 127}));
}

TEST(Literal, A4_ElementsThatDoNotFit) {
  expect_a4({"i64[9223372036854775808]", "i64[-9223372036854775809]", "u64[18446744073709551616]", "u64[-1]", "i8[128]",
             "u8[256]", "u8[-1]", "i32[1.5]", "i32[1e3]", "i32[nan]", "i32[true]", "bool[2]", "bool[-1]", "f32[1e39]",
             "f32[x]", "f32[1+2j]", "i32(300000000000)"});
}

TEST(Literal, Bools) {
  const Tensor t = get<Tensor>("bool[true, False, 1, 0, True]");
  EXPECT_EQ(std::vector<int>(t.as<std::uint8_t>(), t.as<std::uint8_t>() + 5), (std::vector<int>{1, 0, 1, 0, 1}));
}

TEST(Literal, FloatsThatAreNotFinite) {
  const auto v = elements<float>("f32[nan, inf, -inf, -0.0]");
  EXPECT_TRUE(std::isnan(v[0]));
  EXPECT_EQ(v[1], INFINITY);
  EXPECT_EQ(v[2], -INFINITY);
  EXPECT_TRUE(std::signbit(v[3]));
}

TEST(Literal, Complex) {
  using C = std::complex<double>;
  EXPECT_EQ(elements<C>("c128[1+2j, 3j, -1.5-0.5j, 2, 1e-3+2e-2j, -4e-1j, +1j, 1E+2-1E+1j]"),
            (std::vector<C>{{1, 2}, {0, 3}, {-1.5, -0.5}, {2, 0}, {1e-3, 2e-2}, {0, -0.4}, {0, 1}, {100, -10}}));
}

TEST(Literal, ComplexThatIsNotFinite) {
  for (const char* text : {"c64[1+infj]", "c64[infj]", "c64[-infj]", "c64[nan-infj]"}) {
    const auto parsed = parse_value(text);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.status().message;
    EXPECT_TRUE(std::isinf(std::get<Tensor>(parsed->held).as<std::complex<float>>()->imag())) << text;
  }
}

TEST(Literal, A4_RowsThatDiffer) {
  expect_a4(
      {"f32[[1], [2, 3]]", "f32[1, [2]]", "f32[[1], 2]", "f32[[], [1]]", "f32[[[1]], [2]]", "f32[[[1]], [[2], [3]]]"});
}

TEST(Literal, NoElements) {
  EXPECT_EQ(shape("f32{0, 5}"), (Axes{0, 5}));
  EXPECT_EQ(shape("f32{ 3,0, }"), (Axes{3, 0}));
  EXPECT_EQ(shape("u8{9223372036854775807, 9223372036854775807, 0}").size(), 3U);
  expect_a4({"f32{2, 3}", "f32{}", "f32{0, -1}", "f32{0, 1.5}", "f32{0", "foo{0}"});
}

TEST(Literal, RankZero) {
  EXPECT_EQ(shape("f32(7)"), Axes{});
  EXPECT_EQ(elements<float>("f32(-7.5)"), std::vector<float>{-7.5F});
  EXPECT_EQ(elements<std::uint64_t>("u64(18446744073709551615)"), std::vector<std::uint64_t>{UINT64_MAX});
  expect_a4({"f32()", "f32(1, 2)", "f32([1])", "f32(x)"});
}

TEST(Literal, Makers) {
  EXPECT_EQ(elements<int>("iota(i32, 2, 3)"), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(shape("iota(i32, 2, 3)"), (Axes{2, 3}));
  EXPECT_EQ(elements<float>("zeros(f32, 2)"), (std::vector<float>{0, 0}));
  EXPECT_EQ(elements<float>("full(f32, -2.5, 1, 2)"), (std::vector<float>{-2.5F, -2.5F}));
  EXPECT_EQ(shape("full(f32, 7)"), Axes{});
  EXPECT_EQ(shape("zeros(f32, 0, 4)"), (Axes{0, 4}));
}

TEST(Literal, A4_Makers) {
  expect_a4({"iota()", "full(f32)", "full(f32, x, 2)", "zeros(f33, 2)", "zeros(f32, -1)", "zeros(f32, 1.5)",
             "zeros(f32, [2])", "iota(i8, 129)", "iota(f32, 16777217)", "iota(f32, 9223372036854775807, 2)",
             "arange(f32, 2)", "f33[1]", "f33(1)"});
}

struct Bad {
  const char* text;
  const char* where;
};

TEST(Literal, A4_NamesThePlace) {
  for (const Bad& c : {Bad{"", "column 1"}, Bad{"[1", "column 3"}, Bad{"(1, 2", "column 6"}, Bad{"1 2", "column 3"},
                       Bad{"[1,,2]", "column 4"}, Bad{"f32[1 2]", "column 7"}, Bad{"@", "column 1"},
                       Bad{"[\n1,\n@]", "line 3, column 1"}, Bad{"f32{0;", "column 6"}}) {
    const Status s = parse_value(c.text).status();
    EXPECT_EQ(s.rule, "A4") << c.text;
    EXPECT_NE(s.message.find(c.where), std::string::npos) << c.text << ": " << s.message;
  }
}

/// Text comes from files and command lines: however deep it nests, the answer is an error, not a crash.
TEST(LiteralDeathTest, A4_NestedTooDeep) {
  const auto parse_and_leave = [](char bracket) {
    const bool ok = parse_value(std::string(200000, bracket)).ok();
    std::exit(ok ? 1 : 0);
  };
  EXPECT_EXIT(parse_and_leave('['), testing::ExitedWithCode(0), "");
  EXPECT_EXIT(parse_and_leave('('), testing::ExitedWithCode(0), "");
}

// ---- calls ----

TEST(ParseCall, ByPositionAndByName) {
  const Environment names{{"x", Value{Index{5}}}};
  const Call call = value_or_throw(parse_call(" lucid.gather( x , dim = -1, index=f32[1],) ", names));
  EXPECT_EQ(call.dialect, "lucid");
  EXPECT_EQ(call.op, "gather");
  ASSERT_EQ(call.arguments.size(), 3U);
  EXPECT_EQ(call.arguments[0].name, "");
  EXPECT_EQ(std::get<Index>(call.arguments[0].value.held), 5);
  EXPECT_EQ(call.arguments[1].name, "dim");
  EXPECT_EQ(std::get<Index>(call.arguments[1].value.held), -1);
  EXPECT_TRUE(std::holds_alternative<Tensor>(call.arguments[2].value.held));
}

TEST(ParseCall, WithoutArguments) {
  for (const char* text : {"a.b()", "a.b( )", "a.b ()"})
    EXPECT_TRUE(value_or_throw(parse_call(text)).arguments.empty()) << text;
}

TEST(ParseCall, WordsMakersAndTuplesAsArguments) {
  const Call call = value_or_throw(parse_call("t.g(iota(f32, 4), (1, None), mode=ND)"));
  ASSERT_EQ(call.arguments.size(), 3U);
  EXPECT_EQ(std::get<Tensor>(call.arguments[0].value.held).shape(), Axes{4});
  EXPECT_EQ(std::get<std::shared_ptr<Values>>(call.arguments[1].value.held)->size(), 2U);
  EXPECT_EQ(std::get<Word>(call.arguments[2].value.held).text, "ND");
}

TEST(ParseCall, A4_NamesThePlace) {
  for (const Bad& c : {Bad{"", "column 1"}, Bad{"gather(x)", "column 7"}, Bad{"a.", "column 3"}, Bad{"a.b", "column 4"},
                       Bad{"a.b(1", "column 6"}, Bad{"a.b(x=)", "column 7"}, Bad{"a.b() c", "column 7"},
                       Bad{"a.b(1 2)", "column 7"}, Bad{"a.1()", "column 3"}}) {
    const Status s = parse_call(c.text).status();
    EXPECT_EQ(s.rule, "A4") << c.text;
    EXPECT_NE(s.message.find(c.where), std::string::npos) << c.text << ": " << s.message;
  }
}

TEST(ParseCall, A4_OfAnArgument) {
  EXPECT_EQ(parse_call("a.b(f32[[1], [2, 3]])").status().rule, "A4");
  EXPECT_EQ(parse_call("a.b(x=i8[300])").status().message, "call: '300' is no i8");
}

}  // namespace
}  // namespace garner
