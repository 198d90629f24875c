#define GARNER_TABLE tensorflow
#define GARNER_TABLE_OPS "dialect/tensorflow/ops.def"
#include "dialect/table.inc"
