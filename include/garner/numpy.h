// NumPy 2: take, put, their *_along_axis forms, indexing by keys, ufunc.at, choose, argwhere, ix_. Rules NP1–NP23:
// docs/dialects/numpy.md.
#pragma once
#include <variant>

#include "garner/run.h"

namespace garner::numpy {

/// What an index outside its axis means. kRaise: an error, after negatives have counted from the end. kWrap: modulo the
/// extent. kClip: the nearest end, so that every negative is 0.
enum class Mode { kRaise, kWrap, kClip };

struct TakeOptions {
  std::optional<Index> axis = std::nullopt;  // none: all elements, in row-major order
  Mode mode = Mode::kRaise;
};

/// result = a with its axis replaced by all axes of indices.
///   numpy::take(tensor({{10, 20, 30}, {40, 50, 60}}), tensor({2, 0}), {.axis = 1})  ->  [[30 10] [60 40]]
/// Throws ArgumentError (NP2 axis), TypeError (NP4 dtype), IndexError (NP3 value, NP6 empty axis).
Tensor take(const View& a, const View& indices, const TakeOptions& options = {}, const RunOptions& run = {});
Result<Job> lower_take(const View& a, const View& indices, const TakeOptions& options = {});

/// a.flat[ind] = v, in place; v repeats, or is cut, to the number of indices. Of several writes to one place the last
/// stays. Throws TypeError (NP4), IndexError (NP3, NP6).
void put(const MutableView& a, const View& ind, const View& v, Mode mode = Mode::kRaise, const RunOptions& run = {});
Result<Job> lower_put(const View& a, const View& ind, const View& v, Mode mode = Mode::kRaise);

/// result[d] = arr[d with d[axis] replaced by indices[d]], where both stretch to a common shape off the axis. Without
/// an axis arr is flattened and indices have one. Throws ArgumentError (NP2 axis, NP7 rank), IndexError (NP3 value, NP5
/// dtype, NP8 shapes).
Tensor take_along_axis(const View& arr, const View& indices, std::optional<Index> axis = -1,
                       const RunOptions& run = {});
Result<Job> lower_take_along_axis(const View& arr, const View& indices, std::optional<Index> axis = -1);

/// arr[d with d[axis] replaced by indices[d]] = values[d], in place; values broadcast. Rules as above and NP13.
void put_along_axis(const MutableView& arr, const View& indices, const View& values, std::optional<Index> axis,
                    const RunOptions& run = {});
Result<Job> lower_put_along_axis(const View& arr, const View& indices, const View& values, std::optional<Index> axis);

/// start:stop:step; what is left out is Python's default.
struct Slice {
  std::optional<Index> start = std::nullopt, stop = std::nullopt, step = std::nullopt;
};
struct NewAxis {};
struct Ellipsis {};
inline constexpr NewAxis newaxis{};
inline constexpr Ellipsis ellipsis{};

/// What stands between the brackets of array[…]. A View is an index array of integers, or a bool mask of any rank,
/// which stands for the positions where it is true; of rank 0, an integer is a position and a bool adds an axis.
using KeyPart = std::variant<Index, Slice, NewAxis, Ellipsis, View>;
using Key = std::vector<KeyPart>;

/// array[key], always as fresh memory. Index arrays broadcast together; their common axes stand where they stood, or in
/// front when something else stands between them. A key without arrays and masks is an affine plan.
///   numpy::getitem(x, {Slice{.step = -1}, tensor({2, 0})})
/// Throws IndexError (NP3, NP5, NP8–NP11), ArgumentError (NP12).
Tensor getitem(const View& array, const Key& key, const RunOptions& run = {});
Result<Job> lower_getitem(const View& array, const Key& key);

/// array[key] = value, in place. The value broadcasts to the shape of array[key] and takes the array's dtype. Of
/// several writes to one place the last in row-major order stays. Rules as above, ArgumentError NP13, TypeError NP14.
void setitem(const MutableView& array, const Key& key, const View& value, const RunOptions& run = {});
Result<Job> lower_setitem(const View& array, const Key& key, const View& value);

enum class Ufunc { kAdd, kMultiply, kMinimum, kMaximum, kBitwiseAnd, kBitwiseOr, kBitwiseXor };

/// a[indices] = f(a[indices], b), in place and once for every index, in row-major order.
/// Throws as setitem does, with TypeError NP15 (no such function of the dtype) and NP16 (b's kind would be lost).
void ufunc_at(Ufunc ufunc, const MutableView& a, const Key& indices, const View& b, const RunOptions& run = {});
Result<Job> lower_ufunc_at(Ufunc ufunc, const View& a, const Key& indices, const View& b);

inline void add_at(const MutableView& a, const Key& indices, const View& b, const RunOptions& run = {}) {
  ufunc_at(Ufunc::kAdd, a, indices, b, run);
}
inline void multiply_at(const MutableView& a, const Key& indices, const View& b, const RunOptions& run = {}) {
  ufunc_at(Ufunc::kMultiply, a, indices, b, run);
}
inline void minimum_at(const MutableView& a, const Key& indices, const View& b, const RunOptions& run = {}) {
  ufunc_at(Ufunc::kMinimum, a, indices, b, run);
}
inline void maximum_at(const MutableView& a, const Key& indices, const View& b, const RunOptions& run = {}) {
  ufunc_at(Ufunc::kMaximum, a, indices, b, run);
}
inline void bitwise_and_at(const MutableView& a, const Key& indices, const View& b, const RunOptions& run = {}) {
  ufunc_at(Ufunc::kBitwiseAnd, a, indices, b, run);
}
inline void bitwise_or_at(const MutableView& a, const Key& indices, const View& b, const RunOptions& run = {}) {
  ufunc_at(Ufunc::kBitwiseOr, a, indices, b, run);
}
inline void bitwise_xor_at(const MutableView& a, const Key& indices, const View& b, const RunOptions& run = {}) {
  ufunc_at(Ufunc::kBitwiseXor, a, indices, b, run);
}

/// One index array per sequence, shaped so that together they select the outer product; a bool sequence stands for the
/// places where it is true.
///   const auto rows_and_columns = numpy::ix_({tensor({0, 2}), tensor({1, 3})});
///   numpy::getitem(x, Key(rows_and_columns.begin(), rows_and_columns.end()))
/// Throws ArgumentError (NP19).
std::vector<Tensor> ix_(const std::vector<View>& sequences, const RunOptions& run = {});

/// result[d] = choices[a[d]][d], all broadcast to one shape; the dtype is that of all choices together. An array of
/// choices has them along its first axis, and is read where it lies.
/// Throws ArgumentError (NP17 value or no choices, NP18 shapes), TypeError (NP4, NP22).
Tensor choose(const View& a, const std::vector<View>& choices, Mode mode = Mode::kRaise, const RunOptions& run = {});
Tensor choose(const View& a, const View& choices, Mode mode = Mode::kRaise, const RunOptions& run = {});
Result<Job> lower_choose(const View& a, const std::vector<View>& choices, Mode mode = Mode::kRaise);
Result<Job> lower_choose(const View& a, const View& choices, Mode mode = Mode::kRaise);

/// The positions of all elements that are not zero, one row each: i64 of shape (n, rank).
Tensor argwhere(const View& a, const RunOptions& run = {});

}  // namespace garner::numpy
