#include "bench/plain.h"

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#ifdef GARNER_XTENSOR
#include <xtensor/xadapt.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xview.hpp>
#endif

namespace {

using std::int64_t;

/// work(begin, end) on each thread's share.
template <class Work>
void split(int threads, int64_t count, const Work& work) {
  std::vector<std::jthread> others;
  for (int t = 1; t < threads; ++t) others.emplace_back(work, count * t / threads, count * (t + 1) / threads);
  work(0, count / std::max(1, threads));
}

#ifdef GARNER_XTENSOR
using Keep = decltype(xt::keep(std::vector<std::ptrdiff_t>{}));
#endif

}  // namespace

void plain_gather_rows(const void* table, const int64_t* rows, int64_t count, int64_t bytes, void* out, int threads) {
  const auto* from = static_cast<const std::uint8_t*>(table);
  auto* to = static_cast<std::uint8_t*>(out);
  split(threads, count, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) std::copy_n(from + rows[i] * bytes, bytes, to + i * bytes);
  });
}

void plain_gather_f32(const float* table, const int64_t* places, int64_t count, float* out, int threads) {
  split(threads, count, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) out[i] = table[places[i]];
  });
}

void plain_add_rows_f32(float* table, const int64_t* rows, int64_t count, int64_t width, const float* updates) {
  for (int64_t i = 0; i < count; ++i)
    for (int64_t k = 0; k < width; ++k) table[rows[i] * width + k] += updates[i * width + k];
}

void plain_add_f32(float* table, const int64_t* places, int64_t count, const float* updates) {
  for (int64_t i = 0; i < count; ++i) table[places[i]] += updates[i];
}

int64_t plain_argmax_f32(const float* values, int64_t count) {
  return std::max_element(values, values + count) - values;
}

int64_t plain_nonzero_f32(const float* values, int64_t count, int64_t columns, int64_t* out) {
  int64_t found = 0;
  for (int64_t row = 0; row < count / columns; ++row)
    for (int64_t column = 0; column < columns; ++column)
      if (values[row * columns + column] != 0) {
        out[2 * found] = row;
        out[2 * found++ + 1] = column;
      }
  return found;
}

#ifdef GARNER_XTENSOR
int plain_has_xtensor() { return 1; }

void* plain_xtensor_index(const int64_t* rows, int64_t count) {
  return new Keep(xt::keep(std::vector<std::ptrdiff_t>(rows, rows + count)));
}

void plain_xtensor_free(void* index) { delete static_cast<Keep*>(index); }

void plain_xtensor_rows_f32(const float* table, int64_t table_rows, int64_t width, const void* index, int64_t count,
                            float* out) {
  const std::array<std::size_t, 2> from{static_cast<std::size_t>(table_rows), static_cast<std::size_t>(width)};
  const std::array<std::size_t, 2> shape{static_cast<std::size_t>(count), static_cast<std::size_t>(width)};
  const auto x = xt::adapt(table, from[0] * from[1], xt::no_ownership(), from);
  auto y = xt::adapt(out, shape[0] * shape[1], xt::no_ownership(), shape);
  xt::noalias(y) = xt::view(x, *static_cast<const Keep*>(index), xt::all());
}
#else
int plain_has_xtensor() { return 0; }
void* plain_xtensor_index(const int64_t*, int64_t) { return nullptr; }
void plain_xtensor_free(void*) {}
void plain_xtensor_rows_f32(const float*, int64_t, int64_t, const void*, int64_t, float*) {}
#endif
