// A plan made once, and what goes over it: rows forwards, updates and gradients backwards.
#include "base/fail.h"
#include "index/memory.h"
#include "ranks/back.h"
#include "ranks/rank_table.h"
#include "run/copy.h"
#include "run/job_builder.h"
#include "table/guard.h"
#include "table/resolve.h"
#include "tensor/cast.h"
#include "tensor/shape.h"

namespace garner::tables {
namespace {

Result<Axes> ids_of(const char* op, const RankTable& table, const View& indices, const LookupOptions& lookup,
                    const RunOptions& run) {
  GARNER_ASSIGN(Job job, lower_lookup(table, indices, lookup));
  job.op = op;
  return resolve_rows(job, run);
}

/// A plan, and a bad index on one rank is the same error on all.
Result<RowExchange> plan(const char* op, RankTable& table, const View& indices, const LookupOptions& lookup,
                         const RunOptions& run) {
  const Result<Axes> ids = guarded(op, [&] { return ids_of(op, table, indices, lookup, run); });
  GARNER_TRY(table.agree(ids.status()));
  GARNER_ASSIGN(RowExchange::State state, table.plan(*ids, run));
  state.shape = indices.shape();
  state.fill = lookup.fill;
  return RowExchange(std::make_shared<RowExchange::State>(std::move(state)));
}

Axes rows_shape(const RankTable& table, const Axes& indices) {
  Axes shape = indices;
  shape.insert(shape.end(), table.shape().begin() + 1, table.shape().end());
  return shape;
}

Status check_like(const char* op, const char* what, const RankTable& table, const Axes& indices, const View& view) {
  GARNER_TRY(validate(view, std::string(op) + ": " + what));
  if (view.dtype() != table.dtype())
    return fail(Code::kType, "RK5", "{}: {} is {}, allowed {} as the table", op, what, name(view.dtype()),
                name(table.dtype()));
  if (view.shape() == rows_shape(table, indices)) return {};
  return fail(Code::kInvalidArgument, "RK5", "{}: {} has shape {}, allowed {}", op, what, list(view.shape()),
              list(rows_shape(table, indices)));
}

Status check_out(const RankTable& table, const Axes& indices, const MutableView& out) {
  GARNER_TRY(check_like("gather", "out", table, indices, out));
  if (is_row_major(out)) return {};
  return fail(Code::kUnsupported, "RK5", "gather: out has strides {}, allowed row-major", list(out.stride()));
}

/// Positions without a row are filled first, and then left alone.
Status fill(const RowExchange::State& plan, const MutableView& out, const RunOptions& run) {
  if (static_cast<Index>(plan.wanted.order.size()) == View(DType::kF32, nullptr, plan.shape).elements()) return {};
  GARNER_ASSIGN(const Tensor value, cast(scalar(plan.fill), out.dtype()));
  GARNER_ASSIGN(const View everywhere, broadcast_to(value, out.shape()));
  return copy_into(everywhere, out, run);
}

/// What all ranks have for this rank's rows.
Result<Contributions> came_back(const char* op, RankTable& table, const RowExchange& exchange, const View& updates,
                                const RunOptions& run) {
  const RowExchange::State& plan = exchange.state();
  Status status = check_like(op, "updates", table, plan.shape, updates);
  Result<index::Packed> packed = status.ok() ? index::pack(updates, op, run) : status;
  GARNER_TRY(table.agree(packed.status()));
  return send_back(table.shard(), plan, packed->view(), table.row_shape(), run);
}

Status add_here(RankTable& table, const Contributions& c, const RunOptions& run) {
  const MutableView& rows = table.rows().view();
  auto job = JobBuilder::scatter("scatter_add", rows, c.values, Combine::kAdd);
  job.look_up(0, job.term(c.rows, {0}, {.hi = rows.extent(0)}, "rows", "RK5"));
  for (Index a = 1; a < rows.rank(); ++a) job.follow(a, a);
  return run_in_place(std::move(job).build(), rows, nullptr, run);
}

}  // namespace

Result<RowExchange> row_exchange(const Table& table, const View& indices, const LookupOptions& lookup,
                                 const RunOptions& run) {
  GARNER_ASSIGN(const auto on, rank_table("row_exchange", table));
  return plan("row_exchange", *on, indices, lookup, run);
}

Result<Tensor> gather(const Table& table, const RowExchange& exchange, const RunOptions& run) {
  GARNER_ASSIGN(const auto on, rank_table("gather", table));
  Result<Tensor> out = Tensor::empty(on->dtype(), rows_shape(*on, exchange.state().shape));
  GARNER_TRY(on->agree(out.status()));
  GARNER_TRY(tables::gather_into(table, exchange, out->view(), run));
  return out;
}

Status gather_into(const Table& table, const RowExchange& exchange, const MutableView& out, const RunOptions& run) {
  GARNER_ASSIGN(const auto on, rank_table("gather", table));
  const RowExchange::State& plan = exchange.state();
  Status status = check_out(*on, plan.shape, out);
  if (status.ok()) status = fill(plan, out, run);
  GARNER_TRY(on->agree(std::move(status)));
  return on->gather(plan, static_cast<std::byte*>(out.mutable_data()), run);
}

Status scatter_add(const Table& table, const RowExchange& exchange, const View& updates, const RunOptions& run) {
  GARNER_ASSIGN(const auto on, rank_table("scatter_add", table));
  GARNER_ASSIGN(const Contributions c, came_back("scatter_add", *on, exchange, updates, run));
  return on->agree(guarded("scatter_add", [&] { return add_here(*on, c, run); }));
}

Status scatter_add(const Table& table, const View& indices, const View& updates, const LookupOptions& lookup,
                   const RunOptions& run) {
  GARNER_ASSIGN(const auto on, rank_table("scatter_add", table));
  GARNER_ASSIGN(const RowExchange made, plan("scatter_add", *on, indices, lookup, run));
  return tables::scatter_add(table, made, updates, run);
}

Result<RowGradient> row_gradient(const Table& table, const RowExchange& exchange, const View& cotangent,
                                 const RunOptions& run) {
  GARNER_ASSIGN(const auto on, rank_table("row_gradient", table));
  GARNER_ASSIGN(const Contributions c, came_back("row_gradient", *on, exchange, cotangent, run));
  Result<RowGradient> out =
      guarded("row_gradient", [&] { return rows::row_gradient(c.rows, c.values, on->rows().shape(), {}, run); });
  GARNER_TRY(on->agree(out.status()));
  return out;
}

Result<RowGradient> row_gradient(const Table& table, const View& indices, const View& cotangent,
                                 const LookupOptions& lookup, const RunOptions& run) {
  GARNER_ASSIGN(const auto on, rank_table("row_gradient", table));
  GARNER_ASSIGN(const RowExchange made, plan("row_gradient", *on, indices, lookup, run));
  return tables::row_gradient(table, made, cotangent, run);
}

}  // namespace garner::tables
