#define GARNER_TABLE jax
#define GARNER_TABLE_OPS "dialect/jax/ops.def"
#include "dialect/table.inc"
