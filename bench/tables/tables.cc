// What bench/tables/driver.py starts to measure tables on disk: makes the file, gathers rows from it, and does the same
// by threads over a mapping. Every word of the file is a function of its place, so that each row can be checked.
//   garner_tables make FILE BYTES
//   garner_tables gather FILE ROW_BYTES IDS.npy PLACE READER DEPTH CACHE_BYTES BATCH
//   garner_tables mmap FILE ROW_BYTES IDS.npy THREADS
// The last two print JSON: the seconds of each of two rounds, the second of which finds what the first has left in
// memory.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/fail.h"
#include "garner/format.h"
#include "garner/table.h"

namespace {

using garner::Index;
using Clock = std::chrono::steady_clock;

std::uint64_t word_at(Index place) { return static_cast<std::uint64_t>(place + 1) * 0x9E3779B97F4A7C15U; }

double seconds_since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

[[noreturn]] void stop(const std::string& why) { throw std::runtime_error(why); }

int open_or_stop(const std::string& path, int flags) {
  const int file = ::open(path.c_str(), flags | O_CLOEXEC, 0600);
  if (file < 0) stop(path + ": " + std::strerror(errno));
  return file;
}

/// On the disk, and in nobody's page cache.
void make(const std::string& path, Index bytes) {
  const int file = open_or_stop(path, O_WRONLY | O_CREAT | O_TRUNC);
  std::vector<std::uint64_t> piece(std::size_t{1} << 20);
  for (Index at = 0; at < bytes; at += static_cast<Index>(piece.size()) * 8) {
    for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = word_at(at / 8 + static_cast<Index>(i));
    const auto size = std::min(piece.size() * 8, static_cast<std::size_t>(bytes - at));
    if (::write(file, piece.data(), size) != static_cast<ssize_t>(size)) stop(path + ": " + std::strerror(errno));
  }
  if (::fsync(file) != 0) stop(path + ": " + std::strerror(errno));
  ::close(file);
}

/// Out of this system's page cache; what lies below it is not ours to say.
void drop(const std::string& path) {
  const int file = open_or_stop(path, O_RDONLY);
  ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  ::close(file);
}

void check(const std::vector<Index>& ids, const std::byte* rows, Index row_bytes) {
  for (std::size_t i = 0; i < ids.size(); ++i)
    for (const Index word : {Index{0}, row_bytes / 8 - 1}) {
      std::uint64_t got = 0;
      std::memcpy(&got, rows + static_cast<Index>(i) * row_bytes + word * 8, 8);
      if (got != word_at(ids[i] * row_bytes / 8 + word)) stop(fmt::format("row {} is not what was written", ids[i]));
    }
}

std::vector<Index> read_ids(const std::string& path) {
  const auto file = garner::value_or_throw(garner::format::read_npy(path));
  const auto* data = static_cast<const Index*>(file.view.data());
  return {data, data + file.view.elements()};
}

struct Work {
  std::string file;
  Index row_bytes;
  std::vector<Index> ids;
};

/// Two rounds of work(out), and the rows of the second looked at.
template <class F>
nlohmann::json rounds(const Work& work, F&& gather) {
  const auto count = static_cast<Index>(work.ids.size());
  const auto out = garner::value_or_throw(garner::Tensor::zeros(garner::DType::kU8, {count, work.row_bytes}));
  auto* rows = static_cast<std::byte*>(out.view().mutable_data());
  nlohmann::json seconds;
  for (int round = 0; round < 2; ++round) {
    const auto begin = Clock::now();
    gather(rows);
    seconds.push_back(seconds_since(begin));
  }
  check(work.ids, rows, work.row_bytes);
  return seconds;
}

nlohmann::json counts(const garner::TableStats& s) {
  return {{"unique", s.unique}, {"hits", s.hits}, {"reads", s.reads}, {"bytes_read", s.bytes_read}};
}

nlohmann::json gather(const Work& work, garner::TableOptions options, Index batch) {
  options.dtype = garner::DType::kU8;
  const int file = open_or_stop(work.file, O_RDONLY);
  options.shape = {::lseek(file, 0, SEEK_END) / work.row_bytes, work.row_bytes};
  ::close(file);
  const garner::Table table = garner::open_table(work.file, options);
  nlohmann::json stats;
  const auto seconds = rounds(work, [&](std::byte* rows) {
    const auto count = static_cast<Index>(work.ids.size());
    for (Index at = 0; at < count; at += batch) {
      const Index some = std::min(batch, count - at);
      const garner::MutableView part(garner::DType::kU8, rows + at * work.row_bytes, {some, work.row_bytes});
      garner::gather_into(table, garner::View(work.ids.data() + at, {some}), part);
    }
    stats.push_back(counts(table.stats()));
  });
  return {{"seconds", seconds}, {"stats", stats}};
}

nlohmann::json by_mapping(const Work& work, std::size_t threads) {
  const int file = open_or_stop(work.file, O_RDONLY);
  const auto bytes = static_cast<std::size_t>(::lseek(file, 0, SEEK_END));
  const auto* all = static_cast<const std::byte*>(::mmap(nullptr, bytes, PROT_READ, MAP_SHARED, file, 0));
  ::madvise(const_cast<std::byte*>(all), bytes, MADV_RANDOM);
  const auto row_bytes = static_cast<std::size_t>(work.row_bytes);
  const auto seconds = rounds(work, [&](std::byte* rows) {
    std::vector<std::jthread> running;
    for (std::size_t t = 0; t < threads; ++t)
      running.emplace_back([&, t] {
        for (std::size_t i = t; i < work.ids.size(); i += threads)
          std::memcpy(rows + i * row_bytes, all + static_cast<std::size_t>(work.ids[i]) * row_bytes, row_bytes);
      });
  });
  ::munmap(const_cast<std::byte*>(all), bytes);
  ::close(file);
  return {{"seconds", seconds}};
}

garner::TableOptions options_of(const std::vector<std::string>& a) {
  using garner::DiskReader, garner::Place;
  return {.place = a[4] == "mapped" ? Place::kMapped : Place::kDisk,
          .cache_bytes = std::stoll(a[7]),
          .queue_depth = std::stoi(a[6]),
          .reader = a[5] == "threads" ? DiskReader::kThreads : DiskReader::kUring};
}

int run(const std::vector<std::string>& a) {
  if (a.size() == 3 && a[0] == "make") return make(a[1], std::stoll(a[2])), 0;
  const bool rows = a.size() == 9 && a[0] == "gather", mapped = a.size() == 5 && a[0] == "mmap";
  if (!rows && !mapped) stop("garner_tables make|gather|mmap …: see bench/tables/tables.cc");
  const Work work{a[1], std::stoll(a[2]), read_ids(a[3])};
  drop(work.file);
  fmt::print("{}\n",
             (rows ? gather(work, options_of(a), std::stoll(a[8])) : by_mapping(work, std::stoul(a[4]))).dump());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    fmt::print(stderr, "garner_tables: {}\n", e.what());
    return 1;
  }
}
