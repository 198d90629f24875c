// Which SIMD targets are compiled: baseline, SSE4, AVX2 and AVX-512 (on ARM NEON and SVE). The ones in between gain
// nothing here and cost build time. Include it before <hwy/foreach_target.h>.
#pragma once
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
