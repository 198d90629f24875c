#define GARNER_TABLE anvil
#define GARNER_TABLE_OPS "dialect/anvil/ops.def"
#include "dialect/table.inc"
