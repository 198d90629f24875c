#define GARNER_TABLE torch
#define GARNER_TABLE_OPS "dialect/torch/ops.def"
#include "dialect/table.inc"
