#include "explain/promises.h"

#include <utility>

namespace garner {

std::string promise_of(const std::string& op, bool has_plan) {
  static constexpr std::pair<const char*, const char*> kPromises[] = {
#define GARNER_PROMISE(name, text) {name, text},
#include "explain/promises.def"
#undef GARNER_PROMISE
  };
  for (const auto& [name, text] : kPromises)
    if (op == name) return text;
  return has_plan ? "" : "computed without a plan";
}

}  // namespace garner
