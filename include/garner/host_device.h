// Functions that are the same on the CPU and in a CUDA kernel.
#pragma once

#ifdef __CUDACC__
#define GARNER_HD __host__ __device__
#else
#define GARNER_HD
#endif
