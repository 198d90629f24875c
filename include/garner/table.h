// Tables of rows that need not fit memory: in memory, on disk, or over the ranks of a group of processes. The same
// gather, the same words for a bad index and the same bits, wherever the rows lie. Tables are read, never written.
// Rules TB1 …: docs/tables.md.
//
//   const Table table = open_table("model.safetensors:embedding");
//   Tensor rows = gather(table, ids);             // [ids' shape…, row shape…]
//   Ticket ticket = table.prefetch(next_ids);     // read while something else is computed
//
// Each function is there twice: f(…) throws, garner::tables::f(…) returns a Result.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "garner/error.h"
#include "garner/run.h"

namespace garner {

/// Where the rows lie. kMemory: read once, into 2-MiB pages where the system has them. kMapped: the file's own pages.
/// kDisk: read by every call, around the system's page cache, with a cache of rows of its own. kAuto: kMapped where
/// the table fits half of the free memory, else kDisk. kRanks: over a group of processes (garner/ranks.h).
enum class Place { kAuto, kMemory, kMapped, kDisk, kRanks };

/// How a disk is asked. kAuto: io_uring, or threads where the system refuses it.
enum class DiskReader { kAuto, kUring, kThreads };

/// What is not said here the file says, or the system.
struct TableOptions {
  Place place = Place::kAuto;
  Index cache_bytes = 64 << 20;  // kDisk: rows kept in memory; 0: none
  int queue_depth = 128;         // kDisk: reads under way, [1, 4096]
  DiskReader reader = DiskReader::kAuto;
  std::optional<DType> dtype = {};  // of files that do not say it (raw ones, .npy of bf16); others must be of it
  Axes shape = {};                  // of a raw file, which is one whose name ends in no format's: [rows, row shape…]
  Index offset = 0;                 // of a raw file: bytes before the first row
};

/// What an index outside [0, rows) means. A negative one is counted from the end first where `negative` says so.
struct LookupOptions {
  OutOfRange out_of_range = OutOfRange::kTrap;  // kTrap, kClamp, kModulo or kFill
  bool negative = false;
  double fill = 0;  // every element of a row that kFill makes
};

/// Since the table was opened. On ranks: of this rank.
struct TableStats {
  std::int64_t lookups = 0;      // indices asked for
  std::int64_t unique = 0;       // different rows among them, call by call; a table in memory does not look: all
  std::int64_t hits = 0;         // of these, found in memory
  std::int64_t reads = 0;        // requests to the disk
  std::int64_t bytes_asked = 0;  // of the unique rows that were not in memory
  std::int64_t bytes_read = 0;   // from the disk
  std::int64_t bytes_sent = 0;   // to other ranks
  std::int64_t bytes_received = 0;
  /// Bytes read for one byte asked for; 1 where nothing was read.
  double amplification() const { return bytes_asked > 0 ? double(bytes_read) / double(bytes_asked) : 1.0; }
};

class TableBackend;

/// Rows under way to memory. wait() gives what gather() would; one that is dropped is called off, and nothing of it
/// runs on after the destructor.
class Ticket {
 public:
  struct State;
  explicit Ticket(std::shared_ptr<State> state) : state_(std::move(state)) {}
  bool ready() const;  // wait() would not wait
  Result<Tensor> try_wait() const;
  Tensor wait() const { return value_or_throw(try_wait()); }

 private:
  std::shared_ptr<State> state_;
};

/// A table of rows of one dtype and shape. Cheap to copy; copies share the file, the cache and the counts. Safe on
/// several threads, but on ranks every process makes the same calls in the same order.
class Table {
 public:
  explicit Table(std::shared_ptr<TableBackend> backend) : backend_(std::move(backend)) {}
  DType dtype() const;
  const Axes& shape() const;  // [rows, row shape…], of the whole table
  Index rows() const { return shape()[0]; }
  Place place() const;  // never kAuto
  TableStats stats() const;
  /// A gather on a thread of its own, which also leaves its rows in the cache. The indices are read before this
  /// returns; what is wrong with them, wait() says.
  Ticket prefetch(const View& indices, const LookupOptions& lookup = {}, const RunOptions& run = {}) const;

  const std::shared_ptr<TableBackend>& backend() const { return backend_; }

 private:
  std::shared_ptr<TableBackend> backend_;
};

namespace tables {
Result<Table> open(const std::string& path, const TableOptions& options = {});
Result<Table> of(const View& rows);
Result<Tensor> gather(const Table& table, const View& indices, const LookupOptions& lookup = {},
                      const RunOptions& run = {});
Status gather_into(const Table& table, const View& indices, const MutableView& out, const LookupOptions& lookup = {},
                   const RunOptions& run = {});
}  // namespace tables

/// What `path` names: rows.npy in row-major order, model.safetensors:name (or no name, of one tensor),
/// model.safetensors.index.json:name (the shard the index names), or a raw file with its dtype, shape and offset.
/// Nothing of the rows is read before they are asked for, but for kMemory. Rules TB2, TB4–TB8, F1–F7.
inline Table open_table(const std::string& path, const TableOptions& options = {}) {
  return value_or_throw(tables::open(path, options));
}
/// Over memory of the caller's, which outlives the table; copied where it is not row-major. Rules TB4, V1–V9.
inline Table table_of(const View& rows) { return value_or_throw(tables::of(rows)); }

/// result[i…, r…] = table[indices[i…], r…]. Indices: any integer dtype, strides and shape, also empty and of rank 0.
/// Rules TB1 index, TB2 options, TB3 dtype, TB6 and TB7 reading, V1–V9.
inline Tensor gather(const Table& table, const View& indices, const LookupOptions& lookup = {},
                     const RunOptions& run = {}) {
  return value_or_throw(tables::gather(table, indices, lookup, run));
}
/// Into memory of the result's dtype and shape, with any strides; what is in it after an error is not said. Rules
/// P10–P13 too.
inline void gather_into(const Table& table, const View& indices, const MutableView& out,
                        const LookupOptions& lookup = {}, const RunOptions& run = {}) {
  value_or_throw(tables::gather_into(table, indices, out, lookup, run));
}

}  // namespace garner
