// Each row once: sorted ids, those in the cache from there, the others from the disk in few reads, then all places.
#include "table/disk.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "device/cpu/threads.h"
#include "index/bags.h"
#include "table/read_plan.h"
#include "table/row_cache.h"

namespace garner {
namespace {

using index::Bags;

struct Counts {
  std::atomic<std::int64_t> lookups = 0, unique = 0, hits = 0, reads = 0, asked = 0, read = 0;
};

class DiskTable final : public TableBackend {
 public:
  DiskTable(RowsInFile rows, int depth) : rows_(std::move(rows)), longest_(longest_read(depth)) {
    places_ = {rows_.offset, row_bytes_of(*this)};
  }
  Status open(const TableOptions& options);

  DType dtype() const override { return rows_.dtype; }
  const Axes& shape() const override { return rows_.shape; }
  Place place() const override { return Place::kDisk; }
  TableStats stats() const override;
  Status read(std::span<const Index> ids, std::byte* out, const RunOptions& run) override {
    return read_until({}, ids, out, run);
  }
  Status read_until(const std::stop_token& stop, std::span<const Index> ids, std::byte* out,
                    const RunOptions& run) override;

 private:
  /// One call: where each row goes first, and where else.
  struct Call {
    Bags bags;
    std::byte* out;
    std::byte* place(std::size_t bag, Index row_bytes) const {
      return out + bags.positions[static_cast<std::size_t>(bags.begins[bag])] * row_bytes;
    }
  };
  /// Rows that are not in the cache, by number and by their bag.
  struct Misses {
    std::vector<Index> rows;
    std::vector<std::size_t> bags;
  };
  int threads_for(const Call& call, const RunOptions& run) const {
    return thread_count(run.threads, static_cast<Index>(call.bags.positions.size()) * places_.row_bytes);
  }
  Misses from_cache(const Call& call, const RunOptions& run);
  Status from_disk(const Call& call, const Misses& misses, const std::stop_token& stop, const RunOptions& run);
  void take_rows(const Call& call, const Misses& misses, const RowsRead& read, const std::byte* data);
  void take_cut_rows(const Call& call, const Misses& misses, const std::vector<RowsRead>& plan);
  void copy_to_others(const Call& call, std::size_t bag) const;

  RowsInFile rows_;
  Index longest_;
  RowPlaces places_;
  std::unique_ptr<BlockReader> reader_;
  std::unique_ptr<RowCache> cache_;
  Counts counts_;
};

Result<std::unique_ptr<BlockReader>> make_reader(const std::shared_ptr<RowFile>& file, const TableOptions& options) {
  if (options.reader == DiskReader::kThreads) return make_thread_reader(file, options.queue_depth);
  auto ring = make_uring_reader(file, options.queue_depth);
  if (ring.ok() || options.reader == DiskReader::kUring) return ring;
  return make_thread_reader(file, options.queue_depth);
}

Status DiskTable::open(const TableOptions& options) {
  rows_.file->go_direct();
  GARNER_ASSIGN(reader_, make_reader(rows_.file, options));
  GARNER_ASSIGN(cache_, RowCache::create(options.cache_bytes, places_.row_bytes, rows_.shape[0]));
  return {};
}

TableStats DiskTable::stats() const {
  return {.lookups = counts_.lookups,
          .unique = counts_.unique,
          .hits = counts_.hits,
          .reads = counts_.reads,
          .bytes_asked = counts_.asked,
          .bytes_read = counts_.read};
}

/// From the first place of a row to those of its duplicates, while it is in the CPU's cache and the disk is busy.
void DiskTable::copy_to_others(const Call& call, std::size_t bag) const {
  const Bags& bags = call.bags;
  const std::byte* from = call.place(bag, places_.row_bytes);
  const Index last = bag + 1 < bags.begins.size() ? bags.begins[bag + 1] : static_cast<Index>(bags.positions.size());
  for (Index p = bags.begins[bag] + 1; p < last; ++p)
    std::memcpy(call.out + bags.positions[static_cast<std::size_t>(p)] * places_.row_bytes, from,
                static_cast<std::size_t>(places_.row_bytes));
}

DiskTable::Misses DiskTable::from_cache(const Call& call, const RunOptions& run) {
  const auto& rows = call.bags.rows;
  std::vector<std::uint8_t> found(rows.size(), 0);
  if (cache_->capacity() > 0)
    parallel_ranges(threads_for(call, run), static_cast<Index>(rows.size()), 1024, [&](Index begin, Index end) {
      for (auto b = static_cast<std::size_t>(begin); b < static_cast<std::size_t>(end); ++b) {
        if (!cache_->get(rows[b], call.place(b, places_.row_bytes))) continue;
        copy_to_others(call, b);
        found[b] = 1;
      }
    });
  Misses misses;
  for (std::size_t b = 0; b < rows.size(); ++b) {
    if (found[b] != 0) continue;
    misses.rows.push_back(rows[b]);
    misses.bags.push_back(b);
  }
  counts_.unique += static_cast<std::int64_t>(rows.size());
  counts_.hits += static_cast<std::int64_t>(rows.size() - misses.rows.size());
  return misses;
}

/// What of each row lies in the blocks that have come. Whole ones go to all their places and to the cache.
void DiskTable::take_rows(const Call& call, const Misses& misses, const RowsRead& read, const std::byte* data) {
  const Index from = read.blocks.offset, to = from + read.blocks.needed;
  for (std::size_t i = read.first; i < read.last; ++i) {
    const Index row = misses.rows[i], begin = places_.begin(row);
    const Index first = std::max(begin, from), last = std::min(places_.end(row), to);
    const std::byte* at = data + (first - from);
    std::memcpy(call.place(misses.bags[i], places_.row_bytes) + (first - begin), at,
                static_cast<std::size_t>(last - first));
    if (last - first < places_.row_bytes) continue;
    copy_to_others(call, misses.bags[i]);
    cache_->put(row, at);
  }
}

/// Rows that came in parts are whole only at the end.
void DiskTable::take_cut_rows(const Call& call, const Misses& misses, const std::vector<RowsRead>& plan) {
  for (std::size_t n = 1; n < plan.size(); ++n) {
    const std::size_t row = plan[n].first, next = n + 1 < plan.size() ? plan[n + 1].first : row + 1;
    if (row >= plan[n - 1].last || next == row) continue;  // not cut, or goes on
    copy_to_others(call, misses.bags[row]);
    cache_->put(misses.rows[row], call.place(misses.bags[row], places_.row_bytes));
  }
}

Status DiskTable::from_disk(const Call& call, const Misses& misses, const std::stop_token& stop,
                            const RunOptions& run) {
  const std::vector<RowsRead> plan = plan_reads(misses.rows, places_, longest_);
  std::vector<BlockRead> blocks;
  Index bytes = 0;
  blocks.reserve(plan.size());
  for (const RowsRead& read : plan) {
    blocks.push_back(read.blocks);
    bytes += read.blocks.bytes;
  }
  const auto arrived = [&](std::size_t n, const std::byte* data) { take_rows(call, misses, plan[n], data); };
  GARNER_TRY(reader_->read({blocks, arrived, stop, threads_for(call, run)}));
  take_cut_rows(call, misses, plan);
  counts_.reads += static_cast<std::int64_t>(plan.size());
  counts_.read += bytes;
  counts_.asked += static_cast<std::int64_t>(misses.rows.size()) * places_.row_bytes;
  return {};
}

Status DiskTable::read_until(const std::stop_token& stop, std::span<const Index> ids, std::byte* out,
                             const RunOptions& run) {
  counts_.lookups += static_cast<std::int64_t>(ids.size());
  if (places_.row_bytes == 0) return {};
  GARNER_ASSIGN(Bags bags, index::bags_of(ids, rows_.shape[0], kNoRow, run));
  const Call call{std::move(bags), out};
  return from_disk(call, from_cache(call, run), stop, run);
}

}  // namespace

Result<std::shared_ptr<TableBackend>> disk_table(RowsInFile rows, const TableOptions& options) {
  auto table = std::make_shared<DiskTable>(std::move(rows), options.queue_depth);
  GARNER_TRY(table->open(options));
  return std::shared_ptr<TableBackend>(std::move(table));
}

}  // namespace garner
