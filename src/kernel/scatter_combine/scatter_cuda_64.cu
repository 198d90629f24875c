// scatter_sorted.cuh with places in 64 bits.
#include "kernel/scatter_combine/scatter_sorted.cuh"

namespace garner {

void scatter_sorted_64(const Launch& l) { scatter_sorted<std::uint64_t>(l); }
Index scatter_bytes_64(const Launch& l) { return bytes_wanted<std::uint64_t>(l); }

}  // namespace garner
