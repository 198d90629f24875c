// TensorRT's gather layer. Its scatter layer leaves open which of several updates of one place stays, so no assigning
// scatter is the same as one.
#include "base/fail.h"
#include "translate/layers.h"

namespace garner::translate_detail {
namespace {

std::string source_of(const Subject& subject, std::size_t data, const char* mode, Index axis, Index elementwise) {
  return fmt::format(
      "#include <NvInfer.h>\n\n// {}\nnvinfer1::ITensor* call(nvinfer1::INetworkDefinition& network, "
      "nvinfer1::ITensor& {}, nvinfer1::ITensor& {}) {{\n"
      "  nvinfer1::IGatherLayer* layer = network.addGatherV2({}, {}, nvinfer1::GatherMode::k{});\n"
      "  layer->setGatherAxis({});\n  layer->setNbElementWiseDims({});\n  return layer->getOutput(0);\n}}\n",
      subject.op, subject.inputs[0].name, subject.inputs[1].name, subject.inputs[data].name,
      subject.inputs[1 - data].name, mode, axis, elementwise);
}

void add(const Subject& subject, std::size_t data, const char* mode, Index axis, Index elementwise,
         std::vector<Candidate>& all) {
  Call call{"tensorrt", "gather", {{"", {subject.values[data]}}, {"", {subject.values[1 - data]}}}};
  call.arguments.push_back({"mode", {Word{mode}}});
  call.arguments.push_back({"axis", {axis}});
  call.arguments.push_back({"num_elementwise_dims", {elementwise}});
  all.push_back({std::move(call), source_of(subject, data, mode, axis, elementwise)});
}

}  // namespace

std::vector<Candidate> tensorrt_candidates(const Subject& subject) {
  std::vector<Candidate> all;
  if (subject.inputs.size() != 2) return all;
  for (const std::size_t data : {std::size_t{0}, std::size_t{1}}) {
    const auto rank = static_cast<Index>(subject.inputs[data].shape.size());
    for (Index axis = 0; axis < rank; ++axis) {
      add(subject, data, "ELEMENT", axis, 0, all);
      for (const Index elementwise : {Index{0}, Index{1}}) add(subject, data, "DEFAULT", axis, elementwise, all);
    }
    for (Index elementwise = 0; elementwise < rank; ++elementwise) add(subject, data, "ND", 0, elementwise, all);
  }
  return all;
}

}  // namespace garner::translate_detail
