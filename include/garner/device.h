// Where memory lies and work is done.
#pragma once
#include <cstdint>
#include <string>

namespace garner {

enum class DeviceKind : std::uint8_t { kCpu, kCuda };

struct Device {
  DeviceKind kind = DeviceKind::kCpu;
  int number = 0;  // which one of its kind
  bool operator==(const Device&) const = default;
  bool is_cpu() const { return kind == DeviceKind::kCpu; }
};

/// "cpu", "cuda:0".
std::string name(Device device);

}  // namespace garner
