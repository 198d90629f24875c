#include <algorithm>

#include "mlir/op.h"

namespace garner::mlir {

#define GARNER_MLIR_OP(name) extern const OpInfo op_##name;
#include "mlir/ops.def"
#undef GARNER_MLIR_OP

namespace {

constexpr const OpInfo* kOps[] = {
#define GARNER_MLIR_OP(name) &op_##name,
#include "mlir/ops.def"
#undef GARNER_MLIR_OP
};

/// Dialects that mean the same by a name. An operation without one (return, call) is func's.
constexpr std::string_view kDialects[] = {"stablehlo", "mhlo", "chlo", "func", "check"};

bool is_known(std::string_view dialect, std::string_view name) {
  if (dialect == "arith") return name == "constant";
  return std::find(std::begin(kDialects), std::end(kDialects), dialect) != std::end(kDialects);
}

}  // namespace

const OpInfo* find_op(std::string_view written) {
  const std::size_t dot = written.find('.');
  const std::string_view name = dot == std::string_view::npos ? written : written.substr(dot + 1);
  if (dot != std::string_view::npos && !is_known(written.substr(0, dot), name)) return nullptr;
  for (const OpInfo* op : kOps)
    if (op->name == name) return op;
  return nullptr;
}

}  // namespace garner::mlir
