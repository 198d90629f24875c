#define GARNER_TABLE lucid
#define GARNER_TABLE_OPS "dialect/lucid/ops.def"
#include "dialect/table.inc"
