#include "conformance/device/device_harness.h"

#include <cuda_runtime.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "dtype/convert.h"
#include "garner/error.h"
#include "plan/facts.h"
#include "tensor/walk.h"

namespace garner::conformance {
namespace {

using Results = Result<std::vector<Tensor>>;

template <class T>
bool is_nan(T value) {
  if constexpr (is_complex_v<T>) return value != value;
  else if constexpr (std::is_floating_point_v<Compute<T>>) return to_compute(value) != to_compute(value);
  else return false;
}

std::string outcome(const Results& result) {
  if (!result.ok()) return "error " + result.status().rule + ": " + result.status().message;
  std::string out;
  for (const Tensor& t : *result) out += to_string(t) + " ";
  return out;
}

bool same(const Results& a, const Results& b, bool sums) {
  if (a.ok() != b.ok()) return false;
  if (!a.ok()) return a.status().rule == b.status().rule && a.status().message == b.status().message;
  return std::ranges::equal(*a, *b, [&](const Tensor& x, const Tensor& y) { return same_values(x, y, sums); });
}

Results home(const Results& there, void* stream) {
  if (!there.ok()) return there.status();
  std::vector<Tensor> out;
  for (const Tensor& t : *there) out.push_back(value_or_throw(cuda::copy_to(t, {}, stream)));
  return out;
}

/// The results, or the error that the check after them finds.
Results run_there(const Job& job, const RunOptions& options) {
  const Results there = run(job, options);
  const Results here = home(there, options.stream);
  const Status status = cuda::check(options.stream);
  return status.ok() ? here : status;
}

/// Once to warm up, once into a graph, which is then replayed twice.
Results run_in_graph(const Job& job, const RunOptions& options) {
  const auto stream = static_cast<cudaStream_t>(options.stream);
  const MutableView like(job.plan.dtype, static_cast<void*>(nullptr), job.result_shape);
  const Tensor out = value_or_throw(cuda::empty(job.plan.dtype, job.result_shape, cuda::device(), stream));
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal);
  const Status captured = run_into(job, out.view(), options);
  const cudaError_t ended = cudaStreamEndCapture(stream, &graph);
  if (!captured.ok()) return captured;
  if (ended != cudaSuccess) return Status{Code::kUnsupported, "graph", cudaGetErrorString(ended)};
  if (const cudaError_t made = cudaGraphInstantiate(&replay, graph, 0); made != cudaSuccess)
    return Status{Code::kUnsupported, "graph", cudaGetErrorString(made)};
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(replay, stream);
  const Results here = home(std::vector<Tensor>{out}, stream);
  const Status status = cuda::check(stream);
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
  return status.ok() ? here : status;
}

/// Into memory with gaps, backwards.
Results run_strided(const Job& job, const RunOptions& options) {
  Axes stride = row_major(job.result_shape);
  Index reach = 0;
  for (std::size_t a = 0; a < stride.size(); ++a) {
    stride[a] *= -2;
    reach += std::max<Index>(job.result_shape[a] - 1, 0) * 2 * row_major(job.result_shape)[a];
  }
  const Tensor memory = value_or_throw(cuda::empty(job.plan.dtype, {reach + 1}, cuda::device(), options.stream));
  const MutableView out = memory.view().seen_as(job.result_shape, stride, reach);
  if (const Status status = run_into(job, out, options); !status.ok()) return status;
  const Status status = cuda::check(options.stream);
  if (!status.ok()) return status;
  return std::vector<Tensor>{value_or_throw(cuda::copy_to(out, {}, options.stream))};
}

void* second_stream() {
  static cudaStream_t stream = [] {
    cudaStream_t made = nullptr;
    cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking);
    return made;
  }();
  return stream;
}

bool is_simple(const Job& job) { return !job.plan.fetch_stride && job.more_operands.empty(); }

}  // namespace

bool same_values(const View& a, const View& b, bool sums) {
  if (!sums || !rounds(a.dtype())) return same_bits(a, b);
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  bool same = true;
  dispatch(a.dtype(), [&]<class T>() {
    walk_positions(a.shape(), [&](const Axes& at) {
      const T left = static_cast<const T*>(a.data())[dot(at, a.stride())];
      const T right = static_cast<const T*>(b.data())[dot(at, b.stride())];
      same = same && (std::memcmp(&left, &right, sizeof(T)) == 0 || (is_nan(left) && is_nan(right)));
    });
  });
  return same;
}

View moved(const View& view, std::vector<Tensor>& kept, void* stream) {
  if (view.elements() == 0) return View(view.dtype(), nullptr, view.shape(), view.stride()).on(cuda::device());
  Index low = 0, high = 0;
  for (Index a = 0; a < view.rank(); ++a) (view.stride(a) < 0 ? low : high) += view.stride(a) * (view.extent(a) - 1);
  const View all = view.seen_as({high - low + 1}, {1}, low);
  kept.push_back(value_or_throw(cuda::copy_to(all, cuda::device(), stream)));
  return View(kept.back()).seen_as(view.shape(), view.stride(), -low);
}

Job moved(const Job& job, void* stream) {
  Job out = job;
  for (auto* part : {&out.operand, &out.updates, &out.mask, &out.fill})
    if (*part) **part = moved(**part, out.kept, stream);
  for (View& index : out.indices) index = moved(index, out.kept, stream);
  return out;
}

std::vector<std::string> check_on_device(const Job& job) {
  std::vector<std::string> findings;
  if (job.plan.combine == Combine::kUser) return findings;  // functions of the CPU
  const Results expected = run(job, {.threads = 1, .kernel = "reference"});
  const Job there = moved(job);
  const bool sums = job.plan.combine != Combine::kAssign;
  const auto expect = [&](const std::string& what, const Results& is) {
    if (!same(is, expected, sums))
      findings.push_back(
          fmt::format("{} gives {}, the reference {}\n{}", what, outcome(is), outcome(expected), print(job.plan)));
  };
  const auto kernels = accepting_kernels(there);
  if (!kernels.ok()) return expect("accepting_kernels", kernels.status()), findings;
  for (const std::string& kernel : *kernels) expect("kernel " + kernel, run_there(there, {.kernel = kernel}));
  expect("another stream", run_there(moved(job, second_stream()), {.stream = second_stream()}));
  if (!is_simple(job)) return findings;
  expect("strided memory", run_strided(there, {}));
  const Job on_second = moved(job, second_stream());
  // A scatter onto its own operand would start from another one at the second replay; run_into copies it first.
  if (expected.ok() || expected.status().code == Code::kIndex)
    expect("a graph", run_in_graph(on_second, {.stream = second_stream()}));
  return findings;
}

bool Tally::refused(const Call& call, const Status& status) {
  const bool of_the_cpu = status.rule == "V9" || status.rule == "P23" || status.rule == "P24";
  if (!of_the_cpu || status.message.find("out lies on") != std::string::npos) return false;
  ++cpu_alone_[fmt::format("{}.{} {}", call.dialect, call.op, status.rule)];
  return true;
}

void Tally::compare(const Case& c, bool same, const Status& device, const Status& cpu) {
  same ? ++equal_ : ++findings_;
  if (!same && findings_ <= 20)
    ADD_FAILURE() << c.file << ":" << c.line << " " << c.name << ": " << device.message << " | " << cpu.message;
}

void Tally::print() const {
  int alone = 0;
  for (const auto& [op, count] : cpu_alone_) alone += count;
  fmt::print("{}: {} calls equal, {} for the CPU alone, {} findings\n", what_, equal_, alone, findings_);
  for (const auto& [op, count] : cpu_alone_) fmt::print("  {} {}\n", op, count);
}

}  // namespace garner::conformance
