#define GARNER_TABLE onnx
#define GARNER_TABLE_OPS "dialect/onnx/ops.def"
#include "dialect/table.inc"
