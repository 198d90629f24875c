// What stands between the brackets of array[…], checked against the array, and the places it selects.
#pragma once
#include "dialect/numpy/indices.h"

namespace garner::numpy {

/// A slice as it falls on one axis; `slot` is its place among the result's axes that come from no index array.
struct Stretch {
  Index axis, slot, first, step, count;
};
/// An index tensor on one axis. The part of a rank-0 integer, or of an array, or one axis of a mask.
struct Lookup {
  Index axis;
  View index;
};
/// One position on one axis.
struct Position {
  Index axis, value;
};

/// Array[key] by parts. The result has the slots' extents, with the common shape of the index arrays (`block`) put in
/// before slot `block_at`.
struct Selection {
  const char* op;
  Axes extents;  // of the array
  std::vector<Stretch> stretches;
  std::vector<Lookup> lookups;
  std::vector<Position> positions;
  Axes slots, block;
  Index block_at = 0;
  std::vector<Tensor> kept;
};

/// Rules NP3, NP5, NP8–NP12.
Result<Selection> resolve(const char* op, const View& array, const Key& key);

/// The shape of array[key].
Axes shape_of(const Selection& selection);

/// Says for every axis of the array where it goes.
void address(JobBuilder& job, const Selection& selection);

/// The scatter behind setitem and ufunc.at. Of a value that broadcasts only because its leading extents of 1 are left
/// out, assignment alone takes notice.
enum class LeadingOnes { kDropped, kKept };
struct Write {
  const char* op;
  const View& array;
  const Key& key;
  const View& value;
  LeadingOnes ones;
};
Result<Job> lower_write(const Write& write, Combine combine);

/// From the text form: a list of parts, or one part. An integer is a position, (start, stop, step) a slice, newaxis (or
/// None) and Ellipsis themselves, a tensor an index array or a mask. Rule NP23.
struct KeyArgument {
  Key key;
  std::vector<Tensor> kept;
};
Result<KeyArgument> key_argument(Arguments& a, const std::string& name);

/// The key with a copy of each index array that may share memory with the target.
Result<Key> apart_from(const View& target, const Key& key, std::vector<Tensor>& kept);

}  // namespace garner::numpy
