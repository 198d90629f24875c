// What a step costs on a table of 10,000,000 rows of 64 floats when a batch of 4,096 rows, chosen evenly, was read: by
// rows, and dense with the whole gradient already there. `bytes/s` counts what must move: gradient read once, table and
// state read and written once each.
#include <benchmark/benchmark.h>

#include <random>

#include "garner/row_gradient.h"

namespace garner {
namespace {

constexpr Index kRows = 10'000'000, kWidth = 64, kBatch = 4096;

/// All pages are there before anything is measured.
Tensor filled(const Axes& shape, float value) {
  Tensor t = value_or_throw(Tensor::empty(DType::kF32, shape));
  std::fill_n(t.as<float>(), t.elements(), value);
  return t;
}

Tensor batch_of_rows(std::mt19937_64& random, Index rows) {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, {kBatch}));
  std::uniform_int_distribution<Index> row(0, rows - 1);
  for (Index i = 0; i < kBatch; ++i) t.as<Index>()[i] = row(random);
  return t;
}

/// Another batch every step, as in training: 64 of them, 64 MiB of rows.
std::vector<Tensor> batches(Index rows) {
  std::mt19937_64 random(42);
  std::vector<Tensor> out;
  for (int i = 0; i < 64; ++i) out.push_back(batch_of_rows(random, rows));
  return out;
}

/// Indices to unique rows with their sums.
void sum_rows(benchmark::State& state) {
  const std::vector<Tensor> ids = batches(state.range(0));
  const Tensor back = filled({kBatch, kWidth}, 0.5F);
  std::size_t i = 0;
  for (auto _ : state) benchmark::DoNotOptimize(row_gradient(ids[i++ % ids.size()], back, {state.range(0), kWidth}));
}
BENCHMARK(sum_rows)->Arg(100'000)->Arg(kRows)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// The whole step of a batch, from indices and cotangent on. Argument: rows of the table.
void adagrad_by_rows(benchmark::State& state) {
  const Index rows = state.range(0);
  Tensor table = filled({rows, kWidth}, 1), sum = filled(table.shape(), 0);
  const std::vector<Tensor> ids = batches(rows);
  const Tensor back = filled({kBatch, kWidth}, 0.5F);
  Adagrad optimiser({}, {.state = {sum.view()}});
  std::size_t i = 0;
  for (auto _ : state) optimiser.step(table.view(), row_gradient(ids[i++ % ids.size()], back, table.shape()));
  state.SetBytesProcessed(state.iterations() * 5 * back.bytes());
}
BENCHMARK(adagrad_by_rows)->Arg(100'000)->Arg(kRows)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// The same with the optimiser's own memory, whose pages appear as rows are touched: the first steps of a training.
void adagrad_by_rows_first_steps(benchmark::State& state) {
  Tensor table = filled({kRows, kWidth}, 1);
  const std::vector<Tensor> ids = batches(kRows);
  const Tensor back = filled({kBatch, kWidth}, 0.5F);
  Adagrad optimiser;
  std::size_t i = 0;
  for (auto _ : state) optimiser.step(table.view(), row_gradient(ids[i++ % ids.size()], back, table.shape()));
}
BENCHMARK(adagrad_by_rows_first_steps)->Iterations(64)->Unit(benchmark::kMicrosecond)->UseRealTime();

void adagrad_dense(benchmark::State& state) {
  Tensor table = filled({state.range(0), kWidth}, 1), sum = filled(table.shape(), 0);
  const Tensor gradient = filled(table.shape(), 0.5F);
  Adagrad optimiser({}, {.state = {sum.view()}});
  for (auto _ : state) optimiser.step(table.view(), gradient);
  state.SetBytesProcessed(state.iterations() * 5 * gradient.bytes());
}
BENCHMARK(adagrad_dense)->Arg(kRows)->Unit(benchmark::kMicrosecond)->UseRealTime();

/// The pool keeps what large tensors leave behind; the benchmarks after these need the memory.
void give_back(benchmark::State& state) {
  for (auto _ : state) release_pool();
}
BENCHMARK(give_back)->Iterations(1);

}  // namespace
}  // namespace garner
