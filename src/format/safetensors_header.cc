#include "format/safetensors_header.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

namespace garner::format {
namespace {

// ---- dtypes ----

/// c128 has no name there.
std::string name_in_file(DType dtype) {
  if (dtype == DType::kC128) return "";
  if (dtype == DType::kF8E4M3) return "F8_E4M3";
  if (dtype == DType::kF8E5M2) return "F8_E5M2";
  std::string out(name(dtype));
  std::ranges::transform(out, out.begin(), [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return out;
}

std::optional<DType> dtype_in_file(const std::string& text) {
  for (const DTypeInfo& d : kDTypes)
    if (!text.empty() && name_in_file(d.dtype) == text) return d.dtype;
  return std::nullopt;
}

// ---- the JSON ----

constexpr const char* kMetadata = "__metadata__";

/// One tensor as it is being read.
struct Entry {
  std::string name, dtype;
  Axes shape, offsets;
  bool has_dtype = false, has_shape = false, has_offsets = false;
};

/// Takes the parser's events, so that no more is kept than the header may say: however deep or wide it is, the first
/// thing that does not belong there ends it. Depth 1 has names, depth 2 the fields, depth 3 the numbers.
class Reader {
 public:
  std::vector<Entry> entries;
  std::map<std::string, std::string> metadata;
  std::string problem;
  std::size_t at = 0;  // offset in the JSON

  bool start_object(std::size_t) { return ++depth_ <= 2 && !list_ ? true : refuse("an object"); }
  bool end_object() {
    --depth_;
    return true;
  }

  bool key(std::string& text) {
    key_ = text;
    if (depth_ == 2) return in_metadata_ || field();
    in_metadata_ = text == kMetadata;
    if (!names_.insert(text).second) return refuse(fmt::format("'{}' a second time", text.substr(0, 100)));
    if (!in_metadata_) entries.emplace_back().name = text;
    return true;
  }

  bool string(std::string& text) {
    if (depth_ != 2 || list_) return refuse("a string");
    if (in_metadata_) {
      metadata[key_] = text;
      return true;
    }
    if (key_ != "dtype") return refuse("a string");
    entries.back().dtype = text;
    return true;
  }

  bool start_array(std::size_t) {
    if (depth_ != 2 || in_metadata_ || list_ || key_ == "dtype") return refuse("a list");
    list_ = true;
    return true;
  }
  bool end_array() {
    list_ = false;
    return true;
  }

  bool number_unsigned(std::uint64_t n) {
    constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<Index>::max());
    return n <= kMost ? number_integer(static_cast<std::int64_t>(n)) : refuse("a number past 2^63");
  }
  bool number_integer(std::int64_t n) {
    if (!list_) return refuse("a number");
    Axes& numbers = key_ == "shape" ? entries.back().shape : entries.back().offsets;
    if (numbers.size() == kMaxRank) return refuse("a longer list than 64");
    numbers.push_back(n);
    return true;
  }
  bool number_float(double, const std::string&) { return refuse("a number with a point"); }
  bool null() { return refuse("null"); }
  bool boolean(bool) { return refuse("true or false"); }
  bool binary(nlohmann::json::binary_t&) { return refuse("bytes"); }
  bool parse_error(std::size_t place, const std::string&, const nlohmann::json::exception&) {
    at = place > 0 ? place - 1 : 0;
    return false;
  }

 private:
  bool refuse(std::string what) {
    problem = std::move(what);
    return false;
  }

  bool field() {
    Entry& e = entries.back();
    bool* has = key_ == "dtype" ? &e.has_dtype : key_ == "shape" ? &e.has_shape : &e.has_offsets;
    if ((has == &e.has_offsets && key_ != "data_offsets") || *has)
      return refuse(fmt::format("field '{}'", key_.substr(0, 100)));
    *has = true;
    return true;
  }

  std::set<std::string> names_;
  std::string key_;
  int depth_ = 0;
  bool in_metadata_ = false, list_ = false;
};

Result<Reader> parse_json(const std::string& path, std::string_view text) {
  Reader reader;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &reader)) return reader;
  if (reader.problem.empty())
    return fail_in(path, Code::kInvalidArgument, "F4", "the header is no JSON at offset {}", 8 + reader.at);
  return fail_in(
      path, Code::kInvalidArgument, "F4", "the header has {} where there may be none{}", reader.problem,
      reader.entries.empty() ? "" : fmt::format(" (tensor '{}')", reader.entries.back().name.substr(0, 100)));
}

// ---- what it says ----

Result<SafetensorsTensor> tensor_of(const std::string& path, const Entry& e, Index room) {
  const std::string where = fmt::format("{}:{}", path, e.name.substr(0, 200));
  if (!e.has_dtype || !e.has_shape || !e.has_offsets)
    return fail_in(where, Code::kInvalidArgument, "F4", "the header has not each of dtype, shape and data_offsets");
  const auto dtype = dtype_in_file(e.dtype);
  if (!dtype) return fail_in(where, Code::kType, "F5", "dtype is '{}', which Garner has not", e.dtype.substr(0, 40));
  GARNER_ASSIGN(const Index bytes, bytes_of(where, *dtype, e.shape));
  const bool fits = e.offsets.size() == 2 && e.offsets[0] >= 0 && e.offsets[0] <= e.offsets[1] && e.offsets[1] <= room;
  if (!fits)
    return fail_in(where, Code::kInvalidArgument, "F6", "data_offsets are {}, allowed two that ascend in [0, {}]",
                   list(e.offsets), room);
  if (e.offsets[1] - e.offsets[0] != bytes)
    return fail_in(where, Code::kInvalidArgument, "F6", "data_offsets are {} bytes apart, allowed {} ({} of shape {})",
                   e.offsets[1] - e.offsets[0], bytes, e.dtype, list(e.shape));
  return SafetensorsTensor{e.name, *dtype, e.shape, e.offsets[0], e.offsets[1]};
}

Status check_filled(const std::string& path, const std::vector<SafetensorsTensor>& tensors, Index room) {
  std::vector<const SafetensorsTensor*> order;
  for (const SafetensorsTensor& t : tensors) order.push_back(&t);
  std::ranges::sort(order, {}, [](const SafetensorsTensor* t) { return std::pair(t->begin, t->end); });
  Index end = 0;
  for (const SafetensorsTensor* t : order) {
    if (t->begin != end)
      return fail_in(path, Code::kInvalidArgument, "F6", "tensor '{}' begins at {}, allowed {} (where another ends)",
                     t->name.substr(0, 200), t->begin, end);
    end = t->end;
  }
  if (end != room)
    return fail_in(path, Code::kInvalidArgument, "F6", "the tensors end at {}, allowed {} (the file's end)", end, room);
  return {};
}

/// What the safetensors package allows.
constexpr Index kMaxHeader = 100'000'000;

nlohmann::ordered_json json_of(std::span<const SafetensorsTensor> tensors,
                               const std::map<std::string, std::string>& metadata) {
  auto out = nlohmann::ordered_json::object();
  if (!metadata.empty()) out[kMetadata] = metadata;
  for (const SafetensorsTensor& t : tensors)
    out[t.name] = {{"dtype", name_in_file(t.dtype)}, {"shape", t.shape}, {"data_offsets", {t.begin, t.end}}};
  return out;
}

}  // namespace

Result<Index> safetensors_head(const std::string& path, Bytes first, Index file_bytes) {
  if (first.size() < 8)
    return fail_in(path, Code::kInvalidArgument, "F3", "is {} bytes, allowed 8 and more", first.size());
  std::uint64_t size = 0;
  for (std::size_t i = 8; i-- > 0;) size = size << 8 | static_cast<std::uint64_t>(first[i]);
  const auto most = static_cast<std::uint64_t>(std::min(file_bytes - 8, kMaxHeader));
  if (size > most)
    return fail_in(path, Code::kInvalidArgument, "F3", "header length at offset 0 is {}, allowed [2, {}]", size, most);
  return 8 + static_cast<Index>(size);
}

Result<SafetensorsHeader> parse_safetensors_header(const std::string& path, Bytes bytes) {
  return parse_safetensors_header(path, bytes, static_cast<Index>(bytes.size()));
}

Result<SafetensorsHeader> parse_safetensors_header(const std::string& path, Bytes head, Index file_bytes) {
  GARNER_ASSIGN(const Index end, safetensors_head(path, head, file_bytes));
  const std::string_view text(reinterpret_cast<const char*>(head.data()) + 8, static_cast<std::size_t>(end - 8));
  if (!text.starts_with('{'))
    return fail_in(path, Code::kInvalidArgument, "F3", "the header at offset 8 does not begin with {{");
  GARNER_ASSIGN(Reader reader, parse_json(path, text));
  SafetensorsHeader out{{}, std::move(reader.metadata), end};
  const Index room = file_bytes - out.data_offset;
  for (const Entry& entry : reader.entries) {
    GARNER_ASSIGN(SafetensorsTensor tensor, tensor_of(path, entry, room));
    out.tensors.push_back(std::move(tensor));
  }
  GARNER_TRY(check_filled(path, out.tensors, room));
  return out;
}

Result<std::string> safetensors_header(const std::string& path, std::span<const SafetensorsTensor> tensors,
                                       const std::map<std::string, std::string>& metadata) {
  std::set<std::string> seen{kMetadata};
  for (const SafetensorsTensor& t : tensors) {
    if (name_in_file(t.dtype).empty())
      return fail_in(path, Code::kType, "F10", "tensor '{}' is {}, which safetensors has not", t.name, name(t.dtype));
    if (!seen.insert(t.name).second)
      return fail_in(path, Code::kInvalidArgument, "F10", "the name '{}' is given twice or taken", t.name);
  }
  std::string text;
  try {
    text = json_of(tensors, metadata).dump();
  } catch (const nlohmann::json::exception&) {
    return fail_in(path, Code::kInvalidArgument, "F10", "a name or metadata is not UTF-8");
  }
  text.append((8 - text.size() % 8) % 8, ' ');
  if (static_cast<Index>(text.size()) > kMaxHeader)
    return fail_in(path, Code::kInvalidArgument, "F10", "the header is {} bytes, allowed [0, {}]", text.size(),
                   kMaxHeader);
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(text.size() >> 8 * i & 255);
  return out + text;
}

}  // namespace garner::format
