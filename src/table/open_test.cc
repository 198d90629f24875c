// What opens as a table, and what is refused: headers that lie, files cut short, indices of shards.
#include <gmock/gmock.h>

#include "table/memory.h"
#include "table/test_tables.h"

namespace garner {
namespace {

using format::NamedView;
using format::write_bytes;
using testing::HasSubstr;

class OpenTable : public testing::Test {
 protected:
  Status refused(const std::string& name, const TableOptions& options = {}) {
    return tables::open(folder / name, options).status();
  }
  std::string index_of(const std::string& weight_map) {
    return write_bytes(folder / "model.safetensors.index.json",
                       R"({"metadata": {"total_size": 8}, "weight_map": )" + weight_map + "}");
  }
  Tensor rows = format::random_tensor(DType::kF32, {30, 5}, 7);
  Tensor ids = random_ids(50, 30, 1);
  format::Folder folder;
};

TEST_F(OpenTable, Safetensors) {
  const std::string path = folder / "m.safetensors";
  value_or_throw(
      format::write_safetensors(path, std::vector<NamedView>{{"a:b", tensor<std::int8_t>({1, 2, 3})}, {"emb", rows}}));
  for (const Placement& p : placements()) {
    EXPECT_TRUE(same_bits(gather(open_table(path + ":emb", p.options), ids), selected(rows, ids))) << p.name;
    EXPECT_TRUE(same_bits(gather(open_table(path + ":a:b", p.options), tensor({2})), tensor<std::int8_t>({3})));
  }
  EXPECT_EQ(refused("m.safetensors").rule, "F7");
  EXPECT_EQ(refused("m.safetensors:c").rule, "F7");
  EXPECT_EQ(refused("m.safetensors:emb", {.dtype = DType::kF64}).rule, "F5");
}

TEST_F(OpenTable, Shards) {
  value_or_throw(format::write_safetensors(folder / "model-00001-of-00002.safetensors",
                                           std::vector<NamedView>{{"other", tensor({1})}}));
  value_or_throw(format::write_safetensors(folder / "model-00002-of-00002.safetensors",
                                           std::vector<NamedView>{{"emb.weight", rows}, {"more", tensor({2})}}));
  const std::string path = index_of(R"({"other": "model-00001-of-00002.safetensors",
    "emb.weight": "model-00002-of-00002.safetensors", "more": "model-00002-of-00002.safetensors"})");
  for (const Placement& p : placements())
    EXPECT_TRUE(same_bits(gather(open_table(path + ":emb.weight", p.options), ids), selected(rows, ids))) << p.name;
}

TEST_F(OpenTable, TB5_TheIndexOfShards) {
  const std::string name = "model.safetensors.index.json";
  for (const char* text : {"", "[]", "{", "{}", R"({"weight_map": []})", R"({"weight_map": 5})", "\xff"}) {
    write_bytes(folder / name, text);
    EXPECT_EQ(refused(name + ":a").rule, "TB5") << text;
  }
  for (const char* shard : {"5", "null", R"("")", R"("../m.safetensors")", R"("/m.safetensors")", R"("m.bin")"}) {
    index_of(fmt::format(R"({{"a": {}}})", shard));
    const Status s = refused(name + ":a");
    EXPECT_EQ(s.rule, "TB5") << shard;
    EXPECT_THAT(s.message, HasSubstr("model.safetensors.index.json"));
  }
  index_of(R"({"a": "gone.safetensors"})");
  EXPECT_EQ(refused(name + ":b").rule, "F7");
  EXPECT_EQ(refused(name).rule, "F7");
  EXPECT_EQ(refused(name + ":a").rule, "F1");
}

TEST_F(OpenTable, F3_F4_F6_AShardThatLies) {
  index_of(R"({"a": "s.safetensors"})");
  const std::string shard = folder / "s.safetensors";
  value_or_throw(format::write_safetensors(shard, std::vector<NamedView>{{"a", rows}}));
  const std::string whole = format::bytes_in(shard), name = "model.safetensors.index.json:a";
  EXPECT_TRUE(refused(name).ok());
  for (std::size_t n = 0; n < whole.size(); n += 7) {
    write_bytes(shard, whole.substr(0, n));
    const Status s = refused(name);
    EXPECT_TRUE(s.rule == "F3" || s.rule == "F4" || s.rule == "F6") << n << ": " << s.message;
    EXPECT_THAT(s.message, HasSubstr("s.safetensors"));
  }
  write_bytes(shard, whole + "x");
  EXPECT_EQ(refused(name).rule, "F6");
  std::string other = whole;
  other.replace(other.find("\"a\""), 3, "\"b\"");
  write_bytes(shard, other);
  EXPECT_EQ(refused(name).rule, "F7");
}

TEST_F(OpenTable, RawFilesOfAnyOffset) {
  for (const Index offset : {0, 1, 13, 64, 4095, 4096, 5000}) {
    write_raw(folder / "rows.bin", rows, offset);
    for (const Placement& p : placements()) {
      const Table table = open_table(folder / "rows.bin", raw_options(p.options, rows, offset));
      EXPECT_TRUE(same_bits(gather(table, ids), selected(rows, ids))) << p.name << " at " << offset;
    }
  }
}

TEST_F(OpenTable, F6_RowsBeyondTheEnd) {
  write_raw(folder / "rows.bin", rows, 10);
  for (const Placement& p : placements()) {
    EXPECT_TRUE(refused("rows.bin", raw_options(p.options, rows, 10)).ok());
    const Status s = refused("rows.bin", raw_options(p.options, rows, 11));
    EXPECT_EQ(s.rule, "F6");
    EXPECT_THAT(s.message, HasSubstr("f32 of shape [30,5] is 600 bytes from offset 11, allowed 599"));
  }
  EXPECT_EQ(refused("rows.bin", {.dtype = DType::kF32, .shape = {INT64_MAX, 2}}).rule, "F6");
  EXPECT_EQ(refused("rows.bin", {.dtype = DType::kF32, .shape = {-1, 2}}).rule, "F6");
  EXPECT_EQ(refused("rows.bin", {.dtype = DType::kF32, .shape = {1}, .offset = INT64_MAX}).rule, "F6");
}

TEST_F(OpenTable, F3_F4_F6_EveryTruncationOfAnNpy) {
  value_or_throw(format::write_npy(folder / "t.npy", rows));
  const std::string whole = format::bytes_in(folder / "t.npy");
  for (std::size_t n = 0; n < whole.size(); n += 13) {
    write_bytes(folder / "t.npy", whole.substr(0, n));
    const Status s = refused("t.npy", {.place = Place::kDisk});
    EXPECT_TRUE(!s.ok() && s.rule.starts_with("F")) << n << ": " << s.message;
    EXPECT_THAT(s.message, HasSubstr("t.npy"));
  }
}

TEST_F(OpenTable, TB4_WhatIsNoTable) {
  const auto npy = [&](const char* text) {
    std::string header = fmt::format("{{'descr': {}, }}", text);
    header.append(118 - header.size(), ' ');
    write_bytes(folder / "t.npy", std::string("\x93NUMPY\x01\0v\0", 10) + header + std::string(48, 'x'));
    return refused("t.npy");
  };
  EXPECT_EQ(npy("'<f4', 'fortran_order': False, 'shape': (3, 4)").rule, "");
  const Status fortran = npy("'<f4', 'fortran_order': True, 'shape': (3, 4)");
  EXPECT_EQ(fortran.rule, "TB4");
  EXPECT_THAT(fortran.message, HasSubstr("t.npy: is in Fortran order, allowed C order"));
  EXPECT_EQ(npy("'<f4', 'fortran_order': True, 'shape': (12,)").rule, "");
  EXPECT_EQ(npy("'>f4', 'fortran_order': False, 'shape': (3, 4)").rule, "TB4");
  EXPECT_EQ(npy("'<f4', 'fortran_order': False, 'shape': ()").rule, "TB4");
  EXPECT_EQ(tables::of(scalar(1.0F)).status().rule, "TB4");
}

TEST_F(OpenTable, TB2_TB8_Options) {
  write_raw(folder / "rows.bin", rows, 0);
  value_or_throw(format::write_npy(folder / "t.npy", rows));
  EXPECT_EQ(refused("t.npy", {.queue_depth = 0}).rule, "TB2");
  EXPECT_EQ(refused("t.npy", {.queue_depth = 4097}).rule, "TB2");
  EXPECT_EQ(refused("t.npy", {.cache_bytes = -1}).rule, "TB2");
  EXPECT_EQ(refused("t.npy", {.offset = -1}).rule, "TB2");
  EXPECT_EQ(refused("t.npy", {.offset = 128}).rule, "TB2");
  EXPECT_EQ(refused("t.npy", {.shape = {30, 5}}).rule, "TB2");
  EXPECT_EQ(refused("rows.bin").rule, "TB2");
  EXPECT_EQ(refused("rows.bin", {.shape = {30, 5}}).rule, "TB2");
  EXPECT_EQ(refused("t.npy", {.place = Place::kRanks}).rule, "TB8");
}

TEST_F(OpenTable, F1_NoFile) {
  EXPECT_EQ(refused("none.npy").rule, "F1");
  EXPECT_THAT(refused("none.npy").message, HasSubstr("none.npy: cannot be opened"));
  EXPECT_EQ(tables::open("/dev/null", {.dtype = DType::kU8, .shape = {1}}).status().rule, "F1");
  EXPECT_THROW(open_table(folder / "none.npy"), SystemError);
}

TEST_F(OpenTable, FreeMemoryIsSome) {
  EXPECT_GT(free_memory(), Index{1} << 20);
  EXPECT_LT(free_memory(), Index{1} << 60);
}

}  // namespace
}  // namespace garner
