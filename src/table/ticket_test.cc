// Prefetch: the rows of a gather, read meanwhile; a ticket that is dropped leaves nothing running.
#include <chrono>
#include <filesystem>
#include <thread>

#include "table/test_tables.h"

namespace garner {
namespace {

class Tickets : public testing::Test {
 protected:
  Tickets() { value_or_throw(format::write_npy(folder / "t.npy", rows)); }
  static std::size_t threads_running() {
    const std::filesystem::directory_iterator tasks("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
  }
  Tensor rows = format::random_tensor(DType::kF32, {20000, 64}, 7), ids = random_ids(3000, 20000, 1);
  DiskFolder folder;
};

TEST_F(Tickets, GiveWhatGatherGives) {
  for (const Placement& p : placements()) {
    const Table table = open_table(folder / "t.npy", p.options);
    const Ticket ticket = table.prefetch(ids);
    EXPECT_TRUE(same_bits(ticket.wait(), selected(rows, ids))) << p.name;
    EXPECT_TRUE(ticket.ready());
    EXPECT_TRUE(same_bits(ticket.wait(), selected(rows, ids))) << "a second time";
  }
}

TEST_F(Tickets, BecomeReadyByThemselves) {
  const Table table = open_table(folder / "t.npy", {.place = Place::kDisk});
  const Ticket ticket = table.prefetch(ids);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!ticket.ready() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
  EXPECT_TRUE(ticket.ready());
}

TEST_F(Tickets, LeaveTheirRowsInTheCache) {
  const Table table = open_table(folder / "t.npy", {.place = Place::kDisk});
  static_cast<void>(table.prefetch(ids).wait());
  const TableStats before = table.stats();
  gather(table, ids);
  EXPECT_EQ(table.stats().hits - before.hits, before.unique);
  EXPECT_EQ(table.stats().reads, before.reads);
}

TEST_F(Tickets, IndicesNeedNotOutliveTheCall) {
  const Table table = open_table(folder / "t.npy", {.place = Place::kDisk});
  std::vector<Index> mine(ids.as<Index>(), ids.as<Index>() + 3000);
  const Ticket ticket = table.prefetch(mine);
  std::ranges::fill(mine, 0);
  EXPECT_TRUE(same_bits(ticket.wait(), selected(rows, ids)));
}

TEST_F(Tickets, TB1_WaitSaysWhatIsWrong) {
  for (const Placement& p : placements()) {
    const Ticket ticket = open_table(folder / "t.npy", p.options).prefetch(tensor({1, 20000}));
    EXPECT_TRUE(ticket.ready());
    EXPECT_EQ(ticket.try_wait().status().rule, "TB1");
    EXPECT_THROW(ticket.wait(), IndexError);
  }
}

TEST_F(Tickets, PoliciesAsInGather) {
  for (const Placement& p : placements()) {
    const Table table = open_table(folder / "t.npy", p.options);
    const LookupOptions lookup{.out_of_range = OutOfRange::kFill, .negative = true, .fill = 5};
    const Tensor some = tensor<Index>({-1, 3, 99999});
    EXPECT_TRUE(same_bits(table.prefetch(some, lookup).wait(), gather(table, some, lookup))) << p.name;
  }
}

TEST_F(Tickets, DroppedOnesLeaveNothingRunning) {
  for (const DiskReader reader : {uring_or_auto(), DiskReader::kThreads}) {
    const Table table = open_table(folder / "t.npy", {.place = Place::kDisk, .cache_bytes = 0, .reader = reader});
    gather(table, ids);  // what starts threads for good has done so
    const std::size_t before = threads_running();
    for (int i = 0; i < 30; ++i) { const Ticket dropped = table.prefetch(ids); }
    EXPECT_LE(threads_running(), before);
    EXPECT_TRUE(same_bits(gather(table, ids), selected(rows, ids)));
  }
}

TEST_F(Tickets, OutliveTheirTable) {
  std::optional<Ticket> ticket;
  {
    const Table table = open_table(folder / "t.npy", {.place = Place::kDisk});
    ticket = table.prefetch(ids);
  }
  EXPECT_TRUE(same_bits(ticket->wait(), selected(rows, ids)));
}

}  // namespace
}  // namespace garner
