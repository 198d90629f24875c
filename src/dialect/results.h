// Where the results of an operation go that does more than run plans.
#pragma once
#include "base/fail.h"
#include "index/memory.h"

namespace garner {

/// Fresh tensors, or memory that the caller has. An operation opens every output before it writes to the first, so that
/// memory of another dtype or shape is refused untouched.
class Results {
 public:
  Results() = default;  // fresh tensors
  /// Both outlive this. `op` stands in messages.
  Results(const char* op, std::span<const MutableView> given) : op_(op), given_(given) {}

  /// Where `count` results go; each is to be opened and filled. Rules A6: memory was given for another number; V1–V8,
  /// P10, P11 and P23: results cannot be written there.
  Result<std::span<index::Output>> room(std::size_t count);

  /// For the only result: fill(output) opens and fills it.
  template <class Fill>
  Status one(Fill&& fill) {
    GARNER_ASSIGN(const std::span<index::Output> out, room(1));
    return to_status(fill(out.front()));
  }

  /// The only result is the job's, in another shape with as many elements where one is given. When the caller's memory
  /// is what a scatter starts from, it is updated in place. Rules A6, and run_into()'s.
  Status run(const Job& job, const Axes& shape, const RunOptions& options);
  Status run(const Result<Job>& job, const RunOptions& options);

  /// What could not be written to its place at once is copied there. Returns the fresh tensors, in order.
  Result<std::vector<Tensor>> close(const RunOptions& options);

 private:
  Status check_count(std::size_t count) const;
  Status run_onto(const Job& job, const Axes& shape, const RunOptions& options) const;

  const char* op_ = nullptr;  // null: fresh tensors
  std::span<const MutableView> given_;
  std::vector<index::Output> outputs_;
  std::optional<Tensor> made_;  // by run()
};

/// The job's result in a fresh tensor of another shape with as many elements, on the device where the job runs.
Result<Tensor> run_as(const Job& job, const Axes& shape, const RunOptions& options);
Result<Tensor> run_as(const Result<Job>& job, const Axes& shape, const RunOptions& options);

}  // namespace garner
