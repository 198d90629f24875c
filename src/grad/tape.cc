// Variables, and what is recorded of them.
#include <algorithm>

#include "grad/state.h"

namespace garner::grad {
namespace {

thread_local bool recording_now = true;
std::atomic<std::uint64_t> next_number{1};

std::shared_ptr<State> new_state(Tensor value, std::string name) {
  auto state = std::make_shared<State>();
  state->value = std::move(value);
  state->name = std::move(name);
  return state;
}

/// The parts of a node that may hold other nodes.
struct Parts {
  std::vector<std::shared_ptr<Node>> inputs;
  Rule rule;
  Saved output;
  std::vector<std::function<Var(const Var&)>> hooks;
};
// A plain pointer: variables of static storage die after every thread_local object.
thread_local std::vector<Parts>* dying = nullptr;

std::shared_ptr<Node> new_node(std::string op, const Tensor& value) {
  auto node = std::make_shared<Node>();
  node->op = std::move(op);
  node->number = next_number++;
  node->dtype = value.dtype();
  node->shape = value.shape();
  return node;
}

std::shared_ptr<State> new_leaf(Tensor value, std::string name) {
  auto state = new_state(std::move(value), std::move(name));
  state->node = new_node(state->name, state->value);
  state->node->is_leaf = true;
  state->node->leaf = state;
  return state;
}

bool records(const std::vector<Var>& inputs) {
  return recording() && std::any_of(inputs.begin(), inputs.end(), [](const Var& v) { return v.requires_grad(); });
}

void attach(State& state, const std::vector<Var>& inputs, Rule rule, Saved output) {
  auto node = new_node(state.name, state.value);
  for (const Var& input : inputs) node->inputs.push_back(input ? input.state()->node : nullptr);
  node->rule = std::move(rule);
  node->output = std::move(output);
  state.node = std::move(node);
}

std::shared_ptr<State> leaf_state(Tensor value, bool requires_grad, std::string name) {
  const DType dtype = value.dtype();
  if (!requires_grad) return new_state(std::move(value), std::move(name));
  if (kind(dtype) != Kind::kFloat && kind(dtype) != Kind::kComplex)
    throw_error(fail(Code::kType, "G1",
                     "variable: dtype of a leaf that requires gradients is {}, allowed a float or "
                     "complex dtype",
                     garner::name(dtype)));
  return new_leaf(std::move(value), std::move(name));
}

}  // namespace

/// Taking a node apart may end the last use of the next one, whose destructor then only adds to the list.
Node::~Node() {
  std::vector<Parts> list;
  const bool first = dying == nullptr;
  if (first) dying = &list;
  dying->push_back({std::move(inputs), std::move(rule), std::move(output), std::move(hooks)});
  if (!first) return;
  while (!list.empty()) {
    const Parts last = std::move(list.back());
    list.pop_back();
  }
  dying = nullptr;
}

Var record(std::string op, Tensor value, const std::vector<Var>& inputs, Rule rule) {
  Var out(new_state(std::move(value), std::move(op)));
  if (records(inputs)) attach(*out.state(), inputs, std::move(rule), Saved(out));
  return out;
}

Var record(std::string op, Tensor value, const std::vector<Var>& inputs, ShortRule rule) {
  Var out(new_state(std::move(value), std::move(op)));
  if (!records(inputs)) return out;
  Rule full = [rule = std::move(rule)](const Var& cotangent, const Var&) { return rule(cotangent); };
  attach(*out.state(), inputs, std::move(full), Saved());
  return out;
}

Recording::Recording(bool on) : before_(recording_now) { recording_now = on; }
Recording::~Recording() { recording_now = before_; }
NoGrad::NoGrad() : before_(recording_now) { recording_now = false; }
NoGrad::~NoGrad() { recording_now = before_; }
bool recording() { return recording_now; }

State& state_of(const Var& variable) {
  if (!variable) throw_error(fail(Code::kInvalidArgument, "G4", "variable: it is empty, allowed one with a value"));
  return *variable.state();
}

const Version& version_of(const Var& variable) {
  Version& version = state_of(variable).version;
  if (!version) version = std::make_shared<std::uint64_t>(0);
  return version;
}

void share_version(const Var& from, const Var& to) { state_of(to).version = version_of(from); }

// ---- variables ----

Var::Var(Tensor value, bool requires_grad, std::string name)
    : state_(leaf_state(std::move(value), requires_grad, std::move(name))) {}

Var lucid_leaf(Tensor value, std::string name) { return Var(new_leaf(std::move(value), std::move(name))); }

const Tensor& Var::value() const { return state_of(*this).value; }
bool Var::requires_grad() const { return state_ && state_->node; }
bool Var::is_leaf() const { return !requires_grad() || state_->node->is_leaf; }
const std::string& Var::name() const { return state_of(*this).name; }
const Var& Var::grad() const { return state_of(*this).grad; }
void Var::zero_grad() { state_of(*this).grad = {}; }

Var Var::detach() const {
  Var out(new_state(value(), name()));
  share_version(*this, out);
  return out;
}

MutableView Var::mutate() {
  State& state = state_of(*this);
  if (!is_leaf())
    throw_error(fail(Code::kInvalidArgument, "G2",
                     "mutate: variable is the result of {}, allowed one without a history", state.name));
  if (requires_grad() && recording())
    throw_error(fail(Code::kInvalidArgument, "G2", "mutate: leaf '{}' requires gradients, allowed under NoGrad only",
                     state.name));
  ++*version_of(*this);
  return state.value.view();
}

void Var::on_gradient(std::function<Var(const Var&)> hook) {
  if (!requires_grad())
    throw_error(fail(Code::kInvalidArgument, "G4",
                     "on_gradient: variable '{}' requires no gradients, allowed one that "
                     "does",
                     name()));
  state_->node->hooks.push_back(std::move(hook));
}

}  // namespace garner::grad
