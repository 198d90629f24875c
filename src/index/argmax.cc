#include "index/argmax.h"

#include "base/fail.h"
#include "index/lanes.h"
#include "index/outputs.h"
#include "index/there.h"

namespace garner::index {
namespace {

// Elements one thread looks at before it takes the next piece.
constexpr Index kChunk = 1 << 17;

Best better(const Best& a, const Best& b, Tie tie) {
  return b.key > a.key || (b.key == a.key && tie == Tie::kLast) ? b : a;
}

/// Chunks are compared in their order, so the number of threads shows nowhere.
Best lane_best(const Lane& lane, Tie tie, int threads) {
  if (threads <= 1 || lane.count <= kChunk) return best_in_lane(lane, tie);
  std::vector<Best> best(static_cast<std::size_t>((lane.count + kChunk - 1) / kChunk));
  parallel_ranges(threads, static_cast<Index>(best.size()), 1, [&](Index begin, Index end) {
    for (Index c = begin; c < end; ++c) {
      const auto* data = static_cast<const std::byte*>(lane.data) + c * kChunk * width(lane.dtype);
      Best& b = best[static_cast<std::size_t>(c)];
      b = best_in_lane({lane.dtype, data, std::min(kChunk, lane.count - c * kChunk), lane.rule}, tie);
      b.position += c * kChunk;
    }
  });
  Best all = best[0];
  for (std::size_t c = 1; c < best.size(); ++c) all = better(all, best[c], tie);
  return all;
}

/// A key of 0 is a NaN that was to be ignored.
bool chosen(const Best& best, DType dtype) { return best.key != 0 || !has_nan(dtype); }

Index answer(const Lane& lane, const LaneQuery& query, int threads) {
  const Best best = lane_best(lane, query.tie, threads);
  return chosen(best, lane.dtype) ? best.position : query.nothing;
}

}  // namespace

KeyRule rule_for(Extreme extreme, NanRule nan) {
  return {extreme == Extreme::kMin ? kAllOnes : 0, nan == NanRule::kPropagate ? kAllOnes : 0};
}

std::optional<Index> flat_best(const Packed& packed, const KeyRule& rule, Tie tie, const RunOptions& run) {
  const View& view = packed.view();
  if (view.elements() == 0) return std::nullopt;
  const Best best = lane_best({view.dtype(), packed.data(), view.elements(), rule}, tie, threads_for(packed, run));
  return chosen(best, view.dtype()) ? std::optional(best.position) : std::nullopt;
}

void axis_best(const Packed& packed, Index axis, const LaneQuery& query, const RunOptions& run, Index* out) {
  const Lanes lanes = lanes_of(packed.view().shape(), axis);
  if (lanes.count == 0) return (void)std::fill_n(out, lanes.outer * lanes.inner, query.nothing);
  if (lanes.inner != 1) return columns_best(packed, lanes, query, run, out);
  // Few long lanes are shared out inside, many short ones between the threads.
  const int threads = threads_for(packed, run), inside = lanes.outer < threads ? threads : 1;
  const RunOptions outside{.threads = inside > 1 ? 1 : threads};
  walk_rows(packed, lanes, query.rule, outside, out, [&](const Lane& lane) { return answer(lane, query, inside); });
}

Status best_there(const char* op, const Packed& packed, std::optional<Index> axis, const LaneQuery& query,
                  const RunOptions& run, Index* out) {
  const View& view = packed.view();
  GARNER_ASSIGN(const KeyCode code, code_there(op, view, query.rule));
  const Lanes lanes = axis ? lanes_of(view.shape(), *axis) : Lanes{1, view.elements(), 1};
  return finished(
      on_cuda::best_in_lanes(where(view, run), lanes, {view.data(), code, query.tie == Tie::kLast, query.nothing}, out),
      view, run);
}

namespace {

struct Words {
  const char* op;
  Extreme extreme;
};

Axes result_shape(const Axes& shape, const ArgOptions& options, Index axis) {
  if (!options.axis) return options.keepdims ? Axes(shape.size(), 1) : Axes{};
  if (!options.keepdims) return without_axis(shape, axis);
  Axes kept = shape;
  kept[static_cast<std::size_t>(axis)] = 1;
  return kept;
}

Status nothing_to_choose(const char* op, const View& input) {
  return fail(Code::kInvalidArgument, "IX4", "{}: shape is {}, allowed one with something to choose from", op,
              list(input.shape()));
}

Status arg_best(const Words& words, const View& input, const ArgOptions& options, const RunOptions& run, Output& out) {
  GARNER_ASSIGN(const Packed packed, pack_anywhere(input, words.op, run));
  const Index rank = options.axis ? input.rank() : 1;
  GARNER_ASSIGN(const Index axis, axis_of(words.op, options.axis.value_or(0), rank));
  const Axes shape = result_shape(input.shape(), options, axis);
  const KeyRule rule = rule_for(words.extreme, options.nan);
  const bool empty = options.axis ? input.extent(axis) == 0 : input.elements() == 0;
  if (empty && View(DType::kI64, nullptr, shape).elements() != 0) return nothing_to_choose(words.op, input);
  GARNER_TRY(out.open(words.op, DType::kI64, shape, {&input}, run.stream));
  if (!input.device().is_cpu())
    return best_there(words.op, packed, options.axis ? std::optional(axis) : std::nullopt, {rule, options.tie, 0}, run,
                      out.as<Index>());
  if (options.axis) axis_best(packed, axis, {rule, options.tie, 0}, run, out.as<Index>());
  else *out.as<Index>() = flat_best(packed, rule, options.tie, run).value_or(0);
  return {};
}

}  // namespace

Status argmax(const View& input, const ArgOptions& options, const RunOptions& run, Output& out) {
  return arg_best({"argmax", Extreme::kMax}, input, options, run, out);
}
Status argmin(const View& input, const ArgOptions& options, const RunOptions& run, Output& out) {
  return arg_best({"argmin", Extreme::kMin}, input, options, run, out);
}

Result<Tensor> argmax(const View& input, const ArgOptions& options, const RunOptions& run) {
  return fresh([&](Output& out) { return argmax(input, options, run, out); });
}
Status argmax_into(const View& input, const MutableView& out, const ArgOptions& options, const RunOptions& run) {
  return into(out, run, [&](Output& o) { return argmax(input, options, run, o); });
}
Result<Tensor> argmin(const View& input, const ArgOptions& options, const RunOptions& run) {
  return fresh([&](Output& out) { return argmin(input, options, run, out); });
}
Status argmin_into(const View& input, const MutableView& out, const ArgOptions& options, const RunOptions& run) {
  return into(out, run, [&](Output& o) { return argmin(input, options, run, o); });
}

}  // namespace garner::index
