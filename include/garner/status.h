// What a call that cannot succeed returns: a code, the rule that was broken, and one line.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <variant>

namespace garner {

/// Code and rule id are API; the message text is not.
enum class Code {
  kOk,
  kInvalidArgument,  // a value, rank or shape (Python: ValueError)
  kType,             // a dtype or the kind of an argument (TypeError)
  kIndex,            // an index outside its range (IndexError)
  kUnsupported,      // well-formed, but not offered (NotImplementedError)
  kMemory,           // no memory for the result (MemoryError)
  kSystem,           // the system failed: a read, a device (OSError)
};

struct [[nodiscard]] Status {
  Code code = Code::kOk;
  std::string rule;     // "LU6", "P3"; listed in docs/rules.md
  std::string message;  // one line: <op>: <thing> is <value>, allowed <range>

  bool ok() const { return code == Code::kOk; }
};

/// A value, or the Status that says why there is none.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}          // NOLINT(google-explicit-constructor)
  Result(Status status) : state_(std::move(status)) {}   // NOLINT(google-explicit-constructor)

  bool ok() const { return state_.index() == 0; }
  Status status() const { return ok() ? Status{} : std::get<1>(state_); }

  /// Only when ok().
  T& operator*() & { return std::get<0>(state_); }
  const T& operator*() const& { return std::get<0>(state_); }
  T&& operator*() && { return std::get<0>(std::move(state_)); }
  T* operator->() { return &std::get<0>(state_); }
  const T* operator->() const { return &std::get<0>(state_); }

 private:
  std::variant<T, Status> state_;
};

}  // namespace garner
