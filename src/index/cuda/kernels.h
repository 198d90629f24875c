// What kernels on a CUDA device do for the functions that return indices. All memory lies on the device, row-major;
// everything goes by the order of the stream, and nothing waits but what says so. Rules U1, U2, V6.
#pragma once
#include <memory>

#include "garner/axes.h"
#include "garner/status.h"
#include "index/key_code.h"

namespace garner::index {
struct Lanes;
}

namespace garner::index::on_cuda {

struct Where {
  int device = 0;
  void* stream = nullptr;
};

// ---- argmax.cu ----

struct BestQuery {
  const void* data;
  KeyCode code;
  bool last;      // of equal elements
  Index nothing;  // the answer where no element can be chosen
};

/// The position of the largest key of each lane, out[outer * inner].
Status best_in_lanes(const Where& where, const Lanes& lanes, const BestQuery& query, Index* out);

// ---- nonzero.cu ----

/// Elements behind one another; one is true when it has a bit in common with the mask, which speaks of every 8 bytes.
struct TruthSource {
  const void* data;
  Index elements;
  int width;
  std::uint64_t mask;
};

/// A bit an element, and how many ones stand before each tile of elements; all of them at the end.
struct Truth {
  Index elements = 0, tiles = 0, count = 0;
  std::shared_ptr<void> words = nullptr, before = nullptr;
};

/// Waits for the count.
Result<Truth> truth_of(const Where& where, const TruthSource& source);

inline constexpr int kMostAxes = 32;

/// Coordinate a of position k goes to data[k * step + a * axis_step].
struct PositionTable {
  Index* data;
  Index capacity, step, axis_step, fill;
};

/// All positions, in a shape of up to kMostAxes axes; the table has room for them.
Status write_positions(const Where& where, const Truth& truth, const Axes& shape, const PositionTable& table);

/// The first `capacity` positions, then the fill, straight from the elements, which are read once and nothing else is;
/// how many there are, on the device.
Result<std::shared_ptr<Index>> write_all_positions(const Where& where, const TruthSource& source, const Axes& shape,
                                                   PositionTable table);

/// How many are true in each lane, out[outer * inner].
Status count_in_lanes(const Where& where, const TruthSource& source, const Lanes& lanes, Index* out);

// ---- searchsorted.cu ----

struct SearchQuery {
  const void* sequence;
  Index count;
  const void* values;
  Index number;
  KeyCode code;
  bool right;  // behind equal elements
};
Status search(const Where& where, const SearchQuery& query, Index* out);

// ---- sort.cu ----

struct SortQuery {
  const void* data;
  KeyCode code;
};

/// The first `keep` entries of every lane; either pointer may be null.
struct SortedOut {
  Index* positions;
  void* values;
  Index keep;
  bool by_position;  // of the chosen ones, not by their keys
};

/// Smallest keys first; equal elements keep their order.
Status sort_lanes(const Where& where, const Lanes& lanes, const SortQuery& query, const SortedOut& out);

// ---- unique.cu ----

struct SortedNumbers;

/// Equal elements have one number.
struct Groups {
  Index elements = 0, count = 0;
  std::shared_ptr<const SortedNumbers> sorted = nullptr;
  std::shared_ptr<void> number = nullptr;  // of each sorted element, from 1 on
};

/// Waits for their count.
Result<Groups> group_equal(const Where& where, const SortQuery& query, Index n);

/// `capacity` entries, 0 behind the last group; inverse has one for each element.
struct GroupsOut {
  void* values;
  Index *index, *counts, *inverse, capacity;
};
Status write_groups(const Where& where, const Groups& groups, const SortQuery& query, const GroupsOut& out);

// ---- integers.cu ----

/// Whole numbers behind one another, of 1, 2, 4 or 8 bytes. A u64 above the largest Index counts as that.
struct Integers {
  const void* data = nullptr;
  Index count = 0;
  int width = 0;
  bool is_signed = false;
};

/// What one look at all of them tells. Positions are the first of their kind, or -1.
struct IntegersSeen {
  Index largest = -1;  // or -1 where none is above
  Index outside = -1;  // not in [lo, hi)
  Index falls = -1;    // below the one before
};
/// Waits.
Result<IntegersSeen> look_at(const Where& where, const Integers& integers, Index lo, Index hi);

/// One of them. Waits.
Result<Index> integer_at(const Where& where, const Integers& integers, Index at);

/// Coordinate a of position k is entry k * step + a * axis_step.
struct CoordinateTable {
  Index positions, step, axis_step;
};

/// The entry of the first coordinate, by position and then by axis, that is outside its extent, or -1. Waits.
Result<Index> first_outside(const Where& where, const Integers& coordinates, const CoordinateTable& table,
                            const Axes& shape);
/// Between coordinates and flat positions; all are inside.
Status ravel(const Where& where, const Integers& coordinates, const CoordinateTable& table, const Axes& shape,
             Index* out);
Status unravel(const Where& where, const Integers& positions, const CoordinateTable& table, const Axes& shape,
               Index* out);

// ---- bags.cu ----

enum class Pooling { kSum, kMean, kMax };

/// The rows of a table that each bag of indices names; all of them are inside.
struct BagQuery {
  const void* table;
  const void* weights;  // one per index; null: all 1
  Integers indices;
  Integers offsets;  // where each bag begins; no data: bags of `each` indices
  Index bags, columns, each;
  Pooling pooling;
  bool pads;      // leaves out `padding`
  Index padding;
};
Status pool_bags(const Where& where, DType dtype, const BagQuery& query, void* out);

/// Rows of `columns` sums, each divided by its count where that is above 1.
Status divide_rows(const Where& where, DType dtype, void* sums, const Index* counts, Index rows, Index columns);

// ---- any of them ----

/// One number from the device. Waits for the stream.
Result<Index> read_index(const Where& where, const Index* from);

}  // namespace garner::index::on_cuda
