// A library that was built without CUDA: no tensor lies on a device, so nobody comes here.
#include "base/fail.h"
#include "grad/cuda/elementwise.h"
#include "grad/cuda/matmul.h"
#include "grad/cuda/reduce.h"
#include "grad/cuda/rows.h"
#include "grad/cuda/softmax.h"

namespace garner::grad::plain::on_device {
namespace {
Status none() { return fail(Code::kUnsupported, "U1", "cuda: the library was built without CUDA"); }
}  // namespace

Status map(Two, const View&, const View&, const MutableView&) { return none(); }
Status map(One, double, const Tensor&, const MutableView&) { return none(); }
Status keep(const View&, const Tensor&, const MutableView&) { return none(); }
Status fill(const MutableView&, const Pattern&) { return none(); }
Status convert(const Tensor&, const MutableView&) { return none(); }
Status ask(Question, const Tensor&, const Tensor&, const MutableView&) { return none(); }
Status is_equal(const Tensor&, Index, const MutableView&) { return none(); }
Status both(const Tensor&, const Tensor&, const MutableView&) { return none(); }
Status negate(const Tensor&, const MutableView&) { return none(); }
Status number(const Tensor*, const Numbering&, const MutableView&) { return none(); }

DType sum_dtype(DType dtype) { return dtype; }
Status sum_box(const Tensor&, Index, const Line&, const Line&, void*) { return none(); }
Status finish_sums(const Tensor&, Index, double, const MutableView&) { return none(); }
Status to_positions(const Line&, const Line&, const MutableView&) { return none(); }
Status take(const Tensor&, const Tensor&, const MutableView&) { return none(); }
Status mark(const Tensor&, const MutableView&) { return none(); }

Status multiply(const Products&, const Matrix&, const Matrix&, const MutableView&) { return none(); }

Status softmax(LaneFunction, const Tensor&, const LaneShape&, const MutableView&) { return none(); }
Status cross_entropy(const Tensor&, const Tensor&, const MutableView&) { return none(); }
Status mark_targets(const Tensor&, const MutableView&) { return none(); }

}  // namespace garner::grad::plain::on_device

namespace garner::on_device {
namespace {
Status none() { return fail(Code::kUnsupported, "U1", "cuda: the library was built without CUDA"); }
}  // namespace

Result<ReadRows> read_rows(const Tensor&, Index, std::optional<Index>) { return none(); }
Status sum_rows(const ReadRows&, const void*, const Tensor&) { return none(); }
Status update(const StepRule&, const Pieces&, const UpdateMemory&, int) { return none(); }

}  // namespace garner::on_device
