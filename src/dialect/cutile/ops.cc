#include "dialect/op.h"

namespace garner::cutile {
#define GARNER_OP(name) extern const Op op_##name;
#include "dialect/cutile/ops.def"
#undef GARNER_OP

namespace {
const Op* const kOps[] = {
#define GARNER_OP(name) &op_##name,
#include "dialect/cutile/ops.def"
#undef GARNER_OP
};
}  // namespace

extern const Dialect kDialect;
const Dialect kDialect{"cutile", kOps};
}  // namespace garner::cutile
