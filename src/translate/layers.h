// Targets that are a few operations and no array language. Their operations are tried one by one on the call's own
// tensors: where one lowers to the same plan, it is the translation.
#pragma once
#include "translate/subject.h"

namespace garner::translate_detail {

/// One way to call the target.
struct Candidate {
  Call call;           // in the target's dialect, on the subject's values
  std::string source;
};

/// The first candidate with the subject's plan, whose bounds mean the same for every index the call accepts. Rule T8:
/// none, or its bounds do not.
Result<std::string> matching(const Subject& subject, const std::vector<Candidate>& candidates, Context& context);

std::vector<Candidate> lucid_candidates(const Subject& subject);
std::vector<Candidate> tensorrt_candidates(const Subject& subject);

}  // namespace garner::translate_detail
