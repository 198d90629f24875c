#include "kernel/common/start.h"

#include <cstring>

#include "device/cpu/stream.h"
#include "device/cpu/threads.h"

namespace garner {

void bring_start(void* target, const void* from, Index bytes, int threads) {
  constexpr Index kGrain = 256 << 10;
  const bool past_caches = bytes >= tuning().stream_bytes;
  const std::uint8_t zero = 0;
  parallel_ranges(threads, bytes, kGrain, [&](Index begin, Index end) {
    std::byte* to = static_cast<std::byte*>(target) + begin;
    const std::byte* source = static_cast<const std::byte*>(from) + begin;
    if (from == nullptr) fill_elements(to, &zero, 1, end - begin, past_caches);
    else if (past_caches) stream_copy(to, source, end - begin);
    else std::memcpy(to, source, static_cast<std::size_t>(end - begin));
    if (past_caches) finish_stream();
  });
}

}  // namespace garner
