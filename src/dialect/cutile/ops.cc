#define GARNER_TABLE cutile
#define GARNER_TABLE_OPS "dialect/cutile/ops.def"
#include "dialect/table.inc"
