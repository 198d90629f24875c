#include "table/resolve.h"

#include "base/checked_math.h"
#include "base/fail.h"
#include "index/memory.h"
#include "kernel/common/scalar_resolve.h"
#include "run/job_builder.h"
#include "run/report.h"
#include "tensor/cast.h"

namespace garner {
namespace {

constexpr const char* kOp = "gather";

Status check_policy(OutOfRange policy) {
  switch (policy) {
    case OutOfRange::kTrap:
    case OutOfRange::kClamp:
    case OutOfRange::kModulo:
    case OutOfRange::kFill: return {};
    case OutOfRange::kDrop:
    case OutOfRange::kPromise: break;
  }
  return fail(Code::kInvalidArgument, "TB2", "{}: out_of_range is {}, allowed trap clamp modulo fill", kOp,
              name(policy));
}

Status check_indices(const View& indices) {
  if (is_integer(indices.dtype())) return validate(indices, std::string(kOp) + ": indices");
  return fail(Code::kType, "TB3", "{}: indices are {}, allowed i8 … i64, u8 … u64", kOp, name(indices.dtype()));
}

Axes result_shape(const View& indices, const Axes& table) {
  Axes shape = indices.shape();
  shape.insert(shape.end(), table.begin() + 1, table.end());
  return shape;
}

/// One element for all rows that are filled.
Status add_fill(JobBuilder& job, double value, DType dtype, Tensor& kept) {
  GARNER_ASSIGN(kept, cast(scalar(value), dtype));
  job.fill(kept);
  return {};
}

/// Values inside the table are most of them, and mean themselves under every policy.
template <class T>
std::optional<Index> row_of(T value, const Bounds& bounds) {
  if (static_cast<std::uint64_t>(value) < static_cast<std::uint64_t>(bounds.hi)) return static_cast<Index>(value);
  return resolve_index(Wide{value}, bounds, 0);
}

/// False: an index traps.
template <class T>
bool resolve(const T* values, const Bounds& bounds, Axes& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto row = row_of(values[i], bounds);
    if (!row && bounds.policy == OutOfRange::kTrap) return false;
    rows[i] = row.value_or(kNoRow);
  }
  return true;
}

/// The words are the engine's.
Status bad_index(const Job& job) {
  Buffers buffers;
  buffers.indices = {job.indices.front().data()};
  return first_fault(job, job.plan, buffers);
}

}  // namespace

Result<Job> lower_lookup(const TableBackend& table, const View& indices, const LookupOptions& lookup) {
  GARNER_TRY(check_policy(lookup.out_of_range));
  GARNER_TRY(check_indices(indices));
  const View* resident = table.resident();
  const View operand = resident != nullptr ? *resident : View(table.dtype(), nullptr, table.shape());
  const Index rows = operand.extent(0), rank = indices.rank();
  const Bounds bounds{.hi = rows, .wrap = lookup.negative ? rows : 0, .policy = lookup.out_of_range};
  auto builder = JobBuilder::gather(kOp, operand, result_shape(indices, table.shape()));
  builder.look_up(0, builder.term(indices, axes_from(0, rank), bounds, "index", "TB1"));
  for (Index a = 1; a < operand.rank(); ++a) builder.follow(a, rank + a - 1);
  Tensor fill;
  if (lookup.out_of_range == OutOfRange::kFill) GARNER_TRY(add_fill(builder, lookup.fill, table.dtype(), fill));
  Job job = std::move(builder).build();
  job.kept.push_back(std::move(fill));
  if (resident == nullptr) job.operand.reset();
  GARNER_TRY(verify(job.plan));
  return job;
}

Result<Axes> resolve_rows(const Job& job, const RunOptions& run) {
  const View& indices = job.indices.front();
  GARNER_ASSIGN(const index::Packed packed, index::pack(indices, kOp, run));
  Axes rows(static_cast<std::size_t>(indices.elements()));
  const bool all = dispatch_index(indices.dtype(), [&]<class T>() {
    return resolve(packed.as<T>(), job.plan.terms.front().bounds, rows);
  }, [] { return true; });
  if (!all) return bad_index(job);
  return rows;
}

}  // namespace garner
