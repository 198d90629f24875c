// The C++ front throws; the core returns Status. Both carry the same code, rule and text.
#pragma once
#include <stdexcept>

#include "garner/status.h"

namespace garner {

class Error : public std::runtime_error {
 public:
  explicit Error(Status status) : std::runtime_error(status.message), status_(std::move(status)) {}
  Code code() const { return status_.code; }
  const std::string& rule() const { return status_.rule; }

 private:
  Status status_;
};

struct ArgumentError : Error {
  using Error::Error;
};
struct TypeError : Error {
  using Error::Error;
};
struct IndexError : Error {
  using Error::Error;
};
struct UnsupportedError : Error {
  using Error::Error;
};
struct MemoryError : Error {
  using Error::Error;
};
struct SystemError : Error {
  using Error::Error;
};

/// Throws the exception class that belongs to the code.
[[noreturn]] void throw_error(Status status);

inline void value_or_throw(Status status) {
  if (!status.ok()) throw_error(std::move(status));
}

template <class T>
T value_or_throw(Result<T> result) {
  if (!result.ok()) throw_error(result.status());
  return *std::move(result);
}

}  // namespace garner
