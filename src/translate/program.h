// A call as straight-line array code: what every target can say in its own words. Small on purpose; each target is a
// page of spellings for these operations.
#pragma once
#include <span>

#include "garner/plan.h"
#include "garner/tensor.h"

namespace garner::translate_detail {

enum class Op {
  kInput,         // parameter `number`
  kConstant,      // `value`; rank 0 or an array
  kIota,          // i64 0, 1, …, number-1
  kReshape,       // to `shape`
  kBroadcast,     // to `shape`, NumPy's way
  kTranspose,     // axis j of the result is axis axes[j]
  kSlice,         // starts `axes`, steps `steps`, extents `shape`
  kConvert,       // to `dtype`, by value; integers wrap around
  kBitcast,       // to `dtype`, of the same width
  kAdd,           // the operands broadcast, NumPy's way; integers wrap around
  kMul,
  kClamp,         // into [low, high], i64
  kMod,           // by `number` > 0, i64, never negative
  kLess,          // a < b
  kAnd,
  kNot,
  kSelect,        // a ? b : c
  kTake,          // a[b]: a and b are vectors, b in range
  kTakeAxis,      // whole slices of a along axis `number`, at every b, which is in range
  kTakeElements,  // one element along axis `number` for each b; the other extents of a and b are the same
  kConcat,        // two vectors
  kScatter,       // vectors a, places b in range, updates c, combined
  kCheck,         // nothing, or an IndexError unless all of a: only where the target can
};

struct Node {
  Op op;
  std::vector<int> args = {};  // numbers of nodes before this one
  DType dtype = DType::kI64;
  Axes shape = {};
  Axes axes = {}, steps = {};
  Index number = 0, low = 0, high = 0;
  Combine combine = Combine::kAssign;
  bool in_order = false;  // an assigning kScatter whose places may repeat: the last update stays
  Tensor value = {};
  std::string name = {};  // a parameter's name; of other nodes, what to call the result
};

struct Program {
  std::vector<Node> nodes;
  std::vector<int> inputs, results;
  std::vector<std::string> notes;  // in which way the result may differ

  const Node& operator[](int n) const { return nodes[static_cast<std::size_t>(n)]; }
};

/// Writes programs: each function adds a node and gives its number. Does the little that makes them short: no reshape
/// to the same shape, no sum with 0, no product with 1.
class Builder {
 public:
  int input(const std::string& name, DType dtype, const Axes& shape);
  int constant(Tensor value);
  int number(Index value);                          // i64, rank 0
  int zeros(DType dtype, const Axes& shape);
  int iota(Index n);
  int coordinate(std::size_t axis, const Axes& domain);  // of shape [1, …, n, …, 1]
  int reshape(int a, const Axes& shape);
  int flat(int a);
  int broadcast(int a, const Axes& shape);
  int transpose(int a, const Axes& axes);
  int slice(int a, const Axes& starts, const Axes& extents, const Axes& steps);
  int convert(int a, DType dtype);
  int bitcast(int a, DType dtype);
  int add(int a, int b);
  int mul(int a, int b);
  int clamp(int a, Index low, Index high);
  int mod(int a, Index n);
  int less(int a, int b);
  int land(int a, int b);
  int lnot(int a);
  int select(int condition, int a, int b);
  int take(int a, int places);
  int take_axis(int a, int places, Index axis);
  int take_elements(int a, int places, Index axis);
  int concat(int a, int b);
  int scatter(int a, int places, int updates, Combine combine, bool in_order = false);
  void check(int condition, const std::string& message);

  void call_it(int a, const std::string& name) { at(a).name = name; }
  const Node& operator[](int n) const { return program_[n]; }
  std::optional<bool> truth_in(int a) const;  // of a bool constant of rank 0
  Program& program() { return program_; }

 private:
  int put(Node node);
  int binary(Op op, int a, int b, DType dtype);
  Node& at(int n) { return program_.nodes[static_cast<std::size_t>(n)]; }
  std::optional<Index> number_in(int a) const;  // of an i64 constant of rank 0
  int truth(bool value);
  Program program_;
};

/// The common shape of operands that fit.
Axes broadcast_shape(const Axes& a, const Axes& b);

}  // namespace garner::translate_detail
