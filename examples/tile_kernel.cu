// A kernel of one's own with Garner's tiles in it: the mean of the 3 x 3 pixels round given points of an image. Pixels
// outside read as 0; nobody writes an if.
#include <cuda_runtime.h>
#include <garner/tile.cuh>

#include <cstdio>
#include <vector>

namespace tile = garner::tile;

constexpr int kHeight = 480, kWidth = 640, kPoints = 1000;

__global__ void means(tile::Array<const float, 2> image, const int* y, const int* x, float* mean) {
  const int point = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (point >= kPoints) return;
  tile::Tile<int, 3, 1> rows;
  tile::Tile<int, 3> columns;
  for (int k = 0; k < 3; ++k) {
    rows[k] = y[point] + k - 1;
    columns[k] = x[point] + k - 1;
  }
  const tile::Tile<float, 3, 3> pixels = tile::gather(image, tile::indices(rows, columns));
  float sum = 0;
  for (int k = 0; k < 9; ++k) sum += pixels[k];
  mean[point] = sum / 9;
}

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::puts("no CUDA device here");
    return 0;
  }
  std::vector<float> image(kHeight * kWidth);
  for (int i = 0; i < kHeight * kWidth; ++i) image[static_cast<std::size_t>(i)] = static_cast<float>(i % 97);
  std::vector<int> y(kPoints), x(kPoints);
  for (int p = 0; p < kPoints; ++p) {
    y[static_cast<std::size_t>(p)] = p * 7919 % kHeight;
    x[static_cast<std::size_t>(p)] = p * 104729 % kWidth;
  }
  float *device_image = nullptr, *device_mean = nullptr;
  int *device_y = nullptr, *device_x = nullptr;
  cudaMalloc(&device_image, image.size() * sizeof(float));
  cudaMalloc(&device_mean, kPoints * sizeof(float));
  cudaMalloc(&device_y, kPoints * sizeof(int));
  cudaMalloc(&device_x, kPoints * sizeof(int));
  cudaMemcpy(device_image, image.data(), image.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_y, y.data(), kPoints * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(device_x, x.data(), kPoints * sizeof(int), cudaMemcpyHostToDevice);
  means<<<(kPoints + 255) / 256, 256>>>({device_image, {kHeight, kWidth}, {kWidth, 1}}, device_y, device_x,
                                        device_mean);
  std::vector<float> mean(kPoints);
  cudaMemcpy(mean.data(), device_mean, kPoints * sizeof(float), cudaMemcpyDeviceToHost);
  std::printf("mean round (%d, %d): %g; round (%d, %d): %g\n", y[0], x[0], mean[0], y[999], x[999], mean[999]);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
