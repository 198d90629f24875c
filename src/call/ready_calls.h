// The last few kinds of calls of one operation, ready to run again. Two calls are of one kind when their arguments
// differ in nothing but the bytes of their tensors; then they lower to the same plan, unless a lowering looks at those
// bytes. Which it does not, as far as this can tell, when every tensor among the arguments is a part of the job, and
// every part of the job is one of them: what is made of values is memory of its own. conformance/ready_test.cc tries it
// on every operation.
#pragma once
#include <array>
#include <functional>
#include <mutex>

#include "garner/call.h"

namespace garner {

class ReadyCalls {
 public:
  /// The call for these values; made by `lower` when they are new. Null when there can be none.
  std::shared_ptr<const ReadyCall> find(const Values& values, const std::function<Result<Job>()>& lower);

 private:
  struct Entry {
    Axes key;
    std::shared_ptr<const ReadyCall> call;  // null: known not to be repeatable
  };
  static constexpr std::size_t kEntries = 16;  // one each for the shapes of a small model's layers

  std::mutex mutex_;
  std::array<Entry, kEntries> entries_;
};

/// Does `out` lie where the operand of a call that find() made lies, and apart from all else that it reads? Then
/// running it updates `out` in place; when it says false an index traps, and all other updates have been done.
bool updates_in_place(const ReadyCall& call, const Values& values, const MutableView& out);

}  // namespace garner
