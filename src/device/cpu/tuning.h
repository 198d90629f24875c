// The sizes at which another way begins to pay. Measured on Xeons with 2 MiB of L2 (docs/adr/0013-cpu-kernels.md);
// tests set them so small that every way is taken.
#pragma once
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include "garner/axes.h"

namespace garner {

/// What AMD's CPUs do better another way than the Xeons that the rest was measured on: 0x19 is Zen 3 and 4, 0x1a Zen 5;
/// 0 for all others.
inline unsigned amd_family() {
#if defined(__x86_64__)
  unsigned signature = 0, b = 0, c = 0, d = 0;
  if (__builtin_cpu_is("amd") == 0 || __get_cpuid(1, &signature, &b, &c, &d) == 0) return 0;
  return (signature >> 8 & 0xf) + (signature >> 20 & 0xff);
#else
  return 0;
#endif
}

struct Tuning {
  Index stream_bytes = 4 << 20;  // results from here on are written past the caches: they leave a 2-MiB L2, and who
                                 // reads them next comes from memory anyway
  Index far_bytes = 4 << 20;  // operands from here on are asked for, element by element (elem: 320 ms, asked for 285)
  Index once_bytes = 256 << 10;  // where every line has a part of its own: nobody has brought that yet
  Index panel_bytes =
      1 << 20;  // of a packed panel: half of an L2. axis0 of 4096 x 4096: 512 KiB 41 ms, 1 MiB 27, 2 MiB 27
  Index sum_block = 16384;  // not tuned: a part of what level exact means (docs/determinism.md)
  Index packed_bytes = 2 << 20;  // operands from here on are packed
  // Loads one by one instead of the vector unit's gather, which on Xeons is 1.2 times as quick. Two cores, gather and
  // one by one: 256 M codes of u16 of a small dictionary 43 and 29 ms on a Zen 5, 78 and 39 on a Zen 4.
  bool single_loads = amd_family() > 0;
  // The same where elements are far, which then are not asked for: 32 M of 256 M f32 72 and 61 ms on a Zen 5. A Zen 4
  // has too few loads under way by itself: 117 and 160, take_along_last 7.4 and 13.8, sorted columns 23.0 and 33.2.
  bool far_single_loads = amd_family() >= 0x1a;
  // Rows from here on are streamed four at a time. Two cores, one by one and so: pages of 32 KiB 5.40 and 4.79 ms on a
  // Zen 5, 5.43 and 5.21 on a Zen 4; rows of 2 KiB 7.3 and 6.1, 6.25 and 7.06; of 1 KiB 6.1 and 6.4 on the Zen 5.
  Index abreast_bytes = amd_family() >= 0x1a ? 2048 : amd_family() > 0 ? 16384 : INT64_MAX;
};

inline Tuning& tuning_for_tests() {
  static Tuning tuning;
  return tuning;
}
inline const Tuning& tuning() { return tuning_for_tests(); }

/// Everything pays, as long as this lives. Not while other threads run kernels.
class EagerTuning {
 public:
  EagerTuning() {
    tuning_for_tests() = {.stream_bytes = 0,
                          .far_bytes = 0,
                          .once_bytes = 0,
                          .panel_bytes = 4096,
                          .packed_bytes = 0,
                          .abreast_bytes = 2048};
  }
  EagerTuning(const EagerTuning&) = delete;
  EagerTuning& operator=(const EagerTuning&) = delete;
  ~EagerTuning() { tuning_for_tests() = {}; }
};

}  // namespace garner
