// Counting: how often each number occurs, and how many values lie in each bin. Both are scatters that add.
#include "base/fail.h"
#include "garner/index.h"
#include "index/engine.h"
#include "index/there.h"
#include "run/job_builder.h"

namespace garner::index {
namespace {

/// zeros(length); result[ids[i]] += weights[i].
Job count_job(const char* op, const View& ids, Index length, const View& weights, OutOfRange policy) {
  auto job = JobBuilder::scatter_zeros(op, {length}, weights, Combine::kAdd);
  job.look_up(0, job.term(ids, axes_from(0, ids.rank()), {.hi = length, .policy = policy}, "input", "IX7"));
  return std::move(job).build();
}

/// -1 where there is none above.
Result<Index> largest(const View& input, const char* op, const RunOptions& run) {
  if (!input.device().is_cpu()) {
    GARNER_TRY(check_integer(input, op, "input"));
    GARNER_ASSIGN(const Packed packed, pack_anywhere(input, op, run));
    GARNER_ASSIGN(const auto seen, on_cuda::look_at(where(input, run), integers_there(packed.view()), 0, 0));
    return seen.largest;
  }
  GARNER_ASSIGN(const IndexList values, integers_of(input, op, "input", run));
  Index most = -1;
  for (const Index v : values) most = std::max(most, v);
  return most;
}

// A length beyond this is a mistake in the input rather than a table somebody wants.
constexpr Index kMostBins = Index{1} << 40;

Status count(const View& input, const BincountOptions& options, const RunOptions& run, Output& out) {
  constexpr const char* kOp = "bincount";
  GARNER_ASSIGN(const Index most, largest(input, kOp, run));
  const Index length = std::max(options.min_length, std::min(most, kMostBins) + 1);
  if (options.min_length < 0 || length > kMostBins)
    return fail(Code::kInvalidArgument, "IX6", "{}: length is {}, allowed [0, 2^40]", kOp, length);
  const Tensor one = scalar(Index{1});
  const View weights = options.weights.value_or(one);
  if (options.weights && weights.shape() != input.shape())
    return fail(Code::kInvalidArgument, "IX5", "{}: weights have shape {}, allowed {}", kOp, list(weights.shape()),
                list(input.shape()));
  GARNER_ASSIGN(const View updates, broadcast_to(weights, input.shape()));
  return deliver(count_job(kOp, input, length, updates, OutOfRange::kTrap), {length}, run, out);
}

/// Bins are half open but for the last, which holds its right edge. Values outside, and NaN, get -1.
void to_bins(const View& values, const View& edges, Tensor& positions) {
  dispatch(values.dtype(), [&]<class T>() {
    const Keys<T> key(kAscending);
    const auto* v = static_cast<const T*>(values.data());
    const auto* e = static_cast<const T*>(edges.data());
    const Index n = edges.elements();
    for (Index i = 0; i < positions.elements(); ++i) {
      Index& at = positions.as<Index>()[i];
      const bool at_end = at == n && key(v[i]) == key(e[n - 1]);
      at = is_nan(v[i]) ? -1 : at_end ? n - 2 : at == n ? -1 : at - 1;
    }
  });
}

Status check_edges(const char* op, const View& edges) {
  if (edges.rank() == 1 && edges.elements() >= 2) return {};
  return fail(Code::kInvalidArgument, "IX5", "{}: edges have shape {}, allowed [2] or more", op, list(edges.shape()));
}

Status fill_bins(const View& values, const View& edges, const RunOptions& run, Output& out) {
  constexpr const char* kOp = "histogram";
  GARNER_TRY(check_edges(kOp, edges));
  GARNER_TRY(validate(edges, kOp));  // bins are looked at on the CPU
  GARNER_ASSIGN(Tensor bins, index::searchsorted(edges, values, Side::kRight, run));
  GARNER_ASSIGN(const Packed packed, pack(values, kOp, run));
  GARNER_ASSIGN(const Packed limits, pack(edges, kOp, run));
  to_bins(packed.view(), limits.view(), bins);
  const Tensor one = scalar(Index{1});
  GARNER_ASSIGN(const View updates, broadcast_to(one, values.shape()));
  const Index length = edges.elements() - 1;
  return deliver(count_job(kOp, bins, length, updates, OutOfRange::kDrop), {length}, run, out);
}

}  // namespace

Result<Tensor> bincount(const View& input, const BincountOptions& options, const RunOptions& run) {
  return fresh([&](Output& out) { return count(input, options, run, out); });
}
Status bincount_into(const View& input, const MutableView& out, const BincountOptions& options, const RunOptions& run) {
  return into(out, run, [&](Output& o) { return count(input, options, run, o); });
}
Result<Tensor> histogram(const View& values, const View& edges, const RunOptions& run) {
  return fresh([&](Output& out) { return fill_bins(values, edges, run, out); });
}
Status histogram_into(const View& values, const View& edges, const MutableView& out, const RunOptions& run) {
  return into(out, run, [&](Output& o) { return fill_bins(values, edges, run, o); });
}

}  // namespace garner::index
