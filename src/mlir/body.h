// The body of a scatter, reduce, sort or map: a region of operations on single elements, made ready to run many times.
#pragma once
#include <cstring>

#include "mlir/op.h"

namespace garner::mlir {

/// Room for one element of any dtype.
struct alignas(16) Cell {
  std::byte bytes[16] = {};
};
using Cells = std::vector<Cell>;

class Body {
 public:
  /// Rules M2 an operation that does not work on single elements, M4, M6. Calls are followed. Values from outside the
  /// region are taken as they are now.
  static Result<Body> compile(const Region& region, Context& context);

  const std::vector<DType>& arguments() const { return arguments_; }
  std::vector<DType> results() const;

  /// What run() works in; one for each thread.
  Cells cells() const { return cells_; }
  /// The arguments are pointers to elements of their dtypes, as are the results, which may be the same memory.
  void run(Cells& cells, const void* const* arguments, void* const* results) const;

  /// The operation that is all the body does with its two arguments, in either order.
  struct Only {
    const OpInfo* info;
    Loop loop;
    bool in_order;
  };
  std::optional<Only> only() const;
  /// The number of the argument that a result is, unchanged.
  std::optional<std::size_t> argument_behind(std::size_t result) const;

 private:
  friend class BodyCompiler;
  struct Instruction {
    const OpInfo* info;
    Loop loop;
    std::vector<std::size_t> in;
    std::size_t out;
  };
  std::vector<Instruction> instructions_;
  std::vector<DType> arguments_, types_;  // of all cells
  std::vector<std::size_t> results_;
  Cells cells_;  // the arguments first; constants are filled in
};

/// Rule M6 unless the body takes two elements of each of these dtypes and gives one of each.
Status check_joins(const Operation& op, const Body& body, const std::vector<DType>& types);

}  // namespace garner::mlir
