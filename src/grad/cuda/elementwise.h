// The loops of src/grad over elements, on a device: the same functions of an element (grad/element_ops.h), on the
// thread's default stream. All memory lies on the device of the result; tensors are row-major, views have any strides.
// Dtypes and shapes have been checked. Rules P24 (more than 32 axes), U1, U2.
#pragma once
#include "garner/tensor.h"
#include "grad/element_ops.h"

namespace garner::grad::plain::on_device {

Status map(Two op, const View& a, const View& b, const MutableView& out);
Status map(One op, double number, const Tensor& a, const MutableView& out);

/// mask ? a : 0
Status keep(const View& mask, const Tensor& a, const MutableView& out);

/// Sixteen bytes of which an element has the first.
struct Pattern {
  unsigned char byte[16] = {};
};
Status fill(const MutableView& out, const Pattern& value);

/// From bool or i64 to any dtype, and from integers to i64.
Status convert(const Tensor& from, const MutableView& to);

/// bool: of elements of any dtype.
enum class Question { kAboveZero, kIsZero, kIsSame };
Status ask(Question question, const Tensor& a, const Tensor& b, const MutableView& out);

/// bool, of i64: a == number.
Status is_equal(const Tensor& a, Index number, const MutableView& out);
/// bool, of bools: a and b. Of one twice: itself.
Status both(const Tensor& a, const Tensor& b, const MutableView& out);
Status negate(const Tensor& a, const MutableView& out);
/// i64, in row-major order: mask ? first + its number * step : otherwise. Without a mask: everywhere.
struct Numbering {
  Index first, step, otherwise;
};
Status number(const Tensor* mask, const Numbering& numbering, const MutableView& out);

}  // namespace garner::grad::plain::on_device
