// The sizes at which another way begins to pay. Measured on Xeons with 2 MiB of L2 (docs/adr/0013-cpu-kernels.md);
// tests set them so small that every way is taken.
#pragma once
#include "garner/axes.h"

namespace garner {

/// What AMD's CPUs do better another way than the Xeons that the rest was measured on.
inline bool is_amd() {
#if defined(__x86_64__)
  return __builtin_cpu_is("amd") != 0;
#else
  return false;
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
  bool single_loads = is_amd();  // instead of the vector unit's gather. Two cores of a Zen 5, ms so and so: 256 M codes
                                 // of a small dictionary 29 and 43, 32 M of 256 M f32 61 and 72; on Xeons the gather is
                                 // 1.2 times as quick
  Index abreast_bytes = is_amd() ? 2048 : INT64_MAX;  // rows from here on are streamed four at a time. Two cores of a
                                                      // Zen 5, ms one by one and so: 4096 pages of 32 KiB 5.40 and
                                                      // 4.79, 64 K rows of 2 KiB 7.3 and 6.1 (of 1 KiB 6.1 and 6.4)
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
