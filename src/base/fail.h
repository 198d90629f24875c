// Making and passing on a Status in one line.
#pragma once
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "garner/status.h"

namespace garner {

/// A message may quote a name or a text of somebody else's; line breaks and other controls in it become blanks.
inline std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  return text;
}

template <class... Args>
Status fail(Code code, std::string rule, fmt::format_string<Args...> text, Args&&... args) {
  return {code, std::move(rule), one_line(fmt::format(text, std::forward<Args>(args)...))};
}

/// "[2,3]": the way shapes and positions are written in every message.
template <class Range>
std::string list(const Range& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

inline Status to_status(Status status) { return status; }
template <class T>
Status to_status(const Result<T>& result) {
  return result.status();
}

}  // namespace garner

/// Returns the Status from the enclosing function unless it is ok.
#define GARNER_TRY(expr)                                                                                           \
  do {                                                                                                             \
    if (auto garner_status_ = (expr); !garner_status_.ok()) return ::garner::to_status(std::move(garner_status_)); \
  } while (false)

#define GARNER_CAT2(a, b) a##b
#define GARNER_CAT(a, b) GARNER_CAT2(a, b)

/// GARNER_ASSIGN(auto x, f()): x is the value, or the enclosing function returns the Status.
#define GARNER_ASSIGN(decl, expr) GARNER_ASSIGN2(GARNER_CAT(garner_result_, __LINE__), decl, expr)
#define GARNER_ASSIGN2(tmp, decl, expr)           \
  auto tmp = (expr);                              \
  if (!tmp.ok()) return ::garner::to_status(tmp); \
  decl = *std::move(tmp)
