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
constexpr std::string_view kDialects[] = {"stablehlo", "mhlo", "xla_hlo", "chlo", "func", "check"};

/// Operations of other dialects, and the name here for what they do.
struct Guest {
  std::string_view written, name;
};
constexpr Guest kGuests[] = {
    {"arith.constant", "constant"},           {"iree.unfoldable_constant", "constant"},
    {"util.unfoldable_constant", "constant"}, {"util.optimization_barrier", "optimization_barrier"},
    {"mhlo.copy", "optimization_barrier"},    {"sdy.sharding_constraint", "optimization_barrier"}};

/// The name without its dialect; empty for a dialect that is not known.
std::string_view name_of(std::string_view written) {
  for (const Guest& guest : kGuests)
    if (guest.written == written) return guest.name;
  if (is_stretching(written)) return written.substr(kStretching.size());
  const std::size_t dot = written.find('.');
  if (dot == std::string_view::npos) return written;
  const bool known =
      std::find(std::begin(kDialects), std::end(kDialects), written.substr(0, dot)) != std::end(kDialects);
  return known ? written.substr(dot + 1) : "";
}

}  // namespace

const OpInfo* find_op(std::string_view written) {
  const std::string_view name = name_of(written);
  for (const OpInfo* op : kOps)
    if (op->name == name && (op->loop != nullptr || !is_stretching(written))) return op;
  return nullptr;
}

}  // namespace garner::mlir
