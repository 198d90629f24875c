// Rows, copies and fills that go past the caches: where a result is larger than they are, a store that first reads the
// line it is going to overwrite costs a third of the bandwidth.
#pragma once
#include <algorithm>
#include <cstddef>

#include "device/cpu/tuning.h"
#include "garner/axes.h"

namespace garner {

/// `count` rows of `bytes` each, from wherever they lie to one stretch behind another.
struct RowCopies {
  const std::byte* from;       // where element offset 0 is
  Index width;                 // bytes of an element
  const Index* offset;         // of each row's first element
  const std::uint8_t* valid;   // null: all are; 0: the row becomes zeros
  Index count, bytes;
  std::byte* to;
};

/// Rows that are not copied yet, by the offsets of their first elements: they are asked for meanwhile.
struct RowsAhead {
  const Index* offset = nullptr;
  Index count = 0;
};

/// The rows `ahead`, of the same size, are asked for while these are copied; before the first call, ask_for_rows() does
/// it. `past_caches`: see Tuning::stream_bytes; the caller ends its last such call with finish_stream().
void copy_rows(const RowCopies& rows, const RowsAhead& ahead, bool past_caches);
void ask_for_rows(const RowCopies& rows);

/// Bytes, and rows of `bytes` each, that are worth having on their way.
inline constexpr Index kAheadBytes = 32 << 10;
inline Index rows_ahead(Index bytes) { return std::clamp<Index>(kAheadBytes / std::max<Index>(bytes, 1), 16, 256); }

/// The same for rows that all are known: each is asked for while some before it are copied.
void copy_rows(const RowCopies& rows, bool past_caches);

/// `count` rows of `bytes` each, each to all the places that want it.
struct RowSpread {
  const std::byte* from;
  const Index* source;  // which row of `from` each is; null: one behind another
  const Index* begins;  // row j goes to places[begins[j]] … places[begins[j + 1] - 1]
  const Index* places;  // rows of `to`
  Index count, bytes;
  std::byte* to;
};

/// As copy_rows(), the other way round.
void spread_rows(const RowSpread& rows, bool past_caches);

/// bytes from `from` to `to`, past the caches.
void stream_copy(void* to, const void* from, Index bytes);

/// `count` times the `width` bytes at `element`.
void fill_elements(void* to, const void* element, int width, Index count, bool past_caches);

/// Streamed stores are seen by other threads after this.
void finish_stream();

}  // namespace garner
