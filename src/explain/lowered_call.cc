#include "explain/lowered_call.h"

#include <algorithm>

#include "base/fail.h"
#include "plan/range.h"

namespace garner {
namespace {

/// Does an element of `whole` start at this address?
bool spans(const View& whole, const void* address) {
  if (whole.elements() == 0) return false;
  const auto reach = affine_range(0, whole.shape(), whole.stride());
  if (!reach) return false;
  const auto* base = static_cast<const std::byte*>(whole.data());
  const auto bytes = static_cast<const std::byte*>(address) - base;
  return bytes >= reach->lo * width(whole.dtype()) && bytes <= reach->hi * width(whole.dtype());
}

const Values* list_in(const Value& value) {
  const auto* held = std::get_if<std::shared_ptr<Values>>(&value.held);
  return held == nullptr ? nullptr : held->get();
}

}  // namespace

GivenTensors::GivenTensors(const Arguments& arguments, const Parameters& parameters) {
  for (const Parameter& p : parameters) {
    const Value& value = arguments.value(p.name);
    add(p.name, value);
    if (list_in(value) != nullptr) add_literal(arguments, p.name);
  }
}

void GivenTensors::add(const std::string& name, const Value& value) {
  // What is no array at all is for the operation to refuse.
  if (const auto memory = value.memory(); memory && validate(*memory, name).ok()) {
    tensors_.push_back({name, *memory});
    kept_.push_back(value);
  }
  const Values* items = list_in(value);
  if (items == nullptr) return;
  for (std::size_t i = 0; i < items->size(); ++i) add(fmt::format("{}[{}]", name, i), (*items)[i]);
}

/// The lowering makes a tensor of its own from a list of numbers, so that only the bits can tell that it is this one.
void GivenTensors::add_literal(const Arguments& arguments, const std::string& name) {
  Arguments probe = arguments;
  const View view = probe.tensor(name);
  if (!probe.status().ok()) return;
  literals_.push_back({name, view});
  kept_.push_back({probe.kept().back()});
}

const GivenTensor* GivenTensors::holding(const View& part) const {
  const auto at = std::ranges::find_if(
      tensors_, [&](const GivenTensor& t) { return t.view.dtype() == part.dtype() && spans(t.view, part.data()); });
  return at == tensors_.end() ? nullptr : &*at;
}

const GivenTensor* GivenTensors::named(const std::string& name) const {
  const auto at = std::ranges::find(tensors_, name, &GivenTensor::name);
  return at == tensors_.end() ? nullptr : &*at;
}

std::string GivenTensors::name_of(const View& part, const std::string& otherwise) const {
  if (const GivenTensor* whole = holding(part)) return whole->name;
  for (const GivenTensor& t : literals_)
    if (same_bits(t.view, part)) return t.name;
  for (const GivenTensor& t : tensors_)  // memory without elements has no address to go by
    if (t.view.elements() == 0 && same_bits(t.view, part)) return t.name;
  return otherwise;
}

Result<LoweredCall> lower_with_names(const Call& call) {
  GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
  GARNER_ASSIGN(Arguments arguments, bind(*op, call));
  GARNER_ASSIGN(const auto parameters, read_parameters(*op));
  LoweredCall out{.op = arguments.op(),
                  .signature = op->signature,
                  .promise = {},
                  .has_plan = op->lower != nullptr,
                  .given = GivenTensors(arguments, *parameters),
                  .jobs = {}};
  if (op->evaluate != nullptr) out.promise = promise_of(call.dialect, op->name);
  if (out.has_plan) {
    auto jobs = lower(*op, arguments);
    // Some operations have a plan for some of their arguments only.
    out.has_plan = jobs.ok() || jobs.status().rule != "A5";
    if (out.has_plan) { GARNER_ASSIGN(out.jobs, std::move(jobs)); }
  }
  if (!out.has_plan && out.promise.empty()) out.promise = "computed without a plan";
  return out;
}

}  // namespace garner
