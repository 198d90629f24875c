// The one description every gather and scatter becomes. Why this form: docs/plan.md.
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "garner/axes.h"
#include "garner/dtype.h"
#include "garner/status.h"

namespace garner {

enum class Direction { kGather, kScatter };

/// What a scatter does with the value already there. kCompareExchange stores the update where the value equals `fill`.
enum class Combine { kAssign, kAdd, kMul, kMin, kMax, kAnd, kOr, kXor, kCompareExchange, kUser };

/// What an index outside its bounds means. Reads may trap, clamp, modulo, fill; writes trap, clamp, modulo, drop.
/// kPromise alone is unchecked: the caller vouches for every index.
enum class OutOfRange { kTrap, kClamp, kModulo, kFill, kDrop, kPromise };

/// What the bounds speak of: the index value, or the position it leads to (value + window offset).
enum class Scope { kTerm, kPosition };

/// Range [lo, hi) for one index tensor. A negative v is read as v + wrap first (wrap == 0: no wrapping).
/// For a window of size w on an axis of extent n that must fit whole, hi is n - w + 1.
struct Bounds {
  Index lo = 0, hi = 0, wrap = 0;
  OutOfRange policy = OutOfRange::kTrap;
  Scope scope = Scope::kTerm;
  bool operator==(const Bounds&) const = default;
};

/// One index tensor: its stride (in elements) along each domain axis.
struct IndexTerm {
  DType dtype = DType::kI64;
  Axes stride;
  Bounds bounds;
  bool operator==(const IndexTerm&) const = default;
};

/// Position on one axis of the indexed side at domain position d:
///   offset + sum_k step[k] * d[k] + (term < 0 ? 0 : index value)
struct AxisMap {
  Index extent = 0, stride = 0;  // of that axis; stride in elements
  Index offset = 0;
  Axes step;
  int term = -1;
  bool operator==(const AxisMap&) const = default;
};

struct IndexPlan {
  Direction direction = Direction::kGather;
  Combine combine = Combine::kAssign;
  DType dtype = DType::kF32;
  Axes domain;                   // extents of the iteration space
  std::vector<AxisMap> indexed;  // one per axis of the indexed side
  Index indexed_base = 0;        // elements from the indexed side's data pointer to its position (0, …, 0)
  Axes dense_stride;             // of the side walked in order
  std::vector<IndexTerm> terms;
  std::optional<Axes> mask_stride;   // bool; false: do not read or write here
  std::optional<Axes>
      fill_stride;   // what a masked or filled read gives (none: zero); the expected value of kCompareExchange
  std::optional<Axes> fetch_stride;  // scatter: where the value before each update goes
  bool operator==(const IndexPlan&) const = default;
};

std::string_view name(Combine combine);
std::string_view name(OutOfRange policy);

/// Rules P1…: docs/rules.md. A verified plan reads and writes only inside its extents, whatever the indices hold
/// (except under promise).
Status verify(const IndexPlan& plan);

/// The normal form N1…: docs/plan.md. Same result for every input; never fails on a verified plan.
IndexPlan simplify(IndexPlan plan);

/// The transposed linear map: a gather becomes a scatter that adds, and back. Rule P22 when the plan is not linear.
Result<IndexPlan> adjoint(const IndexPlan& plan);

/// Where the k-th index tensor of a composed plan comes from: one of the two plans' own, or — when the inner plan reads
/// an index at a place that the outer plan looks up — the inner index tensor gathered by `through`.
struct ComposedTerm {
  enum class Source { kOuter, kInner, kGathered } source = Source::kOuter;
  int term = 0;  // its number there
  Index shift = 0;  // kInner: elements from the inner tensor's data pointer
  std::optional<IndexPlan> through;  // kGathered
};
struct Composition {
  IndexPlan plan;
  std::vector<ComposedTerm> terms;
};

/// outer(inner(x)) as one gather on x. Rule P20 with the reason when one gather cannot say it.
Result<Composition> compose(const IndexPlan& outer, const IndexPlan& inner);

/// parse(print(plan)) == plan. The text is what tests, bug reports and `garner explain` show.
std::string print(const IndexPlan& plan);
/// Rule P21 with line and column when the text is not a plan.
Result<IndexPlan> parse_plan(std::string_view text);

}  // namespace garner
