// .safetensors there and back, and headers that lie.
#include <fmt/ranges.h>
#include <gmock/gmock.h>

#include "base/effort.h"
#include "format/test_files.h"

namespace garner::format {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

std::string with_length(const std::string& header, const std::string& data) {
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(header.size() >> 8 * i & 255);
  return out + header + data;
}

/// The header of one tensor "a".
std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return fmt::format(R"({{"a":{{"dtype":"{}","shape":{},"data_offsets":{}}}}})", dtype, shape, offsets);
}

/// A file that is refused.
struct Bad {
  const char* what;
  std::string header, data;
};

class Safetensors : public testing::Test {
 protected:
  std::string path() const { return folder / "x.safetensors"; }
  Result<Mapped> read_back(const std::string& header, const std::string& data, const std::string& name = "a") {
    write_bytes(path(), with_length(header, data));
    return read_safetensors(path(), name);
  }
  void expect_refused(const char* rule, std::initializer_list<Bad> cases);
  Folder folder;
};

TEST_F(Safetensors, EveryDtypeInOneFile) {
  std::vector<Tensor> tensors;
  std::vector<NamedView> named;
  for (const DTypeInfo& d : kDTypes) {
    if (d.dtype == DType::kC128) continue;
    tensors.push_back(
        random_tensor(d.dtype, {3, static_cast<Index>(tensors.size())}, static_cast<unsigned>(tensors.size())));
    named.push_back({fmt::format("layer.{}", d.name), tensors.back()});
  }
  value_or_throw(write_safetensors(path(), named, {{"format", "pt"}, {"odd \"key\"", "ä\n"}}));
  const SafetensorsList all = value_or_throw(list_safetensors(path()));
  EXPECT_THAT(all.metadata, ElementsAre(Pair("format", "pt"), Pair("odd \"key\"", "ä\n")));
  EXPECT_EQ(all.tensors.size(), named.size());
  for (const NamedView& t : named) {
    const auto back = read_safetensors(path(), t.name);
    ASSERT_TRUE(back.ok()) << back.status().message;
    EXPECT_TRUE(same_bits(back->view, t.view)) << t.name;
    EXPECT_TRUE(t.view.elements() == 0 ||
                reinterpret_cast<std::uintptr_t>(back->view.data()) % 4096 < bytes_in(path()).size())
        << t.name << ": not the file's own bytes";
  }
}

TEST_F(Safetensors, BytesAsSpecified) {
  value_or_throw(
      write_safetensors(path(), std::vector<NamedView>{{"b", tensor<std::int8_t>({1, 2})}, {"a", tensor({3})}}));
  const std::string header =
      R"({"a":{"dtype":"I32","shape":[1],"data_offsets":[0,4]},"b":{"dtype":"I8","shape":[2],"data_offsets":[4,6]}})";
  const std::string padding((8 - header.size() % 8) % 8, ' ');
  EXPECT_EQ(bytes_in(path()), with_length(header + padding, std::string("\3\0\0\0\1\2", 6)));
}

TEST_F(Safetensors, OneTensorNeedsNoName) {
  EXPECT_TRUE(
      same_bits(value_or_throw(read_back(one("I8", "[2]", "[0,2]"), "\1\2", "")).view, tensor<std::int8_t>({1, 2})));
}

TEST_F(Safetensors, RankZeroEmptyAndNone) {
  EXPECT_EQ(value_or_throw(read_back(one("F32", "[]", "[0,4]"), "1234")).view.rank(), 0);
  EXPECT_EQ(value_or_throw(read_back(one("F32", "[0, 9223372036854775807]", "[0,0]"), "")).view.elements(), 0);
  write_bytes(path(), with_length("{}", ""));
  EXPECT_THAT(value_or_throw(list_safetensors(path())).tensors, IsEmpty());
}

TEST_F(Safetensors, WhatIsNotAlignedIsCopied) {
  const std::string header =
      R"({"c":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"I16","shape":[2],"data_offsets":[1,5]}})";
  EXPECT_TRUE(
      same_bits(value_or_throw(read_back(header, std::string("\5\1\0\2\0", 5))).view, tensor<std::int16_t>({1, 2})));
}

// Each is refused by its rule, in a line that names the file and does not repeat a header of megabytes.
void Safetensors::expect_refused(const char* rule, std::initializer_list<Bad> cases) {
  for (const Bad& c : cases) {
    const Status s = read_back(c.header, c.data).status();
    EXPECT_EQ(s.rule, rule) << c.what << ": " << s.message;
    EXPECT_NE(s.message.find("x.safetensors"), std::string::npos) << s.message;
    EXPECT_LT(s.message.size(), 600U) << c.what;
  }
}

std::string two(const char* first, const char* second) {
  return fmt::format(R"({{"a":{{"dtype":"I8","shape":[2],"data_offsets":{}}},)"
                     R"("b":{{"dtype":"I8","shape":[2],"data_offsets":{}}}}})",
                     first, second);
}

TEST_F(Safetensors, F3_TheHeaderIsAnObject) {
  expect_refused("F3", {{"no object", "[]", ""}, {"space first", " {}", ""}});
}

TEST_F(Safetensors, F4_TheLanguageOfTheHeader) {
  expect_refused("F4", {
                           {"cut", R"({"a":{"dtype":"F32")", ""},
                           {"text behind", one("I8", "[1]", "[0,1]") + "x", "1"},
                           {"deep", R"({"a":)" + std::string(100000, '['), ""},
                           {"deep objects", R"({"a":{"dtype":{"x":{}}}})", ""},
                           {"not UTF-8", "{\"\xff\xfe\":{}}", ""},
                           {"number for a tensor", R"({"a":5})", ""},
                           {"list for a tensor", R"({"a":[]})", ""},
                           {"null", R"({"a":null})", ""},
                           {"true", R"({"a":{"dtype":true}})", ""},
                       });
}

TEST_F(Safetensors, F4_FieldsAndMetadata) {
  expect_refused(
      "F4",
      {
          {"no fields", R"({"a":{}})", ""},
          {"no offsets", R"({"a":{"dtype":"F32","shape":[]}})", ""},
          {"unknown field", R"({"a":{"dtype":"F32","shape":[],"data_offsets":[0,4],"x":1}})", "1234"},
          {"field twice", R"({"a":{"dtype":"F32","dtype":"F32","shape":[],"data_offsets":[0,4]}})", "1234"},
          {"name twice",
           R"({"a":{"dtype":"I8","shape":[1],"data_offsets":[0,1]},"a":{"dtype":"I8","shape":[1],"data_offsets":[1,2]}})",
           "12"},
          {"metadata of numbers", R"({"__metadata__":{"a":1}})", ""},
          {"metadata in metadata", R"({"__metadata__":{"a":{"b":"c"}}})", ""},
          {"metadata is a string", R"({"__metadata__":"x"})", ""},
      });
}

TEST_F(Safetensors, F4_Shapes) {
  const std::string many = "[" + std::string(200000, '1') + "]";
  const std::string rank_65 = fmt::format("[{}]", fmt::join(std::vector<int>(65, 1), ","));
  expect_refused("F4", {
                           {"extent with a point", one("F32", "[1.0]", "[0,4]"), "1234"},
                           {"extent past 2^63", one("F32", "[9223372036854775808]", "[0,4]"), "1234"},
                           {"extent of many digits", one("F32", many, "[0,4]"), "1234"},
                           {"nested shape", one("F32", "[[1]]", "[0,4]"), "1234"},
                           {"object in a list", one("F32", "[{}]", "[0,4]"), "1234"},
                           {"rank 65", one("I8", rank_65, "[0,1]"), "1"},
                       });
}

TEST_F(Safetensors, F5_UnknownDtypes) {
  expect_refused("F5", {
                           {"unknown dtype", one("F4", "[1]", "[0,1]"), "1"},
                           {"dtype in small letters", one("f32", "[1]", "[0,4]"), "1234"},
                           {"no dtype", one("", "[1]", "[0,4]"), "1234"},
                       });
}

TEST_F(Safetensors, F6_ExtentsAndOffsets) {
  expect_refused("F6",
                 {
                     {"negative extent", one("F32", "[-1]", "[0,4]"), "1234"},
                     {"overflowing product", one("F32", "[4294967296,4294967296]", "[0,0]"), ""},
                     {"overflowing bytes", one("F64", "[2305843009213693952]", "[0,0]"), ""},
                     {"negative offset", one("F32", "[1]", "[-4,0]"), "1234"},
                     {"one offset", one("F32", "[1]", "[0]"), "1234"},
                     {"three offsets", one("F32", "[1]", "[0,4,8]"), "1234"},
                     {"offsets descend", one("F32", "[1]", "[4,0]"), "1234"},
                     {"offset outside", one("F32", "[1]", "[4,8]"), "1234"},
                     {"offset far outside", one("F32", "[1]", "[9223372036854775803,9223372036854775807]"), "1234"},
                     {"shape larger than offsets", one("F32", "[2]", "[0,4]"), "1234"},
                     {"shape smaller than offsets", one("F32", "[1]", "[0,8]"), "12345678"},
                 });
}

TEST_F(Safetensors, F6_TheTensorsTileTheData) {
  expect_refused("F6", {
                           {"overlap", two("[0,2]", "[1,3]"), "123"},
                           {"same place", two("[0,2]", "[0,2]"), "12"},
                           {"hole", two("[0,2]", "[3,5]"), "12345"},
                           {"hole at first", one("I8", "[1]", "[1,2]"), "12"},
                           {"rest", one("I8", "[1]", "[0,1]"), "12"},
                       });
}

TEST_F(Safetensors, F7_NoSuchTensor) {
  expect_refused("F7", {{"no tensor a", R"({"b":{"dtype":"I8","shape":[1],"data_offsets":[0,1]}})", "1"}});
}

TEST_F(Safetensors, F3_Lengths) {
  const std::string files[] = {"", "1234567", std::string(8, '\xff'), std::string("\x80\xd1\xf0\x08\0\0\0\0{}", 10),
                               std::string("\3\0\0\0\0\0\0\0{}", 10)};
  for (const std::string& bytes : files) {
    write_bytes(path(), bytes);
    EXPECT_EQ(read_safetensors(path(), "a").status().rule, "F3") << bytes.size();
  }
}

TEST_F(Safetensors, F7_NamesWhatThereIs) {
  value_or_throw(write_safetensors(path(), std::vector<NamedView>{{"a", tensor({1})}, {"b", tensor({2})}}));
  for (const char* name : {"", "c"}) {
    const Status s = read_safetensors(path(), name).status();
    EXPECT_EQ(s.rule, "F7");
    EXPECT_NE(s.message.find("[a,b]"), std::string::npos) << s.message;
  }
}

TEST_F(Safetensors, F5_AStatedDtypeIsTheFiles) {
  value_or_throw(write_safetensors(path(), std::vector<NamedView>{{"a", tensor({1})}}));
  EXPECT_EQ(read(path(), "a", DType::kF32).status().rule, "F5");
  EXPECT_TRUE(read(path(), "a", DType::kI32).ok());
}

TEST_F(Safetensors, F10_WhatTheFormatHasNot) {
  const Tensor t = tensor({1});
  EXPECT_EQ(write_safetensors(path(), std::vector<NamedView>{{"a", scalar(std::complex<double>(1))}}).rule, "F10");
  EXPECT_EQ(write_safetensors(path(), std::vector<NamedView>{{"a", t}, {"a", t}}).rule, "F10");
  EXPECT_EQ(write_safetensors(path(), std::vector<NamedView>{{"__metadata__", t}}).rule, "F10");
  EXPECT_EQ(write_safetensors(path(), std::vector<NamedView>{{"\xff", t}}).rule, "F10");
  const View all(DType::kI8, t.data(), {INT64_MAX}, {0});
  EXPECT_EQ(write_safetensors(path(), std::vector<NamedView>{{"a", all}, {"b", all}}).rule, "F10");
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST_F(Safetensors, EveryTruncation) {
  value_or_throw(write_safetensors(path(), std::vector<NamedView>{{"a", tensor({1, 2})}, {"b", tensor({2.0})}}));
  const std::string whole = bytes_in(path());
  for (std::size_t n = 0; n < whole.size(); ++n) {
    write_bytes(path(), whole.substr(0, n));
    const Status s = read_safetensors(path(), "a").status();
    EXPECT_TRUE(!s.ok() && is_orderly(s)) << n << ": " << s.message;
  }
}

TEST_F(Safetensors, AnyBytesGiveAnAnswer) {
  value_or_throw(write_safetensors(path(), std::vector<NamedView>{{"a", tensor({1, 2})}, {"b", tensor({2.0})}}));
  const std::string whole = bytes_in(path());
  const std::string letters = "{}[],:\"0123456789-.eabIFU\\\xff";
  for (unsigned seed = 0; seed < effort(500U, 200U); ++seed) {
    std::mt19937 random(seed);
    std::string bytes = whole;
    for (unsigned k = 0; k <= random() % 4; ++k)
      bytes[random() % 20 == 0 ? random() % 8 : 8 + random() % (bytes.size() - 8)] = letters[random() % letters.size()];
    write_bytes(path(), bytes);
    const auto out = read_safetensors(path(), "a");
    EXPECT_TRUE(is_orderly(out.status())) << "seed " << seed << ": " << out.status().message;
    EXPECT_TRUE(!out.ok() || validate(out->view, "x").ok()) << "seed " << seed;
  }
}

}  // namespace
}  // namespace garner::format
