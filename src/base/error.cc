#include "garner/error.h"

namespace garner {

void throw_error(Status status) {
  switch (status.code) {
    case Code::kType: throw TypeError(std::move(status));
    case Code::kIndex: throw IndexError(std::move(status));
    case Code::kUnsupported: throw UnsupportedError(std::move(status));
    case Code::kMemory: throw MemoryError(std::move(status));
    case Code::kSystem: throw SystemError(std::move(status));
    case Code::kOk:
    case Code::kInvalidArgument: break;
  }
  throw ArgumentError(std::move(status));
}

}  // namespace garner
