// Elements in a file: what a header says of them, looking at them, and writing them.
#pragma once
#include "format/file.h"
#include "garner/format.h"

namespace garner::format {

/// What NumPy holds to, and more than any array has.
inline constexpr std::size_t kMaxRank = 64;

/// How a header describes an array.
struct Layout {
  DType dtype = DType::kF32;
  Axes shape;
  bool fortran = false;     // the first axis is the one that lies side by side
  bool big_endian = false;
};

/// Bytes of a file, or of a member that was unpacked from one.
struct Source {
  std::string path;  // for messages; with the member's name
  Bytes bytes;
  KeptBy keeper;
};

/// The size in bytes. Rule F6: a rank or an extent that cannot be, or a product that does not fit.
Result<Index> bytes_of(const std::string& path, DType dtype, const Axes& shape);

/// The array lies in the file whole. Rule F6: the file, of `size` bytes, is too short.
Status check_room(const std::string& path, Index size, Index offset, const Layout& layout);

/// The array at `offset`; bytes behind it are nobody's concern. Rule F6: the source is too short.
Result<Mapped> look(const Source& source, Index offset, const Layout& layout);

/// Takes bytes one piece after another.
using Sink = std::function<Status(const void* data, std::size_t bytes)>;

/// The elements in row-major order. What is not so already is copied piece by piece.
Status write_elements(const View& view, const Sink& sink);

/// Memory of our own, kept as that of a file is.
class TensorKeeper final : public Keeper {
 public:
  explicit TensorKeeper(Tensor tensor) : tensor_(std::move(tensor)) {}

 private:
  Tensor tensor_;
};

}  // namespace garner::format
