// The graph behind variables. A variable's State holds its value; the Node it points at says how it came about. Nodes
// point at nodes, never at states, so a graph holds no value but those its rules saved, and holds nothing in a circle.
#pragma once
#include <atomic>
#include <cstdint>

#include "base/fail.h"
#include "garner/grad.h"

namespace garner::grad {

/// How many of a kind are alive: for the tests that look for leaks.
template <class T>
class Counted {
 public:
  static inline std::atomic<Index> live = 0;

 private:
  friend T;
  Counted() { ++live; }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  ~Counted() { --live; }
};

/// How often memory was changed in place. Shared by all variables that look at it; null: never, and nobody asked.
using Version = std::shared_ptr<std::uint64_t>;

struct Node;

struct State : Counted<State> {
  Tensor value;
  std::string name;
  std::shared_ptr<Node> node;  // null: requires no gradients
  Var grad;  // of leaves
  Version version;
};

/// One gradient per input; an empty Var means none. Made of Var operations, so that it can be differentiated in turn.
/// A rule never holds its own output, which would be a circle: it is given it.
using Rule = std::function<std::vector<Var>(const Var& cotangent, const Var& output)>;
/// A rule that does not look at the output, which is then not kept.
using ShortRule = std::function<std::vector<Var>(const Var& cotangent)>;

/// A variable made by `op` from inputs; recorded only when recording() and an input requires gradients.
Var record(std::string op, Tensor value, const std::vector<Var>& inputs, Rule rule);
Var record(std::string op, Tensor value, const std::vector<Var>& inputs, ShortRule rule);

/// What a rule keeps of an input. Remembers its version, and refuses when it was changed in place since (G7). Under
/// SaveWith the tensor itself is let go.
class Saved {
 public:
  Saved() = default;  // nothing
  /// Keeps nothing while nothing is recorded.
  explicit Saved(const Var& variable);
  /// The variable with its history; empty when nothing was saved.
  Var get() const;

 private:
  struct Kept;
  std::shared_ptr<const Kept> kept_;
};

/// Saved when a rule will need it.
inline Saved saved_if(bool needed, const Var& variable) { return needed ? Saved(variable) : Saved(); }

/// Where gradients arrive: an operation, or a leaf.
struct Node : Counted<Node> {
  Node() = default;
  ~Node();  // of a chain of any length, without recursion

  std::string op;  // or the leaf's name
  std::uint64_t number = 0;  // grows with time: inputs have smaller ones
  DType dtype = DType::kF32;  // of the value, and so of its gradient
  Axes shape;
  std::vector<std::shared_ptr<Node>> inputs;  // null: requires no gradients
  Rule rule;  // empty for a leaf, and once a pass has freed it
  Saved output;  // for rules that look at it
  std::vector<std::function<Var(const Var&)>> hooks;
  std::weak_ptr<State> leaf;  // weak: a gradient with a history leads back to its leaf
  bool is_leaf = false;
};

/// The operation whose rule is running on this thread, for messages; nothing outside of a pass.
class Running {
 public:
  explicit Running(const std::string& op);
  ~Running();
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  static const std::string& op();

 private:
  const std::string* before_;
};

/// History is recorded, or not, while one lives.
class Recording {
 public:
  explicit Recording(bool on);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

 private:
  bool before_;
};

/// The count of changes to the variable's memory, made if there is none yet.
const Version& version_of(const Var& variable);

/// `to` looks at the memory of `from`: a change to one is a change to both.
void share_version(const Var& from, const Var& to);

/// The state, which an empty variable has not (G4).
State& state_of(const Var& variable);

/// Rule G3: `gradient` has the dtype and the shape given; `what` names it.
struct Form {
  DType dtype;
  const Axes& shape;
};
void require_form(const std::string& op, const std::string& what, const View& gradient, const Form& form);

}  // namespace garner::grad
