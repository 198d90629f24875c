// .npy against bytes as NumPy writes them, and against bytes that nobody should write.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "base/effort.h"
#include "format/test_files.h"

namespace garner::format {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// A file of version 1 with this dict and these elements.
std::string npy(const std::string& dict, const std::string& elements, char version = 1) {
  std::string out = "\x93NUMPY";
  out += version;
  out += '\0';
  for (int i = 0; i < (version == 1 ? 2 : 4); ++i) out += static_cast<char>(dict.size() >> 8 * i & 255);
  return out + dict + elements;
}

std::string dict(const std::string& descr, const std::string& shape, const char* fortran = "False") {
  return fmt::format("{{'descr': '{}', 'fortran_order': {}, 'shape': {}, }}", descr, fortran, shape);
}

class Npy : public testing::Test {
 protected:
  Result<Mapped> read_back(const std::string& bytes, std::optional<DType> dtype = {}) {
    return read_npy(write_bytes(folder / "x.npy", bytes), dtype);
  }
  Mapped expect_read(const std::string& bytes, std::optional<DType> dtype = {}) {
    auto out = read_back(bytes, dtype);
    EXPECT_TRUE(out.ok()) << out.status().message;
    return out.ok() ? *out : Mapped{};
  }
  Folder folder;
};

TEST_F(Npy, EveryDtypeThereAndBack) {
  unsigned seed = 1;
  for (const DTypeInfo& d : kDTypes)
    for (const Axes& shape : {Axes{2, 3, 4}, Axes{}, Axes{0, 5}, Axes{7}}) {
      const Tensor t = random_tensor(d.dtype, shape, seed++);
      const std::string path = folder / "x.npy";
      ASSERT_TRUE(write_npy(path, t).ok()) << d.name;
      auto back = read_npy(path);
      if (back.status().rule == "F5") back = read_npy(path, d.dtype);  // NumPy has no name for it, so it must be stated
      ASSERT_TRUE(back.ok()) << back.status().message;
      EXPECT_TRUE(same_bits(back->view, t)) << d.name << ' ' << shape.size();
    }
  EXPECT_THAT(folder.names(), ElementsAre("x.npy"));
}

TEST_F(Npy, BytesAreNumPys) {
  const std::string path = folder / "x.npy";
  value_or_throw(write_npy(path, tensor({{1, 2, 3}, {4, 5, 6}})));
  std::string expected = npy(dict("<i4", "(2, 3)") + std::string(58, ' ') + "\n", "");
  for (int i = 1; i <= 6; ++i) expected += std::string{static_cast<char>(i), 0, 0, 0};
  EXPECT_EQ(bytes_in(path), expected);
}

TEST_F(Npy, LooksAtTheFileItself) {
  value_or_throw(write_npy(folder / "x.npy", tensor({1.F, 2.F})));
  const Mapped m = value_or_throw(read_npy(folder / "x.npy"));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.view.data()) % 4096, 128U);
  m.keeper->forget();
  EXPECT_TRUE(same_bits(m.view, tensor({1.F, 2.F})));
}

TEST_F(Npy, IsThereAfterTheFileIsRemoved) {
  value_or_throw(write_npy(folder / "x.npy", tensor({1.F, 2.F})));
  const Mapped m = value_or_throw(read_npy(folder / "x.npy"));
  std::filesystem::remove(folder / "x.npy");
  EXPECT_TRUE(same_bits(m.view, tensor({1.F, 2.F})));
}

TEST_F(Npy, FortranOrderIsStrides) {
  const Mapped m = expect_read(npy(dict("|u1", "(2, 3)", "True"), std::string("\1\4\2\5\3\6", 6)));
  EXPECT_EQ(m.view.stride(), (Axes{1, 2}));
  EXPECT_TRUE(same_bits(m.view, tensor<std::uint8_t>({{1, 2, 3}, {4, 5, 6}})));
}

TEST_F(Npy, BigEndianIsTurned) {
  const Mapped i = expect_read(npy(dict(">i2", "(2,)"), std::string("\0\1\1\0", 4)));
  EXPECT_TRUE(same_bits(i.view, tensor<std::int16_t>({1, 256})));
  const Mapped c = expect_read(npy(dict(">c8", "()"), std::string("\x3f\x80\0\0\x40\0\0\0", 8)));
  EXPECT_TRUE(same_bits(c.view, scalar(std::complex<float>(1, 2))));
  const Mapped f = expect_read(npy(dict(">i2", "(2, 2)", "True"), std::string("\0\1\0\3\0\2\0\4", 8)));
  EXPECT_TRUE(same_bits(f.view, tensor<std::int16_t>({{1, 2}, {3, 4}})));
}

TEST_F(Npy, WhatElementsAreNotAlignedIsCopied) {
  for (int pad = 0; pad < 8; ++pad) {
    std::string elements(16, '\0');
    elements[0] = 7;
    const Mapped m = expect_read(npy(dict("<i8", "(2,)") + std::string(static_cast<std::size_t>(pad), ' '), elements));
    EXPECT_TRUE(validate(m.view, "x").ok()) << pad;
    EXPECT_TRUE(same_bits(m.view, tensor<Index>({7, 0}))) << pad;
  }
}

TEST_F(Npy, EveryVersionAndSpelling) {
  const char* dicts[] = {
      "{'descr': '<i2', 'fortran_order': False, 'shape': (1,), }  \n",
      "{\"shape\":(1,),\"descr\":\"<i2\",\"fortran_order\":False}",
      "{'descr': '=i2', 'fortran_order': False, 'shape': (1L,), }",
      " { 'fortran_order' : False ,\n'shape' : ( 1 , ) , 'descr' : '<i2' }\n",
      "{'descr': '<i2', 'fortran_order': True, 'shape': (1,)}",
  };
  for (const char* text : dicts)
    for (char version = 1; version <= 3; ++version)
      EXPECT_TRUE(same_bits(expect_read(npy(text, std::string("\5\0", 2), version)).view, tensor<std::int16_t>({5})))
          << text << static_cast<int>(version);
}

TEST_F(Npy, BytesBehindTheArrayAreNobodysConcern) {
  EXPECT_TRUE(same_bits(expect_read(npy(dict("|i1", "(1,)"), "\5rest")).view, tensor<std::int8_t>({5})));
}

TEST_F(Npy, F5_RawElementsNeedADtype) {
  const std::string half = npy(dict("<V2", "(1,)"), std::string("\x80\x3f", 2));
  EXPECT_EQ(read_back(half).status().rule, "F5");
  EXPECT_EQ(read_back(half, DType::kF16).status().rule, "F5");
  EXPECT_EQ(read_back(half, DType::kF8E5M2).status().rule, "F5");
  EXPECT_EQ(expect_read(half, DType::kBF16).view.dtype(), DType::kBF16);
  for (const char* descr : {"|V1", "<V1", "<f1"}) {
    EXPECT_EQ(read_back(npy(dict(descr, "(1,)"), "1")).status().rule, "F5") << descr;
    EXPECT_EQ(expect_read(npy(dict(descr, "(1,)"), "1"), DType::kF8E4M3).view.dtype(), DType::kF8E4M3) << descr;
  }
}

TEST_F(Npy, F5_AStatedDtypeIsTheFiles) {
  const std::string bytes = npy(dict("<f4", "(1,)"), "1234");
  EXPECT_EQ(read_back(bytes, DType::kI32).status().rule, "F5");
  EXPECT_TRUE(read_back(bytes, DType::kF32).ok());
}

struct Bad {
  const char* what;
  std::string bytes;
  const char* rule;
};

TEST_F(Npy, BadFiles) {
  const std::string long_list(100000, '1');
  std::string many = "(";
  for (int i = 0; i < 65; ++i) many += "1,";
  const Bad cases[] = {
      {"empty", "", "F3"},
      {"magic", "\x93NUMPX" + npy(dict("<f4", "(1,)"), "1234").substr(6), "F3"},
      {"only magic", "\x93NUMPY", "F3"},
      {"version 0", npy(dict("<f4", "()"), "1234", 0), "F3"},
      {"version 4", npy(dict("<f4", "()"), "1234", 4), "F3"},
      {"no length", std::string("\x93NUMPY\1\0\5", 9), "F4"},
      {"header longer than the file", std::string("\x93NUMPY\1\0\xff\xff{}", 12), "F4"},
      {"header of 4 GB", std::string("\x93NUMPY\2\0\xff\xff\xff\xff{}", 14), "F4"},
      {"no dict", npy("hello", ""), "F4"},
      {"empty dict", npy("{}", ""), "F4"},
      {"no shape", npy("{'descr': '<f4', 'fortran_order': False}", "1234"), "F4"},
      {"shape twice", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), 'shape': ()}", "1234"), "F4"},
      {"unknown key", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (), 'x': 1}", "1234"), "F4"},
      {"text behind the dict", npy(dict("<f4", "()") + "x", "1234"), "F4"},
      {"open dict", npy("{'descr': '<f4', 'fortran_order': False, 'shape': (", "1234"), "F4"},
      {"order is no bool", npy(dict("<f4", "()", "1"), "1234"), "F4"},
      {"shape is no tuple", npy(dict("<f4", "4"), "1234"), "F4"},
      {"shape of words", npy(dict("<f4", "(a,)"), "1234"), "F4"},
      {"record", npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", "1234"), "F5"},
      {"object", npy(dict("|O", "()"), "12345678"), "F5"},
      {"text", npy(dict("<U4", "()"), std::string(16, ' ')), "F5"},
      {"date", npy(dict("<M8[ns]", "()"), "12345678"), "F5"},
      {"f3", npy(dict("<f3", "()"), "123"), "F5"},
      {"f16", npy(dict("<f16", "()"), std::string(16, ' ')), "F5"},
      {"no descr", npy(dict("", "()"), "1234"), "F5"},
      {"no byte order", npy(dict("f4", "()"), "1234"), "F5"},
      {"negative extent", npy(dict("<f4", "(-1,)"), "1234"), "F6"},
      {"extent past 2^63", npy(dict("<f4", "(9223372036854775808,)"), "1234"), "F6"},
      {"extent of many digits", npy(dict("<f4", "(" + long_list.substr(0, 60000) + ",)"), "1234"), "F6"},
      {"overflowing product", npy(dict("<f4", "(4294967296, 4294967296, 4294967296)"), "1234"), "F6"},
      {"overflowing to 0", npy(dict("<f4", "(4294967296, 4294967296)"), "1234"), "F6"},
      {"overflowing bytes", npy(dict("<f8", "(2305843009213693952,)"), "1234"), "F6"},
      {"rank 65", npy(dict("<f4", many + ")"), "1234"), "F6"},
      {"one element short", npy(dict("<f4", "(2,)"), "1234"), "F6"},
      {"one byte short", npy(dict("<f4", "(2,)"), "1234567"), "F6"},
      {"a petabyte", npy(dict("<f4", "(1000000000000000,)"), "1234"), "F6"},
      {"a petabyte to be turned", npy(dict(">f4", "(1000000000000000,)"), "1234"), "F6"},
  };
  for (const Bad& c : cases) {
    const Status s = read_back(c.bytes).status();
    EXPECT_EQ(s.rule, c.rule) << c.what << ": " << s.message;
    EXPECT_NE(s.message.find("x.npy"), std::string::npos) << s.message;
  }
}

TEST_F(Npy, F4_NamesThePlace) {
  const Status s = read_back(npy("{'descr': '<f4', 'fortran_order': maybe}", "")).status();
  EXPECT_NE(s.message.find("offset 44"), std::string::npos) << s.message;
}

TEST_F(Npy, EveryTruncation) {
  value_or_throw(write_npy(folder / "whole.npy", tensor({{1, 2, 3}, {4, 5, 6}})));
  const std::string whole = bytes_in(folder / "whole.npy");
  for (std::size_t n = 0; n < whole.size(); ++n) {
    const Status s = read_back(whole.substr(0, n)).status();
    EXPECT_TRUE(s.rule == "F3" || s.rule == "F4" || s.rule == "F6") << n << ": " << s.message;
  }
}

TEST_F(Npy, AnyBytesGiveAnAnswer) {
  value_or_throw(write_npy(folder / "whole.npy", tensor({{1, 2, 3}, {4, 5, 6}})));
  const std::string whole = bytes_in(folder / "whole.npy");
  const char* letters = "'(){}[],:0123456789-L<>|=fiucVbTrueFals \n\xff";
  for (unsigned seed = 0; seed < effort(500U, 200U); ++seed) {
    std::mt19937 random(seed);
    std::string bytes = whole;
    for (unsigned k = 0; k <= random() % 4; ++k) bytes[random() % 80] = letters[random() % std::strlen(letters)];
    const auto out = read_back(bytes, seed % 2 == 0 ? std::nullopt : std::optional(DType::kBF16));
    EXPECT_TRUE(is_orderly(out.status())) << "seed " << seed << ": " << out.status().message;
    EXPECT_TRUE(!out.ok() || validate(out->view, "x").ok()) << "seed " << seed;
  }
}

TEST_F(Npy, F1_NoFileToRead) {
  EXPECT_EQ(read_npy(folder / "none.npy").status().rule, "F1");
  std::filesystem::create_directory(folder / "folder.npy");
  EXPECT_EQ(read_npy(folder / "folder.npy").status().rule, "F1");
  ASSERT_EQ(::mkfifo((folder / "pipe.npy").c_str(), 0600), 0);
  EXPECT_EQ(read_npy(folder / "pipe.npy").status().rule, "F1");
  EXPECT_EQ(read_npy("").status().rule, "F1");
}

TEST_F(Npy, F2_F7_ByTheEndOfTheName) {
  EXPECT_EQ(read(folder / "x.txt").status().rule, "F2");
  EXPECT_EQ(read(folder / "x.npy", "name").status().rule, "F7");
  EXPECT_EQ(read(folder / "x.npy").status().rule, "F1");
}

// ---- writing ----

TEST_F(Npy, WritesAnyStrides) {
  const Tensor t = tensor({{1, 2, 3}, {4, 5, 6}});
  const View turned(DType::kI32, t.as<int>() + 5, {3, 2}, {-1, -3});
  value_or_throw(write_npy(folder / "x.npy", turned));
  EXPECT_TRUE(same_bits(value_or_throw(read_npy(folder / "x.npy")).view, tensor({{6, 3}, {5, 2}, {4, 1}})));
}

TEST_F(Npy, WritesLargeStridedArraysInPieces) {
  const Tensor t = random_tensor(DType::kI64, {3001, 1500}, 1);
  for (const View& view :
       {View(DType::kI64, t.data(), {1500, 3001}, {1, 1500}), View(DType::kI64, t.data(), {1, 2250750}, {0, 2}),
        View(DType::kI64, t.data(), {3000000}, {0})}) {
    value_or_throw(write_npy(folder / "x.npy", view));
    EXPECT_TRUE(same_bits(value_or_throw(read_npy(folder / "x.npy")).view, view));
  }
}

TEST_F(Npy, F9_NowhereToWrite) {
  EXPECT_EQ(write_npy(folder / "none/x.npy", tensor({1})).rule, "F9");
  std::filesystem::create_directory(folder / "folder.npy");
  EXPECT_EQ(write_npy(folder / "folder.npy", tensor({1})).rule, "F9");
  EXPECT_EQ(write_npy("/dev/null", tensor({1})).rule, "F9");
  EXPECT_EQ(write_npy("", tensor({1})).rule, "F9");
  EXPECT_THAT(folder.names(), ElementsAre("folder.npy"));
}

TEST_F(Npy, F10_RanksNumPyHasNot) {
  EXPECT_EQ(write_npy(folder / "x.npy", View(DType::kI8, "x", Axes(65, 1))).rule, "F10");
  EXPECT_EQ(write_npy(folder / "x.npy", View(DType::kI8, "x", {-1})).rule, "V1");
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST_F(Npy, ALinkStaysALink) {
  write_bytes(folder / "real.npy", "old");
  std::filesystem::create_symlink(folder / "real.npy", folder / "link.npy");
  value_or_throw(write_npy(folder / "link.npy", tensor({1})));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link.npy"));
  EXPECT_TRUE(same_bits(value_or_throw(read_npy(folder / "real.npy")).view, tensor({1})));
}

TEST_F(Npy, OntoTheFileThatIsRead) {
  value_or_throw(write_npy(folder / "x.npy", tensor({1, 2})));
  const Mapped before = value_or_throw(read_npy(folder / "x.npy"));
  value_or_throw(write_npy(folder / "x.npy", tensor({3, 4})));
  EXPECT_TRUE(same_bits(before.view, tensor({1, 2})));
  EXPECT_TRUE(same_bits(value_or_throw(read_npy(folder / "x.npy")).view, tensor({3, 4})));
}

TEST_F(Npy, ModeIsThatOfAnyNewFile) {
  const mode_t mask = ::umask(022);
  value_or_throw(write_npy(folder / "x.npy", tensor({1})));
  ::umask(mask);
  struct stat about{};
  ASSERT_EQ(::stat((folder / "x.npy").c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0644U);
}

// ---- NpyWriter ----

TEST_F(Npy, WriterIsFilledInPlace) {
  NpyWriter writer = value_or_throw(NpyWriter::create(folder / "x.npy", DType::kI32, {2, 2}));
  EXPECT_TRUE(same_bits(writer.view(), tensor({{0, 0}, {0, 0}})));
  static_cast<int*>(writer.view().mutable_data())[3] = 7;
  writer.forget();
  EXPECT_THAT(folder.names(), testing::Not(testing::Contains("x.npy")));
  value_or_throw(writer.commit());
  EXPECT_TRUE(same_bits(value_or_throw(read_npy(folder / "x.npy")).view, tensor({{0, 0}, {0, 7}})));
  EXPECT_THAT(folder.names(), ElementsAre("x.npy"));
}

TEST_F(Npy, WriterLeavesNothingUnlessCommitted) {
  write_bytes(folder / "x.npy", "old");
  { const NpyWriter writer = value_or_throw(NpyWriter::create(folder / "x.npy", DType::kI32, {2, 2})); }
  EXPECT_THAT(folder.names(), ElementsAre("x.npy"));
  EXPECT_EQ(bytes_in(folder / "x.npy"), "old");
}

TEST_F(Npy, WriterOfNothing) {
  NpyWriter writer = value_or_throw(NpyWriter::create(folder / "x.npy", DType::kF32, {0, 3}));
  value_or_throw(writer.commit());
  EXPECT_EQ(value_or_throw(read_npy(folder / "x.npy")).view.shape(), (Axes{0, 3}));
}

TEST_F(Npy, F9_NoRoom) {
  EXPECT_EQ(NpyWriter::create(folder / "x.npy", DType::kF32, {Index{1} << 58}).status().rule, "F9");
  EXPECT_THAT(folder.names(), IsEmpty());
}

}  // namespace
}  // namespace garner::format
