#include "base/fail.h"
#include "device/cpu/threads.h"
#include "index/outputs.h"
#include "index/there.h"
#include "index/truth.h"

namespace garner::index {
namespace {

constexpr const char* kOp = "count_nonzero";

void count_lanes(const std::uint8_t* bytes, const Lanes& lanes, const RunOptions& run, Index* out) {
  const Index lane_bytes = std::max<Index>(lanes.count * lanes.inner, 1);
  const Index grain = std::max<Index>(1, kBytesPerThread / lane_bytes);
  parallel_ranges(thread_count(run.threads, lanes.outer * lane_bytes), lanes.outer, grain, [&](Index begin, Index end) {
    std::fill(out + begin * lanes.inner, out + end * lanes.inner, 0);
    for (Index row = begin * lanes.count; row < end * lanes.count; ++row) {
      Index* to = out + row / lanes.count * lanes.inner;
      const std::uint8_t* from = bytes + row * lanes.inner;
      for (Index j = 0; j < lanes.inner; ++j) to[j] += from[j];
    }
  });
}

Axes result_shape(const View& input, const CountOptions& options, Index axis) {
  if (!options.axis) return options.keepdims ? Axes(input.shape().size(), 1) : Axes{};
  Axes shape = without_axis(input.shape(), axis);
  if (options.keepdims) shape.insert(shape.begin() + axis, 1);
  return shape;
}

Status count_all(const View& input, const CountOptions& options, const RunOptions& run, Output& out) {
  GARNER_ASSIGN(const Index count, count_true(input, kOp, run));
  GARNER_TRY(out.open(kOp, DType::kI64, result_shape(input, options, 0), {&input}));
  *out.as<Index>() = count;
  return {};
}

Status count_there(const View& input, const CountOptions& options, const RunOptions& run, Output& out) {
  GARNER_ASSIGN(const Packed packed, pack_anywhere(input, kOp, run));
  GARNER_ASSIGN(const Index axis, axis_of(kOp, options.axis.value_or(0), options.axis ? input.rank() : 1));
  GARNER_TRY(out.open(kOp, DType::kI64, result_shape(input, options, axis), {&input}, run.stream));
  const Lanes lanes = options.axis ? lanes_of(input.shape(), axis) : Lanes{1, input.elements(), 1};
  return finished(on_cuda::count_in_lanes(where(input, run), truth_there(packed), lanes, out.as<Index>()), input, run);
}

Status count_lanes(const View& input, const CountOptions& options, const RunOptions& run, Output& out) {
  GARNER_ASSIGN(const Index axis, axis_of(kOp, *options.axis, input.rank()));
  GARNER_TRY(validate(input, kOp));
  GARNER_ASSIGN(Tensor bytes, Tensor::empty(DType::kU8, {input.elements()}));
  write_truth(input, bytes.as<std::uint8_t>(), run);
  GARNER_TRY(out.open(kOp, DType::kI64, result_shape(input, options, axis), {&input}));
  count_lanes(bytes.as<std::uint8_t>(), lanes_of(input.shape(), axis), run, out.as<Index>());
  return {};
}

}  // namespace

Status count_nonzero(const View& input, const CountOptions& options, const RunOptions& run, Output& out) {
  if (!input.device().is_cpu()) return count_there(input, options, run, out);
  return options.axis ? count_lanes(input, options, run, out) : count_all(input, options, run, out);
}

Result<Tensor> count_nonzero(const View& input, const CountOptions& options, const RunOptions& run) {
  return fresh([&](Output& out) { return count_nonzero(input, options, run, out); });
}
Status count_nonzero_into(const View& input, const MutableView& out, const CountOptions& options,
                          const RunOptions& run) {
  return into(out, run, [&](Output& o) { return count_nonzero(input, options, run, o); });
}

}  // namespace garner::index
