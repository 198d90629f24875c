// The way back: gradients arrive at nodes, latest node first, and each node's rule sends them on to its inputs. A
// node's inputs are older than it is, so when it is the latest that waits, everything meant for it has arrived.
#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "grad/ops.h"
#include "grad/state.h"

namespace garner::grad {
namespace {

using NodePtr = std::shared_ptr<Node>;

/// What a pass is for: which nodes gradients should reach, and what to do with one that is complete.
struct Purpose {
  std::function<bool(const Node&)> reaches;
  std::function<void(const Node&, const Var& gradient)> complete;
};

class Pass {
 public:
  Pass(const BackwardOptions& options, Purpose purpose)
      : purpose_(std::move(purpose)),
        record_(options.create_graph),
        keep_(options.create_graph || options.retain_graph) {}

  void give(const NodePtr& node, const Var& gradient) {
    if (!purpose_.reaches(*node)) return;
    Var& sum = waiting_.try_emplace(node->number, Arrived{node, {}}).first->second.gradient;
    sum = sum ? add(sum, gradient) : gradient;
  }

  void run() {
    while (!waiting_.empty()) {
      const Arrived next = std::move(waiting_.extract(waiting_.begin()).mapped());
      const Var gradient = after_hooks(*next.node, next.gradient);
      purpose_.complete(*next.node, gradient);
      if (leads_on(*next.node)) send_on(next.node, gradient);
    }
  }

  bool records() const { return record_; }

 private:
  struct Arrived {
    NodePtr node;
    Var gradient;
  };

  static Var after_hooks(const Node& node, Var gradient) {
    for (const auto& hook : node.hooks) {
      Var other = hook(gradient);
      if (!other) continue;
      require_form(node.op, "a hook's gradient", other.value(), {node.dtype, node.shape});
      gradient = std::move(other);
    }
    return gradient;
  }

  bool leads_on(const Node& node) const {
    return std::any_of(node.inputs.begin(), node.inputs.end(),
                       [&](const NodePtr& input) { return input && purpose_.reaches(*input); });
  }

  void send_on(const NodePtr& from, const Var& gradient) {
    Node& node = *from;
    if (!node.rule)
      throw_error(fail(Code::kInvalidArgument, "G8",
                       "{}: graph was freed by an earlier pass, allowed one with retain_graph", node.op));
    const std::vector<Var> gradients = apply_rule(from, gradient);
    if (!keep_) node.rule = nullptr, node.output = {};
    for (std::size_t i = 0; i < node.inputs.size(); ++i) send(node, i, gradients);
  }

  static std::vector<Var> apply_rule(const NodePtr& node, const Var& gradient) {
    const Running running(node->op);
    const Var output = node->output.get();
    if (output) output.state()->node = node;  // saved without it, which would have been a circle
    return node->rule(gradient, output);
  }

  void send(const Node& node, std::size_t i, const std::vector<Var>& gradients) {
    const NodePtr& input = node.inputs[i];
    if (!input || i >= gradients.size() || !gradients[i]) return;
    require_form(node.op, fmt::format("the gradient of input {}", i), gradients[i].value(),
                 {input->dtype, input->shape});
    give(input, gradients[i]);
  }

  Purpose purpose_;
  bool record_, keep_;
  std::map<std::uint64_t, Arrived, std::greater<>> waiting_;  // by number, latest first
};

/// A gradient for the caller: memory of its own, unless it has a history.
Var own(const Var& gradient, bool with_history) {
  if (with_history) return gradient;
  const Tensor& value = gradient.value();
  return Var(value.shares_memory() ? value_or_throw(value.clone()) : value);
}

Var seed_for(const Var& output, const Var& seed, bool with_history) {
  if (!seed) return ones_like(output.value());
  require_form("backward", "seed", seed.value(), {output.dtype(), output.shape()});
  return with_history ? seed : seed.detach();
}

void start(Pass& pass, const Var& output, const Var& seed) {
  if (!output.requires_grad())
    throw_error(fail(Code::kInvalidArgument, "G4",
                     "backward: variable '{}' has no history, allowed one that depends on a "
                     "leaf that requires gradients",
                     output.name()));
  pass.give(output.state()->node, seed_for(output, seed, pass.records()));
}

void add_to_leaf(const Node& node, const Var& gradient, bool with_history) {
  const std::shared_ptr<State> leaf = node.leaf.lock();
  if (!leaf) return;  // nobody can ask for it any more
  leaf->grad = leaf->grad ? add(leaf->grad, gradient) : own(gradient, with_history);
}

/// Nodes that gradients come by, oldest first.
std::vector<const Node*> reachable(const std::vector<Var>& outputs) {
  std::unordered_set<const Node*> seen;
  std::vector<const Node*> found, work;
  const auto visit = [&](const NodePtr& node) {
    if (node && seen.insert(node.get()).second) work.push_back(node.get());
  };
  for (const Var& output : outputs) visit(state_of(output).node);
  while (!work.empty()) {
    const Node* node = work.back();
    work.pop_back();
    found.push_back(node);
    for (const NodePtr& input : node->inputs) visit(input);
  }
  std::sort(found.begin(), found.end(), [](const Node* a, const Node* b) { return a->number < b->number; });
  return found;
}

using Wanted = std::unordered_map<const Node*, Var>;

/// The nodes from which a wanted one is reached, so that nothing else need be computed.
std::unordered_set<const Node*> leading_to(const Wanted& wanted, const std::vector<Var>& outputs) {
  std::unordered_set<const Node*> leading;
  for (const Node* node : reachable(outputs)) {
    const auto leads = [&](const NodePtr& input) { return leading.contains(input.get()); };
    if (wanted.contains(node) || std::any_of(node->inputs.begin(), node->inputs.end(), leads)) leading.insert(node);
  }
  return leading;
}

Wanted wanted_of(const std::vector<Var>& inputs) {
  Wanted wanted;
  for (const Var& input : inputs)
    if (input.requires_grad()) wanted.try_emplace(input.state()->node.get());
  return wanted;
}

void check_seeds(const std::vector<Var>& outputs, const std::vector<Var>& seeds) {
  if (seeds.empty() || seeds.size() == outputs.size()) return;
  throw_error(fail(Code::kInvalidArgument, "G3", "gradients: number of seeds is {}, allowed 0 or {}", seeds.size(),
                   outputs.size()));
}

}  // namespace

void require_form(const std::string& op, const std::string& what, const View& gradient, const Form& form) {
  if (gradient.dtype() != form.dtype)
    throw_error(fail(Code::kType, "G3", "{}: dtype of {} is {}, allowed {}", op, what, name(gradient.dtype()),
                     name(form.dtype)));
  if (gradient.shape() != form.shape)
    throw_error(fail(Code::kInvalidArgument, "G3", "{}: shape of {} is {}, allowed {}", op, what,
                     list(gradient.shape()), list(form.shape)));
}

void Var::backward(const Var& seed, const BackwardOptions& options) const {
  const bool record = options.create_graph;
  const Recording mode(record);
  Pass pass(options, {[](const Node&) { return true; }, [&](const Node& node, const Var& gradient) {
    if (node.is_leaf) add_to_leaf(node, gradient, record);
  }});
  start(pass, *this, seed);
  pass.run();
}

std::vector<Var> gradients(const std::vector<Var>& outputs, const std::vector<Var>& inputs,
                           const std::vector<Var>& seeds, const BackwardOptions& options) {
  check_seeds(outputs, seeds);
  const Recording mode(options.create_graph);
  Wanted wanted = wanted_of(inputs);
  const auto leading = leading_to(wanted, outputs);
  Pass pass(options, {[&](const Node& node) { return leading.contains(&node); }, [&](const Node& node, const Var& g) {
    if (const auto at = wanted.find(&node); at != wanted.end()) at->second = g;
  }});
  for (std::size_t i = 0; i < outputs.size(); ++i) start(pass, outputs[i], seeds.empty() ? Var() : seeds[i]);
  pass.run();
  std::vector<Var> found;
  for (const Var& input : inputs) {
    const auto at = input.requires_grad() ? wanted.find(input.state()->node.get()) : wanted.end();
    found.push_back(at == wanted.end() || !at->second ? Var() : own(at->second, options.create_graph));
  }
  return found;
}

}  // namespace garner::grad
