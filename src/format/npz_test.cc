// .npz there and back, and zips that lie.
#include <gmock/gmock.h>

#include "base/effort.h"
#include "format/test_files.h"

namespace garner::format {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class Npz : public testing::TestWithParam<Packing> {
 protected:
  std::string path() const { return folder / "x.npz"; }
  /// Two arrays, the first of which packs well.
  std::string whole() {
    value_or_throw(write_npz(path(), std::vector<NamedView>{{"zeros", zeros}, {"b", numbers}}, GetParam()));
    return bytes_in(path());
  }
  Folder folder;
  const Tensor zeros = value_or_throw(Tensor::zeros(DType::kF64, {50, 40})), numbers = tensor({{1, 2}, {3, 4}});
};

INSTANTIATE_TEST_SUITE_P(Packings, Npz, testing::Values(Packing::kStored, Packing::kDeflated));

TEST_P(Npz, ThereAndBack) {
  const std::string bytes = whole();
  EXPECT_EQ(bytes.size() < 2000, GetParam() == Packing::kDeflated);
  EXPECT_THAT(value_or_throw(list_npz(path())), ElementsAre("zeros", "b"));
  EXPECT_TRUE(same_bits(value_or_throw(read_npz(path(), "zeros")).view, zeros));
  EXPECT_TRUE(same_bits(value_or_throw(read_npz(path(), "b")).view, numbers));
  EXPECT_THAT(folder.names(), ElementsAre("x.npz"));
}

TEST_P(Npz, EveryDtype) {
  std::vector<Tensor> tensors;
  std::vector<NamedView> arrays;
  for (const DTypeInfo& d : kDTypes) {
    tensors.push_back(random_tensor(d.dtype, {3, 5}, static_cast<unsigned>(tensors.size())));
    arrays.push_back({std::string(d.name), tensors.back()});
  }
  value_or_throw(write_npz(path(), arrays, GetParam()));
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto back = read_npz(path(), arrays[i].name, tensors[i].dtype());
    ASSERT_TRUE(back.ok()) << back.status().message;
    EXPECT_TRUE(same_bits(back->view, tensors[i])) << arrays[i].name;
  }
}

TEST_P(Npz, OneArrayNeedsNoName) {
  value_or_throw(write_npz(path(), std::vector<NamedView>{{"only", numbers}}, GetParam()));
  EXPECT_TRUE(same_bits(value_or_throw(read(path())).view, numbers));
}

TEST_P(Npz, SameArraysSameBytes) { EXPECT_EQ(whole(), whole()); }

TEST_P(Npz, NoArrays) {
  value_or_throw(write_npz(path(), {}, GetParam()));
  EXPECT_THAT(value_or_throw(list_npz(path())), IsEmpty());
  EXPECT_EQ(read_npz(path()).status().rule, "F7");
}

TEST_P(Npz, OddNames) {
  const char* names[] = {"a/b", "ä", "with space", ".npy"};
  for (const char* name : names) {
    value_or_throw(write_npz(path(), std::vector<NamedView>{{name, numbers}, {"other", zeros}}, GetParam()));
    EXPECT_TRUE(same_bits(value_or_throw(read_npz(path(), name)).view, numbers)) << name;
  }
}

TEST(NpzStored, LiesAligned) {
  const Folder folder;
  const Tensor t = tensor({1.0, 2.0});
  for (std::size_t n = 1; n < 70; ++n) {
    const std::string name(n, 'n');
    value_or_throw(write_npz(folder / "x.npz", std::vector<NamedView>{{"first", t}, {name, t}}));
    const Mapped m = value_or_throw(read_npz(folder / "x.npz", name));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.view.data()) % 64, 0U) << n;
    EXPECT_TRUE(same_bits(m.view, t)) << n;
  }
}

TEST_P(Npz, F7_NoSuchArray) {
  whole();
  EXPECT_EQ(read_npz(path()).status().rule, "F7");
  const Status s = read_npz(path(), "c").status();
  EXPECT_EQ(s.rule, "F7");
  EXPECT_NE(s.message.find("[zeros,b]"), std::string::npos) << s.message;
}

TEST_P(Npz, F10_Names) {
  const std::vector<NamedView> twice{{"a", numbers}, {"a", numbers}}, empty{{"", numbers}},
      huge{{std::string(70000, 'x'), numbers}};
  for (const auto& arrays : {twice, empty, huge}) EXPECT_EQ(write_npz(path(), arrays, GetParam()).rule, "F10");
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST_P(Npz, F9_NowhereToWrite) {
  EXPECT_EQ(write_npz(folder / "none/x.npz", std::vector<NamedView>{{"a", numbers}}, GetParam()).rule, "F9");
}

TEST_P(Npz, AnArrayThatCannotBeWrittenLeavesNothing) {
  const View bad(DType::kF32, nullptr, {3});
  EXPECT_EQ(write_npz(path(), std::vector<NamedView>{{"a", numbers}, {"b", bad}}, GetParam()).rule, "V4");
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST_P(Npz, F3_NoZip) {
  for (const char* bytes : {"", "PK", "hello", "PK\3\4"}) {
    write_bytes(path(), bytes);
    EXPECT_EQ(read_npz(path(), "a").status().rule, "F3") << bytes;
  }
}

/// The n-th little-endian field of `width` bytes at `at` behind the n-th directory entry's signature.
void poke(std::string& bytes, std::size_t entry, std::size_t at, std::string value) {
  std::size_t place = std::string::npos;
  for (std::size_t i = 0; i <= entry; ++i) place = bytes.find("PK\1\2", place == std::string::npos ? 0 : place + 1);
  ASSERT_NE(place, std::string::npos);
  bytes.replace(place + at, value.size(), value);
}

TEST_P(Npz, LyingDirectories) {
  constexpr std::size_t kFlags = 8, kMethod = 10, kPacked = 20, kUnpacked = 24, kOffset = 42;
  struct Lie {
    std::size_t at;
    std::string value;
  };
  const std::string huge("\xf0\xff\xff\x7f", 4);
  for (const Lie& lie :
       {Lie{kFlags, std::string("\1\0", 2)}, Lie{kMethod, std::string("\x0e\0", 2)}, Lie{kUnpacked, huge},
        Lie{kPacked, huge}, Lie{kOffset, huge}, Lie{kOffset, std::string("\7\0\0\0", 4)}}) {
    std::string bytes = whole();
    poke(bytes, 0, lie.at, lie.value);
    write_bytes(path(), bytes);
    const Status s = read_npz(path(), "zeros").status();
    EXPECT_TRUE(s.rule == "F6" || s.rule == "F8") << lie.at << ": " << s.rule << ' ' << s.message;
  }
}

TEST(NpzDeflated, F8_DamagedMember) {
  const Folder folder;
  const Tensor t = random_tensor(DType::kU8, {4000}, 5);
  value_or_throw(write_npz(folder / "x.npz", std::vector<NamedView>{{"a", t}}, Packing::kDeflated));
  std::string bytes = bytes_in(folder / "x.npz");
  bytes[2000] = static_cast<char>(bytes[2000] ^ 0x55);
  write_bytes(folder / "x.npz", bytes);
  EXPECT_EQ(read_npz(folder / "x.npz", "a").status().rule, "F8");
}

TEST_P(Npz, EveryTruncation) {
  const std::string bytes = whole();
  for (std::size_t n = 0; n < bytes.size(); n += n + 400 < bytes.size() ? 97 : 1) {
    write_bytes(path(), bytes.substr(0, n));
    const Status s = read_npz(path(), "zeros").status();
    EXPECT_TRUE(!s.ok() && is_orderly(s)) << n << ": " << s.rule;
  }
}

TEST_P(Npz, AnyBytesGiveAnAnswer) {
  const std::string good = whole();
  const std::size_t tail = good.find("PK\1\2");
  for (unsigned seed = 0; seed < effort(400U, 100U); ++seed) {
    std::mt19937 random(seed);
    std::string bytes = good;
    for (unsigned k = 0; k <= random() % 3; ++k)
      bytes[seed % 2 == 0 ? tail + random() % (bytes.size() - tail) : random() % bytes.size()] =
          static_cast<char>(random());
    write_bytes(path(), bytes);
    const auto out = read_npz(path(), "b");
    EXPECT_TRUE(is_orderly(out.status())) << "seed " << seed << ": " << out.status().message;
  }
}

}  // namespace
}  // namespace garner::format
