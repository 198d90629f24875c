// Files of arrays: .npy, .npz and .safetensors. Read without a copy where the file allows; written whole or not at all.
// What each format holds, and how bf16 and the 8-bit floats are written: docs/format.md.
//
// A file is looked at as it is read: whoever cuts it short meanwhile takes the memory away, as with any mapped file.
#pragma once
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "garner/keeper.h"
#include "garner/tensor.h"

namespace garner::format {

/// An array of a file. Looks at the file's own bytes, or at a copy where these are compressed, not aligned or not
/// little-endian. Fortran order is strides.
struct Mapped {
  View view;
  KeptBy keeper;
};

struct NamedView {
  std::string name;
  View view;
};

/// Reads what the end of the name says: .npy, .npz or .safetensors. `member` may be left out where there is only one.
/// `dtype` is that of elements the file knows only the width of (.npy of bf16 and 8-bit floats); with other elements it
/// must be theirs. Rules F1 … F8.
Result<Mapped> read(const std::string& path, const std::string& member = {}, std::optional<DType> dtype = {});

Result<Mapped> read_npy(const std::string& path, std::optional<DType> dtype = {});
Result<Mapped> read_npz(const std::string& path, const std::string& member = {}, std::optional<DType> dtype = {});
Result<Mapped> read_safetensors(const std::string& path, const std::string& name = {}, std::optional<DType> dtype = {});

/// The names of an .npz's arrays, in the file's order.
Result<std::vector<std::string>> list_npz(const std::string& path);

struct SafetensorsEntry {
  std::string name;
  DType dtype = DType::kF32;
  Axes shape;
};
struct SafetensorsList {
  std::vector<SafetensorsEntry> tensors;  // in the header's order
  std::map<std::string, std::string> metadata;
};
Result<SafetensorsList> list_safetensors(const std::string& path);

/// Each writes a file of its own beside the target and renames it, so that the target is either what it was or
/// complete. Rules F9 the system refuses, F10 the format has no such dtype or name.
Status write_npy(const std::string& path, const View& view);

enum class Packing { kStored, kDeflated };
/// Stored members lie at multiples of 64 bytes, so that reading them needs no copy.
Status write_npz(const std::string& path, std::span<const NamedView> arrays, Packing packing = Packing::kStored);

Status write_safetensors(const std::string& path, std::span<const NamedView> tensors,
                         const std::map<std::string, std::string>& metadata = {});

/// An .npy whose elements are written by whoever fills view(): for results as large as memory, which then go to the
/// file as they are made. Nothing is left of it unless it is committed. Copies share the file.
class NpyWriter {
 public:
  /// Takes the room on the disk at once. Rules V1, V2, F9, F10.
  static Result<NpyWriter> create(const std::string& path, DType dtype, const Axes& shape);

  const MutableView& view() const;  // row-major; zeros at first
  void forget() const;  // what is written need not stay resident
  Status commit();  // once; view() is gone after it

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace garner::format
