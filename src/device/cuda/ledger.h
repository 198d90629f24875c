// What kernels on a device leave behind about bad indices: one for every stream, read and emptied by cuda::check().
#pragma once
#include <cstdint>

namespace garner {

/// The first offender: of the launch with the lowest sequence number, the one with the lowest key.
struct DeviceLedger {
  std::uint64_t sequence = 0;  // of the launch that has it; 0: nothing has happened
  std::uint64_t key = 0;       // number of the position * terms + term
  std::uint64_t value = 0;     // the index, as 64 bits
  std::uint64_t count = 0;     // of all bad indices
  std::uint32_t lock = 0;      // held while the offender is exchanged
  std::uint32_t unused[7] = {};
};

}  // namespace garner
