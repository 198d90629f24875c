// The head of an .npy: magic, version, and a Python dict with dtype, order and shape.
#pragma once
#include "format/elements.h"

namespace garner::format {

struct NpyHeader {
  Layout layout;
  Index data_offset = 0;
};

/// `dtype` is what elements are that NumPy knows only the width of; others must be of it. Rules F3 no .npy, F4 the
/// dict, F5 the dtype.
Result<NpyHeader> parse_npy_header(const Source& source, std::optional<DType> dtype);

/// As NumPy writes it, a multiple of 64 bytes; elements follow in row-major order. Rules F10 rank, V1, V2.
Result<std::string> npy_header(const std::string& path, DType dtype, const Axes& shape);

}  // namespace garner::format
