// garner info: what this build can do, on this machine.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "device/cpu/threads.h"
#include "dialect/op.h"
#include "garner/cuda.h"
#include "garner/model.h"
#include "garner/version.h"
#include "kernel/common/resolve.h"
#include "kernel/kernel.h"

namespace garner::cli {
namespace {

using Json = nlohmann::ordered_json;

template <class Range, class F>
Json names(const Range& range, F&& name_of) {
  Json out = Json::array();
  for (const auto& item : range) out.push_back(std::string(name_of(item)));
  return out;
}

Json formats() {
  Json out{"npy", "npz", "safetensors", "mlir"};
  if (model::is_available()) out.push_back("onnx");
  return out;
}

Json devices() {
  Json out{name(Device{})};
  for (int n = 0; n < cuda::device_count(); ++n) out.push_back(name(cuda::device(n)));
  return out;
}

Json kernel_names() {
  Json out = Json::array();
  for (const DeviceKind device : {DeviceKind::kCpu, DeviceKind::kCuda})
    for (const Kernel* k : kernels(device)) out.push_back(k->name);
  return out;
}

Json everything() {
  Json out{{"version", GARNER_VERSION},
           {"simd", std::string(simd_target())},
           {"threads", thread_count(0, Index{1} << 40)},
           {"devices", devices()},
           {"kernels", kernel_names()},
           {"dtypes", names(kDTypes, [](const DTypeInfo& d) { return d.name; })},
           {"formats", formats()}};
  for (const Dialect& d : dialects())
    out["dialects"][std::string(d.name)] = names(d.ops, [](const Op* op) { return op->name; });
  return out;
}

std::string line(const Json& value) {
  if (value.is_string()) return value;
  if (!value.is_array()) return value.dump();
  std::string out;
  for (const Json& item : value) out += fmt::format("{}{}", out.empty() ? "" : " ", item.get<std::string>());
  return out;
}

}  // namespace

int info(bool json) {
  const Json all = everything();
  if (json) {
    fmt::print("{}\n", all.dump());
    return 0;
  }
  for (const auto& [key, value] : all.items())
    if (key != "dialects") fmt::print("{:<10} {}\n", key, line(value));
  for (const auto& [dialect, ops] : all["dialects"].items()) fmt::print("{:<10} {}\n", dialect, line(ops));
  return 0;
}

}  // namespace garner::cli
