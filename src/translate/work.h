// What the steps of lowering one job share: the job, the program written so far, and the job's tensors in it.
#pragma once
#include "translate/lower.h"

namespace garner::translate_detail {

struct Work {
  const Subject& subject;
  const Target& target;
  Context& context;
  Builder b = {};
  std::vector<int> inputs = {};
  const PlacedJob* placed = nullptr;
  DType dtype = DType::kF32;  // what the job's data is moved in
  Status failed = {};         // the first thing that went wrong on the way

  const IndexPlan& plan() const { return placed->job.plan; }
  Axes indexed_shape() const;
  Axes indexed_stride() const;

  /// The whole array a part lies in, row-major; a constant's own elements.
  int array_of(const Source& source);
  /// A part along the domain, of extent 1 where it does not move.
  int along(const Source& source, const Axes& domain, const Axes& stride);
  /// Any strided memory as a constant.
  int constant(const View& view);
  /// condition ? yes : no, of data.
  int choose(int condition, int yes, int no);
  /// In the dtype that data is moved in.
  int data(int a) { return b.bitcast(a, dtype); }
};

/// The index equation, resolved.
struct Places {
  std::vector<int> value;    // one per term: what it adds to its axis
  std::optional<int> valid;  // bool along the domain: false where nothing is read or written; none: true everywhere
};
Places places_of(Work& work);

/// base + sum of stride * position over the indexed axes, along the domain.
int flat_position(Work& work, const Places& places, const Axes& stride, Index base);

/// The job's result, in the job's shape and Work::dtype.
int lower_gather(Work& work);
int lower_scatter(Work& work);

/// Rules T6 and T7; notes what may differ.
Status check_combine(Work& work);

}  // namespace garner::translate_detail
