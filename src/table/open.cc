// From a name to rows in a file, and from there to a place.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "format/npy_header.h"
#include "format/safetensors_header.h"
#include "table/guard.h"
#include "table/memory.h"
#include "tensor/shape.h"

namespace garner {
namespace {

using format::fail_in;
using format::Layout;

// ---- options ----

Status check_options(const TableOptions& o) {
  const auto wrong = [](const char* what, Index value, const char* allowed) {
    return fail(Code::kInvalidArgument, "TB2", "open_table: {} is {}, allowed {}", what, value, allowed);
  };
  if (o.queue_depth < 1 || o.queue_depth > 4096) return wrong("queue_depth", o.queue_depth, "[1, 4096]");
  if (o.cache_bytes < 0) return wrong("cache_bytes", o.cache_bytes, "[0, 2^63)");
  if (o.offset < 0) return wrong("offset", o.offset, "[0, 2^63)");
  if (o.place != Place::kRanks) return {};
  return fail(Code::kUnsupported, "TB8", "open_table: place is ranks, which garner/ranks.h opens");
}

Status check_unstated(const std::string& path, const TableOptions& o) {
  if (o.shape.empty() && o.offset == 0) return {};
  return fail_in(path, Code::kInvalidArgument, "TB2", "shape and offset are stated, allowed for raw files only");
}

// ---- heads of files ----

Result<std::vector<std::byte>> first_bytes(const RowFile& file, Index most) {
  std::vector<std::byte> head(static_cast<std::size_t>(std::min(most, file.bytes())));
  GARNER_TRY(file.read(0, head.data(), static_cast<Index>(head.size())));
  return head;
}

/// Rule TB4: what is no rows one after the other.
Result<RowsInFile> rows_at(std::shared_ptr<RowFile> file, Index offset, const Layout& layout) {
  const std::string& path = file->path();
  if (layout.shape.empty()) return fail_in(path, Code::kInvalidArgument, "TB4", "rank is 0, allowed 1 and more");
  if (layout.fortran && layout.shape.size() > 1)
    return fail_in(path, Code::kInvalidArgument, "TB4", "is in Fortran order, allowed C order: rows lie apart in it");
  if (layout.big_endian && width(layout.dtype) > 1)
    return fail_in(path, Code::kInvalidArgument, "TB4", "is big-endian, allowed little-endian");
  GARNER_TRY(format::check_room(path, file->bytes(), offset, layout));
  return RowsInFile{std::move(file), layout.dtype, layout.shape, offset};
}

Result<RowsInFile> rows_of_npy(const std::string& path, const TableOptions& options) {
  constexpr Index kHead = (Index{1} << 20) + 12;  // the longest header that is read
  GARNER_ASSIGN(auto file, RowFile::open(path));
  GARNER_ASSIGN(const auto head, first_bytes(*file, kHead));
  GARNER_ASSIGN(const format::NpyHeader header, format::parse_npy_header({path, head, nullptr}, options.dtype));
  return rows_at(std::move(file), header.data_offset, header.layout);
}

Result<RowsInFile> rows_of_safetensors(const std::string& path, const std::string& member,
                                       const TableOptions& options) {
  GARNER_ASSIGN(auto file, RowFile::open(path));
  GARNER_ASSIGN(const auto first, first_bytes(*file, 8));
  GARNER_ASSIGN(const Index end, format::safetensors_head(path, first, file->bytes()));
  GARNER_ASSIGN(const auto head, first_bytes(*file, end));
  GARNER_ASSIGN(const auto header, format::parse_safetensors_header(path, head, file->bytes()));
  GARNER_ASSIGN(const auto tensor, format::find_tensor(path, member, header));
  if (options.dtype && *options.dtype != tensor.dtype)
    return fail_in(path, Code::kType, "F5", "dtype of '{}' is {}, stated {}", tensor.name, name(tensor.dtype),
                   name(*options.dtype));
  return rows_at(std::move(file), header.data_offset + tensor.begin, {tensor.dtype, tensor.shape});
}

Result<RowsInFile> rows_of_raw(const std::string& path, const TableOptions& options) {
  if (!options.dtype || options.shape.empty())
    return fail_in(path, Code::kInvalidArgument, "TB2",
                   "ends in none of .npy .safetensors .index.json, and no dtype and shape are stated");
  GARNER_ASSIGN(auto file, RowFile::open(path));
  return rows_at(std::move(file), options.offset, {*options.dtype, options.shape});
}

// ---- shards ----

constexpr Index kMostOfIndex = Index{100} << 20;  // as much as a header of safetensors may have

/// The file that an index names for a tensor; no path, so that an index leads to no other folder.
Result<std::string> shard_of(const std::string& path, const std::string& member) {
  GARNER_ASSIGN(const auto file, RowFile::open(path));
  if (file->bytes() > kMostOfIndex)
    return fail_in(path, Code::kInvalidArgument, "TB5", "is {} bytes, allowed [0, {}]", file->bytes(), kMostOfIndex);
  GARNER_ASSIGN(const auto bytes, first_bytes(*file, kMostOfIndex));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("weight_map") || !json["weight_map"].is_object())
    return fail_in(path, Code::kInvalidArgument, "TB5", "is no index: a JSON object with weight_map, {{tensor: file}}");
  const auto& map = json["weight_map"];
  if (member.empty() || !map.contains(member))
    return fail_in(path, Code::kInvalidArgument, "F7", "there is no tensor '{}' in weight_map", member);
  const auto& shard = map[member];
  const std::string found = shard.is_string() ? shard.get<std::string>() : "";
  if (found.empty() || std::filesystem::path(found).filename() != found || !found.ends_with(".safetensors"))
    return fail_in(path, Code::kInvalidArgument, "TB5",
                   "the shard of '{}' is '{}', allowed a .safetensors in the same folder", member, found);
  return (std::filesystem::path(path).parent_path() / found).string();
}

// ---- names ----

struct Named {
  std::string path, member;
};

/// "m.safetensors:name": a name may have colons, and so may a path.
Named split(const std::string& text) {
  for (const std::string end : {".safetensors", ".index.json"})
    if (const std::size_t at = text.rfind(end + ":"); at != std::string::npos)
      return {text.substr(0, at + end.size()), text.substr(at + end.size() + 1)};
  return {text, ""};
}

Result<RowsInFile> find_rows(const std::string& text, const TableOptions& options) {
  const Named named = split(text);
  const bool npy = named.path.ends_with(".npy"), tensors = named.path.ends_with(".safetensors"),
             index = named.path.ends_with(".index.json");
  if (!npy && !tensors && !index) return rows_of_raw(named.path, options);
  GARNER_TRY(check_unstated(named.path, options));
  if (npy) return rows_of_npy(named.path, options);
  if (tensors) return rows_of_safetensors(named.path, named.member, options);
  GARNER_ASSIGN(const std::string shard, shard_of(named.path, named.member));
  return rows_of_safetensors(shard, named.member, options);
}

// ---- places ----

Place chosen(const RowsInFile& rows) {
  const Index bytes = View(rows.dtype, nullptr, rows.shape).elements() * width(rows.dtype);
  return bytes <= free_memory() / 2 ? Place::kMapped : Place::kDisk;
}

Result<std::shared_ptr<TableBackend>> placed(const RowsInFile& rows, const TableOptions& options) {
  switch (options.place == Place::kAuto ? chosen(rows) : options.place) {
    case Place::kMemory: return memory_table(rows);
    case Place::kMapped: return mapped_table(rows);
    case Place::kAuto:
    case Place::kRanks:
    case Place::kDisk: break;
  }
  return disk_table(rows, options);
}

}  // namespace

namespace tables {

Result<Table> open(const std::string& path, const TableOptions& options) {
  return guarded("open_table", [&]() -> Result<Table> {
    GARNER_TRY(check_options(options));
    GARNER_ASSIGN(const RowsInFile rows, find_rows(path, options));
    GARNER_ASSIGN(auto backend, placed(rows, options));
    return Table(std::move(backend));
  });
}

Result<Table> of(const View& rows) {
  return guarded("table_of", [&]() -> Result<Table> {
    GARNER_TRY(validate(rows, "table_of: rows"));
    if (rows.rank() == 0) return fail(Code::kInvalidArgument, "TB4", "table_of: rank is 0, allowed 1 and more");
    if (is_row_major(rows)) return Table(resident_table(rows.seen_as(rows.shape()), Place::kMemory, nullptr));
    GARNER_ASSIGN(const Tensor copy, contiguous(rows));
    return Table(resident_table(copy, Place::kMemory, std::make_shared<Tensor>(copy)));
  });
}

}  // namespace tables
}  // namespace garner
