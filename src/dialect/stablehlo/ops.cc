#define GARNER_TABLE stablehlo
#define GARNER_TABLE_OPS "dialect/stablehlo/ops.def"
#include "dialect/table.inc"
