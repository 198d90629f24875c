// A plan with its memory, and running it.
#pragma once
#include <functional>
#include <string>

#include "garner/plan.h"
#include "garner/tensor.h"

namespace garner {

/// How far the bits of a sum of floats are fixed. kFast: any order. kRepeatable: the same bits every time on one
/// device. kExact: the same bits on every device. No level depends on the number of threads. On the CPU the first two
/// are the index order, and kExact is, too, for places with up to 16384 contributions (docs/determinism.md).
enum class Determinism { kFast, kRepeatable, kExact };

/// What RunOptions start with, in the whole process: kExact, until it is set.
Determinism default_determinism();
void set_default_determinism(Determinism level);

/// What RunOptions::stream starts with, in this thread: the device's default stream, until it is set.
void* default_stream();
void set_default_stream(void* stream);

/// Sets it for as long as this lives.
class OnStream {
 public:
  explicit OnStream(void* stream) : before_(default_stream()) { set_default_stream(stream); }
  OnStream(const OnStream&) = delete;
  OnStream& operator=(const OnStream&) = delete;
  ~OnStream() { set_default_stream(before_); }

 private:
  void* before_;
};

struct RunOptions {
  int threads = 0;            // 0: one per core
  std::string kernel = {};    // force one by name (`garner info` lists them); empty: the cheapest that accepts
  Determinism determinism = default_determinism();
  void* stream = default_stream();  // CUDA: the cudaStream_t that work and memory are ordered by
  bool wait = false;  // CUDA: wait for the end, and report a bad index here instead of at cuda::check()
};

/// How an index tensor is called in messages: coordinate j is d[domain_axis[j]], or fixed[j] where that is -1.
struct TermLabel {
  std::string name = "index", rule = "P16";
  Axes domain_axis, fixed;
};

/// new values of N operands from N current values and N updates, in place. Must be pure: it runs on several threads,
/// for one place always in index order.
using UserCombine = std::function<void(void* const* current, const void* const* update)>;

/// What a dialect call lowers to: a plan, the memory it speaks of, and the words its errors use.
struct Job {
  std::string op;               // "lucid.gather"; begins every message
  IndexPlan plan;
  std::optional<View> operand;  // gather: what is read. scatter: what the result starts as (none: zeros)
  Axes result_shape;
  std::vector<View> indices;    // one per term; the plan has their strides
  std::vector<TermLabel> labels;
  std::optional<View> updates, mask, fill;
  UserCombine user;
  std::vector<View> more_operands, more_updates;  // operands 1…N-1 of a user combine over several
  std::vector<Tensor> kept;     // memory the lowering made that the views above look at
};

/// A row-major copy of any view, on the device it lies on.
Result<Tensor> contiguous(const View& view, const RunOptions& options);

/// gather: {result}. scatter: {result, …one per operand}. With fetch: {values before, result}.
Result<std::vector<Tensor>> run(const Job& job, const RunOptions& options = {});

/// The first of run()'s results.
Result<Tensor> run_one(const Job& job, const RunOptions& options = {});
Result<Tensor> run_one(const Result<Job>& job, const RunOptions& options = {});

/// Into memory the caller owns. Untouched when any rule is broken before the first read. When an index traps at run
/// time, every other position has been done; a trapping read leaves the fill value (0 without one), a trapping write
/// nothing.
/// A scatter starts from the job's operand, or, when `out` is that same memory, updates it in place.
Status run_into(const Job& job, const MutableView& out, const RunOptions& options = {});

/// A scatter on top of what `target` holds, wherever the job's operand lies. `fetched` gets the values before, if
/// planned.
Status run_in_place(const Job& job, const MutableView& target, const MutableView* fetched = nullptr,
                    const RunOptions& options = {});

/// The names of the kernels that would take this job, cheapest first.
Result<std::vector<std::string>> accepting_kernels(const Job& job);

/// The job's plan bound to a row-major result, as it runs: what `garner tour` shows.
Result<IndexPlan> simplified_plan(const Job& job);

}  // namespace garner
