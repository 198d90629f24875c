// Reverse-mode gradients: values that remember how they came about. Rules G1–G9: docs/grad.md.
//
//   Var x(tensor({1.0, 2.0, 3.0}), /*requires_grad=*/true);
//   Var y = sum(x * call({x}, [&](const std::vector<View>& v) { return torch::lower_gather(v[0], 0, index); }));
//   y.backward();
//   x.grad().value();
//
// Every rule is itself made of these operations, so a gradient can be differentiated again (create_graph).
// Nothing here is shared between threads: one graph belongs to one thread at a time.
#pragma once
#include <any>
#include <functional>

#include "garner/error.h"
#include "garner/run.h"

namespace garner::grad {

struct State;  // what a Var points at

struct BackwardOptions {
  bool retain_graph = false;  // keep what the rules saved, for another pass
  bool create_graph = false;  // record the pass itself (also under NoGrad), for second derivatives; keeps the graph
};

/// A tensor in a graph. Copies are the same variable. Empty when default-constructed.
class Var {
 public:
  Var() = default;
  /// A leaf. Rule G1: only float and complex dtypes may require gradients (integers in the lucid dialect: lucid_leaf).
  /// It looks at the tensor's memory; a change made there other than through mutate() is not noticed.
  explicit Var(Tensor value, bool requires_grad = false, std::string name = "");

  explicit operator bool() const { return state_ != nullptr; }
  const Tensor& value() const;
  const Axes& shape() const { return value().shape(); }
  Index rank() const { return value().rank(); }
  Index elements() const { return value().elements(); }
  DType dtype() const { return value().dtype(); }
  bool requires_grad() const;
  bool is_leaf() const;
  const std::string& name() const;  // the leaf's, or the operation that made it

  /// What backward() has added up for this leaf; empty before.
  const Var& grad() const;
  void zero_grad();

  /// The same memory without its history. A change to one is a change to both, and is noticed for both.
  Var detach() const;

  /// The memory, to be changed in place. A rule that saved this variable before the change then refuses (G7), naming
  /// both. Rule G2: not for a variable with a history, nor for a leaf that requires gradients unless under NoGrad.
  MutableView mutate();

  /// Called with the gradient of this variable when it is complete; may return another one in its place (of the same
  /// shape and dtype, G3), or nothing. Rule G4: the variable requires gradients. A hook that holds the variable itself
  /// keeps it alive for ever.
  void on_gradient(std::function<Var(const Var& gradient)> hook);

  /// Gradients of this variable with respect to every leaf it depends on, added to their grad(). Without a seed the
  /// seed is ones of its shape, whatever that is, as in lucid (LU15): the gradient of the sum of its elements. Rules G3
  /// shape and dtype of the seed, G4 it requires no gradients, G7 a saved variable was changed in place, G8 the graph
  /// was freed.
  void backward(const Var& seed = {}, const BackwardOptions& options = {}) const;

  State* state() const { return state_.get(); }
  explicit Var(std::shared_ptr<State> state) : state_(std::move(state)) {}

 private:
  std::shared_ptr<State> state_;
};

/// A leaf of any dtype, integers too: lucid differentiates them (LU12), and their gradients keep the dtype.
Var lucid_leaf(Tensor value, std::string name = "");

/// d(sum of seeds · outputs)/d(inputs), one each; adds to no grad(). An input no output depends on gives an empty Var.
/// Seeds: as many as outputs, or none for ones. Rules as backward().
std::vector<Var> gradients(const std::vector<Var>& outputs, const std::vector<Var>& inputs,
                           const std::vector<Var>& seeds = {}, const BackwardOptions& options = {});

/// While one lives, on this thread, no history is recorded.
class NoGrad {
 public:
  NoGrad();
  ~NoGrad();
  NoGrad(const NoGrad&) = delete;
  NoGrad& operator=(const NoGrad&) = delete;

 private:
  bool before_;
};
bool recording();  // is history recorded on this thread?

/// What happens to tensors that rules save while one lives, on this thread: `pack` when saved (the tensor itself is
/// then let go), `unpack` when a rule needs it again. To move them elsewhere, compress them, or count them.
struct SavedHooks {
  std::function<std::any(const Tensor&)> pack;
  std::function<Tensor(const std::any&)> unpack;
};
class SaveWith {
 public:
  explicit SaveWith(SavedHooks hooks);
  ~SaveWith();
  SaveWith(const SaveWith&) = delete;
  SaveWith& operator=(const SaveWith&) = delete;
};

// ---- arithmetic; shapes broadcast as in NumPy (rule G5 shapes), both sides of one dtype (G6) ----
// add, sub, mul, neg: all dtypes but bool. div, exp: float and complex. The others: float. 8- and 16-bit floats are
// computed in float and rounded once; integers wrap. A complex gradient is that of PyTorch: the conjugate derivative.

Var add(const Var& a, const Var& b);
Var sub(const Var& a, const Var& b);
Var mul(const Var& a, const Var& b);
Var div(const Var& a, const Var& b);
Var pow(const Var& a, const Var& b);  // the gradient of the exponent at 0^b, b >= 0, is 0
Var pow(const Var& a, double exponent);
Var neg(const Var& a);
Var exp(const Var& a);
Var log(const Var& a);
Var sqrt(const Var& a);  // the gradient at 0 is infinite
Var tanh(const Var& a);
Var sigmoid(const Var& a);
Var relu(const Var& a);  // the gradient at 0 is 0
inline Var operator+(const Var& a, const Var& b) { return add(a, b); }
inline Var operator-(const Var& a, const Var& b) { return sub(a, b); }
inline Var operator*(const Var& a, const Var& b) { return mul(a, b); }
inline Var operator/(const Var& a, const Var& b) { return div(a, b); }
inline Var operator-(const Var& a) { return neg(a); }
/// A constant of another operand's dtype, rank 0.
Var constant(double value, DType dtype);
// The number becomes a constant of a's dtype.
Var operator*(const Var& a, double b);
Var operator+(const Var& a, double b);

/// Reductions: over all axes, or over some (negative ones count from the end, none twice: rule G5). Sums run in one
/// fixed order, in double, and are rounded once; integers wrap. mean: float and complex; of nothing it is NaN. max and
/// min: not complex; the first NaN wins; of nothing they are refused (G5). Their gradient goes to the first of equal
/// elements in row-major order.
struct Over {
  std::optional<Axes> axes = std::nullopt;  // none: all
  bool keepdims = false;
};
Var sum(const Var& a, const Over& over = {});
Var mean(const Var& a, const Over& over = {});
Var max(const Var& a, const Over& over = {});
Var min(const Var& a, const Over& over = {});

/// (…, m, k) · (…, k, n), leading axes broadcast; vectors as in NumPy. All dtypes but bool; the smaller floats multiply
/// in f32. Rule G5 shapes.
Var matmul(const Var& a, const Var& b);
// Of any dtype, bool too. Rule G5 shapes and axes.
Var reshape(const Var& a, const Axes& shape);  // one -1 is what is left; the same memory
Var transpose(const Var& a, const Axes& order = {});  // none: reversed
Var broadcast(const Var& a, const Axes& shape);
/// The adjoint of broadcast: sums over the axes that were stretched.
Var sum_to(const Var& a, const Axes& shape);
Var concatenate(const std::vector<Var>& parts, Index axis = 0);
/// Of floats. Where every element of a lane is -inf, or one is inf, the lane is NaN.
Var softmax(const Var& a, Index axis = -1);
Var log_softmax(const Var& a, Index axis = -1);
/// The mean of -log softmax(logits)[i, target[i]] over rows i; target: integers [n], each in [0, classes) (rule G9).
/// Of no rows: NaN.
Var cross_entropy(const Var& logits, const View& target);
/// mask ? a : 0, exactly: what is not kept does not count even if it is NaN. mask: bool (G6), broadcasts to a (G5).
Var keep(const Tensor& mask, const Var& a);

// ---- gathers and scatters: any dialect's ----

/// Which of several equal candidates of a minimum or maximum gets the gradient. Torch divides it (its own dialect does
/// so by itself).
enum class Ties { kFirst, kEven };

/// Makes a job of the inputs' values, as a dialect's lower_* does.
using Lowering = std::function<Result<Job>(const std::vector<View>& inputs)>;

/// The job's result, and gradients for the inputs whose memory it reads or writes from. Index tensors are copied, so
/// that they may change afterwards.
///   Var y = call({x}, [&](const std::vector<View>& v) { return torch::lower_gather(v[0], 1, index); });
/// Rules G10 no gradient (an atomic that fetches, bitwise combines, a user's function), G11 an input that requires
/// gradients was converted to another dtype on the way.
Var call(const std::vector<Var>& inputs, const Lowering& lower, Ties ties = Ties::kFirst,
         const RunOptions& options = {});

/// Without the tape: what a cotangent of the job's result says of its operand, updates and fill, each in the shape the
/// job sees. Empty: the job has none. Rule G3 for the cotangent, G10.
struct JobGradients {
  std::optional<Tensor> operand, updates, fill;
};
JobGradients vjp(const Job& job, const View& cotangent, Ties ties = Ties::kFirst, const RunOptions& options = {});

// ---- choosing by value ----

/// Elements in order along an axis, and where they stood (garner::sort, argsort, top_k). The gradient goes back there.
struct Ordered {
  Var values;
  Tensor indices;
};
Ordered sort(const Var& a, Index axis = -1, bool descending = false);
Ordered top_k(const Var& a, Index k, Index axis = -1, bool largest = true);
/// a[…, indices[d], …] along an axis, d elsewhere.
Var take_along(const Var& a, const View& indices, Index axis);
Var masked_select(const Var& a, const View& mask);
Var where(const View& mask, const Var& a, const Var& b);

/// garner::segment_sum and its like: ids of the first axes of data. The gradient of a minimum or maximum goes to the
/// first of equal rows, element by element.
Var segment_sum(const Var& data, const View& ids, Index segments);
Var segment_mean(const Var& data, const View& ids, Index segments);
Var segment_min(const Var& data, const View& ids, Index segments);
Var segment_max(const Var& data, const View& ids, Index segments);
Var segment_prod(const Var& data, const View& ids, Index segments);

/// Rows of a table combined bag by bag (garner::embedding_bag). begins: i64 [bags + 1], where each bag of `indices`
/// begins and the last ends. Weights, one per index, go with sums only and get gradients too.
struct BagInput {
  View indices, begins;
  std::optional<Index> padding = std::nullopt;
};
Var embedding_bag_sum(const Var& table, const BagInput& bags, const Var& weights = {});
Var embedding_bag_mean(const Var& table, const BagInput& bags);
Var embedding_bag_max(const Var& table, const BagInput& bags);

}  // namespace garner::grad
