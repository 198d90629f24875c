#include "kernel/common/pieces.h"

#include "kernel/common/odometer.h"

namespace garner {

int piece_bytes(const Launch& launch) {
  const IndexPlan& plan = launch.plan;
  const int element = width(plan.dtype);
  // All that is added to an address, as bits: their lowest one is what every address is a multiple of.
  std::uint64_t added = reinterpret_cast<std::uintptr_t>(launch.buffers.indexed[0]) |
                        reinterpret_cast<std::uintptr_t>(launch.buffers.dense[0]);
  const auto add = [&](Index elements) {
    added |= static_cast<std::uint64_t>(elements) * static_cast<std::uint64_t>(element);
  };
  const Affine affine(plan);
  add(affine.base);
  add(launch.facts.run);
  for (std::size_t k = 0; k + 1 < plan.domain.size(); ++k) {
    add(affine.step[k]);
    add(plan.dense_stride[k]);
  }
  for (const AxisMap& map : plan.indexed)
    if (map.term >= 0) add(map.stride);
  int bytes = 16;
  while (bytes > 1 && added % static_cast<std::uint64_t>(bytes) != 0) bytes /= 2;
  return bytes;
}

}  // namespace garner
