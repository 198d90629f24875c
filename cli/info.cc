#include <fmt/format.h>

#include "cli/commands.h"
#include "device/cpu/threads.h"
#include "dialect/op.h"
#include "garner/version.h"
#include "kernel/common/resolve.h"
#include "kernel/kernel.h"

namespace garner::cli {
namespace {

template <class Range, class F>
std::string names(const Range& range, F&& name_of) {
  std::string out;
  for (const auto& item : range) out += fmt::format(" {}", name_of(item));
  return out;
}

}  // namespace

int info() {
  fmt::print("garner    {}\n", GARNER_VERSION);
  fmt::print("simd      {}\n", simd_target());
  fmt::print("threads   {}\n", thread_count(0, Index{1} << 40));
  fmt::print("kernels  {}\n", names(kernels(), [](const Kernel* k) { return k->name; }));
  fmt::print("dtypes   {}\n", names(kDTypes, [](const DTypeInfo& d) { return d.name; }));
  for (const Dialect& d : dialects())
    fmt::print("{:<10}{}\n", d.name, names(d.ops, [](const Op* op) { return op->name; }).substr(1));
  return 0;
}

}  // namespace garner::cli
