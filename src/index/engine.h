// Running a plan into an Output, and index tensors as plain numbers.
#pragma once
#include "garner/run.h"
#include "index/memory.h"

namespace garner::index {

/// Runs the job into an output of `shape`, which has as many elements as the job's result.
Status deliver(const Result<Job>& job, const Axes& shape, const RunOptions& run, Output& out);

/// The values of an integer tensor, row-major: where they lie if they are i64, else converted.
class IndexList {
 public:
  explicit IndexList(Packed packed)
      : packed_(std::move(packed)), values_(packed_->as<Index>(), count(packed_->view())) {}
  explicit IndexList(Tensor converted)
      : converted_(std::move(converted)), values_(converted_->as<Index>(), count(*converted_)) {}
  IndexList(IndexList&&) = default;
  operator std::span<const Index>() const { return values_; }
  Index operator[](std::size_t i) const { return values_[i]; }
  std::size_t size() const { return values_.size(); }
  const Index* data() const { return values_.data(); }
  auto begin() const { return values_.begin(); }
  auto end() const { return values_.end(); }

 private:
  template <class T> static std::size_t count(const T& of) { return static_cast<std::size_t>(of.elements()); }
  std::optional<Packed> packed_;
  std::optional<Tensor> converted_;
  std::span<const Index> values_;
};

/// Of any integer dtype (IX3). A u64 above the largest Index becomes that.
Result<IndexList> integers_of(const View& view, const char* op, const char* what, const RunOptions& run);

/// The position of the first value outside [0, extent), or -1.
Index first_outside(std::span<const Index> values, Index extent);

Status check_integer(const View& view, const char* op, const char* what);

/// The packed elements as one axis.
View flat(const Packed& packed);

}  // namespace garner::index
