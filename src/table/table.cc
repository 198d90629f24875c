// Whatever the place: indices are resolved, memory is made, and then the place is asked for rows.
#include "garner/table.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <system_error>
#include <thread>

#include "run/check.h"
#include "run/copy.h"
#include "table/guard.h"
#include "table/resolve.h"
#include "tensor/shape.h"

namespace garner {
namespace {

/// A call with everything checked and made that may fail before the first row is read.
struct Prepared {
  Job job;
  std::optional<Axes> rows;  // resolved; none: the engine does it
  Tensor made;               // where the caller gave no memory, or some with gaps
  MutableView target;        // where rows are read to
};

/// A call as it was made.
struct Asked {
  TableBackend& table;
  const View& indices;
  const LookupOptions& lookup;
  const RunOptions& run;
  const MutableView* out = nullptr;
  bool by_rows = false;  // also where the engine could do it all
};

Result<Prepared> prepare(const Asked& asked) {
  GARNER_ASSIGN(Job job, lower_lookup(asked.table, asked.indices, asked.lookup));
  if (asked.out != nullptr) GARNER_TRY(check_output(job, *asked.out, job.result_shape));
  Prepared call{std::move(job), {}, {}, {}};
  const bool by_rows = asked.by_rows || !call.job.operand;
  if (by_rows) { GARNER_ASSIGN(call.rows, resolve_rows(call.job, asked.run)); }
  const bool direct = asked.out != nullptr && (!by_rows || is_row_major(*asked.out));
  if (!direct) { GARNER_ASSIGN(call.made, Tensor::empty(call.job.plan.dtype, call.job.result_shape)); }
  call.target = direct ? *asked.out : call.made.view();
  return call;
}

/// Everybody who calls together goes on, or nobody does.
Result<Prepared> agreed(const Asked& asked) {
  auto call = guarded("gather", [&] { return prepare(asked); });
  GARNER_TRY(asked.table.agree(call.status()));
  return call;
}

/// Rows that the policy fills are there before the others come, and are then left alone.
Status fill_rows(const Prepared& call, const RunOptions& run) {
  if (!call.job.fill || call.target.elements() == 0 || std::ranges::find(*call.rows, kNoRow) == call.rows->end())
    return {};
  return copy_into(*call.job.fill, call.target, run);
}

Status read_rows(TableBackend& table, const Prepared& call, const RunOptions& run, const std::stop_token& stop) {
  return guarded("gather", [&]() -> Status {
    GARNER_TRY(fill_rows(call, run));
    auto* out = static_cast<std::byte*>(call.target.mutable_data());
    return stop.stop_possible() ? table.read_until(stop, *call.rows, out, run) : table.read(*call.rows, out, run);
  });
}

Status run_call(TableBackend& table, const Prepared& call, const RunOptions& run) {
  if (call.rows) return read_rows(table, call, run, {});
  table.count_resident(call.job.indices.front().elements());
  return run_into(call.job, call.target, run);
}

}  // namespace

// ---- Table ----

DType Table::dtype() const { return backend_->dtype(); }
const Axes& Table::shape() const { return backend_->shape(); }
Place Table::place() const { return backend_->place(); }
TableStats Table::stats() const { return backend_->stats(); }

// ---- Ticket ----

struct Ticket::State {
  std::shared_ptr<TableBackend> table;
  RunOptions run;
  std::optional<Prepared> call;
  Status status;
  std::atomic<bool> done = false;
  std::mutex joining;
  std::jthread thread;  // the first to go: it is told to stop and waited for

  void read(const std::stop_token& stop) {
    status = read_rows(*table, *call, run, stop);
    done = true;
  }

  /// Where the system has no thread to give, the rows are read at once.
  void start() {
    if (!table->in_background()) return read({});
    try {
      thread = std::jthread([this](const std::stop_token& stop) { read(stop); });
    } catch (const std::system_error&) { read({}); }
  }
};

bool Ticket::ready() const { return state_->done; }

Result<Tensor> Ticket::try_wait() const {
  {
    const std::lock_guard lock(state_->joining);
    if (state_->thread.joinable()) state_->thread.join();
  }
  GARNER_TRY(state_->status);
  return state_->call->made;
}

Ticket Table::prefetch(const View& indices, const LookupOptions& lookup, const RunOptions& run) const {
  auto state = std::make_shared<Ticket::State>();
  state->table = backend_;
  state->run = run;
  auto call = agreed({.table = *backend_, .indices = indices, .lookup = lookup, .run = run, .by_rows = true});
  state->status = call.status();
  state->done = !call.ok();
  if (!call.ok()) return Ticket(std::move(state));
  state->call = *std::move(call);
  state->start();
  return Ticket(std::move(state));
}

// ---- gather ----

namespace tables {

Result<Tensor> gather(const Table& table, const View& indices, const LookupOptions& lookup, const RunOptions& run) {
  TableBackend& rows = *table.backend();
  GARNER_ASSIGN(const Prepared call, agreed({.table = rows, .indices = indices, .lookup = lookup, .run = run}));
  GARNER_TRY(run_call(rows, call, run));
  return call.made;
}

Status gather_into(const Table& table, const View& indices, const MutableView& out, const LookupOptions& lookup,
                   const RunOptions& run) {
  TableBackend& rows = *table.backend();
  GARNER_ASSIGN(const Prepared call,
                agreed({.table = rows, .indices = indices, .lookup = lookup, .run = run, .out = &out}));
  GARNER_TRY(run_call(rows, call, run));
  if (!call.rows || call.made.elements() == 0 || is_row_major(out)) return {};
  return copy_into(call.made, out, run);
}

}  // namespace tables
}  // namespace garner
