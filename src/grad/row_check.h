// What a RowGradient must hold before its rows are used as places in memory: anyone can make one.
#pragma once
#include "dtype/dispatch.h"
#include "garner/row_gradient.h"

namespace garner {

/// The element types of tables: f16, bf16, f32, f64.
template <class T> inline constexpr bool is_table_v = std::is_floating_point_v<T> || is_half_v<T>;

/// Rules R1 rows rise inside the table, R2 shapes, R3 dtypes.
Status check_gradient(const char* op, const RowGradient& gradient, const RunOptions& run);

/// Rule R3: f16, bf16, f32 or f64.
Status check_dtype(const char* op, const char* what, DType dtype);

/// The product of extents that have been checked (View::elements()).
Index elements_of(const Axes& shape);

}  // namespace garner
