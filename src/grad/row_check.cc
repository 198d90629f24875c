#include "grad/row_check.h"

#include "base/fail.h"
#include "grad/place.h"

namespace garner {
namespace {

/// From a device the rows are fetched: nothing is written before all of them have been seen.
Status check_rows(const char* op, const RowGradient& gradient, const RunOptions& run) {
  const OnStream on(run.stream);
  GARNER_ASSIGN(const Tensor here, grad::plain::fetched(gradient.rows));
  const Index* rows = here.as<Index>();
  for (Index i = 0, least = 0; i < gradient.rows.elements(); least = rows[i++] + 1)
    if (rows[i] < least || rows[i] >= gradient.shape[0])
      return fail(Code::kIndex, "R1", "{}: rows[{}] is {}, allowed [{}, {}) as rows rise", op, i, rows[i], least,
                  gradient.shape[0]);
  return {};
}

Status check_values(const char* op, const RowGradient& gradient) {
  Axes wanted = gradient.shape;
  wanted[0] = gradient.rows.elements();
  if (gradient.values.shape() == wanted) return {};
  return fail(Code::kInvalidArgument, "R2", "{}: values have shape {}, allowed {}", op, list(gradient.values.shape()),
              list(wanted));
}

}  // namespace

Index elements_of(const Axes& shape) { return View(DType::kF32, nullptr, shape).elements(); }

Status check_dtype(const char* op, const char* what, DType dtype) {
  const bool offered = dispatch(dtype, []<class T>() { return is_table_v<T>; });
  if (offered) return {};
  return fail(Code::kType, "R3", "{}: {} is {}, allowed f16, bf16, f32 or f64", op, what, name(dtype));
}

Status check_gradient(const char* op, const RowGradient& gradient, const RunOptions& run) {
  if (gradient.rows.dtype() != DType::kI64)
    return fail(Code::kType, "R3", "{}: rows is {}, allowed i64", op, name(gradient.rows.dtype()));
  GARNER_TRY(check_dtype(op, "values", gradient.values.dtype()));
  if (gradient.shape.empty()) return fail(Code::kInvalidArgument, "R2", "{}: table has rank 0, allowed 1 or more", op);
  if (gradient.rows.rank() != 1)
    return fail(Code::kInvalidArgument, "R2", "{}: rows have rank {}, allowed 1", op, gradient.rows.rank());
  GARNER_TRY(check_values(op, gradient));
  return check_rows(op, gradient, run);
}

}  // namespace garner
