#include "index/find.h"

#include <atomic>
#include <limits>

#include "index/lanes.h"

namespace garner::index {
namespace {

// A piece is left unread once an earlier one has the value, so pieces are small.
constexpr Index kChunk = 1 << 16;

constexpr KeyRule kRule = {0, 0};  // NaN gets key 0, which is never wanted

/// Nothing for NaN.
std::optional<WideKey> key_of(const View& value) {
  return dispatch(value.dtype(), [&]<class T>() -> std::optional<WideKey> {
    const T v = *static_cast<const T*>(value.data());
    return is_nan(v) ? std::nullopt : std::optional<WideKey>(number_key(v));
  });
}

void lower_to(std::atomic<Index>& smallest, Index value) {
  Index seen = smallest.load();
  while (value < seen && !smallest.compare_exchange_weak(seen, value)) {}
}

}  // namespace

std::optional<Index> flat_find(const View& value, const Packed& packed, const RunOptions& run) {
  const auto key = key_of(value);
  if (!key) return std::nullopt;
  constexpr Index kNowhere = std::numeric_limits<Index>::max();
  const Index count = packed.view().elements();
  std::atomic<Index> found = kNowhere;
  parallel_ranges(threads_for(packed, run), (count + kChunk - 1) / kChunk, 1, [&](Index begin, Index end) {
    for (Index c = begin; c < end && c * kChunk < found.load(); ++c) {
      const Lane lane{packed.view().dtype(), element(packed, c * kChunk), std::min(kChunk, count - c * kChunk), kRule};
      if (const Index at = find_in_lane(lane, *key); at >= 0) lower_to(found, c * kChunk + at);
    }
  });
  return found == kNowhere ? std::nullopt : std::optional(found.load());
}

void axis_find(const FindQuery& query, const Packed& packed, Index axis, const RunOptions& run, Index* out) {
  const Lanes lanes = lanes_of(packed.view().shape(), axis);
  const auto key = key_of(query.value);
  if (!key) return (void)std::fill_n(out, lanes.outer * lanes.inner, query.nothing);
  if (lanes.inner == 1) {
    walk_rows(packed, lanes, kRule, run, out, [&](const Lane& lane) {
      const Index at = find_in_lane(lane, *key);
      return at < 0 ? query.nothing : at;
    });
  } else {
    walk_columns(packed, lanes, kRule, run, out,
                 [&](const Columns& block, Index* to) { find_in_columns(block, *key, {to, query.nothing}); });
  }
}

}  // namespace garner::index
