// Tables for tests: files of random rows, every place they may lie in, and the rows that ids select, copied one by one.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "format/test_files.h"
#include "garner/table.h"
#include "tensor/cast.h"

namespace garner {

/// Containers often refuse io_uring; then what is left is tested.
inline bool has_uring() {
  static const bool found = [] {
    const format::Folder folder;
    const std::string path = format::write_bytes(folder / "x.bin", "x");
    const TableOptions options{.place = Place::kDisk, .reader = DiskReader::kUring, .dtype = DType::kU8, .shape = {1}};
    return tables::open(path, options).ok();
  }();
  return found;
}
inline DiskReader uring_or_auto() { return has_uring() ? DiskReader::kUring : DiskReader::kAuto; }

/// A place, and how the disk is asked in it.
struct Placement {
  const char* name;
  TableOptions options;
};

/// All of this process alone.
inline std::vector<Placement> placements() {
  return {
      {"memory", {.place = Place::kMemory}},
      {"mapped", {.place = Place::kMapped}},
      {"disk", {.place = Place::kDisk}},
      {"disk by threads", {.place = Place::kDisk, .reader = DiskReader::kThreads}},
      {"disk by io_uring", {.place = Place::kDisk, .queue_depth = 2, .reader = uring_or_auto()}},
      {"disk without a cache", {.place = Place::kDisk, .cache_bytes = 0}},
      {"disk with a cache of few rows", {.place = Place::kDisk, .cache_bytes = 2000}},
  };
}

/// A folder on a real disk, unlike /tmp on many systems: reads go around the page cache there.
class DiskFolder {
 public:
  DiskFolder() {
    std::string name = (std::filesystem::current_path() / "table-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  DiskFolder(const DiskFolder&) = delete;
  DiskFolder& operator=(const DiskFolder&) = delete;
  ~DiskFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Raw bytes of rows behind `offset` others.
inline std::string write_raw(const std::string& path, const Tensor& rows, Index offset) {
  return format::write_bytes(path, std::string(static_cast<std::size_t>(offset), 'x') +
                                       std::string(rows.as<char>(), static_cast<std::size_t>(rows.bytes())));
}

inline TableOptions raw_options(TableOptions options, const Tensor& rows, Index offset) {
  options.dtype = rows.dtype();
  options.shape = rows.shape();
  options.offset = offset;
  return options;
}

inline Tensor random_ids(Index count, Index rows, unsigned seed) {
  std::mt19937_64 random(seed);
  Tensor ids = value_or_throw(Tensor::empty(DType::kI64, {count}));
  for (Index i = 0; i < count; ++i)
    ids.as<Index>()[i] = static_cast<Index>(random() % static_cast<std::uint64_t>(rows));
  return ids;
}

/// Zipf with exponent 1 over `rows`, by the inverse of its (continuous) distribution.
inline Index zipf(std::mt19937_64& random, Index rows) {
  const double u = std::uniform_real_distribution<>(0, 1)(random);
  return static_cast<Index>(std::pow(static_cast<double>(rows), u)) - 1;
}

/// rows[ids], in the shape of the ids, copied row by row.
inline Tensor selected(const Tensor& rows, const Tensor& ids) {
  Axes shape = ids.shape();
  shape.insert(shape.end(), rows.shape().begin() + 1, rows.shape().end());
  Tensor out = value_or_throw(Tensor::empty(rows.dtype(), shape));
  const Tensor wide = value_or_throw(cast(ids, DType::kI64));
  const Index each = rows.bytes() / std::max<Index>(1, rows.shape()[0]);
  for (Index i = 0; each > 0 && i < ids.elements(); ++i)
    std::memcpy(out.as<std::byte>() + i * each, rows.as<std::byte>() + wide.as<Index>()[i] * each,
                static_cast<std::size_t>(each));
  return out;
}

}  // namespace garner
