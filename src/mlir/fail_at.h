// Errors with their place in the text.
#pragma once
#include <algorithm>

#include "base/fail.h"
#include "mlir/program.h"

namespace garner::mlir {

/// What is quoted from a text may have line ends; an error is one line.
inline std::string on_one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

/// The status with a place, unless something inside has said its own.
inline Status located(Place at, Status status) {
  if (!status.ok() && !status.message.starts_with("mlir: line"))
    status.message = fmt::format("mlir: line {}, column {}: {}", at.line, at.column, on_one_line(status.message));
  return status;
}

/// "mlir: line 3, column 5: …" for anything that is wrong at a place.
template <class... Args>
Status fail_at(Place at, std::string_view rule, fmt::format_string<Args...> text, Args&&... args) {
  const Code code = rule == "M2" || rule == "M3" ? Code::kUnsupported : Code::kInvalidArgument;
  return located(at, fail(code, std::string(rule), text, std::forward<Args>(args)...));
}

}  // namespace garner::mlir
