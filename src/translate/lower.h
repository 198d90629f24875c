// From a studied call to a program in the operations a target has.
#pragma once
#include "translate/program.h"
#include "translate/subject.h"

namespace garner::translate_detail {

/// What a target can say exactly.
struct Target {
  const char* name;
  bool (*has)(DType dtype);        // as the dtype of an input or a result
  DType (*moved_as)(DType dtype);  // the dtype to move its bits in: kernels for the dtype itself may be missing
  bool (*combines)(Combine combine);
  bool in_order = false;     // repeated places of an assigning scatter: the last stays; sums go in order
  bool small_sums = true;    // combines integers narrower than 64 bits
  bool keeps_nan = true;     // min and max give NaN where either is NaN
  bool take_elements = true; // has kTakeElements
  bool selects_data = true;   // its kSelect keeps every bit of data, -0.0 too
  bool can_check = true;     // has kCheck
};

/// Rules T4 dtype, T5 index dtype, T6 combine, T7 NaN.
Result<Program> lower(const Subject& subject, const Target& target, Context& context);

// What the libraries share.
inline bool has_all(DType) { return true; }
inline DType as_itself(DType dtype) { return dtype; }
inline bool is_float8(DType t) { return kind(t) == Kind::kFloat && width(t) == 1; }
inline bool is_arithmetic(Combine c) {
  return c == Combine::kAssign || c == Combine::kAdd || c == Combine::kMul || c == Combine::kMin || c == Combine::kMax;
}
inline bool is_bitwise(Combine c) { return c == Combine::kAnd || c == Combine::kOr || c == Combine::kXor; }

}  // namespace garner::translate_detail
