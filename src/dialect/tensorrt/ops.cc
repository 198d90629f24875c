#define GARNER_TABLE tensorrt
#define GARNER_TABLE_OPS "dialect/tensorrt/ops.def"
#include "dialect/table.inc"
