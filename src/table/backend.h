// What each place of a table's rows offers. Everything else (indices, policies, messages, shapes) is done once, in
// table.cc, before a backend is asked.
#pragma once
#include <span>
#include <stop_token>

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

  /// The same for a prefetch, which may be called off: then it ends soon, with an error that nobody reads.
  virtual Status read_until(const std::stop_token&, std::span<const Index> ids, std::byte* out, const RunOptions& run) {
    return read(ids, out, run);
  }

  /// May a prefetch read on a thread of its own? Ranks must see the same calls in the same order, so theirs is made at
  /// once by whoever asks.
  virtual bool in_background() const { return true; }

  /// All rows, where they lie in memory: gathers then go through the engine and need no read(). Null elsewhere.
  virtual const View* resident() const { return nullptr; }
  /// So many rows were taken from resident().
  virtual void count_resident(Index) {}
};

/// Bytes of one row; the shape has been checked.
inline Index row_bytes_of(const TableBackend& table) {
  const Axes& shape = table.shape();
  return View(table.dtype(), nullptr, Axes(shape.begin() + 1, shape.end())).elements() * width(table.dtype());
}

}  // namespace garner
