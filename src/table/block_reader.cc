#include "table/block_reader.h"

namespace garner {

Status called_off() { return fail(Code::kSystem, "TB9", "gather: called off before its rows were read"); }

std::optional<std::size_t> ReadQueue::take() {
  if (work_.stop.stop_requested()) fail_with(called_off());
  if (failed_) return {};
  const std::size_t n = next_++;
  return n < work_.reads.size() ? std::optional(n) : std::nullopt;
}

void ReadQueue::fail_with(Status status) {
  const std::lock_guard lock(mutex_);
  if (first_.ok()) first_ = std::move(status);
  failed_ = true;
}

}  // namespace garner
