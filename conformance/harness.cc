#include "conformance/harness.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "device/cpu/tuning.h"
#include "garner/plan.h"
#include "tensor/walk.h"

namespace garner::conformance {
namespace {

constexpr std::size_t kGuard = 64;
constexpr std::byte kGuardByte{0xa5};

/// A result buffer between guard bytes. Steps of `spread` elements, negative: the layout runs backwards.
class GuardedBuffer {
 public:
  GuardedBuffer(DType dtype, const Axes& shape, Index spread) {
    Axes stride = row_major(shape);
    Index reach = 0, lowest = 0;
    for (std::size_t a = 0; a < shape.size(); ++a) {
      stride[a] *= spread;
      const Index span = std::max<Index>(shape[a] - 1, 0) * stride[a];
      reach += std::abs(span);
      lowest = std::min(lowest, lowest + span);
    }
    const auto bytes = static_cast<std::size_t>((reach + 1) * width(dtype));
    bytes_.assign(bytes + 2 * kGuard, kGuardByte);
    view_ = MutableView(dtype, bytes_.data() + kGuard - lowest * width(dtype), shape, stride);
  }

  const MutableView& view() const { return view_; }

  bool guards_hold() const {
    const auto untouched = [](std::byte b) { return b == kGuardByte; };
    return std::all_of(bytes_.begin(), bytes_.begin() + kGuard, untouched) &&
           std::all_of(bytes_.end() - kGuard, bytes_.end(), untouched);
  }

 private:
  std::vector<std::byte> bytes_;
  MutableView view_;
};

bool is_simple(const Job& job) { return !job.plan.fetch_stride && job.more_operands.empty(); }

std::string outcome(const Result<std::vector<Tensor>>& result) {
  if (!result.ok()) return "error " + result.status().rule + ": " + result.status().message;
  std::string out;
  for (const Tensor& t : *result) out += to_string(t) + " ";
  return out;
}

bool same(const Result<std::vector<Tensor>>& a, const Result<std::vector<Tensor>>& b) {
  if (a.ok() != b.ok()) return false;
  if (!a.ok()) return a.status().rule == b.status().rule && a.status().message == b.status().message;
  return std::ranges::equal(*a, *b, [](const Tensor& x, const Tensor& y) { return same_bits(x, y); });
}

void expect_same(const std::string& what, const Result<std::vector<Tensor>>& is,
                 const Result<std::vector<Tensor>>& wanted, Findings& findings) {
  if (!same(is, wanted))
    findings.push_back(fmt::format("{} gives {}, the reference {}", what, outcome(is), outcome(wanted)));
}

/// run_into a guarded buffer, as a list of results.
Result<std::vector<Tensor>> run_guarded(const Job& job, const RunOptions& options, Index spread, Findings& findings) {
  const GuardedBuffer buffer(job.plan.dtype, job.result_shape, spread);
  const Status status = run_into(job, buffer.view(), options);
  if (!buffer.guards_hold()) findings.push_back(fmt::format("kernel '{}' wrote outside its result", options.kernel));
  if (!status.ok()) return status;
  auto copy = contiguous(buffer.view());
  if (!copy.ok()) return copy.status();
  return std::vector<Tensor>{*copy};
}

Result<std::vector<Tensor>> run_any(const Job& job, const RunOptions& options, Findings& findings) {
  return is_simple(job) ? run_guarded(job, options, 1, findings) : run(job, options);
}

/// What a tensor shows along the domain, laid out afresh: every stride doubled and turned round.
View relaid(const View& view, const Axes& domain, Axes& stride, Job& job) {
  auto buffer = std::make_shared<GuardedBuffer>(view.dtype(), domain, -2);
  const int bytes = width(view.dtype());
  const auto* from = static_cast<const std::byte*>(view.data());
  auto* to = static_cast<std::byte*>(buffer->view().mutable_data());
  walk_positions(domain, [&](const Axes& d) {
    std::memcpy(to + dot(d, buffer->view().stride()) * bytes, from + dot(d, stride) * bytes,
                static_cast<std::size_t>(bytes));
  });
  stride = buffer->view().stride();
  // A user function may hold anything; here it keeps the buffer alive for as long as the job lives.
  job.user = [inner = job.user, buffer](void* const* c, const void* const* u) { inner(c, u); };
  return buffer->view();
}

Job with_other_layouts(const Job& job) {
  Job out = job;
  for (std::size_t t = 0; t < job.indices.size(); ++t) {
    out.indices[t] = relaid(job.indices[t], job.plan.domain, out.plan.terms[t].stride, out);
  }
  if (job.updates) out.updates = relaid(*job.updates, job.plan.domain, out.plan.dense_stride, out);
  if (job.mask) out.mask = relaid(*job.mask, job.plan.domain, *out.plan.mask_stride, out);
  if (job.fill) out.fill = relaid(*job.fill, job.plan.domain, *out.plan.fill_stride, out);
  if (job.operand) {
    Axes stride = job.operand->stride();
    out.operand = relaid(*job.operand, job.operand->shape(), stride, out);
    for (std::size_t a = 0; a < stride.size(); ++a) out.plan.indexed[a].stride = stride[a];
  }
  return out;
}

/// 1, 2, 3, … modulo a small prime, with both signs: any mix-up shows.
Tensor numbers(const Axes& shape, Index seed) {
  Tensor t = *Tensor::zeros(DType::kI64, shape);
  for (Index i = 0; i < t.elements(); ++i) t.as<Index>()[i] = (i * 7 + seed) % 23 - 11;
  return t;
}

Index inner_product(const Tensor& a, const Tensor& b) {
  Index sum = 0;
  for (Index i = 0; i < a.elements(); ++i) sum += a.as<Index>()[i] * b.as<Index>()[i];
  return sum;
}

bool is_linear(const Job& job) {
  const bool gather = job.plan.direction == Direction::kGather;
  return is_simple(job) && (gather || job.plan.combine == Combine::kAdd);
}

Axes indexed_shape(const IndexPlan& plan) {
  Axes shape;
  for (const AxisMap& map : plan.indexed) shape.push_back(map.extent);
  return shape;
}

/// The job's plan in i64 with row-major sides, reading `in`; direction as the plan says, on zeros.
Result<Tensor> apply(const Job& job, IndexPlan plan, const Tensor& in) {
  Job linear = job;
  const Axes stride = row_major(indexed_shape(plan));
  for (std::size_t a = 0; a < stride.size(); ++a) plan.indexed[a].stride = stride[a];
  plan.dtype = DType::kI64;
  plan.dense_stride = row_major(plan.domain);
  plan.fill_stride.reset();
  linear.fill.reset();
  const bool gather = plan.direction == Direction::kGather;
  linear.operand = gather ? std::optional<View>(in) : std::nullopt;
  linear.updates = gather ? std::nullopt : std::optional<View>(in);
  linear.result_shape = gather ? plan.domain : indexed_shape(plan);
  linear.plan = std::move(plan);
  return run_one(linear);
}

}  // namespace

void check_plan(const IndexPlan& plan, Findings& findings) {
  const IndexPlan normal = simplify(plan);
  for (const IndexPlan* p : {&plan, &normal}) {
    const auto parsed = parse_plan(print(*p));
    if (!parsed.ok()) findings.push_back("plan text does not parse: " + parsed.status().message + "\n" + print(*p));
    else if (*parsed != *p) findings.push_back("plan text parses to another plan:\n" + print(*p) + print(*parsed));
  }
  if (const Status s = verify(normal); !s.ok())
    findings.push_back("normal form does not verify: " + s.message + "\n" + print(normal));
  if (simplify(normal) != normal) findings.push_back("simplify is not idempotent:\n" + print(normal));
}

void check_kernels(const Job& job, const Result<std::vector<Tensor>>& expected, Findings& findings) {
  const auto kernels = accepting_kernels(job);
  if (!kernels.ok()) return expect_same("accepting_kernels", kernels.status(), expected, findings);
  for (const std::string& kernel : *kernels) {
    for (const int threads : {1, 2, 7})
      expect_same(fmt::format("kernel {} on {} threads", kernel, threads),
                  run_any(job, {.threads = threads, .kernel = kernel}, findings), expected, findings);
    const EagerTuning every_way;  // the ways of large results and of panels, on these small ones
    expect_same(fmt::format("kernel {} as if all were large", kernel),
                run_any(job, {.threads = 3, .kernel = kernel}, findings), expected, findings);
  }
  expect_same("the chosen kernel", run(job), expected, findings);
}

void check_layouts(const Job& job, const Result<std::vector<Tensor>>& expected, Findings& findings) {
  if (!job.more_operands.empty()) return;  // their layout is row-major by definition
  const Job other = with_other_layouts(job);
  expect_same("strided inputs", run(other), expected, findings);
  if (!is_simple(job)) return;
  expect_same("a strided result", run_guarded(job, {.threads = 0, .kernel = ""}, 3, findings), expected, findings);
  expect_same("a reversed result", run_guarded(other, {.threads = 2, .kernel = ""}, -1, findings), expected, findings);
}

void check_adjoint(const Job& job, Findings& findings) {
  if (!is_linear(job)) return;
  const auto transposed = adjoint(job.plan);
  if (!transposed.ok()) return findings.push_back("adjoint: " + transposed.status().message);
  const bool gather = job.plan.direction == Direction::kGather;
  const Tensor on_domain = numbers(job.plan.domain, 3), on_indexed = numbers(indexed_shape(job.plan), 5);
  const Tensor &x = gather ? on_indexed : on_domain, &y = gather ? on_domain : on_indexed;
  const auto forward = apply(job, job.plan, x), backward = apply(job, *transposed, y);
  if (!forward.ok() || !backward.ok())
    return findings.push_back("adjoint does not run: " + forward.status().message + backward.status().message);
  if (inner_product(*forward, y) != inner_product(x, *backward))
    findings.push_back("dot test fails:\n" + print(job.plan));
}

Findings check_job(const Job& job) {
  Findings findings;
  const auto expected = run(job, {.threads = 1, .kernel = "reference"});
  check_kernels(job, expected, findings);
  check_layouts(job, expected, findings);
  if (verify(job.plan).ok()) check_plan(job.plan, findings);
  if (expected.ok()) check_adjoint(job, findings);
  return findings;
}

}  // namespace garner::conformance
