// The three ways of addressing data that most systems have: whole slices along an axis, one index per element, tuples.
#pragma once
#include "run/job_builder.h"

namespace garner {

/// How a dialect reads its index values, and the words of its error.
struct Reading {
  bool wraps = false;  // a negative value counts from the end, once
  OutOfRange outside = OutOfRange::kTrap;
  const char *name = "indices", *rule = "P16";
};
Bounds bounds_of(const Reading& reading, Index extent);

/// The axis of data that indices replace; their first `batch` axes are those of data.
struct Slices {
  Index axis = 0, batch = 0;
};
Axes slices_shape(const View& data, const View& indices, const Slices& slices);
/// data[b…, …, indices[b…, i…], …].
void address_slices(JobBuilder& job, const View& data, const View& indices, const Slices& slices,
                    const Reading& reading);

/// data[d with d[axis] replaced by indices[d]].
void address_elements(JobBuilder& job, const View& data, const View& indices, Index axis, const Reading& reading);

/// data[b…, indices[b…, i…, :], rest], tuples of length k along the last axis of indices.
Axes tuples_shape(const Axes& data, const Axes& indices, Index batch);
void address_tuples(JobBuilder& job, const View& data, const View& indices, Index batch, const Reading& reading);

}  // namespace garner
