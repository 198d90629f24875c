// What the system may answer instead of a row: errors, less than was asked for, the end of a file that was longer.
#include <unistd.h>

#include <atomic>
#include <cerrno>

#include "table/row_file.h"
#include "table/test_tables.h"

namespace garner {
namespace {

using testing::HasSubstr;

/// The system's answers, made worse for as long as this lives.
class Answers {
 public:
  explicit Answers(AnswerFilter filter) { answer_filter_for_tests() = filter; }
  Answers(const Answers&) = delete;
  Answers& operator=(const Answers&) = delete;
  ~Answers() { answer_filter_for_tests() = nullptr; }
};

std::atomic<int> answers = 0;

class Faults : public testing::TestWithParam<DiskReader> {
 protected:
  Faults() {
    value_or_throw(format::write_npy(folder / "t.npy", rows));
    table =
        open_table(folder / "t.npy",
                   {.place = Place::kDisk, .cache_bytes = 0, .reader = has_uring() ? GetParam() : DiskReader::kAuto});
    answers = 0;
  }
  void expect_right() { EXPECT_TRUE(same_bits(gather(table, ids), selected(rows, ids))); }

  Tensor rows = format::random_tensor(DType::kF32, {20000, 16}, 7), ids = random_ids(500, 20000, 1);
  DiskFolder folder;
  Table table = table_of(rows);
};

TEST_P(Faults, TB6_AnErrorNamesFileAndOffset) {
  const Answers bad([](Index offset, ssize_t answer) -> ssize_t { return offset >= 400000 ? -EIO : answer; });
  const Status s = tables::gather(table, ids).status();
  EXPECT_EQ(s.code, Code::kSystem);
  EXPECT_EQ(s.rule, "TB6");
  EXPECT_THAT(s.message, HasSubstr("t.npy: cannot be read at offset "));
  EXPECT_THAT(s.message, HasSubstr("Input/output error"));
  EXPECT_THROW(gather(table, ids), SystemError);
  EXPECT_EQ(table.prefetch(ids).try_wait().status().rule, "TB6");
}

TEST_P(Faults, OnceItIsOverRowsComeAgain) {
  {
    const Answers bad([](Index, ssize_t) -> ssize_t { return -EIO; });
    EXPECT_EQ(tables::gather(table, ids).status().rule, "TB6");
  }
  expect_right();
}

TEST_P(Faults, InterruptedReadsAreAskedForAgain) {
  const Answers bad([](Index, ssize_t answer) -> ssize_t {
    const int n = answers++;
    return n % 3 == 0 ? -EINTR : n % 3 == 1 ? -EAGAIN : answer;
  });
  expect_right();
}

TEST_P(Faults, TB6_WhatIsInterruptedForeverIsGivenUp) {
  const Answers bad([](Index, ssize_t) -> ssize_t { return -EAGAIN; });
  EXPECT_EQ(tables::gather(table, ids).status().rule, "TB6");
}

TEST_P(Faults, ShortReadsGoOn) {
  const Answers bad(
      [](Index, ssize_t answer) -> ssize_t { return answer > 4096 && answers++ % 2 == 0 ? answer / 2 : answer; });
  expect_right();
}

TEST_P(Faults, ReadsOfLessThanABlockAreAskedForAgain) {
  const Answers bad([](Index, ssize_t answer) -> ssize_t { return answers++ % 2 == 0 ? 100 : answer; });
  expect_right();
}

TEST_P(Faults, TB7_AFileCutShortWhileOpen) {
  for (const Index end : {Index{100000}, Index{4096 * 50}, Index{0}}) {
    ASSERT_EQ(::truncate((folder / "t.npy").c_str(), end), 0);
    const Status s = tables::gather(table, tensor<Index>({1, 19999})).status();
    EXPECT_EQ(s.code, Code::kSystem);
    EXPECT_EQ(s.rule, "TB7") << s.message;
    EXPECT_THAT(s.message, HasSubstr("t.npy: ends at offset"));
  }
}

TEST_P(Faults, RowsBeforeTheNewEndAreStillThere) {
  ASSERT_EQ(::truncate((folder / "t.npy").c_str(), 128 + 64 * 100), 0);
  const Tensor first = tensor<Index>({0, 50, 99});
  EXPECT_TRUE(same_bits(gather(table, first), selected(rows, first)));
}

TEST_P(Faults, TB9_ATicketCalledOffEndsSoon) {
  const Answers slow([](Index, ssize_t answer) -> ssize_t {
    ::usleep(20000);
    return answer;
  });
  const auto begin = std::chrono::steady_clock::now();
  { const Ticket dropped = table.prefetch(random_ids(20000, 20000, 5)); }
  // All blocks one after the other would take six seconds by io_uring; of those under way each is waited for.
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

TEST_P(Faults, KMemoryTablesReportTheirReadsToo) {
  const Answers bad([](Index offset, ssize_t answer) -> ssize_t { return offset >= 128 ? -EIO : answer; });
  const Status s = tables::open(folder / "t.npy", {.place = Place::kMemory}).status();
  EXPECT_EQ(s.rule, "TB6");
  EXPECT_THAT(s.message, HasSubstr("at offset 128"));
}

/// Every second block, in any order: more reads than one ring takes on.
class ManyReads : public testing::TestWithParam<DiskReader> {
 protected:
  ManyReads() {
    table = open_table(
        write_raw(folder / "rows.bin", rows, 0),
        raw_options({.place = Place::kDisk, .cache_bytes = 0, .reader = has_uring() ? GetParam() : DiskReader::kAuto},
                    rows, 0));
    auto* id = ids.as<Index>();
    for (Index i = 0; i < kIds; ++i) id[i] = 2 * (i * 1237 % kIds);
  }

  static constexpr Index kIds = 4200;
  Tensor rows = format::random_tensor(DType::kU8, {2 * kIds, 4096}, 7);
  Tensor ids = value_or_throw(Tensor::empty(DType::kI64, {kIds}));
  DiskFolder folder;
  Table table = table_of(rows);
};

TEST_P(ManyReads, OnAnyNumberOfThreads) {
  for (const int threads : {1, 2, 3, 16}) {
    EXPECT_TRUE(same_bits(gather(table, ids, {}, {.threads = threads}), selected(rows, ids))) << threads;
    EXPECT_EQ(table.stats().reads % kIds, 0);
  }
}

TEST_P(ManyReads, TB6_AnErrorInOneOfThemEndsAll) {
  {
    const Answers bad([](Index offset, ssize_t answer) -> ssize_t { return offset == 8192 * 4000 ? -EIO : answer; });
    const Status s = tables::gather(table, ids, {}, {.threads = 4}).status();
    EXPECT_EQ(s.rule, "TB6");
    EXPECT_THAT(s.message, HasSubstr("rows.bin: cannot be read at offset 32768000"));
  }
  EXPECT_TRUE(same_bits(gather(table, ids, {}, {.threads = 4}), selected(rows, ids)));
}

INSTANTIATE_TEST_SUITE_P(Readers, ManyReads, testing::Values(DiskReader::kUring, DiskReader::kThreads),
                         [](const auto& info) { return info.param == DiskReader::kUring ? "Uring" : "Threads"; });
INSTANTIATE_TEST_SUITE_P(Readers, Faults, testing::Values(DiskReader::kUring, DiskReader::kThreads),
                         [](const auto& info) { return info.param == DiskReader::kUring ? "Uring" : "Threads"; });

}  // namespace
}  // namespace garner
