#include "table/block_reader.h"

#include <system_error>
#include <thread>

#include "table/guard.h"

namespace garner {

Status called_off() { return fail(Code::kSystem, "TB9", "gather: called off before its rows were read"); }

std::optional<std::size_t> ReadQueue::take() {
  if (work_.stop.stop_requested()) fail_with(called_off());
  if (failed_) return {};
  const std::size_t n = next_++;
  return n < work_.reads.size() ? std::optional(n) : std::nullopt;
}

void ReadQueue::run_on(std::size_t threads, const std::function<void()>& mine, const std::function<void()>& others) {
  const auto safely = [this](const std::function<void()>& f) {
    Status status = guarded("gather", [&]() -> Status { return f(), Status{}; });
    if (!status.ok()) fail_with(std::move(status));
  };
  std::vector<std::jthread> started;
  const auto start = [&] {
    try {
      started.emplace_back([&] { safely(others); });
      return true;
    } catch (const std::system_error&) {
      return false;  // no more threads to be had: those there are do all of it
    }
  };
  while (started.size() + 1 < threads && start()) {}
  safely(mine);
}

void ReadQueue::fail_with(Status status) {
  const std::lock_guard lock(mutex_);
  if (first_.ok()) first_ = std::move(status);
  failed_ = true;
}

}  // namespace garner
