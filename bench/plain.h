// What one writes without a library: the loops that every workload must beat, and xtensor's spelling of them where that
// package is. In C, so that the bench calls them on the very arrays it gives to everybody else.
#pragma once
#include <cstdint>

extern "C" {

/// Rows of `bytes` bytes; std::copy_n a row. Split evenly over the threads.
void plain_gather_rows(const void* table, const std::int64_t* rows, std::int64_t count, std::int64_t bytes, void* out,
                       int threads);
void plain_gather_f32(const float* table, const std::int64_t* places, std::int64_t count, float* out, int threads);

/// On one thread: a second one would need locks or atomics, and then it is no plain loop.
void plain_add_rows_f32(float* table, const std::int64_t* rows, std::int64_t count, std::int64_t width,
                        const float* updates);
void plain_add_f32(float* table, const std::int64_t* places, std::int64_t count, const float* updates);

std::int64_t plain_argmax_f32(const float* values, std::int64_t count);
/// (n, 2) positions in a matrix of `columns` columns; their number.
std::int64_t plain_nonzero_f32(const float* values, std::int64_t count, std::int64_t columns, std::int64_t* out);

/// Is xtensor compiled in? The two below do nothing without it.
int plain_has_xtensor();
/// An index as xtensor keeps it, made before anything is timed; plain_xtensor_free() ends it.
void* plain_xtensor_index(const std::int64_t* rows, std::int64_t count);
void plain_xtensor_free(void* index);
/// view(table, keep(rows), all()) into `out`, one thread.
void plain_xtensor_rows_f32(const float* table, std::int64_t table_rows, std::int64_t width, const void* index,
                            std::int64_t count, float* out);

}  // extern "C"
