// Memory that runs out while small things are made is an answer, too.
#pragma once
#include <new>
#include <stdexcept>
#include <type_traits>

#include "base/fail.h"

namespace garner {

/// f(), or rule V6 where the system has no memory for what it makes beside its result.
template <class F>
std::invoke_result_t<F> guarded(const char* op, F&& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    return fail(Code::kMemory, "V6", "{}: the system has no memory for the call itself", op);
  } catch (const std::length_error&) {
    return fail(Code::kMemory, "V6", "{}: the system has no memory for the call itself", op);
  }
}

}  // namespace garner
