#include "table/memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "device/cpu/threads.h"
#include "format/file.h"
#include "table/block_reader.h"
#include "tensor/pool.h"

namespace garner {
namespace {

class ResidentTable final : public TableBackend {
 public:
  ResidentTable(View rows, Place place, std::shared_ptr<void> keeper)
      : rows_(std::move(rows)), place_(place), keeper_(std::move(keeper)), valid_(validate(rows_, "table").ok()) {}

  DType dtype() const override { return rows_.dtype(); }
  const Axes& shape() const override { return rows_.shape(); }
  Place place() const override { return place_; }
  TableStats stats() const override { return {.lookups = lookups_, .unique = lookups_, .hits = lookups_}; }
  const View* resident() const override { return valid_ ? &rows_ : nullptr; }
  void count_resident(Index lookups) override { lookups_ += lookups; }

  Status read(std::span<const Index> ids, std::byte* out, const RunOptions& run) override {
    return read_until({}, ids, out, run);
  }

  Status read_until(const std::stop_token& stop, std::span<const Index> ids, std::byte* out,
                    const RunOptions& run) override {
    const auto count = static_cast<Index>(ids.size()), each = row_bytes_of(*this);
    count_resident(count);
    parallel_ranges(thread_count(run.threads, count * each), count, 1024, [&](Index begin, Index end) {
      if (!stop.stop_requested()) copy(ids, out, begin, end);
    });
    return stop.stop_requested() ? called_off() : Status{};
  }

 private:
  void copy(std::span<const Index> ids, std::byte* out, Index begin, Index end) const {
    const Index each = row_bytes_of(*this);
    for (Index i = begin; i < end; ++i)
      if (const Index row = ids[static_cast<std::size_t>(i)]; row != kNoRow)
        std::memcpy(out + i * each, static_cast<const std::byte*>(rows_.data()) + row * each,
                    static_cast<std::size_t>(each));
  }

  View rows_;
  Place place_;
  std::shared_ptr<void> keeper_;
  bool valid_;  // the engine takes aligned elements only, which those of a file need not be
  std::atomic<Index> lookups_ = 0;
};

Index bytes_of(const RowsInFile& rows) { return View(rows.dtype, nullptr, rows.shape).elements() * width(rows.dtype); }

Status no_memory(const RowsInFile& rows, Index bytes) {
  return format::fail_in(rows.file->path(), Code::kMemory, "V6",
                         "the table needs {} bytes of memory, allowed {} (what is free); it can stay on disk", bytes,
                         free_memory());
}

/// Several pieces at a time: one reader does not keep a disk busy.
Status read_all(const RowsInFile& rows, std::byte* to, Index bytes, int threads) {
  constexpr Index kPiece = Index{16} << 20;
  std::mutex mutex;
  Status first;
  parallel_ranges(thread_count(threads, bytes), (bytes + kPiece - 1) / kPiece, 1, [&](Index begin, Index end) {
    const Index from = begin * kPiece, until = std::min(end * kPiece, bytes);
    Status status = rows.file->read(rows.offset + from, to + from, until - from);
    const std::lock_guard lock(mutex);
    if (first.ok()) first = std::move(status);
  });
  return first;
}

}  // namespace

std::shared_ptr<TableBackend> resident_table(const View& rows, Place place, std::shared_ptr<void> keeper) {
  return std::make_shared<ResidentTable>(rows, place, std::move(keeper));
}

Result<std::shared_ptr<TableBackend>> memory_table(const RowsInFile& rows, const RunOptions& run) {
  const Index bytes = bytes_of(rows);
  const auto block = bytes <= free_memory() ? lasting_block(static_cast<std::size_t>(bytes)) : nullptr;
  if (block == nullptr) return no_memory(rows, bytes);
  GARNER_TRY(read_all(rows, static_cast<std::byte*>(block.get()), bytes, run.threads));
  return resident_table(View(rows.dtype, block.get(), rows.shape), Place::kMemory, block);
}

Result<std::shared_ptr<TableBackend>> mapped_table(const RowsInFile& rows) {
  if (bytes_of(rows) == 0) return resident_table(View(rows.dtype, nullptr, rows.shape), Place::kMapped, nullptr);
  const Index begin = rows.offset / ::sysconf(_SC_PAGESIZE) * ::sysconf(_SC_PAGESIZE);
  const auto bytes = static_cast<std::size_t>(rows.offset + bytes_of(rows) - begin);
  void* data = ::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, rows.file->descriptor(), begin);
  if (data == MAP_FAILED)
    return format::fail_in(rows.file->path(), Code::kMemory, "F1", "cannot be mapped: {}", format::reason(errno));
  // A hint. What fits memory is soon there whole, by reading ahead; of what does not, neighbours would drive out rows.
  if (static_cast<Index>(bytes) > free_memory() / 2) (void)::madvise(data, bytes, MADV_RANDOM);
  const std::shared_ptr<void> keeper(data, [bytes](void* p) { ::munmap(p, bytes); });
  const View view(rows.dtype, static_cast<std::byte*>(data) + (rows.offset - begin), rows.shape);
  return resident_table(view, Place::kMapped, keeper);
}

}  // namespace garner
