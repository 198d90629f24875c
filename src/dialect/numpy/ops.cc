#define GARNER_TABLE numpy
#define GARNER_TABLE_OPS "dialect/numpy/ops.def"
#include "dialect/table.inc"
