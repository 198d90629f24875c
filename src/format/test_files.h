// Files for tests: a folder that goes away, and bytes in and out of it.
#pragma once
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>

#include "base/fail.h"
#include "garner/error.h"
#include "garner/format.h"

namespace garner::format {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "garner-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      out.push_back(entry.path().filename().string());
    return out;
  }

 private:
  std::filesystem::path path_;
};

inline std::string write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
  return path;
}

inline std::string bytes_in(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

inline Tensor random_tensor(DType dtype, const Axes& shape, unsigned seed) {
  Tensor out = value_or_throw(Tensor::empty(dtype, shape));
  std::mt19937 random(seed);
  for (Index i = 0; i < out.bytes(); ++i)
    out.as<unsigned char>()[i] = static_cast<unsigned char>(dtype == DType::kBool ? random() & 1 : random());
  return out;
}

/// A rule of this folder, or nothing wrong: what any bytes must give.
inline bool is_orderly(const Status& s) { return s.ok() || s.rule.starts_with('F') || s.rule == "V6"; }

}  // namespace garner::format
