// Reads .case files. Their form: README.md beside this file.
#pragma once
#include <string>
#include <vector>

#include "call/call.h"

namespace garner::conformance {

struct ExpectedError {
  std::string rule, code;
};

struct Case {
  std::string file, name;
  int line = 0;
  std::vector<std::string> items;  // "LU6"
  Environment names;
  std::string call;
  std::string plan;               // empty: not stated
  std::vector<Value> results;
  Value cotangents, gradients;    // lists; None: not stated
  std::optional<ExpectedError> error;
};

/// Every case of every file below conformance/cases, in the order of the files' names. A file that cannot be read
/// gives one case whose call is its error, so that it fails by name.
std::vector<Case> all_cases();

}  // namespace garner::conformance
