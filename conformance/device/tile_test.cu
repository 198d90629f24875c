// <garner/tile.cuh> in kernels, against the dialect on the CPU.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "garner/cutile.h"
#include "garner/tile.cuh"

namespace garner::tile {
namespace {

constexpr int kThreads = 128;
constexpr std::int64_t kRows = 37, kColumns = 53;

/// Indices of one thread; some are outside.
struct Job {
  Tile<int, 4, 1> rows;
  Tile<std::int64_t, 8> columns;
  Tile<bool, 8> mask;
  Tile<float, 4, 8> padding;
};

__global__ void gather_tiles(Array<const float, 2> x, const Job* jobs, Tile<float, 4, 8>* out) {
  const Job job = jobs[threadIdx.x];
  out[threadIdx.x] = gather(x, indices(job.rows, job.columns), job.mask, job.padding);
}

/// Every thread has rows of its own, so that no two write to one place.
__global__ void scatter_tiles(Array<float, 3> y, const Job* jobs) {
  const Job job = jobs[threadIdx.x];
  scatter(y, indices(static_cast<int>(threadIdx.x), job.rows, job.columns), job.padding, job.mask);
}

template <class T>
class OnDevice {
 public:
  explicit OnDevice(const std::vector<T>& values) : count_(values.size()) {
    cudaMalloc(&data_, count_ * sizeof(T));
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
  ~OnDevice() { cudaFree(data_); }
  T* data() const { return data_; }
  std::vector<T> back() const {
    std::vector<T> out(count_);
    cudaMemcpy(out.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    return out;
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

std::vector<Job> random_jobs() {
  std::mt19937 random(3);
  std::vector<Job> jobs(kThreads);
  for (Job& job : jobs) {
    // Four different rows and eight different columns: within a thread no two positions are one place.
    for (int k = 0; k < 4; ++k) job.rows[k] = static_cast<int>(random() % 11) * 4 + k - 3;
    for (int k = 0; k < 8; ++k) job.columns[k] = static_cast<int>(random() % 8) * 8 + k - 4;
    for (int k = 0; k < 8; ++k) job.mask[k] = random() % 5 != 0;
    for (int k = 0; k < 32; ++k) job.padding[k] = static_cast<float>(random() % 100);
  }
  return jobs;
}

TEST(DeviceTile, GatherEqualsTheDialect) {
  std::vector<float> x(kRows * kColumns);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  const std::vector<Job> jobs = random_jobs();
  const OnDevice<float> there(x);
  const OnDevice<Job> jobs_there(jobs);
  const std::vector<Tile<float, 4, 8>> nothing(kThreads);
  const OnDevice<Tile<float, 4, 8>> out(nothing);
  gather_tiles<<<1, kThreads>>>({there.data(), {kRows, kColumns}, {kColumns, 1}}, jobs_there.data(), out.data());
  const auto tiles = out.back();
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  for (int t = 0; t < kThreads; ++t) {
    const Job& job = jobs[static_cast<std::size_t>(t)];
    const Tensor wanted = cutile::gather(
        View(x.data(), {kRows, kColumns}), {View(job.rows.element, {4, 1}), View(job.columns.element, {8})},
        {.mask = View(job.mask.element, {8}), .padding_value = View(job.padding.element, {4, 8})});
    EXPECT_TRUE(same_bits(View(tiles[static_cast<std::size_t>(t)].element, {4, 8}), wanted)) << t;
  }
}

TEST(DeviceTile, ScatterEqualsTheDialect) {
  const std::vector<Job> jobs = random_jobs();
  std::vector<float> y(kThreads * kRows * kColumns, -1.0F);
  const OnDevice<float> there(y);
  const OnDevice<Job> jobs_there(jobs);
  scatter_tiles<<<1, kThreads>>>({there.data(), {kThreads, kRows, kColumns}, {kRows * kColumns, kColumns, 1}},
                                 jobs_there.data());
  const std::vector<float> is = there.back();
  ASSERT_EQ(cudaGetLastError(), cudaSuccess);
  for (int t = 0; t < kThreads; ++t) {
    const Job& job = jobs[static_cast<std::size_t>(t)];
    const MutableView mine(y.data() + t * kRows * kColumns, {kRows, kColumns});
    cutile::scatter(mine, {View(job.rows.element, {4, 1}), View(job.columns.element, {8})},
                    View(job.padding.element, {4, 8}), {.mask = View(job.mask.element, {8})});
  }
  EXPECT_TRUE(y == is);
}

}  // namespace
}  // namespace garner::tile
