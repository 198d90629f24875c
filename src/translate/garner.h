// The call as C++ on Garner itself.
#pragma once
#include "translate/subject.h"

namespace garner::translate_detail {

/// A function call(inputs…) that gives the call's results. There is one for every call.
Result<std::string> garner_source(const Call& call);

/// The call's text with its tensors by name: "torch.gather(input, 1, index)". parse_call reads it back.
Result<std::string> call_text(const Call& call);

}  // namespace garner::translate_detail
