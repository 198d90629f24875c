// What rules keep of their inputs until the pass comes by.
#include "grad/state.h"

namespace garner::grad {
namespace {

using Hooks = std::shared_ptr<const SavedHooks>;

std::vector<Hooks>& active_hooks() {
  thread_local std::vector<Hooks> hooks;
  return hooks;
}

thread_local const std::string* running_op = nullptr;

}  // namespace

Running::Running(const std::string& op) : before_(running_op) { running_op = &op; }
Running::~Running() { running_op = before_; }
const std::string& Running::op() {
  static const std::string kNone = "gradient";
  return running_op != nullptr ? *running_op : kNone;
}

SaveWith::SaveWith(SavedHooks hooks) { active_hooks().push_back(std::make_shared<const SavedHooks>(std::move(hooks))); }
SaveWith::~SaveWith() { active_hooks().pop_back(); }

/// Parts of a variable, not the variable: a leaf's gradient may have a history that leads to a rule that saved the
/// leaf.
struct Saved::Kept {
  Tensor value;  // without hooks
  std::any packed;  // with hooks
  Hooks hooks;
  DType dtype;
  Axes shape;
  std::string name;
  std::shared_ptr<Node> node;
  Version version;
  std::uint64_t then;

  Tensor tensor() const {
    if (!hooks) return value;
    Tensor unpacked = hooks->unpack(packed);
    require_form(Running::op(), "an unpacked tensor", unpacked, {dtype, shape});
    return unpacked;
  }
  void require_unchanged() const {
    if (*version == then) return;
    throw_error(fail(Code::kInvalidArgument, "G7",
                     "{}: variable '{}' is at version {}, allowed {}: it was changed in place after {} had saved it",
                     Running::op(), name, *version, then, Running::op()));
  }
};

Saved::Saved(const Var& variable) {
  if (!recording()) return;
  const State& state = state_of(variable);
  Hooks hooks = active_hooks().empty() ? nullptr : active_hooks().back();
  Kept kept{{}, {}, hooks, variable.dtype(), variable.shape(), state.name, state.node, version_of(variable), 0};
  kept.then = *kept.version;
  if (hooks) kept.packed = hooks->pack(state.value);
  else kept.value = state.value;
  kept_ = std::make_shared<const Kept>(std::move(kept));
}

Var Saved::get() const {
  if (!kept_) return {};
  kept_->require_unchanged();
  auto state = std::make_shared<State>();
  state->value = kept_->tensor();
  state->name = kept_->name;
  state->node = kept_->node;
  state->version = kept_->version;
  return Var(std::move(state));
}

}  // namespace garner::grad
