// Gradients of tables of which a batch reads few rows, and optimisers whose step costs what the batch costs, however
// many rows the table has. Rules R1–R5: docs/row_gradient.md.
//
//   Tensor y = torch::embedding(ids, table);  // … a model and its loss; `back` is what comes back to y
//   Adagrad optimiser({.lr = 0.1});
//   optimiser.step(table.view(), row_gradient(ids, back, table.shape()));
//
// Each function is there twice: f(…) throws, garner::rows::f(…) returns a Result; so with step and try_step.
#pragma once
#include "garner/error.h"
#include "garner/run.h"

namespace garner {

/// The gradient of a table of which few rows were read: each row once, with the sum of what came back to it.
struct RowGradient {
  Tensor rows;    // i64 [n], rising
  Tensor values;  // [n, row shape…]
  Axes shape;     // of the table
};

struct RowGradientOptions {
  std::optional<Index> padding = std::nullopt;  // an index that gets no gradient; may lie outside the table
};

namespace rows {
Result<RowGradient> row_gradient(const View& indices, const View& cotangent, const Axes& table_shape,
                                 const RowGradientOptions& options = {}, const RunOptions& run = {});
Result<RowGradient> merge(const RowGradient& a, const RowGradient& b, const RunOptions& run = {});
Result<Tensor> dense(const RowGradient& gradient, const RunOptions& run = {});
}  // namespace rows

/// indices: integers of any shape; cotangent: that shape, then the shape of a row; f16, bf16, f32 or f64. What meets in
/// one row is added in the order it comes, 16-bit floats in f32 and rounded once. Negative indices are out of range.
///   row_gradient(tensor({7, 2, 7}), tensor({1.0, 2.0, 3.0}), {10})  ->  rows [2 7], values [2. 4.]
/// Rules R1 index, R2 shapes, R3 dtypes.
inline RowGradient row_gradient(const View& indices, const View& cotangent, const Axes& table_shape,
                                const RowGradientOptions& options = {}, const RunOptions& run = {}) {
  return value_or_throw(rows::row_gradient(indices, cotangent, table_shape, options, run));
}
/// The sum of two gradients of one table. Rules R1–R3.
inline RowGradient merge(const RowGradient& a, const RowGradient& b, const RunOptions& run = {}) {
  return value_or_throw(rows::merge(a, b, run));
}
/// The whole table's gradient, 0 in all other rows. Rules R1–R3.
inline Tensor dense(const RowGradient& gradient, const RunOptions& run = {}) {
  return value_or_throw(rows::dense(gradient, run));
}

// ---- optimisers ----

/// What an optimiser remembers, in memory of the caller: row-major, of the table's shape, f64 for an f64 table and f32
/// for all others. Taken as it stands: zeros at first (Adagrad: initial_accumulator), or what an earlier run left.
struct OptimiserMemory {
  std::vector<MutableView> state;
  Index steps = 0;  // already made
};

struct StepRule;  // one step in numbers: src/grad/row_update.h

/// One optimiser serves one table. It changes the table in place: f16, bf16, f32 or f64, rows without gaps, which may
/// lie any distance apart. Arithmetic is done in f32 (f64 for f64) and rounded once.
/// A step with a RowGradient reads and writes the rows in it and no others, in the table and in what is remembered; it
/// equals the dense step in those rows. Rules R1 row, R2 shapes, R3 dtypes, R4 not offered by rows, R5 options. A
/// refused step changes nothing and is not counted.
class Optimiser {
 public:
  Optimiser(const Optimiser&) = delete;
  Optimiser& operator=(const Optimiser&) = delete;
  virtual ~Optimiser() = default;

  void step(const MutableView& table, const RowGradient& gradient, const RunOptions& run = {}) {
    value_or_throw(try_step(table, gradient, run));
  }
  void step(const MutableView& table, const View& gradient, const RunOptions& run = {}) {
    value_or_throw(try_step(table, gradient, run));
  }
  Status try_step(const MutableView& table, const RowGradient& gradient, const RunOptions& run = {});
  Status try_step(const MutableView& table, const View& gradient, const RunOptions& run = {});

  /// What it remembers and how many steps it made. Memory of its own is there from the first step on, at the size of
  /// the table, but a page of it costs nothing until a row in it is touched.
  const OptimiserMemory& memory() const { return memory_; }

 protected:
  Optimiser() = default;
  explicit Optimiser(OptimiserMemory memory) : memory_(std::move(memory)), given_(true) {}

 private:
  virtual StepRule rule(Index step) const = 0;
  Status prepare(const StepRule& rule, const MutableView& table, const View& gradient);
  Status open(const StepRule& rule, const View& table);

  OptimiserMemory memory_;
  std::vector<std::shared_ptr<void>> owned_;
  bool given_ = false;
};

struct SgdOptions {
  double lr = 1e-3, momentum = 0, weight_decay = 0;
};
/// g += weight_decay w;  v = momentum v + g;  w -= lr v.  By rows: without momentum and weight decay (R4), which would
/// move rows that were not read. Remembers v, with momentum only.
class Sgd : public Optimiser {
 public:
  explicit Sgd(const SgdOptions& o = {}) : options(o) {}
  Sgd(const SgdOptions& o, OptimiserMemory memory) : Optimiser(std::move(memory)), options(o) {}
  SgdOptions options;  // may change between steps

 private:
  StepRule rule(Index step) const override;
};

struct AdagradOptions {
  double lr = 0.01, eps = 1e-10, initial_accumulator = 0, weight_decay = 0, lr_decay = 0;
};
/// g += weight_decay w;  s += g²;  w -= lr / (1 + (step - 1) lr_decay) g / (√s + eps).  By rows: without weight decay.
/// Remembers s. With an initial accumulator the first step writes all of s.
class Adagrad : public Optimiser {
 public:
  explicit Adagrad(const AdagradOptions& o = {}) : options(o) {}
  Adagrad(const AdagradOptions& o, OptimiserMemory memory) : Optimiser(std::move(memory)), options(o) {}
  AdagradOptions options;

 private:
  StepRule rule(Index step) const override;
};

struct AdamOptions {
  double lr = 1e-3, beta1 = 0.9, beta2 = 0.999, eps = 1e-8, weight_decay = 0;
};
/// g += weight_decay w;  m += (1 - beta1) (g - m);  v = beta2 v + (1 - beta2) g²;
/// w -= lr / (1 - beta1^step) m / (√v / √(1 - beta2^step) + eps).  By rows: without weight decay, and lazy: in rows
/// that are not in the gradient m and v stay as they are (a dense step with zeros there would shrink them and move w).
/// Remembers m and v.
class Adam : public Optimiser {
 public:
  explicit Adam(const AdamOptions& o = {}) : options(o) {}
  Adam(const AdamOptions& o, OptimiserMemory memory) : Optimiser(std::move(memory)), options(o) {}
  AdamOptions options;

 private:
  StepRule rule(Index step) const override;
};

}  // namespace garner
