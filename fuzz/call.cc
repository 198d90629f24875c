// The call language: a text is a call or refused; a call runs or is refused.
#include "garner/call.h"
#include "fuzz/target.h"

void garner::fuzz::test_one(std::string_view bytes) {
  require_sound(parse_value(bytes).status());
  const auto call = parse_call(bytes);
  require_sound(call.status());
  if (!call.ok()) return;
  const auto results = evaluate(*call, {.threads = 1, .kernel = {}});
  require_sound(results.status());
  if (!results.ok()) return;
  for (const Tensor& result : *results) touch(result);
}
