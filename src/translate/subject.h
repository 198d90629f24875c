// A call whose tensors are symbols: which part of its plan is which argument, whatever the arguments hold.
// Lowering is code and may look at values; so the call is lowered again with other values in one argument at a time,
// and a part counts as an argument, a conversion of one, or a constant only where it stays so each time.
#pragma once
#include "base/fail.h"
#include "call/call.h"
#include "garner/translate.h"

namespace garner::translate_detail {

/// Where a tensor of a job comes from.
struct Source {
  enum class Kind { kArgument, kConverted, kNegated, kNotNegative, kConstant } kind = Kind::kConstant;
  int argument = -1;  // all but kConstant
  Index offset = 0;   // elements from the first of the argument, or of its converted copy
  Tensor value = {};  // kConstant: the part itself, row-major
  View view = {};     // as the job has it

  bool is(Kind k) const { return kind == k; }
};

struct PlacedJob {
  Job job;
  std::optional<Source> operand, updates, mask, fill;
  std::vector<Source> indices;
  Axes result_shape;  // the call's, which may have fewer axes of extent 1 than the job's
};

struct Subject {
  std::string op;  // "torch.gather"
  std::vector<TranslatedInput> inputs;
  std::vector<Tensor> values;  // row-major tensors like the call's, one per input; what the jobs' views look at
  std::vector<PlacedJob> jobs;
};

/// What a refusal says beside its Status.
struct Context {
  std::string to;
  std::string input;  // one that would differ
  template <class... Args>
  Status refuse(std::string rule, std::string example, fmt::format_string<Args...> text, Args&&... args) {
    input = std::move(example);
    return {Code::kUnsupported, std::move(rule), fmt::format(text, std::forward<Args>(args)...)};
  }
};

/// Rules of the call; T2 it has no plan or does more than its plan says; T3 the plan depends on values.
Result<Subject> study(const Call& call, Context& context);

/// The call's tensors in order, named by its signature: "index", or "indices_0" inside a list.
Result<std::vector<TranslatedInput>> inputs_of(const Call& call);

/// Row-major copies of the call's tensors, and the call with others in their place.
Result<std::vector<Tensor>> copies_of(const Call& call);
Result<Call> with_tensors(const Call& call, const std::vector<Tensor>& values);

}  // namespace garner::translate_detail
