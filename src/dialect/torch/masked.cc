// torch.masked_fill(input, mask, value), torch.masked_select(input, mask), torch.masked_scatter(input, mask, source)
// input and mask broadcast together; in place, mask broadcasts to input.
#include "dialect/torch/positions.h"

namespace garner::torch {
namespace {

constexpr const char *kFill = "torch.masked_fill", *kSelect = "torch.masked_select", *kScatter = "torch.masked_scatter";

struct Masked {
  View self, mask;
};

Result<Masked> broadcast(const char* op, const View& self, const View& mask) {
  if (mask.dtype() != DType::kBool)
    return fail(Code::kInvalidArgument, "TO21", "{}: mask is {}, allowed bool", op, name(mask.dtype()));
  const auto shape = broadcast_shapes(std::vector{self.shape(), mask.shape()});
  if (!shape)
    return fail(Code::kInvalidArgument, "TO22", "{}: shape of mask is {}, allowed one that broadcasts with {}", op,
                list(mask.shape()), list(self.shape()));
  GARNER_ASSIGN(const View wide_self, broadcast_to(self, *shape));
  GARNER_ASSIGN(const View wide_mask, broadcast_to(mask, *shape));
  return Masked{wide_self, wide_mask};
}

/// In place, self cannot grow.
void check_in_place(const char* op, const View& self, const View& mask) {
  if (broadcast_to(mask, self.shape()).ok()) return;
  throw_error(fail(Code::kInvalidArgument, "TO22", "{}: shape of mask is {}, allowed one that broadcasts to {}", op,
                   list(mask.shape()), list(self.shape())));
}

/// Every axis is looked up at the places where the mask is true.
void address(JobBuilder& job, const View& self, const Positions& positions) {
  for (Index a = 0; a < self.rank(); ++a) {
    const View& at = positions.axes[static_cast<std::size_t>(a)];
    job.look_up(a, job.term(at, {0}, {.hi = self.extent(a)}, "mask", "TO8"));
  }
}

/// The first `count` elements in row-major order.
Result<View> first_elements(const View& source, Index count, std::vector<Tensor>& kept) {
  GARNER_ASSIGN(const View flat, flattened(source, kept));
  if (flat.elements() < count)
    return fail(Code::kInvalidArgument, "TO23", "{}: number of elements of source is {}, allowed [{}, 2^63)", kScatter,
                flat.elements(), count);
  return flat.seen_as({count});
}

Result<Jobs> lower_fill_call(Arguments& a) {
  const View input = a.tensor("input"), mask = a.tensor("mask");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const Scalar value, scalar_argument(a, "value"));
  return one(lower_masked_fill(input, mask, value));
}

}  // namespace

Result<Job> lower_masked_fill(const View& given, const View& given_mask, const Scalar& value) {
  GARNER_ASSIGN(const Masked m, broadcast(kFill, given, given_mask));
  GARNER_ASSIGN(const Tensor number, scalar_as(kFill, value, given.dtype()));
  GARNER_ASSIGN(const View updates, broadcast_to(number, m.self.shape()));
  auto job = JobBuilder::scatter(kFill, m.self, updates, Combine::kAssign);
  follow_all(job, m.self.rank());
  job.mask(m.mask);
  Job built = std::move(job).build();
  built.kept.push_back(number);
  return built;
}

Tensor masked_fill(const View& self, const View& mask, const Scalar& value, const RunOptions& run) {
  return value_or_throw(run_one(lower_masked_fill(self, mask, value), run));
}

void masked_fill_(const MutableView& self, const View& mask, const Scalar& value, const RunOptions& run) {
  check_in_place(kFill, self, mask);
  run_on(self, lower_masked_fill(self, mask, value), run);
}

Result<Job> lower_masked_select(const View& given, const View& given_mask) {
  GARNER_ASSIGN(const Masked m, broadcast(kSelect, given, given_mask));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const Positions positions, true_positions(m.mask, kept));
  auto job = JobBuilder::gather(kSelect, m.self, {positions.count});
  address(job, m.self, positions);
  Job built = std::move(job).build();
  built.kept = std::move(kept);
  return built;
}

Tensor masked_select(const View& self, const View& mask, const RunOptions& run) {
  return value_or_throw(run_one(lower_masked_select(self, mask), run));
}

Result<Job> lower_masked_scatter(const View& given, const View& given_mask, const View& source) {
  GARNER_TRY(check_same_dtype(kScatter, given, "source", source));
  GARNER_ASSIGN(const Masked m, broadcast(kScatter, given, given_mask));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const Positions positions, true_positions(m.mask, kept));
  GARNER_ASSIGN(const View updates, first_elements(source, positions.count, kept));
  auto job = JobBuilder::scatter(kScatter, m.self, updates, Combine::kAssign);
  address(job, m.self, positions);
  Job built = std::move(job).build();
  built.kept = std::move(kept);
  return built;
}

Tensor masked_scatter(const View& self, const View& mask, const View& source, const RunOptions& run) {
  return value_or_throw(run_one(lower_masked_scatter(self, mask, source), run));
}

void masked_scatter_(const MutableView& self, const View& mask, const View& source, const RunOptions& run) {
  check_in_place(kScatter, self, mask);
  run_on(self, lower_masked_scatter(self, mask, source), run);
}

extern const Op op_masked_fill, op_masked_select, op_masked_scatter;
const Op op_masked_fill{"masked_fill", "(input, mask, value)", lower_fill_call};
const Op op_masked_select{"masked_select", "(input, mask)", [](Arguments& a) -> Result<Jobs> {
  const View input = a.tensor("input"), mask = a.tensor("mask");
  GARNER_TRY(a.status());
  return one(lower_masked_select(input, mask));
}};
const Op op_masked_scatter{"masked_scatter", "(input, mask, source)", [](Arguments& a) -> Result<Jobs> {
  const View input = a.tensor("input"), mask = a.tensor("mask"), source = a.tensor("source");
  GARNER_TRY(a.status());
  return one(lower_masked_scatter(input, mask, source));
}};

}  // namespace garner::torch
