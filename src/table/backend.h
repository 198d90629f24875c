// What each place of a table's rows offers. Everything else (indices, policies, messages, shapes) is done once, in
// table.cc, before a backend is asked.
#pragma once
#include <span>

#include "garner/table.h"

namespace garner {

/// An id whose row of the result is not the table's: it is left as it is.
inline constexpr Index kNoRow = -1;

class TableBackend {
 public:
  virtual ~TableBackend() = default;
  virtual DType dtype() const = 0;
  virtual const Axes& shape() const = 0;
  virtual Place place() const = 0;
  virtual TableStats stats() const = 0;

  /// One word for all who call together: ok only where everybody's is. Whoever is alone keeps his own. Called once
  /// before every read, so that a bad index on one rank ends the call on all of them.
  virtual Status agree(Status mine) { return mine; }

  /// Row ids[i] to out + i * row bytes. Each id is in [0, rows) or kNoRow; `out` has no gaps.
  virtual Status read(std::span<const Index> ids, std::byte* out, const RunOptions& run) = 0;
};

}  // namespace garner
