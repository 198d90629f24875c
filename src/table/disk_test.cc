// Rows on disk: merged reads, the cache, counts, and any rows, offsets, depths and ids against rows in memory.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <thread>

#include "table/block_reader.h"
#include "table/test_tables.h"

namespace garner {
namespace {

class DiskTables : public testing::Test {
 protected:
  Table open(const TableOptions& options) {
    return open_table(folder / "rows.bin", raw_options(options, rows, offset));
  }
  void write(Tensor what, Index behind = 0) {
    rows = std::move(what);
    offset = behind;
    write_raw(folder / "rows.bin", rows, offset);
  }
  Tensor rows;
  Index offset = 0;
  DiskFolder folder;
};

TEST_F(DiskTables, RowsSmallerThanASectorAndLargerThanManyBlocks) {
  for (const Index bytes : {1, 3, 100, 511, 512, 4095, 4096, 4097, 20000, 300000}) {
    write(format::random_tensor(DType::kU8, {40, bytes}, 7), 77);
    for (const DiskReader reader : {uring_or_auto(), DiskReader::kThreads})
      for (const int depth : {1, 5, 256}) {
        const Table table = open({.place = Place::kDisk, .queue_depth = depth, .reader = reader});
        const Tensor ids = random_ids(60, 40, 3);
        EXPECT_TRUE(same_bits(gather(table, ids), selected(rows, ids))) << bytes << " depth " << depth;
      }
  }
}

TEST_F(DiskTables, CountsReadsAndBytes) {
  write(format::random_tensor(DType::kU8, {1000, 256}, 7));
  const Table table = open({.place = Place::kDisk});
  gather(table, tensor({0, 1, 0, 15, 16, 999}));
  TableStats s = table.stats();
  EXPECT_EQ(s.lookups, 6);
  EXPECT_EQ(s.unique, 5);
  EXPECT_EQ(s.hits, 0);
  EXPECT_EQ(s.reads, 2);  // blocks 0 and 1 in one, and block 62
  EXPECT_EQ(s.bytes_asked, 5 * 256);
  EXPECT_EQ(s.bytes_read, 3 * 4096);
  EXPECT_DOUBLE_EQ(s.amplification(), 12288.0 / 1280.0);
  gather(table, tensor({1, 15, 2}));
  s = table.stats();
  EXPECT_EQ(s.hits, 2);
  EXPECT_EQ(s.reads, 3);
  EXPECT_EQ(TableStats{}.amplification(), 1.0);
}

/// Rows that are asked for often do not lie side by side.
Index scattered(Index row) { return row * 7919 % 100000; }

TEST_F(DiskTables, ACacheOfSkewedIdsSavesReads) {
  write(format::random_tensor(DType::kU8, {100000, 64}, 7));
  std::mt19937_64 random(1);
  const auto read_with = [&](Index cache_bytes) {
    const Table table = open({.place = Place::kDisk, .cache_bytes = cache_bytes});
    for (int call = 0; call < 20; ++call) {
      std::vector<Index> ids(500);
      for (Index& id : ids) id = scattered(zipf(random, 100000));
      gather(table, ids);
    }
    return table.stats();
  };
  const TableStats without = read_with(0), with = read_with(2 << 20);
  EXPECT_EQ(without.hits, 0);
  EXPECT_GT(with.hits, with.unique / 3);
  EXPECT_LT(with.bytes_read, without.bytes_read * 3 / 4);
}

TEST_F(DiskTables, SeveralThreadsOfOneTable) {
  write(format::random_tensor(DType::kI32, {5000, 30}, 7), 9);
  for (const DiskReader reader : {uring_or_auto(), DiskReader::kThreads}) {
    const Table table = open({.place = Place::kDisk, .cache_bytes = 50000, .reader = reader});
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (unsigned call = 0; call < 5; ++call) {
          const Tensor ids = random_ids(400, 5000, 10 * t + call);
          EXPECT_TRUE(same_bits(gather(table, ids), selected(rows, ids)));
        }
      });
    threads.clear();
    EXPECT_EQ(table.stats().lookups, 4 * 5 * 400);
  }
}

TEST_F(DiskTables, BuffersFitWhatMayBeLocked) {
  for (const int depth : {1, 2, 64, 128, 200, 256}) EXPECT_LE(longest_read(depth) * depth, 4 << 20) << depth;
  for (const int depth : {1, 3, 128, 4096}) EXPECT_EQ(longest_read(depth) % kBlock, 0) << depth;
}

/// From now on this thread gets no io_uring, as in many containers.
bool refuse_rings() {
  sock_filter rules[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                         BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_io_uring_setup, 0, 1),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
                         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog program{static_cast<unsigned short>(std::size(rules)), rules};
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
         ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0) == 0;
}

TEST_F(DiskTables, TB8_WhereNoRingIsGivenThreadsRead) {
  write(format::random_tensor(DType::kU8, {100, 300}, 7));
  std::jthread([&] {
    ASSERT_TRUE(refuse_rings());
    const TableOptions ring = raw_options({.place = Place::kDisk, .reader = DiskReader::kUring}, rows, 0);
    EXPECT_EQ(tables::open(folder / "rows.bin", ring).status().rule, "TB8");
    const Table table = open({.place = Place::kDisk, .reader = DiskReader::kAuto});
    EXPECT_TRUE(same_bits(gather(table, tensor({99, 5})), selected(rows, tensor({99, 5}))));
  }).join();
}

/// A file in memory: until Linux 6.6 such file systems had no reads around the page cache.
TEST_F(DiskTables, FileSystemsWithoutDirectReads) {
  const int file = ::memfd_create("rows", 0);
  ASSERT_GE(file, 0);
  const std::string path = "/proc/self/fd/" + std::to_string(file);
  rows = format::random_tensor(DType::kU8, {500, 300}, 7);
  write_raw(path, rows, 5);
  for (const DiskReader reader : {uring_or_auto(), DiskReader::kThreads}) {
    const Table table = open_table(path, raw_options({.place = Place::kDisk, .reader = reader}, rows, 5));
    const Tensor ids = random_ids(200, 500, 1);
    EXPECT_TRUE(same_bits(gather(table, ids), selected(rows, ids)));
  }
  ::close(file);
}

/// Everything that may differ between two tables of the same rows.
struct Random {
  Index count, bytes, offset, ids;
  TableOptions options;
  unsigned seed;
};

Random random_table() {
  Random r{};
  r.count = *rc::gen::inRange<Index>(1, 200);
  r.bytes = *rc::gen::element<Index>(1, 2, 60, 256, 1000, 4096, 5000, 40000);
  r.offset = *rc::gen::inRange<Index>(0, 9000);
  r.ids = *rc::gen::inRange<Index>(0, 300);
  r.seed = *rc::gen::arbitrary<unsigned>();
  r.options = {.place = *rc::gen::element(Place::kMemory, Place::kMapped, Place::kDisk, Place::kDisk, Place::kDisk),
               .cache_bytes = *rc::gen::element<Index>(0, 500, 20000, 1 << 20),
               .queue_depth = *rc::gen::element(1, 2, 7, 128),
               .reader = *rc::gen::element(uring_or_auto(), DiskReader::kThreads)};
  return r;
}

RC_GTEST_PROP(DiskTablesProperty, AsSelectedInMemory, ()) {
  static const DiskFolder folder;
  const Random r = random_table();
  const Tensor rows = format::random_tensor(DType::kU8, {r.count, r.bytes}, r.seed);
  write_raw(folder / "rows.bin", rows, r.offset);
  const Table table = open_table(folder / "rows.bin", raw_options(r.options, rows, r.offset));
  for (unsigned call = 0; call < 3; ++call) {
    const Tensor ids = random_ids(r.ids, r.count, r.seed + call);
    RC_ASSERT(same_bits(gather(table, ids), selected(rows, ids)));
    RC_ASSERT(same_bits(table.prefetch(ids).wait(), selected(rows, ids)));
  }
  RC_ASSERT(table.stats().lookups == 6 * r.ids);
}

}  // namespace
}  // namespace garner
