// .npz: a zip of .npy files. minizip (of zlib) walks the directory and unpacks; unlike libzip it also says where in the
// file a member's bytes are, so that a stored one is looked at where it lies. The checksum of those is not computed.
#include <minizip/unzip.h>
#include <minizip/zip.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "format/npy.h"

namespace garner::format {
namespace {

constexpr std::string_view kSuffix = ".npy";
constexpr int kPiece = 1 << 30;  // minizip counts in int

// ---- reading ----

/// How many members the record at the end speaks of, if it is there whole: minizip reads zeros behind a file's end, and
/// does not find the record of an archive that has nothing else.
std::optional<int> members_in(Bytes file) {
  constexpr std::size_t kRecord = 22, kCount = 10, kComment = 20;
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const std::size_t at = text.rfind("PK\5\6");
  if (at == std::string_view::npos || file.size() - at < kRecord) return std::nullopt;
  const auto field = [&](std::size_t place) {
    return static_cast<int>(file[at + place]) | static_cast<int>(file[at + place + 1]) << 8;
  };
  if (file.size() - at - kRecord < static_cast<std::size_t>(field(kComment))) return std::nullopt;
  return field(kCount);
}

struct Member {
  std::string name;  // without .npy
  unz_file_info64 info;
};

/// A zip that is read, and the same file mapped.
class Archive {
 public:
  static Result<Archive> open(const std::string& path) {
    Archive out;
    GARNER_ASSIGN(out.file_, MappedFile::open(path));
    const auto members = members_in(out.file_->bytes());
    out.zip_.reset(members.value_or(0) > 0 ? unzOpen64(path.c_str()) : nullptr);
    if (!members || (*members > 0 && !out.zip_))
      return fail_in(path, Code::kInvalidArgument, "F3", "is no zip, or not a whole one");
    return out;
  }

  /// Goes from member to member until f returns false. A member that is no .npy is passed over.
  template <class F>
  Status visit(F&& f) {
    if (!zip_) return {};  // an archive of nothing
    int step = unzGoToFirstFile(zip_.get());
    for (; step == UNZ_OK; step = unzGoToNextFile(zip_.get())) {
      GARNER_ASSIGN(Member member, current());
      if (!member.name.ends_with(kSuffix)) continue;
      member.name.resize(member.name.size() - kSuffix.size());
      if (!f(member)) return {};
    }
    return step == UNZ_END_OF_LIST_OF_FILE ? Status{} : damaged("its directory cannot be read");
  }

  /// The bytes of the member it stands at.
  Result<Source> bytes_of(const Member& member) {
    const auto& info = member.info;
    const std::string label = fmt::format("{}:{}", path(), member.name);
    if ((info.flag & 1) != 0) return fail_in(label, Code::kUnsupported, "F8", "is encrypted");
    if (info.compression_method != 0 && info.compression_method != Z_DEFLATED)
      return fail_in(label, Code::kUnsupported, "F8", "compression method is {}, allowed 0 (stored) 8 (deflated)",
                     info.compression_method);
    if (unzOpenCurrentFile(zip_.get()) != UNZ_OK) return damaged("its member {} cannot be opened", member.name);
    auto out = info.compression_method == 0 ? stored(label, info) : unpacked(label, info);
    const int closed = unzCloseCurrentFile(zip_.get());
    if (closed != UNZ_OK && out.ok()) return damaged("its member {} has another checksum", member.name);
    return out;
  }

  const std::string& path() const { return file_->path(); }

 private:
  struct Close {
    void operator()(void* zip) const { unzClose(zip); }
  };

  template <class... Args>
  Status damaged(fmt::format_string<Args...> text, Args&&... args) const {
    return fail_in(path(), Code::kInvalidArgument, "F8", "{}", fmt::format(text, std::forward<Args>(args)...));
  }

  Result<Member> current() {
    Member member;
    if (unzGetCurrentFileInfo64(zip_.get(), &member.info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK)
      return damaged("its directory cannot be read");
    std::string name(member.info.size_filename, '\0');  // a 16-bit number
    if (unzGetCurrentFileInfo64(zip_.get(), &member.info, name.data(), name.size(), nullptr, 0, nullptr, 0) != UNZ_OK)
      return damaged("its directory cannot be read");
    member.name = std::move(name);
    return member;
  }

  Result<Source> stored(const std::string& label, const unz_file_info64& info) const {
    const std::uint64_t offset = unzGetCurrentFileZStreamPos64(zip_.get()), size = file_->bytes().size();
    if (offset > size || info.uncompressed_size > size - offset || info.compressed_size != info.uncompressed_size)
      return fail_in(label, Code::kInvalidArgument, "F6", "is {} bytes from offset {}, allowed [0, {}]",
                     info.uncompressed_size, offset, size - std::min(offset, size));
    return Source{label, file_->bytes().subspan(offset, info.uncompressed_size), file_};
  }

  Result<Source> unpacked(const std::string& label, const unz_file_info64& info) const {
    // Deflate packs 258 bytes into 2 bits at best; whoever says more is lying, and gets no memory.
    constexpr std::uint64_t kBest = 1032;
    const std::uint64_t most = file_->bytes().size() * kBest;
    if (info.uncompressed_size > most)
      return fail_in(label, Code::kInvalidArgument, "F6", "is {} bytes, allowed [0, {}]", info.uncompressed_size, most);
    GARNER_ASSIGN(Tensor memory, Tensor::empty(DType::kU8, {static_cast<Index>(info.uncompressed_size)}));
    auto* at = memory.as<std::byte>();
    for (std::uint64_t left = info.uncompressed_size; left > 0;) {
      const int done = unzReadCurrentFile(zip_.get(), at, static_cast<unsigned>(std::min<std::uint64_t>(left, kPiece)));
      if (done <= 0) return fail_in(label, Code::kInvalidArgument, "F8", "cannot be unpacked");
      at += done;
      left -= static_cast<std::uint64_t>(done);
    }
    const Bytes bytes{memory.as<std::byte>(), static_cast<std::size_t>(info.uncompressed_size)};
    return Source{label, bytes, std::make_shared<TensorKeeper>(std::move(memory))};
  }

  std::shared_ptr<const MappedFile> file_;
  std::unique_ptr<void, Close> zip_;
};

Status no_member(const std::string& path, const std::string& wanted, const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 20;
  const std::span shown(names.data(), std::min(names.size(), kShown));
  return fail_in(path, Code::kInvalidArgument, "F7", "{}, allowed one of {}{}",
                 wanted.empty() ? "no array is named" : fmt::format("there is no array '{}'", wanted), list(shown),
                 names.size() > kShown ? " and more" : "");
}

// ---- writing ----

/// minizip's way to a file, over a NewFile's descriptor.
zlib_filefunc64_def functions_for(NewFile& file) {
  zlib_filefunc64_def out{};
  out.opaque = &file;
  out.zopen64_file = [](voidpf opaque, const void*, int) { return opaque; };
  out.zread_file = [](voidpf, voidpf, void*, uLong) { return uLong{0}; };
  out.zwrite_file = [](voidpf opaque, voidpf, const void* data, uLong bytes) {
    return static_cast<NewFile*>(opaque)->write(data, bytes).ok() ? bytes : uLong{0};
  };
  out.ztell64_file = [](voidpf opaque, voidpf) {
    return static_cast<ZPOS64_T>(::lseek(static_cast<NewFile*>(opaque)->descriptor(), 0, SEEK_CUR));
  };
  out.zseek64_file = [](voidpf opaque, voidpf, ZPOS64_T offset, int origin) {
    const int whence = origin == ZLIB_FILEFUNC_SEEK_SET   ? SEEK_SET
                       : origin == ZLIB_FILEFUNC_SEEK_CUR ? SEEK_CUR
                                                          : SEEK_END;
    return ::lseek(static_cast<NewFile*>(opaque)->descriptor(), static_cast<off_t>(offset), whence) < 0 ? -1L : 0L;
  };
  out.zclose_file = [](voidpf, voidpf) { return 0; };
  out.zerror_file = [](voidpf, voidpf) { return 0; };
  return out;
}

/// A zip that is written. What is put off until close() is the directory.
class Packer {
 public:
  explicit Packer(NewFile& file) : file_(file), functions_(functions_for(file)) {
    zip_ = zipOpen2_64(file.target().c_str(), APPEND_STATUS_CREATE, nullptr, &functions_);
  }
  Packer(const Packer&) = delete;
  Packer& operator=(const Packer&) = delete;
  ~Packer() {
    if (zip_ != nullptr) zipClose(zip_, nullptr);
  }

  Status add(const NamedView& array, Packing packing) {
    if (zip_ == nullptr) return refused(array.name);
    GARNER_TRY(open(array, packing));
    GARNER_TRY(write_npy_to(file_.target(), array.view, [&](const void* data, std::size_t bytes) {
      return put(array.name, static_cast<const char*>(data), bytes);
    }));
    return zipCloseFileInZip(zip_) == ZIP_OK ? Status{} : refused(array.name);
  }

  Status close() {
    const int closed = zip_ == nullptr ? ZIP_ERRNO : zipClose(std::exchange(zip_, nullptr), nullptr);
    return closed == ZIP_OK ? Status{} : refused("the directory");
  }

 private:
  static bool is_large(const View& view) { return view.elements() > (Index{1} << 31) / width(view.dtype()); }

  Status open(const NamedView& array, Packing packing) {
    const std::string name = fmt::format("{}{}", array.name, kSuffix);
    const bool large = is_large(array.view), stored = packing == Packing::kStored;
    const std::string padding = stored ? padding_for(name.size(), large) : "";
    zip_fileinfo about{};
    about.dosDate = 0x00210000;  // the first of January 1980: the same arrays make the same file
    constexpr uLong kUtf8Name = 1 << 11;
    const int opened =
        zipOpenNewFileInZip4_64(zip_, name.c_str(), &about, padding.data(), static_cast<uInt>(padding.size()), nullptr,
                                0, nullptr, stored ? 0 : Z_DEFLATED, Z_DEFAULT_COMPRESSION, 0, -MAX_WBITS,
                                DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, nullptr, 0, 0, kUtf8Name, large ? 1 : 0);
    return opened == ZIP_OK ? Status{} : refused(array.name);
  }

  /// An extra field that nobody reads (id 0xD935, as Android's zipalign writes), which moves the data to a multiple of
  /// 64. Before the data stand 30 bytes, the name, this, and 20 bytes for sizes of more than 32 bits.
  std::string padding_for(std::size_t name, bool large) const {
    constexpr std::size_t kUnit = 64, kFixed = 30, kHead = 4, kLarge = 20;
    const auto here = static_cast<std::size_t>(::lseek(file_.descriptor(), 0, SEEK_CUR));
    const std::size_t least = here + kFixed + name + kHead + (large ? kLarge : 0);
    const std::size_t more = (kUnit - least % kUnit) % kUnit;
    std::string out{'\x35', '\xD9', static_cast<char>(more), '\0'};
    out.append(more, '\0');
    return out;
  }

  Status put(const std::string& name, const char* data, std::size_t bytes) {
    for (std::size_t done = 0; done < bytes; done += kPiece) {
      const auto now = static_cast<unsigned>(std::min<std::size_t>(bytes - done, kPiece));
      if (zipWriteInFileInZip(zip_, data + done, now) != ZIP_OK) return refused(name);
    }
    return {};
  }

  Status refused(const std::string& what) const {
    return fail_in(file_.target(), Code::kInvalidArgument, "F9", "{} cannot be written", what);
  }

  NewFile& file_;
  zlib_filefunc64_def functions_;
  zipFile zip_ = nullptr;
};

/// A zip counts a name in 16 bits.
Status check_names(const std::string& path, std::span<const NamedView> arrays) {
  constexpr std::size_t kLongest = 65000;
  std::set<std::string> seen;
  for (const NamedView& array : arrays) {
    const bool odd = array.name.empty() || array.name.size() > kLongest || array.name.find('\0') != std::string::npos;
    if (odd || !seen.insert(array.name).second)
      return fail_in(path, Code::kInvalidArgument, "F10", "the name '{}' is empty, too long or given twice",
                     array.name.substr(0, 100));
  }
  return {};
}

Status pack(NewFile& file, std::span<const NamedView> arrays, Packing packing) {
  Packer packer(file);
  for (const NamedView& array : arrays) GARNER_TRY(packer.add(array, packing));
  return packer.close();
}

}  // namespace

Result<std::vector<std::string>> list_npz(const std::string& path) {
  GARNER_ASSIGN(Archive archive, Archive::open(path));
  std::vector<std::string> names;
  GARNER_TRY(archive.visit([&](const Member& member) {
    names.push_back(member.name);
    return true;
  }));
  return names;
}

Result<Mapped> read_npz(const std::string& path, const std::string& member, std::optional<DType> dtype) {
  GARNER_ASSIGN(const std::vector<std::string> names, list_npz(path));
  if (member.empty() && names.size() != 1) return no_member(path, member, names);
  GARNER_ASSIGN(Archive archive, Archive::open(path));
  std::optional<Result<Source>> found;
  GARNER_TRY(archive.visit([&](const Member& m) {
    if (member.empty() || m.name == member) found = archive.bytes_of(m);
    return !found.has_value();
  }));
  if (!found) return no_member(path, member, names);
  GARNER_TRY(*found);
  return npy_in(**found, dtype);
}

Status write_npz(const std::string& path, std::span<const NamedView> arrays, Packing packing) {
  GARNER_TRY(check_names(path, arrays));
  GARNER_ASSIGN(NewFile file, NewFile::create(path));
  GARNER_TRY(pack(file, arrays, packing));
  return file.commit();
}

}  // namespace garner::format
