// Programs as ONNX graphs, and those as Python.
#pragma once
#include "translate/lower.h"

namespace garner::translate_detail {

const Target& onnx_target();
OnnxGraph onnx_graph(const Program& program);
/// A module with model(), which makes the ModelProto with onnx.helper.
std::string onnx_source(const OnnxGraph& graph, const Program& program, const std::string& op);
/// onnx.TensorProto.FLOAT and its like, by number.

}  // namespace garner::translate_detail
