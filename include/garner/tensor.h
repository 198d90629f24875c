// An owning, row-major array. Results come as these.
#pragma once
#include <cstring>
#include <initializer_list>
#include <memory>
#include <string>

#include "garner/view.h"

namespace garner {

/// Copies share the memory, as in NumPy and PyTorch; clone() does not.
class Tensor {
 public:
  Tensor() = default;  // f32 of shape [0]

  /// Uninitialised memory from the result pool. Rules V1, V2, V6 (no memory).
  static Result<Tensor> empty(DType dtype, const Axes& shape);
  /// All bytes zero, which is the number zero (or false) in every dtype.
  static Result<Tensor> zeros(DType dtype, const Axes& shape);

  /// Over memory that was had elsewhere: row-major, kept as long as any copy of the tensor lives.
  static Tensor over(std::shared_ptr<void> memory, DType dtype, const Axes& shape, Device device);

  Device device() const { return view_.device(); }
  DType dtype() const { return view_.dtype(); }
  const Axes& shape() const { return view_.shape(); }
  Index rank() const { return view_.rank(); }
  Index elements() const { return view_.elements(); }
  Index bytes() const { return elements() * width(dtype()); }
  const void* data() const { return view_.data(); }
  void* mutable_data() { return view_.mutable_data(); }
  template <class T> const T* as() const { return static_cast<const T*>(data()); }
  template <class T> T* as() { return static_cast<T*>(mutable_data()); }

  operator View() const { return view_; }              // NOLINT(google-explicit-constructor)
  const MutableView& view() const { return view_; }

  Result<Tensor> clone() const;
  /// The same memory as a row-major array of another shape, which must have as many elements.
  Tensor reshaped(const Axes& shape) const {
    Tensor other = *this;
    other.view_ = view_.seen_as(shape);
    return other;
  }
  /// Does another tensor use this memory too?
  bool shares_memory() const { return memory_.use_count() > 1; }

 private:
  std::shared_ptr<void> memory_;
  MutableView view_{DType::kF32, nullptr, {0}};
};

/// A row-major copy of any view, on the device it lies on.
Result<Tensor> contiguous(const View& view);

/// Same dtype, shape and bytes (so NaN equals NaN of the same pattern, and 0.0 differs from -0.0). In CPU memory.
bool same_bits(const View& a, const View& b);

/// The way NumPy prints it: "[[30 20]\n [40 60]]".
std::string to_string(const View& view);

// ---- literals: tensor({{10, 20, 30}, {40, 50, 60}}) ----

namespace detail {
Tensor copy_literal(DType dtype, const Axes& shape, const void* values);  // throws Error

template <class T> struct Flat {
  Axes shape;
  std::vector<T> values;
};
/// Throws ArgumentError V7 when the rows of a literal differ in length.
void require_same_shape(const Axes& first, const Axes& other);

template <class T>
Flat<T> flatten(std::initializer_list<T> row) {
  return {{static_cast<Index>(row.size())}, std::vector<T>(row.begin(), row.end())};
}
template <class T>
auto flatten(std::initializer_list<std::initializer_list<T>> rows) {
  decltype(flatten(*rows.begin())) out;
  for (const auto& row : rows) {
    auto flat = flatten(row);
    if (&row == rows.begin()) out.shape = flat.shape;
    else require_same_shape(out.shape, flat.shape);
    out.values.insert(out.values.end(), flat.values.begin(), flat.values.end());
  }
  out.shape.insert(out.shape.begin(), static_cast<Index>(rows.size()));
  return out;
}
template <class T>
Tensor literal(const Flat<T>& flat) {
  if constexpr (std::is_same_v<T, bool>) {  // vector<bool> has no data()
    const std::vector<unsigned char> bytes(flat.values.begin(), flat.values.end());
    return copy_literal(DType::kBool, flat.shape, bytes.data());
  } else {
    return copy_literal(dtype_of<T>, flat.shape, flat.values.data());
  }
}
}  // namespace detail

// Spelled out: clang does not deduce T through an alias of std::initializer_list.
template <class T>
Tensor tensor(std::initializer_list<T> v) {
  return detail::literal(detail::flatten(v));
}
template <class T>
Tensor tensor(std::initializer_list<std::initializer_list<T>> v) {
  return detail::literal(detail::flatten(v));
}
template <class T>
Tensor tensor(std::initializer_list<std::initializer_list<std::initializer_list<T>>> v) {
  return detail::literal(detail::flatten(v));
}
template <class T>
Tensor tensor(std::initializer_list<std::initializer_list<std::initializer_list<std::initializer_list<T>>>> v) {
  return detail::literal(detail::flatten(v));
}
template <class T> Tensor scalar(T value) { return detail::literal(detail::Flat<T>{{}, {value}}); }

/// Gives pooled memory that no tensor uses back to the system.
void release_pool();

}  // namespace garner
