#define GARNER_TABLE deepnet
#define GARNER_TABLE_OPS "dialect/deepnet/ops.def"
#include "dialect/table.inc"
