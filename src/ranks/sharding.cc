#include "garner/sharding.h"

#include <algorithm>
#include <bit>

#include "base/checked_math.h"
#include "base/fail.h"

namespace garner {
namespace {

Status check(const char* what, Index value, Index least) {
  if (value >= least) return {};
  return fail(Code::kInvalidArgument, "RK1", "sharding: {} is {}, allowed [{}, 2^63)", what, value, least);
}

// ---- kHashed: numbers of `bits` bits, mixed by steps that each have an inverse ----
//
// x ^= x >> half; x *= odd; … modulo 2^bits. What comes out past the last row is mixed again until it does not: that
// is still one to one, since going round from a row one comes back to it at the latest. bits is the least that will
// do, so that on average fewer than two turns are needed.

constexpr std::uint64_t kOdd[] = {0x9E3779B97F4A7C15u, 0xBF58476D1CE4E5B9u};

/// odd * inverse(odd) == 1 modulo 2^64. Each turn doubles the number of right bits, of which 3 are there.
constexpr std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t out = odd;
  for (int turn = 0; turn < 5; ++turn) out *= 2 - odd * out;
  return out;
}
static_assert(kOdd[0] * inverse(kOdd[0]) == 1 && kOdd[1] * inverse(kOdd[1]) == 1);

struct Mixer {
  explicit Mixer(Index rows)
      : rows(static_cast<std::uint64_t>(rows)), bits(std::max(1, static_cast<int>(std::bit_width(this->rows - 1)))) {}

  std::uint64_t times(std::uint64_t x, std::uint64_t odd) const { return x * odd & ~std::uint64_t{0} >> (64 - bits); }
  /// Its own inverse: twice the shift is past the last bit.
  std::uint64_t fold(std::uint64_t x) const { return x ^ x >> ((bits + 1) / 2); }

  std::uint64_t mix(std::uint64_t x) const { return fold(times(fold(times(fold(x), kOdd[0])), kOdd[1])); }
  std::uint64_t unmix(std::uint64_t x) const {
    return fold(times(fold(times(fold(x), inverse(kOdd[1]))), inverse(kOdd[0])));
  }

  std::uint64_t rows;
  int bits;
};

Index mixed(Index id, Index rows) {
  const Mixer mixer(rows);
  std::uint64_t x = mixer.mix(static_cast<std::uint64_t>(id));
  while (x >= mixer.rows) x = mixer.mix(x);
  return static_cast<Index>(x);
}

Index unmixed(Index place, Index rows) {
  const Mixer mixer(rows);
  std::uint64_t x = mixer.unmix(static_cast<std::uint64_t>(place));
  while (x >= mixer.rows) x = mixer.unmix(x);
  return static_cast<Index>(x);
}

}  // namespace

Result<Sharding> Sharding::even(Shards kind, Index rows, int ranks) {
  GARNER_TRY(check("ranks", ranks, 1));
  GARNER_TRY(check("rows", rows, 0));
  Axes begins(static_cast<std::size_t>(ranks) + 1);
  for (Index k = 0; k <= ranks; ++k)
    begins[static_cast<std::size_t>(k)] = k * (rows / ranks) + std::min(k, rows % ranks);
  return Sharding(kind, std::move(begins));
}

Result<Sharding> Sharding::blocks(const Axes& extents) {
  GARNER_TRY(check("ranks", static_cast<Index>(extents.size()), 1));
  Axes begins = {0};
  for (const Index extent : extents) {
    GARNER_TRY(check("extent of a block", extent, 0));
    const auto end = checked_add(begins.back(), extent);
    GARNER_TRY(check("sum of the extents", end.value_or(-1), 0));
    begins.push_back(*end);
  }
  return Sharding(Shards::kBlock, std::move(begins));
}

Index Sharding::place(Index id) const {
  switch (kind_) {
    case Shards::kBlock: break;
    case Shards::kCyclic: return begin(static_cast<int>(id % ranks())) + id / ranks();
    case Shards::kHashed: return mixed(id, rows());
  }
  return id;
}

Index Sharding::id(Index place) const {
  switch (kind_) {
    case Shards::kBlock: break;
    case Shards::kCyclic: return (place - begin(rank_of(place))) * ranks() + rank_of(place);
    case Shards::kHashed: return unmixed(place, rows());
  }
  return place;
}

int Sharding::rank_of(Index place) const {
  return static_cast<int>(std::upper_bound(begins_.begin(), begins_.end(), place) - begins_.begin()) - 1;
}

}  // namespace garner
