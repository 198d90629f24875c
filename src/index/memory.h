// What every index function does with its arguments: row-major elements in, a fresh tensor or the caller's memory out.
#pragma once
#include "garner/run.h"

namespace garner::index {

/// A row-major look at a view: the view itself, or a copy where its strides are others.
class Packed {
 public:
  const View& view() const { return view_; }
  const void* data() const { return view_.data(); }
  template <class T> const T* as() const { return static_cast<const T*>(view_.data()); }
  /// The copy, for a job that must keep it alive.
  const std::optional<Tensor>& kept() const { return copy_; }

 private:
  friend Result<Packed> pack(const View& view, const char* op, const RunOptions& options);
  friend Result<Packed> pack_anywhere(const View& view, const char* op, const RunOptions& options);
  std::optional<Tensor> copy_;
  View view_;
};

/// Rules V1–V4 for the view, V6 for the copy.
Result<Packed> pack(const View& view, const char* op, const RunOptions& options);

/// The same on whatever device the view lies.
Result<Packed> pack_anywhere(const View& view, const char* op, const RunOptions& options);

/// The one device that all views lie on. Rule V9.
Result<Device> device_of(const char* op, std::span<const View* const> views);

/// to = from, both of one dtype and shape, any strides; they do not overlap.
void copy_elements(const View& from, const MutableView& to, const RunOptions& options);

/// Who refuses memory of another dtype or shape, and by which rule. No op: the function that opens the output.
struct Refusal {
  const char* op = nullptr;
  const char* rule = "IX2";
};

/// Where one result goes. open() says what it is, close() has it in place.
class Output {
 public:
  Output() = default;  // a fresh tensor
  /// The caller's memory, any strides. It outlives this.
  explicit Output(const MutableView& given, Refusal refusal = {}) : given_(&given), refusal_(refusal) {}

  /// Memory for the result, row-major, where the inputs lie. Given memory of another dtype or shape is refused, as is
  /// memory that holds two elements in one place, or lies elsewhere (V9); memory that overlaps an input is written
  /// after the last read.
  Status open(const char* op, DType dtype, const Axes& shape, std::initializer_list<const View*> inputs,
              void* stream = default_stream()) {
    return open(op, dtype, shape, std::span(inputs.begin(), inputs.size()), stream);
  }
  Status open(const char* op, DType dtype, const Axes& shape, std::span<const View* const> inputs,
              void* stream = default_stream());
  void* data() { return fresh_ ? fresh_->mutable_data() : given_->mutable_data(); }
  template <class T> T* as() { return static_cast<T*>(data()); }
  /// Fills what was opened: `from` has its dtype, as many elements, and lies on the same device.
  Status put(const View& from, const RunOptions& options);
  Status close(const RunOptions& options);
  /// What was opened, as a view of any shape with as many elements.
  MutableView seen_as(const Axes& shape) { return MutableView(dtype_, data(), shape).on(device_); }

  /// The fresh tensor. It can be had once.
  Tensor take() { return *std::move(fresh_); }

 private:
  Status check(const char* op, DType dtype, const Axes& shape) const;

  const MutableView* given_ = nullptr;
  Refusal refusal_;
  std::optional<Tensor> fresh_;  // the result, or where it is staged
  DType dtype_ = DType::kF32;
  Device device_;
};

/// The result of compute(output), which opens and fills it.
template <class Compute>
Result<Tensor> fresh(Compute&& compute) {
  Output out;
  if (Status status = compute(out); !status.ok()) return status;
  return out.take();
}

/// The same into memory the caller has.
template <class Compute>
Status into(const MutableView& given, const RunOptions& options, Compute&& compute) {
  Output out(given);
  if (Status status = compute(out); !status.ok()) return status;
  return out.close(options);
}

/// A shape as [outer, count, inner] around one axis.
struct Lanes {
  Index outer = 1, count = 1, inner = 1;
};
Lanes lanes_of(const Axes& shape, Index axis);

/// The axis counted from 0; negative ones count from the end. Rule IX1.
Result<Index> axis_of(const char* op, Index axis, Index rank);

Axes without_axis(Axes shape, Index axis);

}  // namespace garner::index
