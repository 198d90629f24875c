// The head of a .safetensors: eight bytes of length, then JSON with dtype, shape and place of each tensor.
#pragma once
#include "format/elements.h"

namespace garner::format {

struct SafetensorsTensor {
  std::string name;
  DType dtype = DType::kF32;
  Axes shape;
  Index begin = 0, end = 0;  // bytes from the end of the header
};

struct SafetensorsHeader {
  std::vector<SafetensorsTensor> tensors;
  std::map<std::string, std::string> metadata;
  Index data_offset = 0;
};

/// What the safetensors package refuses is refused: the tensors fill the file after the header without hole, overlap or
/// rest. Rules F3 too short or too long a header, F4 the JSON, F5 dtypes, F6 shapes and offsets.
Result<SafetensorsHeader> parse_safetensors_header(const std::string& path, Bytes bytes);
/// The same of a file of which only the first bytes are at hand: safetensors_head() of them.
Result<SafetensorsHeader> parse_safetensors_header(const std::string& path, Bytes head, Index file_bytes);

/// Bytes up to the end of the header, by the first eight (or fewer) of a file. Rule F3.
Result<Index> safetensors_head(const std::string& path, Bytes first, Index file_bytes);

/// The tensor of that name; no name: the only one. Rule F7.
Result<SafetensorsTensor> find_tensor(const std::string& path, const std::string& name,
                                      const SafetensorsHeader& header);

/// The header with its length in front, a multiple of 8 bytes. Rule F10: dtypes or names that the format has not.
Result<std::string> safetensors_header(const std::string& path, std::span<const SafetensorsTensor> tensors,
                                       const std::map<std::string, std::string>& metadata);

}  // namespace garner::format
