// Running a model: its values one after another, each given up when nobody reads it any more.
#include <algorithm>

#include "base/fail.h"
#include "model/program.h"

namespace garner::model {
namespace {

Status check_extents(const Port& port, const View& view) {
  if (!port.shape) return {};
  std::vector<std::string> allowed;
  for (const auto& extent : *port.shape) allowed.push_back(extent ? fmt::format("{}", *extent) : "?");
  const bool fits = std::ranges::equal(*port.shape, view.shape(),
                                       [](const auto& extent, Index found) { return !extent || *extent == found; });
  if (fits) return {};
  return fail(Code::kInvalidArgument, "OM9", "model: shape of input {} is {}, allowed {}", quoted(port.name),
              list(view.shape()), list(allowed));
}

Status check_input(const Port& port, const View& view) {
  GARNER_TRY(validate(view, fmt::format("model: input {}", quoted(port.name))));
  if (view.dtype() != port.dtype)
    return fail(Code::kType, "OM9", "model: dtype of input {} is {}, allowed {}", quoted(port.name), name(view.dtype()),
                name(*port.dtype));
  return check_extents(port, view);
}

class Runner {
 public:
  Runner(const Program& program, const RunOptions& options)
      : program_(program), options_(options), values_(program.names.size()) {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (program.held[i]) values_[i] = Value{*program.held[i]};
  }

  Status bind(const std::map<std::string, View>& inputs) {
    for (const auto& [name, view] : inputs)
      if (std::ranges::find(program_.inputs, name, &Port::name) == program_.inputs.end())
        return fail(Code::kInvalidArgument, "OM9", "model: input is {}, allowed {}", quoted(name), input_names());
    for (std::size_t i = 0; i < program_.inputs.size(); ++i) GARNER_TRY(bind_one(i, inputs));
    return {};
  }

  Status perform(const Step& step) {
    GARNER_ASSIGN(std::vector<Tensor> results, named(step, call(step)));
    if (step.outputs.size() > results.size())
      return fail(Code::kInvalidArgument, "OM8", "model: {} has {} outputs, allowed {}", step.title,
                  step.outputs.size(), results.size());
    for (std::size_t i = 0; i < step.outputs.size(); ++i)
      if (step.outputs[i] != kNone) at(step.outputs[i]) = Value{std::move(results[i])};
    for (const Slot slot : step.done) at(slot) = Value{};
    return {};
  }

  /// What was not made in this run is copied: it belongs to the caller or the model.
  Result<std::vector<Tensor>> outputs() {
    std::vector<Tensor> out;
    for (const Slot slot : program_.output_slots) {
      const bool made = std::holds_alternative<Tensor>(at(slot).held) && !program_.held[static_cast<std::size_t>(slot)];
      GARNER_ASSIGN(Tensor one, made ? std::get<Tensor>(at(slot).held) : contiguous(*at(slot).memory()));
      out.push_back(std::move(one));
    }
    return out;
  }

 private:
  Value& at(Slot slot) { return values_[static_cast<std::size_t>(slot)]; }

  std::string input_names() const {
    std::vector<std::string> names;
    for (const Port& port : program_.inputs) names.push_back(quoted(port.name));
    return fmt::format("{}", fmt::join(names, " "));
  }

  Status bind_one(std::size_t i, const std::map<std::string, View>& inputs) {
    const Port& port = program_.inputs[i];
    const auto given = inputs.find(port.name);
    if (given != inputs.end()) {
      GARNER_TRY(check_input(port, given->second));
      at(program_.input_slots[i]) = Value{given->second};
    } else if (!port.optional) {
      return fail(Code::kInvalidArgument, "OM9", "model: input {} is missing", quoted(port.name));
    }
    return {};
  }

  Result<std::vector<Tensor>> call(const Step& step) {
    if (!step.operation) {
      GARNER_ASSIGN(Tensor copy, contiguous(*at(step.inputs[0]).memory()));
      return std::vector<Tensor>{std::move(copy)};
    }
    Values values = step.values;
    for (std::size_t i = 0; i < step.inputs.size(); ++i)
      if (step.inputs[i] != kNone) values[i] = at(step.inputs[i]);
    return step.operation->call(std::move(values), options_);
  }

  static Result<std::vector<Tensor>> named(const Step& step, Result<std::vector<Tensor>> results) {
    if (results.ok()) return results;
    Status status = results.status();
    status.message = fmt::format("{}: {}", step.title, status.message);
    return status;
  }

  const Program& program_;
  const RunOptions& options_;
  Values values_;  // of each slot; None: not there yet, or no longer
};

}  // namespace

const std::vector<Port>& Model::inputs() const { return program_->inputs; }
const std::vector<Port>& Model::outputs() const { return program_->outputs; }
Index Model::opset() const { return program_->opset; }

Result<std::vector<Tensor>> run(const Model& model, const std::map<std::string, View>& inputs,
                                const RunOptions& options) {
  Runner runner(model.program(), options);
  GARNER_TRY(runner.bind(inputs));
  for (const Step& step : model.program().steps) GARNER_TRY(runner.perform(step));
  return runner.outputs();
}

}  // namespace garner::model
