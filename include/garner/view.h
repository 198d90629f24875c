// A non-owning look at strided memory: any rank from 0, any strides, also 0 and negative.
#pragma once
#include <concepts>
#include <memory>
#include <span>
#include <vector>

#include "garner/axes.h"
#include "garner/device.h"
#include "garner/dtype.h"
#include "garner/status.h"

namespace garner {

/// Strides, in elements, of a row-major array. Overflow saturates; validate() reports it.
Axes row_major(const Axes& shape);

/// std::mdspan, Kokkos mdspan, or anything with the same members.
template <class M>
concept MdspanLike = requires(const M& m) {
  typename M::element_type;
  m.data_handle();
  { m.rank() } -> std::convertible_to<std::size_t>;
  { m.extent(0) } -> std::convertible_to<Index>;
  { m.stride(0) } -> std::convertible_to<Index>;
};

/// Read-only. `data` points at element [0, …, 0]; strides are in elements. Construction checks nothing:
/// validate() does, and every call runs it on its arguments.
class View {
 public:
  View() = default;
  View(DType dtype, const void* data, Axes shape)
      : data_(data), dtype_(dtype), shape_(std::move(shape)), stride_(row_major(shape_)) {}
  View(DType dtype, const void* data, Axes shape, Axes stride)
      : data_(data), dtype_(dtype), shape_(std::move(shape)), stride_(std::move(stride)) {}

  template <class T>
  View(const T* data, Axes shape) : View(dtype_of<T>, data, std::move(shape)) {}
  template <class T>
  View(const T* data, Axes shape, Axes stride) : View(dtype_of<T>, data, std::move(shape), std::move(stride)) {}
  template <class T, std::size_t N>
  View(std::span<T, N> values) : View(dtype_of<T>, values.data(), {static_cast<Index>(values.size())}) {}  // NOLINT
  template <class T>
  View(const std::vector<T>& values)  // NOLINT(google-explicit-constructor)
      : View(dtype_of<T>, values.data(), {static_cast<Index>(values.size())}) {}
  template <std::same_as<Axes> A>  // not from braces: what is in them is gone before it is looked at
  View(const A& values)            // NOLINT(google-explicit-constructor)
      : View(values.data(), {static_cast<Index>(values.size())}) {}
  template <MdspanLike M>
  View(const M& m)  // NOLINT(google-explicit-constructor)
      : data_(std::to_address(m.data_handle())), dtype_(dtype_of<typename M::element_type>) {
    for (std::size_t a = 0; a < m.rank(); ++a) {
      shape_.push_back(static_cast<Index>(m.extent(a)));
      stride_.push_back(static_cast<Index>(m.stride(a)));
    }
  }

  DType dtype() const { return dtype_; }
  const void* data() const { return data_; }
  const Axes& shape() const { return shape_; }
  const Axes& stride() const { return stride_; }
  Index rank() const { return static_cast<Index>(shape_.size()); }
  Index extent(Index axis) const { return shape_[static_cast<std::size_t>(axis)]; }
  /// 0 where the strides are too few, which validate() reports (V3): lowering may look before run() checks.
  Index stride(Index axis) const {
    const auto a = static_cast<std::size_t>(axis);
    return a < stride_.size() ? stride_[a] : 0;
  }
  /// Saturates when the product does not fit; validate() reports that.
  Index elements() const;
  Device device() const { return device_; }

  /// The same, said to lie there: `View(pointer, {n}).on(cuda::device(0))`.
  View on(Device device) const {
    View other = *this;
    other.device_ = device;
    return other;
  }
  /// The same memory with another shape, from another first element on. Row-major where no strides are given.
  View seen_as(Axes shape) const { return View(dtype_, data_, std::move(shape)).on(device_); }
  View seen_as(Axes shape, Axes stride, Index first = 0) const {
    return View(dtype_, element(first), std::move(shape), std::move(stride)).on(device_);
  }

 protected:
  /// An empty view has no memory to point into.
  const void* element(Index n) const {
    return data_ == nullptr ? nullptr : static_cast<const char*>(data_) + n * width(dtype_);
  }

  const void* data_ = nullptr;
  DType dtype_ = DType::kF32;
  Device device_;
  Axes shape_, stride_;
};

/// A View that may be written through.
class MutableView : public View {
 public:
  MutableView() = default;
  MutableView(DType dtype, void* data, Axes shape) : View(dtype, data, std::move(shape)) {}
  MutableView(DType dtype, void* data, Axes shape, Axes stride)
      : View(dtype, data, std::move(shape), std::move(stride)) {}
  template <class T>
  MutableView(T* data, Axes shape) : View(data, std::move(shape)) {}
  template <class T>
  MutableView(T* data, Axes shape, Axes stride) : View(data, std::move(shape), std::move(stride)) {}
  template <class T, std::size_t N>
    requires(!std::is_const_v<T>)
  MutableView(std::span<T, N> values) : View(values) {}  // NOLINT(google-explicit-constructor)
  template <class T>
  MutableView(std::vector<T>& values) : View(values) {}  // NOLINT(google-explicit-constructor)
  template <std::same_as<Axes> A>
  MutableView(A& values) : View(values) {}  // NOLINT(google-explicit-constructor)
  template <MdspanLike M>
    requires(!std::is_const_v<typename M::element_type>)
  MutableView(const M& m) : View(m) {}  // NOLINT(google-explicit-constructor)

  void* mutable_data() const { return const_cast<void*>(data_); }

  MutableView on(Device device) const {
    MutableView other = *this;
    other.device_ = device;
    return other;
  }
  MutableView seen_as(Axes shape) const { return MutableView(dtype_, mutable_data(), std::move(shape)).on(device_); }
  MutableView seen_as(Axes shape, Axes stride, Index first = 0) const {
    return MutableView(dtype_, const_cast<void*>(element(first)), std::move(shape), std::move(stride)).on(device_);
  }
};

/// Rules V1 (negative extent), V2 (extents overflow), V3 (strides do not match the rank), V4 (null data, non-empty),
/// V8 (data not aligned to its elements).
Status validate_anywhere(const View& view, const std::string& name);

/// The same, and V9: it lies in the CPU's memory. What reads or writes elements on the CPU asks this first.
Status validate(const View& view, const std::string& name);

/// The same memory, seen with one axis fixed at a position (which must be inside the axis).
View slice_at(const View& view, Index axis, Index position);

/// The same memory with another shape by NumPy's broadcasting (right-aligned, extent 1 stretches); rule V5 if it
/// cannot.
Result<View> broadcast_to(const View& view, const Axes& shape);

/// The common shape of several by NumPy's broadcasting, or nothing.
std::optional<Axes> broadcast_shapes(std::span<const Axes> shapes);

/// May two views share a byte? Exact for interleaved views with a common stride; otherwise errs on the side of yes.
bool may_overlap(const View& a, const View& b);

/// Can two positions of one view be the same byte (a stride 0, say)? Errs on the side of yes.
bool overlaps_itself(const View& view);

}  // namespace garner
