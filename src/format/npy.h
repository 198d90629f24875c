// An .npy that already lies in memory: a file's, or a member of an .npz.
#pragma once
#include "format/elements.h"

namespace garner::format {

/// Rules F3 … F6.
Result<Mapped> npy_in(const Source& source, std::optional<DType> dtype);

/// Header and elements.
Status write_npy_to(const std::string& path, const View& view, const Sink& sink);

}  // namespace garner::format
