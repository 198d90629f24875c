// What tables do with a group of processes: waiting with an end, numbers from everybody, and one word for all.
#pragma once
#include "garner/ranks.h"

namespace garner {

/// Bytes of any trivial elements.
template <class T>
std::span<const std::byte> bytes_of(const T* data, Index count) {
  return {reinterpret_cast<const std::byte*>(data), static_cast<std::size_t>(count) * sizeof(T)};
}
template <class T>
std::span<std::byte> bytes_of(T* data, Index count) {
  return {reinterpret_cast<std::byte*>(data), static_cast<std::size_t>(count) * sizeof(T)};
}

/// Messages of the right number, all empty.
Messages no_messages(int ranks);

class Group {
 public:
  explicit Group(std::shared_ptr<Ranks> ranks) : ranks_(std::move(ranks)) {}
  int rank() const { return ranks_->rank(); }
  int size() const { return ranks_->size(); }

  Result<std::unique_ptr<Transfer>> start(Messages messages);
  /// Rule RK6: another rank does not answer, or the system cannot send. After that every call fails so: who knows what
  /// has arrived.
  Status wait(Transfer& transfer);
  Status exchange(Messages messages);

  /// numbers[k * n … (k + 1) * n) are the n numbers of rank k.
  Result<Axes> all_gather(std::span<const Index> mine);
  /// to[k] goes to rank k; from[k] is what rank k has for this one.
  Result<Axes> all_to_all(const Axes& to);

  /// Ok where everybody's is. Otherwise that of the first rank with another, which is named, on all ranks.
  Status agree(const Status& mine);

  Index sent() const { return sent_; }
  Index received() const { return received_; }

 private:
  Status broken(Status status);
  Result<std::string> text_of(int from, Index bytes, const std::string& mine);

  std::shared_ptr<Ranks> ranks_;
  Status broken_;
  Index sent_ = 0, received_ = 0;
};

}  // namespace garner
