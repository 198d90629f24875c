// The reader that belongs to the end of a file's name.
#include "base/fail.h"
#include "format/file.h"
#include "garner/format.h"

namespace garner::format {

Result<Mapped> read(const std::string& path, const std::string& member, std::optional<DType> dtype) {
  if (path.ends_with(".npz")) return read_npz(path, member, dtype);
  if (path.ends_with(".safetensors")) return read_safetensors(path, member, dtype);
  if (!path.ends_with(".npy"))
    return fail_in(path, Code::kInvalidArgument, "F2", "ends in none of .npy .npz .safetensors");
  if (!member.empty())
    return fail_in(path, Code::kInvalidArgument, "F7", "has one array, allowed no name ('{}')", member);
  return read_npy(path, dtype);
}

}  // namespace garner::format
