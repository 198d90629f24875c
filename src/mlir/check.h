// check.expect_eq and its like: what a module says of its own results.
#pragma once
#include "mlir/op.h"

namespace garner::mlir {

/// Rule M9 with the first element that differs, and how many do. `kind` is expect_eq, expect_close or expect_almost_eq,
/// as an operation of its own or as the target of a custom_call.
///   expect_eq         equal numbers, or NaN and NaN
///   expect_almost_eq  or no more than `tolerance` apart (0.0001)
///   expect_close      or no more than `max_ulp_difference` (3) numbers of the dtype apart
Status expect(const Operation& op, std::string_view kind, const View& actual, const View& expected);

/// Is this the name of a check?
bool is_check(std::string_view kind);

}  // namespace garner::mlir
