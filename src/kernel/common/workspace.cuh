// Memory of a launch for itself.
#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "device/cuda/runtime.h"
#include "kernel/kernel.h"

namespace garner {

/// Memory for one launch, cut from one piece.
class Workspace {
 public:
  template <class T>
  void want(T*& pointer, Index count) {
    wanted_.push_back({reinterpret_cast<void**>(&pointer), bytes_});
    bytes_ += (count * static_cast<Index>(sizeof(T)) + 255) / 256 * 256;
  }
  Index bytes() const { return bytes_; }
  bool get(const Launch& l) {
    auto memory = cuda_memory(l.cuda->device, l.cuda->stream, bytes_);
    if (!memory.ok()) {
      l.cuda->failure = memory.status();
      return false;
    }
    memory_ = *memory;
    for (const auto& [pointer, at] : wanted_) *pointer = static_cast<std::byte*>(memory_.get()) + at;
    return true;
  }

 private:
  std::vector<std::pair<void**, Index>> wanted_;
  Index bytes_ = 0;
  std::shared_ptr<void> memory_;
};

}  // namespace garner
