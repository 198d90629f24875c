#include "dialect/op.h"

namespace garner::anvil {
#define GARNER_OP(name) extern const Op op_##name;
#include "dialect/anvil/ops.def"
#undef GARNER_OP

namespace {
const Op* const kOps[] = {
#define GARNER_OP(name) &op_##name,
#include "dialect/anvil/ops.def"
#undef GARNER_OP
};
}  // namespace

extern const Dialect kDialect;
const Dialect kDialect{"anvil", kOps};
}  // namespace garner::anvil
