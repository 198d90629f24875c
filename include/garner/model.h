// ONNX model files of the operators in garner/onnx.h, with Constant and Identity: reading, running, writing them.
// What is offered, and rules OM1–OM11: docs/model.md.
//   const model::Model m = value_or_throw(model::load("gather.onnx"));
//   const std::vector<Tensor> results = value_or_throw(model::run(m, {{"data", data}, {"indices", indices}}));
#pragma once
#include <map>
#include <memory>
#include <string_view>

#include "garner/run.h"

namespace garner {
struct OnnxGraph;  // garner/translate.h
}

namespace garner::model {

/// What a file says of an input or output.
struct Port {
  std::string name;
  std::optional<DType> dtype;                               // an input always has one
  std::optional<std::vector<std::optional<Index>>> shape;  // nothing said: any rank; nothing in it: any extent
  bool optional = false;                                    // an input that has a value in the file
};

struct Program;

/// A model that has been read: every operator in it is offered, every name it reads is written before. Cheap to copy,
/// and can run on several threads at once.
class Model {
 public:
  explicit Model(std::shared_ptr<const Program> program) : program_(std::move(program)) {}
  const std::vector<Port>& inputs() const;   // in the order of the file
  const std::vector<Port>& outputs() const;
  Index opset() const;                       // the operators' meaning is that of this opset
  const Program& program() const { return *program_; }

 private:
  std::shared_ptr<const Program> program_;
};

/// Was Garner built with ONNX's schema? Without it load, parse, save and serialize give rule OM10.
bool is_available();

/// Files as other programs write them, with all data inside. Rules OM1–OM8, and F1: the file cannot be opened.
Result<Model> load(const std::string& path);
/// The same from a file's bytes.
Result<Model> parse(std::string_view bytes);

/// The outputs, in order; each has memory of its own. Rules OM9 (inputs that do not fit), OM8 (an operator has not so
/// many outputs) and those of the operators, with the node's name.
Result<std::vector<Tensor>> run(const Model& model, const std::map<std::string, View>& inputs,
                                const RunOptions& options = {});

/// A model file of a graph, there only when complete. Rules OM11 (it cannot be written down) and F9 (nor to the disk).
Status save(const OnnxGraph& graph, const std::string& path);
/// The same as bytes.
Result<std::string> serialize(const OnnxGraph& graph);

}  // namespace garner::model
