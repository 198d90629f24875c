// torch.scatter(input, dim, index, src or value, *, reduce=None), torch.scatter_add(input, dim, index, src)
//   result = input; result[d with d[dim] replaced by index[d]] = src[d], or += or *=
#include "dialect/torch/elements.h"

namespace garner::torch {
namespace {

constexpr const char *kName = "torch.scatter", *kAddName = "torch.scatter_add";

Combine combine_of(Write write) {
  switch (write) {
    case Write::kAssign: return Combine::kAssign;
    case Write::kAdd: return Combine::kAdd;
    case Write::kMultiply: return Combine::kMul;
  }
  return Combine::kAssign;
}

Result<Write> write_argument(Arguments& a) {
  if (!a.has("reduce")) return Write::kAssign;
  const std::string word = a.word("reduce");
  GARNER_TRY(a.status());
  if (word == "add") return Write::kAdd;
  if (word == "multiply") return Write::kMultiply;
  return fail(Code::kInvalidArgument, "TO9", "{}: reduce is {}, allowed add multiply", kName, word);
}

/// A number may stand for src by position; exactly one of src and value is given.
Result<const char*> given_argument(const Arguments& a) {
  if (a.has("src") == a.has("value"))
    return fail(Code::kType, "A2", "{}: {} of src and value are given, allowed one", kName, a.has("src") ? 2 : 0);
  return a.has("src") ? "src" : "value";
}

Result<Jobs> lower_call(Arguments& a) {
  const View input = a.tensor("input"), index = a.tensor("index");
  const Index dim = a.integer("dim");
  GARNER_ASSIGN(const Write write, write_argument(a));
  GARNER_ASSIGN(const char* given, given_argument(a));
  GARNER_TRY(a.status());
  if (given == std::string_view("value") || is_number(a.value(given))) {
    GARNER_ASSIGN(const Scalar value, scalar_argument(a, given));
    return one(lower_scatter(input, dim, index, value, write));
  }
  const View src = a.tensor("src");
  GARNER_TRY(a.status());
  return one(lower_scatter(input, dim, index, src, write));
}

Result<Jobs> lower_add_call(Arguments& a) {
  const View input = a.tensor("input"), index = a.tensor("index"), src = a.tensor("src");
  const Index dim = a.integer("dim");
  GARNER_TRY(a.status());
  return one(lower_scatter_add(input, dim, index, src));
}

}  // namespace

Result<Job> lower_scatter(const View& self, Index dim, const View& index, const View& src, Write write) {
  return lower_elements({kName, combine_of(write)}, self, dim, index, src);
}

Result<Job> lower_scatter(const View& self, Index dim, const View& index, const Scalar& value, Write write) {
  GARNER_ASSIGN(const Tensor number, scalar_as(kName, value, self.dtype()));
  GARNER_ASSIGN(const View src, broadcast_to(number, lifted(index).shape()));
  GARNER_ASSIGN(Job job, lower_scatter(self, dim, index, src, write));
  job.kept.push_back(number);
  return job;
}

Result<Job> lower_scatter_add(const View& self, Index dim, const View& index, const View& src) {
  return lower_elements({kAddName, Combine::kAdd}, self, dim, index, src);
}

Tensor scatter(const View& self, Index dim, const View& index, const View& src, Write write, const RunOptions& run) {
  return value_or_throw(run_as(lower_scatter(self, dim, index, src, write), self.shape(), run));
}

Tensor scatter(const View& self, Index dim, const View& index, const Scalar& value, Write write,
               const RunOptions& run) {
  return value_or_throw(run_as(lower_scatter(self, dim, index, value, write), self.shape(), run));
}

void scatter_(const MutableView& self, Index dim, const View& index, const View& src, Write write,
              const RunOptions& run) {
  run_on(self, lower_scatter(self, dim, index, src, write), run);
}

void scatter_(const MutableView& self, Index dim, const View& index, const Scalar& value, Write write,
              const RunOptions& run) {
  run_on(self, lower_scatter(self, dim, index, value, write), run);
}

Tensor scatter_add(const View& self, Index dim, const View& index, const View& src, const RunOptions& run) {
  return value_or_throw(run_as(lower_scatter_add(self, dim, index, src), self.shape(), run));
}

void scatter_add_(const MutableView& self, Index dim, const View& index, const View& src, const RunOptions& run) {
  run_on(self, lower_scatter_add(self, dim, index, src), run);
}

extern const Op op_scatter, op_scatter_add;
const Op op_scatter{"scatter",  "(input, dim, index, src=None, *, value=None, reduce=None)",
                    lower_call, run_like_input<lower_call>,
                    nullptr,    true};
const Op op_scatter_add{
    "scatter_add", "(input, dim, index, src)", lower_add_call, run_like_input<lower_add_call>, nullptr, true};

}  // namespace garner::torch
