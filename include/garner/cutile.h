// cuda.tile (cuTile Python) 1.6: gather, scatter and the atomics by index tiles. Rules CT1–CT22, CTS1–CTS3, CTA1–CTA9:
// docs/dialects/cutile.md.
#pragma once
#include <concepts>
#include <initializer_list>
#include <string>
#include <variant>

#include "garner/run.h"

namespace garner::cutile {

/// The source's index tuple: one integer tile or scalar per axis of the array. One tile alone stands for a tuple of one
/// (CT4), nothing for the empty tuple of a rank-0 array (CT2).
class Indices {
 public:
  Indices() = default;
  Indices(std::initializer_list<View> tiles) : tiles_(tiles) {}
  Indices(std::vector<View> tiles) : tiles_(std::move(tiles)) {}  // NOLINT(google-explicit-constructor)
  template <std::convertible_to<View> T>
  Indices(const T& tile) : tiles_{static_cast<View>(tile)} {}  // NOLINT(google-explicit-constructor)

  const std::vector<View>& tiles() const { return tiles_; }

 private:
  std::vector<View> tiles_;
};

/// A constant is judged by its value, a tile by its dtype: 7 fits an i8 array, an i32 tile that holds 7 does not
/// (CT13).
using TileOrConstant = std::variant<bool, Index, double, View>;

struct GatherOptions {
  std::optional<View> mask = std::nullopt;  // bool; false: the padding, and no read
  TileOrConstant padding_value = Index{0};
  bool check_bounds = true;  // false: the caller vouches for every index that the mask lets through
  std::optional<Index> latency = std::nullopt;  // [1, 10]; a hint without effect here
};

struct ScatterOptions {
  std::optional<View> mask = std::nullopt;  // bool; false: nothing is written
  bool check_bounds = true;
  std::optional<Index> latency = std::nullopt;
};

enum class MemoryOrder { kWeak, kRelaxed, kAcquire, kRelease, kAcqRel };
enum class MemoryScope { kNone, kBlock, kDevice, kSys };

/// Order and scope are checked and otherwise without effect: a call is over before the next begins.
struct AtomicOptions {
  bool check_bounds = true;
  MemoryOrder memory_order = MemoryOrder::kAcqRel;
  MemoryScope memory_scope = MemoryScope::kDevice;
};

/// result[p] = array[indices[0][p], indices[1][p], …] over the common shape of the indices; the padding where the mask
/// is false or a coordinate is outside [0, extent). A negative index is outside.
///   cutile::gather(tensor({10, 20, 30}), tensor({2, 0, 3}), {.padding_value = 7})  ->  [30, 10, 7]
/// Throws TypeError (CT3, CT5, CT6, CT10, CT12, CT13), ArgumentError (CT13 value, CT19).
Tensor gather(const View& array, const Indices& indices, const GatherOptions& options = {}, const RunOptions& run = {});
Result<Job> lower_gather(const View& array, const Indices& indices, const GatherOptions& options = {});

/// array[indices[0][p], …] = value[p], in place. Masked and out-of-range positions are left alone. Of several writes to
/// one place the last in row-major order stays. Throws as gather does, with CTS1 and CTS2 for the value.
void scatter(const MutableView& array, const Indices& indices, const TileOrConstant& value,
             const ScatterOptions& options = {}, const RunOptions& run = {});
Result<Job> lower_scatter(const View& array, const Indices& indices, const TileOrConstant& value,
                          const ScatterOptions& options = {});

/// array[indices[0][p], …] = f(array[…], update[p]), in place, for p in row-major order; the result holds what each
/// position found before its own update, or 0 where an index is out of range.
/// Throws TypeError (CT3, CT5, CT6, CTA1–CTA6), ArgumentError (CTA3 value).
Tensor atomic_add(const MutableView& array, const Indices& indices, const TileOrConstant& update,
                  const AtomicOptions& options = {}, const RunOptions& run = {});
Tensor atomic_max(const MutableView& array, const Indices& indices, const TileOrConstant& update,
                  const AtomicOptions& options = {}, const RunOptions& run = {});
Tensor atomic_min(const MutableView& array, const Indices& indices, const TileOrConstant& update,
                  const AtomicOptions& options = {}, const RunOptions& run = {});
Tensor atomic_and(const MutableView& array, const Indices& indices, const TileOrConstant& update,
                  const AtomicOptions& options = {}, const RunOptions& run = {});
Tensor atomic_or(const MutableView& array, const Indices& indices, const TileOrConstant& update,
                 const AtomicOptions& options = {}, const RunOptions& run = {});
Tensor atomic_xor(const MutableView& array, const Indices& indices, const TileOrConstant& update,
                  const AtomicOptions& options = {}, const RunOptions& run = {});
/// f is the update itself.
Tensor atomic_xchg(const MutableView& array, const Indices& indices, const TileOrConstant& update,
                   const AtomicOptions& options = {}, const RunOptions& run = {});

enum class Atomic { kAdd, kMax, kMin, kAnd, kOr, kXor, kXchg };
Result<Job> lower_atomic(Atomic atomic, const View& array, const Indices& indices, const TileOrConstant& update,
                         const AtomicOptions& options = {});

/// Stores desired[p] where the array holds expected[p]. The result is expected[p] where an index is out of range.
Tensor atomic_cas(const MutableView& array, const Indices& indices, const TileOrConstant& expected,
                  const TileOrConstant& desired, const AtomicOptions& options = {}, const RunOptions& run = {});
Result<Job> lower_atomic_cas(const View& array, const Indices& indices, const TileOrConstant& expected,
                             const TileOrConstant& desired, const AtomicOptions& options = {});

/// The way ct.print writes a tile: "[[0, 1], [4, 5]]"; a scalar is bare.
std::string to_string(const View& tile);

}  // namespace garner::cutile
