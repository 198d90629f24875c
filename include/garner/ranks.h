// Tables whose rows are shared out over a group of processes. Rules RK1 …: docs/ranks.md.
//
//   auto ranks = mpi::ranks(MPI_COMM_WORLD);                    // garner/mpi.h
//   Table table = share(ranks, open_table("rows.npy"));         // each rank keeps its own rows
//   Tensor rows = gather(table, ids);                           // every rank asks for what it wants
//   Adagrad optimiser;
//   optimiser.step(local(table), row_gradient(table, ids, back));
//
// The library knows processes through `Ranks` alone, so it links no MPI. Every rank makes the same calls in the same
// order, each with indices of its own, also none; what is wrong on one rank is the same error on all of them.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "garner/row_gradient.h"
#include "garner/sharding.h"
#include "garner/table.h"

namespace garner {

// ---- what is needed of a group of processes ----

/// One message to each rank and one from each; those without bytes are not sent. Has one entry per rank; that of the
/// rank itself is empty.
struct Messages {
  std::vector<std::span<const std::byte>> sends;
  std::vector<std::span<std::byte>> receives;
  std::shared_ptr<const void> keep;  // the memory of both: held until the last byte has moved, whatever happens
};

/// Messages under way. One that is dropped before its end is called off: its memory is not written any more.
class Transfer {
 public:
  virtual ~Transfer() = default;
  /// Moves things on, without waiting. How many messages are left.
  virtual Result<Index> poll() = 0;
  /// A rank that a message is left from or to; -1: none.
  virtual int waits_for() const = 0;
};

/// A group of processes that send bytes to each other. Between two ranks messages arrive in the order they were
/// started in, each in one piece of the length the receiver expects. Called by one thread at a time.
class Ranks {
 public:
  virtual ~Ranks() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  /// Seconds without any message coming to its end after which another rank counts as gone. 0: never.
  virtual double timeout() const = 0;
  /// Several may be under way.
  virtual Result<std::unique_ptr<Transfer>> start(Messages messages) = 0;
};

// ---- tables ----

struct ShareOptions {
  Shards shards = Shards::kBlock;
  /// A row that a rank asks for several times in one call is sent once. Off: saves sorting the indices, where few
  /// repeat.
  bool unique = true;
};

/// Who sends which rows to whom for one set of indices: made once, used forwards and backwards as often as wanted.
class RowExchange {
 public:
  struct State;
  explicit RowExchange(std::shared_ptr<State> state) : state_(std::move(state)) {}
  const State& state() const { return *state_; }

 private:
  std::shared_ptr<State> state_;
};

namespace tables {

/// A table of which this rank has these rows, by place (garner/sharding.h): blocks of any extent, or as many as an even
/// sharding gives. The memory is kept, read by gathers and written by steps. Rules RK1–RK3.
Result<Table> share(std::shared_ptr<Ranks> ranks, const Tensor& rows, const ShareOptions& options = {});

/// The same of a table that every rank can read: each copies its own rows, from disk if there they are.
Result<Table> share(std::shared_ptr<Ranks> ranks, const Table& whole, const ShareOptions& options = {},
                    const RunOptions& run = {});

/// This rank's rows: row j has the id sharding.id(sharding.begin(rank) + j). Rule RK4: the table is on ranks.
Result<MutableView> local(const Table& table);
Result<Sharding> sharding(const Table& table);

/// The plan of a gather and of its gradient. Rules TB…, RK4.
Result<RowExchange> row_exchange(const Table& table, const View& indices, const LookupOptions& lookup = {},
                                 const RunOptions& run = {});
Result<Tensor> gather(const Table& table, const RowExchange& exchange, const RunOptions& run = {});
/// Into row-major memory of the result's dtype and shape. Rule RK5.
Status gather_into(const Table& table, const RowExchange& exchange, const MutableView& out, const RunOptions& run = {});

/// table[indices] += updates, on whichever ranks the rows lie: indices' shape, then the shape of a row. At level exact
/// the bits are those of one process that has the ranks' indices one behind another. Rules RK4, RK5 shapes and dtypes.
Status scatter_add(const Table& table, const RowExchange& exchange, const View& updates, const RunOptions& run = {});
Status scatter_add(const Table& table, const View& indices, const View& updates, const LookupOptions& lookup = {},
                   const RunOptions& run = {});

/// The gradient of this rank's rows, numbered as in local(): what came back to any rank. Level exact as above.
Result<RowGradient> row_gradient(const Table& table, const RowExchange& exchange, const View& cotangent,
                                 const RunOptions& run = {});
Result<RowGradient> row_gradient(const Table& table, const View& indices, const View& cotangent,
                                 const LookupOptions& lookup = {}, const RunOptions& run = {});
}  // namespace tables

// The same, which throw.
inline Table share(std::shared_ptr<Ranks> ranks, const Tensor& rows, const ShareOptions& options = {}) {
  return value_or_throw(tables::share(std::move(ranks), rows, options));
}
inline Table share(std::shared_ptr<Ranks> ranks, const Table& whole, const ShareOptions& options = {},
                   const RunOptions& run = {}) {
  return value_or_throw(tables::share(std::move(ranks), whole, options, run));
}
inline MutableView local(const Table& table) { return value_or_throw(tables::local(table)); }
inline Sharding sharding(const Table& table) { return value_or_throw(tables::sharding(table)); }
inline RowExchange row_exchange(const Table& table, const View& indices, const LookupOptions& lookup = {},
                                const RunOptions& run = {}) {
  return value_or_throw(tables::row_exchange(table, indices, lookup, run));
}
inline Tensor gather(const Table& table, const RowExchange& exchange, const RunOptions& run = {}) {
  return value_or_throw(tables::gather(table, exchange, run));
}
inline void gather_into(const Table& table, const RowExchange& exchange, const MutableView& out,
                        const RunOptions& run = {}) {
  value_or_throw(tables::gather_into(table, exchange, out, run));
}
inline void scatter_add(const Table& table, const RowExchange& exchange, const View& updates,
                        const RunOptions& run = {}) {
  value_or_throw(tables::scatter_add(table, exchange, updates, run));
}
inline void scatter_add(const Table& table, const View& indices, const View& updates, const LookupOptions& lookup = {},
                        const RunOptions& run = {}) {
  value_or_throw(tables::scatter_add(table, indices, updates, lookup, run));
}
inline RowGradient row_gradient(const Table& table, const RowExchange& exchange, const View& cotangent,
                                const RunOptions& run = {}) {
  return value_or_throw(tables::row_gradient(table, exchange, cotangent, run));
}
inline RowGradient row_gradient(const Table& table, const View& indices, const View& cotangent,
                                const LookupOptions& lookup = {}, const RunOptions& run = {}) {
  return value_or_throw(tables::row_gradient(table, indices, cotangent, lookup, run));
}

}  // namespace garner
