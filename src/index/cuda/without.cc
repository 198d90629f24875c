// A library that was built without CUDA.
#include "base/fail.h"
#include "index/cuda/kernels.h"
#include "index/memory.h"

namespace garner::index::on_cuda {
namespace {
Status none() { return fail(Code::kUnsupported, "U1", "cuda: the library was built without CUDA"); }
}  // namespace

Status best_in_lanes(const Where&, const Lanes&, const BestQuery&, Index*) { return none(); }
Result<Truth> truth_of(const Where&, const TruthSource&) { return none(); }
Status write_positions(const Where&, const Truth&, const Axes&, const PositionTable&) { return none(); }
Result<std::shared_ptr<Index>> write_all_positions(const Where&, const TruthSource&, const Axes&, PositionTable) {
  return none();
}
Status count_in_lanes(const Where&, const TruthSource&, const Lanes&, Index*) { return none(); }
Status search(const Where&, const SearchQuery&, Index*) { return none(); }
Status sort_lanes(const Where&, const Lanes&, const SortQuery&, const SortedOut&) { return none(); }
Result<Groups> group_equal(const Where&, const SortQuery&, Index) { return none(); }
Status write_groups(const Where&, const Groups&, const SortQuery&, const GroupsOut&) { return none(); }
Result<IntegersSeen> look_at(const Where&, const Integers&, Index, Index) { return none(); }
Result<Index> integer_at(const Where&, const Integers&, Index) { return none(); }
Result<Index> first_outside(const Where&, const Integers&, const CoordinateTable&, const Axes&) { return none(); }
Status ravel(const Where&, const Integers&, const CoordinateTable&, const Axes&, Index*) { return none(); }
Status unravel(const Where&, const Integers&, const CoordinateTable&, const Axes&, Index*) { return none(); }
Status pool_bags(const Where&, DType, const BagQuery&, void*) { return none(); }
Status divide_rows(const Where&, DType, void*, const Index*, Index, Index) { return none(); }
Result<Index> read_index(const Where&, const Index*) { return none(); }

}  // namespace garner::index::on_cuda
