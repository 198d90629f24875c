// What the programs of the bench share: memory on 2-MiB pages, threads that start together, the best of several passes,
// and names for the subcommands of garner_measure.
#pragma once
#include <sys/mman.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace garner::measure {

using Json = nlohmann::ordered_json;
using Clock = std::chrono::steady_clock;

struct Options {
  bool quick = false;
  int threads = static_cast<int>(std::thread::hardware_concurrency());
  std::size_t table_mib = 0;  // the largest footprint; 0: 4096, quick 1024
  double seconds = 0;  // of each measurement; 0: 0.4, quick 0.08
  std::vector<std::size_t> read_chunks, update_chunks;  // of `rates`, in bytes
};

/// The subcommands: each returns what it prints.
Json ceilings(const Options& options);
Json rates(const Options& options);
Json tiny(const Options& options);
Json ratios(const Options& options);

/// Bytes on 2-MiB pages where the system grants them, all there and none of them zero before anything is measured.
class Memory {
 public:
  explicit Memory(std::size_t bytes) : bytes_(bytes) {
    raw_ = mmap(nullptr, bytes_ + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (raw_ == MAP_FAILED) throw std::runtime_error("measure: no memory for " + std::to_string(bytes) + " bytes");
    const auto begin = (reinterpret_cast<std::uintptr_t>(raw_) + kPage - 1) / kPage * kPage;
    data_ = reinterpret_cast<std::uint8_t*>(begin);
    (void)madvise(data_, bytes_, MADV_HUGEPAGE);
    std::fill_n(as<std::uint32_t>(), bytes_ / 4, 0x3f800000U);  // 1.0f: no subnormals, no page of zeros
  }
  ~Memory() { munmap(raw_, bytes_ + kPage); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  template <class T>
  T* as() const {
    return reinterpret_cast<T*>(data_);
  }
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kPage = std::size_t{2} << 20;
  std::size_t bytes_;
  void* raw_ = nullptr;
  std::uint8_t* data_ = nullptr;
};

/// Numbers below `end`, the same in every run.
inline std::vector<std::uint32_t> random_numbers(std::size_t count, std::size_t end, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> out(count);
  for (auto& number : out) number = static_cast<std::uint32_t>(random() % end);
  return out;
}

inline double seconds_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// work(thread) on each of several threads; how long until the last is done. Starting one takes some 50 µs: passes
/// are long enough for that not to count.
inline double on_threads(int threads, const std::function<void(int)>& work) {
  return seconds_of([&] {
    std::vector<std::jthread> others;
    for (int t = 1; t < threads; ++t) others.emplace_back(work, t);
    work(0);
  });
}

inline double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

/// Of passes that take so long together, three at least, behind one that warms up. The median, as the workloads have
/// it: a shared machine's best moment is nobody's ceiling.
inline double median_seconds(double at_least, const std::function<double()>& pass) {
  double spent = pass();
  std::vector<double> all;
  while (all.size() < 3 || spent < at_least) {
    all.push_back(pass());
    spent += all.back();
  }
  return median(std::move(all));
}

}  // namespace garner::measure
