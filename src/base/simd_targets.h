// Which SIMD targets are compiled: baseline, SSE4, AVX2 and AVX-512 (on ARM NEON and SVE). The ones in between gain
// nothing here and cost build time, but for files that compress 16-bit lanes, which the later AVX-512 has an
// instruction for: they define GARNER_COMPRESSES_16. Include it before <hwy/foreach_target.h>.
#pragma once
#ifdef GARNER_COMPRESSES_16
#define HWY_WANT_AVX3_DL
#define HWY_DISABLED_TARGETS HWY_SSSE3
#else
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#endif
