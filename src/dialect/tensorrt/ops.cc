#include "dialect/op.h"

namespace garner::tensorrt {
#define GARNER_OP(name) extern const Op op_##name;
#include "dialect/tensorrt/ops.def"
#undef GARNER_OP

namespace {
const Op* const kOps[] = {
#define GARNER_OP(name) &op_##name,
#include "dialect/tensorrt/ops.def"
#undef GARNER_OP
};
}  // namespace

extern const Dialect kDialect;
const Dialect kDialect{"tensorrt", kOps};
}  // namespace garner::tensorrt
