#include "dialect/op.h"

namespace garner::lucid {
#define GARNER_OP(name) extern const Op op_##name;
#include "dialect/lucid/ops.def"
#undef GARNER_OP

namespace {
const Op* const kOps[] = {
#define GARNER_OP(name) &op_##name,
#include "dialect/lucid/ops.def"
#undef GARNER_OP
};
}  // namespace

extern const Dialect kDialect;
const Dialect kDialect{"lucid", kOps};
}  // namespace garner::lucid
