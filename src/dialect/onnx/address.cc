#include "dialect/onnx/address.h"

namespace garner {

Bounds bounds_of(const Reading& reading, Index extent) {
  return {.hi = extent, .wrap = reading.wraps ? extent : 0, .policy = reading.outside};
}

Axes slices_shape(const View& data, const View& indices, const Slices& slices) {
  const Axes &d = data.shape(), &i = indices.shape();
  Axes shape(d.begin(), d.begin() + slices.axis);
  shape.insert(shape.end(), i.begin() + slices.batch, i.end());
  shape.insert(shape.end(), d.begin() + slices.axis + 1, d.end());
  return shape;
}

void address_slices(JobBuilder& job, const View& data, const View& indices, const Slices& slices,
                    const Reading& reading) {
  const Index axis = slices.axis, replaced = indices.rank() - slices.batch;
  for (Index a = 0; a < data.rank(); ++a)
    if (a != axis) job.follow(a, a < axis ? a : a - 1 + replaced);
  Axes along = axes_from(0, slices.batch);
  for (const Index a : axes_from(axis, replaced)) along.push_back(a);
  const Bounds bounds = bounds_of(reading, data.extent(axis));
  job.look_up(axis, job.term(indices, along, bounds, reading.name, reading.rule));
}

void address_elements(JobBuilder& job, const View& data, const View& indices, Index axis, const Reading& reading) {
  for (Index a = 0; a < data.rank(); ++a)
    if (a != axis) job.follow(a, a);
  const Bounds bounds = bounds_of(reading, data.extent(axis));
  job.look_up(axis, job.term(indices, axes_from(0, indices.rank()), bounds, reading.name, reading.rule));
}

Axes tuples_shape(const Axes& data, const Axes& indices, Index batch) {
  Axes shape(indices.begin(), indices.end() - 1);
  shape.insert(shape.end(), data.begin() + batch + indices.back(), data.end());
  return shape;
}

void address_tuples(JobBuilder& job, const View& data, const View& indices, Index batch, const Reading& reading) {
  const Index last = indices.rank() - 1, k = indices.extent(last);
  for (Index a = 0; a < batch; ++a) job.follow(a, a);
  for (Index j = 0; j < k; ++j) {
    const Bounds bounds = bounds_of(reading, data.extent(batch + j));
    job.look_up(batch + j, job.component(indices, last, j, axes_from(0, last), bounds, reading.name, reading.rule));
  }
  // What the tuples leave of data lies behind their own axes.
  for (Index a = batch + k; a < data.rank(); ++a) job.follow(a, last + a - batch - k);
}

}  // namespace garner
