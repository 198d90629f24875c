#include <algorithm>
#include <iterator>

#include "base/checked_math.h"
#include "format/safetensors_header.h"

namespace garner::format {
namespace {

Status no_tensor(const std::string& path, const std::string& wanted, const SafetensorsHeader& header) {
  constexpr std::size_t kShown = 20;
  std::vector<std::string> names;
  for (const SafetensorsTensor& t : header.tensors)
    if (names.size() < kShown) names.push_back(t.name.substr(0, 100));
  return fail_in(path, Code::kInvalidArgument, "F7", "{}, allowed one of {}{}",
                 wanted.empty() ? "no tensor is named" : fmt::format("there is no tensor '{}'", wanted), list(names),
                 header.tensors.size() > kShown ? " and more" : "");
}

/// The widest first, as the safetensors package does: then each lies at a multiple of its width.
std::vector<NamedView> ordered(std::span<const NamedView> tensors) {
  std::vector<NamedView> out;
  for (const int bytes : {16, 8, 4, 2, 1})
    std::ranges::copy_if(tensors, std::back_inserter(out),
                         [&](const NamedView& t) { return width(t.view.dtype()) == bytes; });
  return out;
}

Result<std::vector<SafetensorsTensor>> placed(const std::string& path, std::span<const NamedView> tensors) {
  std::vector<SafetensorsTensor> out;
  Index end = 0;
  for (const NamedView& t : tensors) {
    GARNER_ASSIGN(const Index bytes, bytes_of(path, t.view.dtype(), t.view.shape()));
    const auto next = checked_add(end, bytes);
    if (!next) return fail_in(path, Code::kInvalidArgument, "F10", "the tensors have more than 2^63 bytes");
    out.push_back({t.name, t.view.dtype(), t.view.shape(), end, *next});
    end = *next;
  }
  return out;
}

}  // namespace

Result<SafetensorsTensor> find_tensor(const std::string& path, const std::string& wanted,
                                      const SafetensorsHeader& header) {
  if (wanted.empty() && header.tensors.size() == 1) return header.tensors.front();
  for (const SafetensorsTensor& t : header.tensors)
    if (!wanted.empty() && t.name == wanted) return t;
  return no_tensor(path, wanted, header);
}

Result<SafetensorsList> list_safetensors(const std::string& path) {
  GARNER_ASSIGN(const auto file, MappedFile::open(path));
  GARNER_ASSIGN(SafetensorsHeader header, parse_safetensors_header(path, file->bytes()));
  SafetensorsList out{{}, std::move(header.metadata)};
  for (SafetensorsTensor& t : header.tensors) out.tensors.push_back({std::move(t.name), t.dtype, std::move(t.shape)});
  return out;
}

Result<Mapped> read_safetensors(const std::string& path, const std::string& name, std::optional<DType> dtype) {
  GARNER_ASSIGN(const auto file, MappedFile::open(path));
  GARNER_ASSIGN(const SafetensorsHeader header, parse_safetensors_header(path, file->bytes()));
  GARNER_ASSIGN(const SafetensorsTensor tensor, find_tensor(path, name, header));
  if (dtype && *dtype != tensor.dtype)
    return fail_in(path, Code::kType, "F5", "dtype of '{}' is {}, stated {}", tensor.name, garner::name(tensor.dtype),
                   garner::name(*dtype));
  return look({path, file->bytes(), file}, header.data_offset + tensor.begin, {tensor.dtype, tensor.shape});
}

Status write_safetensors(const std::string& path, std::span<const NamedView> tensors,
                         const std::map<std::string, std::string>& metadata) {
  const std::vector<NamedView> order = ordered(tensors);
  GARNER_ASSIGN(const std::vector<SafetensorsTensor> places, placed(path, order));
  GARNER_ASSIGN(const std::string header, safetensors_header(path, places, metadata));
  GARNER_ASSIGN(NewFile file, NewFile::create(path));
  GARNER_TRY(file.write(header.data(), header.size()));
  for (const NamedView& t : order)
    GARNER_TRY(write_elements(t.view, [&](const void* data, std::size_t bytes) { return file.write(data, bytes); }));
  return file.commit();
}

}  // namespace garner::format
