#include "dialect/op.h"

namespace garner::deepnet {
#define GARNER_OP(name) extern const Op op_##name;
#include "dialect/deepnet/ops.def"
#undef GARNER_OP

namespace {
const Op* const kOps[] = {
#define GARNER_OP(name) &op_##name,
#include "dialect/deepnet/ops.def"
#undef GARNER_OP
};
}  // namespace

extern const Dialect kDialect;
const Dialect kDialect{"deepnet", kOps};
}  // namespace garner::deepnet
