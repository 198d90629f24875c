// Arrays of files as values of a call.
#include <gtest/gtest.h>

#include <filesystem>

#include "call/call.h"
#include "format/test_files.h"
#include "garner/element.h"

namespace garner {
namespace {

class FileValue : public testing::Test {
 protected:
  FileValue() {
    const std::vector<format::NamedView> both{{"w", table}, {"odd name:x", rows}};
    value_or_throw(format::write_npy(folder / "d.npy", table));
    value_or_throw(format::write_npy(folder / "my \"odd\" [file].npy", rows));
    value_or_throw(format::write_npy(folder / "half.npy", scalar(Eigen::bfloat16(1.5F))));
    value_or_throw(format::write_npz(folder / "d.npz", both));
    value_or_throw(format::write_safetensors(folder / "d.safetensors", both));
  }

  /// FOLDER stands for the folder.
  std::string in_folder(std::string text) const {
    for (std::size_t at; (at = text.find("FOLDER")) != std::string::npos;) text.replace(at, 7, folder / "");
    return text;
  }
  Result<Value> value(const std::string& text, Files* files = nullptr) const {
    return parse_value(in_folder(text), {}, files);
  }
  std::string rule(const std::string& text) const { return value(text).status().rule; }

  format::Folder folder;
  const Tensor table = tensor({{1.F, 2.F}, {3.F, 4.F}, {5.F, 6.F}}), rows = tensor({2, 0});
};

TEST_F(FileValue, EverySpelling) {
  struct Case {
    const char* text;
    Tensor expected;
  };
  const Case cases[] = {
      {"@FOLDER/d.npy", table},
      {"@\"FOLDER/d.npy\"", table},
      {" f32@FOLDER/d.npy ", table},
      {R"(@"FOLDER/my \"odd\" [file].npy")", rows},
      {"@FOLDER/d.npz:w", table},
      {"@FOLDER/d.npz:\"w\"", table},
      {"@\"FOLDER/d.npz\":\"odd name:x\"", rows},
      {"@FOLDER/d.safetensors:w", table},
      {"@FOLDER/d.safetensors:\"odd name:x\"", rows},
      {"bf16@FOLDER/half.npy", scalar(Eigen::bfloat16(1.5F))},
  };
  for (const Case& c : cases) {
    const auto owned = value(c.text);
    ASSERT_TRUE(owned.ok()) << c.text << ": " << owned.status().message;
    EXPECT_TRUE(std::holds_alternative<Tensor>(owned->held)) << c.text;
    EXPECT_TRUE(same_bits(*owned->memory(), c.expected)) << c.text;
    Files files;
    const auto seen = value(c.text, &files);
    ASSERT_TRUE(seen.ok()) << c.text;
    EXPECT_TRUE(std::holds_alternative<View>(seen->held)) << c.text;
    EXPECT_TRUE(same_bits(*seen->memory(), c.expected)) << c.text;
    EXPECT_EQ(files.size(), 1U);
  }
}

TEST_F(FileValue, InsideListsAndCalls) {
  Files files;
  const Call call = value_or_throw(
      parse_call(in_folder("numpy.take(@FOLDER/d.npy, @FOLDER/d.npz:\"odd name:x\", axis=0)"), {}, &files));
  const auto results = evaluate(call);
  ASSERT_TRUE(results.ok()) << results.status().message;
  EXPECT_TRUE(same_bits((*results)[0], tensor({{5.F, 6.F}, {1.F, 2.F}})));
  const Value list = value_or_throw(value("[@FOLDER/d.npy,@FOLDER/d.npy]", &files));
  EXPECT_EQ(std::get<std::shared_ptr<Values>>(list.held)->size(), 2U);
  EXPECT_EQ(files.size(), 4U);
}

TEST_F(FileValue, OfNamesOnTheCommandLine) {
  Files files;
  Environment names;
  names["x"] = value_or_throw(value("@FOLDER/d.npy", &files));
  const auto results = evaluate(value_or_throw(parse_call("numpy.take(x, [2, 0], axis=0)", names)));
  ASSERT_TRUE(results.ok()) << results.status().message;
  EXPECT_TRUE(same_bits((*results)[0], tensor({{5.F, 6.F}, {1.F, 2.F}})));
}

TEST_F(FileValue, RulesOfFilesComeThrough) {
  EXPECT_EQ(rule("@FOLDER/none.npy"), "F1");
  EXPECT_EQ(rule("@FOLDER/d.txt"), "F2");
  EXPECT_EQ(rule("@FOLDER/half.npy"), "F5");
  EXPECT_EQ(rule("f64@FOLDER/d.npy"), "F5");
  EXPECT_EQ(rule("@FOLDER/d.npz:none"), "F7");
  EXPECT_EQ(rule("@FOLDER/d.npy:w"), "F7");
  EXPECT_EQ(rule("nodtype@FOLDER/d.npy"), "A4");
}

TEST_F(FileValue, A4_NamesThePlace) {
  struct Bad {
    const char* text;
    const char* where;
  };
  for (const Bad& c : {Bad{"@", "column 1"}, Bad{"@ d.npy", "column 1"}, Bad{"@d.npz:", "column 8"},
                       Bad{"@\"d.npy", "column 8"}, Bad{R"(@"a\b.npy")", "column 4"}, Bad{"@\"\"x", "column 4"},
                       Bad{"[1, @d.npy", "column 11"}, Bad{"[1,\n@d.npz:]", "line 2, column 8"}}) {
    const Status s = parse_value(c.text).status();
    EXPECT_EQ(s.rule, "A4") << c.text;
    EXPECT_NE(s.message.find(c.where), std::string::npos) << c.text << ": " << s.message;
  }
}

/// Brackets in a name close nothing: what is nested after them still counts.
TEST_F(FileValue, A4_NestedTooDeepBehindQuotedBrackets) {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "[@\"]\",";
  EXPECT_EQ(parse_value(text).status().rule, "A4");
  std::string escaped;
  for (int i = 0; i < 20000; ++i) escaped += R"([@"\"]",)";
  EXPECT_EQ(parse_value(escaped).status().rule, "A4");
}

TEST_F(FileValue, ManyBracketsInANameAreFine) { EXPECT_EQ(rule("@\"" + std::string(100, '[') + ".npy\""), "F1"); }

}  // namespace
}  // namespace garner
