// ONNX models: every file is a model or refused; a model runs on zeros or is refused.
#include "fuzz/target.h"
#include "garner/model.h"

namespace garner::fuzz {
namespace {

constexpr Index kAnyExtent = 3;  // where the model does not say

Axes shape_of(const model::Port& port) {
  Axes out;
  if (port.shape)
    for (const auto& extent : *port.shape) out.push_back(extent.value_or(kAnyExtent));
  return out;
}

}  // namespace

void test_one(std::string_view bytes) {
  const auto model = model::parse(bytes);
  require_sound(model.status());
  if (!model.ok()) return;
  std::map<std::string, View> inputs;
  std::vector<Tensor> kept;
  for (const model::Port& port : model->inputs()) {
    const auto zeros = Tensor::zeros(*port.dtype, shape_of(port));
    require_sound(zeros.status());
    if (!zeros.ok()) return;
    kept.push_back(*zeros);
    inputs.emplace(port.name, kept.back());
  }
  const auto results = model::run(*model, inputs, {.threads = 1, .kernel = {}});
  require_sound(results.status());
  if (!results.ok()) return;
  require(results->size() == model->outputs().size(), "one result per output");
  for (const Tensor& result : *results) touch(result);
}

}  // namespace garner::fuzz
