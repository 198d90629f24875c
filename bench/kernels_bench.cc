// The kernels at sizes beyond the cache, beside a plain copy measured in the same run. `bytes/s` counts what must move:
// result read and written once each (three times for combining scatters), plus the indices.
#include <benchmark/benchmark.h>

#include <cstring>
#include <random>

#include "garner/error.h"
#include "run/job_builder.h"

namespace garner {
namespace {

enum class Spread { kUniform, kSorted, kHot };

Tensor filled(DType dtype, const Axes& shape) {
  Tensor t = value_or_throw(Tensor::empty(dtype, shape));
  for (Index i = 0; i < t.bytes(); ++i) t.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i * 31 + 7);
  return t;
}

/// kHot sends half of all to one row.
Tensor row_numbers(Index count, Index rows, Spread spread) {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, {count}));
  std::mt19937_64 random(42);
  std::uniform_int_distribution<Index> row(0, rows - 1);
  for (Index i = 0; i < count; ++i) t.as<Index>()[i] = spread == Spread::kHot && i % 2 == 0 ? rows / 2 : row(random);
  if (spread == Spread::kSorted) std::sort(t.as<Index>(), t.as<Index>() + count);
  return t;
}

Job row_gather(const Tensor& table, const Tensor& rows) {
  auto b = JobBuilder::gather("bench", table, {rows.shape()[0], table.shape()[1]});
  b.look_up(0, b.term(rows, {0}, {.hi = table.shape()[0]}, "rows", "P16")).follow(1, 1);
  return std::move(b).build();
}

Job row_scatter(const Tensor& table, const Tensor& rows, const Tensor& updates, Combine combine) {
  auto b = JobBuilder::scatter("bench", table, updates, combine);
  b.look_up(0, b.term(rows, {0}, {.hi = table.shape()[0]}, "rows", "P16")).follow(1, 1);
  return std::move(b).build();
}

void copy_ceiling(benchmark::State& state) {
  const Tensor from = filled(DType::kU8, {Index{512} << 20});
  Tensor to = filled(DType::kU8, from.shape());
  for (auto _ : state) {
    std::memcpy(to.mutable_data(), from.data(), static_cast<std::size_t>(from.bytes()));
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * 2 * from.bytes());
}
BENCHMARK(copy_ceiling)->Unit(benchmark::kMillisecond)->UseRealTime();

/// Arguments: floats a row, indices, spread.
void gather_rows(benchmark::State& state) {
  const Index width = state.range(0), count = state.range(1), rows = (Index{1} << 28) / width;
  const Tensor table = filled(DType::kF32, {rows, width}),
               index = row_numbers(count, rows, static_cast<Spread>(state.range(2)));
  const Job job = row_gather(table, index);
  Tensor out = filled(DType::kF32, {count, width});
  for (auto _ : state) value_or_throw(run_into(job, out.view()));
  state.SetBytesProcessed(state.iterations() * (2 * out.bytes() + index.bytes()));
}
BENCHMARK(gather_rows)
    ->ArgsProduct({{1, 16, 64, 1024}, {1 << 20}, {0, 1}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void scatter_add_rows(benchmark::State& state) {
  const Index width = state.range(0), count = state.range(1), rows = (Index{1} << 26) / width;
  Tensor table = filled(DType::kF32, {rows, width});
  const Tensor index = row_numbers(count, rows, static_cast<Spread>(state.range(2)));
  const Tensor updates = filled(DType::kF32, {count, width});
  const Job job = row_scatter(table, index, updates, Combine::kAdd);
  for (auto _ : state) value_or_throw(run_in_place(job, table.view()));
  state.SetBytesProcessed(state.iterations() * (3 * updates.bytes() + index.bytes()));
}
BENCHMARK(scatter_add_rows)->ArgsProduct({{1, 64}, {1 << 20}, {0, 2}})->Unit(benchmark::kMillisecond)->UseRealTime();

/// What a call costs before any byte moves.
void tiny_call(benchmark::State& state) {
  const Tensor table = filled(DType::kF32, {16, 4}), index = row_numbers(4, 16, Spread::kUniform);
  const Job job = row_gather(table, index);
  Tensor out = filled(DType::kF32, {4, 4});
  for (auto _ : state) value_or_throw(run_into(job, out.view()));
}
BENCHMARK(tiny_call);

}  // namespace
}  // namespace garner
