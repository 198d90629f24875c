// Tests that need a process of their own, which scripts/check_tables gives them: FaultyDisk runs behind
// conformance/faults, LimitedTable with 2 GiB of address space.
#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

#include "garner/tensor.h"
#include "table/test_tables.h"

namespace garner {
namespace {

using testing::HasSubstr;

// ---- reads that go wrong below the library ----

class FaultyDisk : public testing::Test {
 protected:
  FaultyDisk() {
    value_or_throw(format::write_npy(folder / "t.npy", rows));
    table = open_table(folder / "t.npy", {.place = Place::kDisk, .cache_bytes = 0, .reader = DiskReader::kThreads});
  }
  ~FaultyDisk() override { ::unsetenv("GARNER_READS"); }
  Result<Tensor> gather_with(const char* reads) {
    ::setenv("GARNER_READS", reads, 1);
    return tables::gather(table, ids);
  }
  Tensor rows = format::random_tensor(DType::kF32, {3000, 3000}, 7), ids = random_ids(50, 3000, 1);
  DiskFolder folder;
  Table table = table_of(rows);
};

TEST_F(FaultyDisk, TB6_Eio) {
  const Status s = gather_with("eio").status();
  EXPECT_EQ(s.code, Code::kSystem);
  EXPECT_EQ(s.rule, "TB6");
  EXPECT_THAT(s.message, HasSubstr("t.npy: cannot be read at offset "));
  EXPECT_THAT(s.message, HasSubstr(": Input/output error"));
}

TEST_F(FaultyDisk, TB7_TheFileEnds) { EXPECT_EQ(gather_with("end").status().rule, "TB7"); }

TEST_F(FaultyDisk, InterruptedAndShortReadsAreMadeGood) {
  for (const char* reads : {"eintr", "short", "plain"})
    EXPECT_TRUE(same_bits(value_or_throw(gather_with(reads)), selected(rows, ids))) << reads;
}

TEST_F(FaultyDisk, TB6_TheHeaderAndAWholeTable) {
  ::setenv("GARNER_READS", "eio", 1);
  EXPECT_EQ(tables::open(folder / "t.npy").status().rule, "TB6");
}

// ---- less memory than a table has ----

class LimitedTable : public testing::Test {
 protected:
  static constexpr Index kRow = 4096, kRows = (Index{64} << 30) / kRow;

  /// A file with holes: every 4096th row is written, with its number all over.
  LimitedTable() {
    const int file = ::open((folder / "rows.bin").c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    EXPECT_EQ(::ftruncate(file, kRow * kRows), 0);
    for (Index row = 0; row < kRows; row += 4096) {
      const std::vector<Index> numbers(kRow / 8, row + 1);
      EXPECT_EQ(::pwrite(file, numbers.data(), kRow, row * kRow), kRow);
    }
    ::close(file);
  }
  TableOptions options(Place place) const { return {.place = place, .dtype = DType::kI64, .shape = {kRows, kRow / 8}}; }
  Status opened(const TableOptions& o) const { return tables::open(folder / "rows.bin", o).status(); }

  /// A line of /proc/self/status, in MiB.
  static Index status_of(const std::string& name) {
    std::ifstream in("/proc/self/status");
    for (std::string line; std::getline(in, line);)
      if (line.starts_with(name)) return std::stoll(line.substr(name.size())) / 1024;
    return -1;
  }
  DiskFolder folder;
};

TEST_F(LimitedTable, SixtyFourGiBAreGatheredInTwo) {
  const Table table = open_table(folder / "rows.bin", options(Place::kAuto));
  EXPECT_EQ(table.place(), Place::kDisk);
  const Tensor ids = random_ids(20000, kRows / 4096, 3);
  Index wrong = 0;
  for (Index part = 0; part < 4; ++part) {
    std::vector<Index> some(ids.as<Index>() + part * 5000, ids.as<Index>() + (part + 1) * 5000);
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = some[i] * 4096 + static_cast<Index>(i % 2);
    const Tensor got = gather(table, some);
    for (std::size_t i = 0; i < some.size(); ++i)
      for (const Index at : {Index{0}, kRow / 8 - 1})
        wrong += got.as<Index>()[static_cast<Index>(i) * kRow / 8 + at] != (i % 2 == 0 ? some[i] + 1 : 0);
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LT(status_of("VmHWM:"), 1024);
  RecordProperty("peak_memory_mib", static_cast<int>(status_of("VmHWM:")));
  std::printf("64-GiB table: 20000 rows gathered, peak memory (VmHWM) %td MiB, address space (VmPeak) %td MiB\n",
              status_of("VmHWM:"), status_of("VmPeak:"));
}

TEST_F(LimitedTable, V6_F1_WhatDoesNotFitMemory) {
  const Status whole = opened(options(Place::kMemory)), mapped = opened(options(Place::kMapped));
  EXPECT_EQ(whole.code, Code::kMemory);
  EXPECT_EQ(whole.rule, "V6");
  EXPECT_THAT(whole.message, HasSubstr("rows.bin: the table needs 68719476736 bytes"));
  EXPECT_EQ(mapped.code, Code::kMemory);
  EXPECT_EQ(mapped.rule, "F1");
}

TEST_F(LimitedTable, V6_CachesAndResults) {
  TableOptions large = options(Place::kDisk);
  large.cache_bytes = Index{16} << 30;
  EXPECT_EQ(opened(large).code, Code::kMemory);
  const Table table = open_table(folder / "rows.bin", options(Place::kDisk));
  const Index zero = 0;
  const View many(DType::kI64, &zero, {1 << 20}, {0});  // 4 GiB of rows
  EXPECT_EQ(tables::gather(table, many).status().code, Code::kMemory);
  EXPECT_EQ(table.prefetch(many).try_wait().status().code, Code::kMemory);
  EXPECT_EQ(gather(table, tensor<Index>({4096})).as<Index>()[0], 4097) << "and then goes on";
}

TEST_F(LimitedTable, V6_WhatTheCallItselfTakes) {
  TableOptions bytes = options(Place::kDisk);
  bytes.dtype = DType::kU8;
  bytes.shape = {kRows * kRow};
  const Table table = open_table(folder / "rows.bin", bytes);
  const Index zero = 0;
  const View many(DType::kI64, &zero, {400'000'000}, {0});  // 400 MB of rows, 3.2 GB of numbers
  const Status s = tables::gather(table, many).status();
  EXPECT_EQ(s.code, Code::kMemory) << s.message;
  EXPECT_EQ(s.rule, "V6");
}

}  // namespace
}  // namespace garner
