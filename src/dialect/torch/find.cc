// torch.nonzero(input, *, as_tuple=False), torch.argmax and argmin(input, dim=None, keepdim=False)
#include "dialect/torch/common.h"
#include "index/outputs.h"

namespace garner::torch {
namespace {

// ---- nonzero ----

constexpr const char* kNonzero = "torch.nonzero";

/// One vector per axis. A rank-0 tensor has one axis here, unlike in the other form.
Status tuple(const View& given, const RunOptions& run, Results& results) {
  const View self = lifted(given);
  GARNER_ASSIGN(const Tensor columns, index::nonzero(self, {.layout = Layout::kColumns}, run));
  GARNER_ASSIGN(const std::span<index::Output> out, results.room(self.shape().size()));
  for (index::Output& column : out)
    GARNER_TRY(column.open(kNonzero, DType::kI64, {columns.shape()[1]}, {&self}, run.stream));
  for (Index a = 0; index::Output & column : out) GARNER_TRY(column.put(slice_at(columns, 0, a++), run));
  return {};
}

// ---- argmax, argmin ----

struct Extreme {
  const char* op;
  Status (*find)(const View&, const ArgOptions&, const RunOptions&, index::Output&);
};
constexpr Extreme kMax{"torch.argmax", index::argmax}, kMin{"torch.argmin", index::argmin};

Status check_choice(const char* op, const View& self, std::optional<Index> dim) {
  if (dim ? self.rank() == 0 || self.extent(*dim) > 0 : self.elements() > 0) return {};
  return fail(Code::kIndex, "TO36", "{}: shape of input is {}, allowed one with elements to choose from", op,
              list(self.shape()));
}

struct Choice {
  std::optional<Index> dim;
  bool keepdim;
};

Status extreme(const Extreme& what, const View& self, Choice choice, const RunOptions& run, index::Output& out) {
  auto& [dim, keepdim] = choice;
  GARNER_TRY(check_ordered(what.op, self));
  if (dim) { GARNER_ASSIGN(dim, wrapped_dim(what.op, *dim, self.rank())); }
  GARNER_TRY(check_choice(what.op, self, dim));
  if (self.rank() == 0) dim.reset();
  return what.find(self, {.axis = dim, .keepdims = keepdim}, run, out);
}

Tensor fresh_extreme(const Extreme& what, const View& self, const Choice& choice, const RunOptions& run) {
  return value_or_throw(index::fresh([&](index::Output& out) { return extreme(what, self, choice, run, out); }));
}

Status extreme_call(const Extreme& what, Arguments& a, const RunOptions& run, Results& results) {
  const View input = a.tensor("input");
  const Choice choice{a.maybe_integer("dim"), a.flag("keepdim")};
  GARNER_TRY(a.status());
  return results.one([&](index::Output& out) { return extreme(what, input, choice, run, out); });
}

}  // namespace

Tensor nonzero(const View& self, const RunOptions& run) { return value_or_throw(index::nonzero(self, {}, run)); }
std::vector<Tensor> nonzero_as_tuple(const View& self, const RunOptions& run) {
  Results results;
  value_or_throw(tuple(self, run, results));
  return value_or_throw(results.close(run));
}

Tensor argmax(const View& self, std::optional<Index> dim, bool keepdim, const RunOptions& run) {
  return fresh_extreme(kMax, self, {dim, keepdim}, run);
}
Tensor argmin(const View& self, std::optional<Index> dim, bool keepdim, const RunOptions& run) {
  return fresh_extreme(kMin, self, {dim, keepdim}, run);
}

extern const Op op_nonzero, op_argmax, op_argmin;
const Op op_nonzero = on_any_device({"nonzero", "(input, *, as_tuple=False)", nullptr,
                                     [](Arguments& a, const RunOptions& run, Results& results) -> Status {
  const View input = a.tensor("input");
  const bool as_tuple = a.flag("as_tuple");
  GARNER_TRY(a.status());
  if (as_tuple) return tuple(input, run, results);
  return results.one([&](index::Output& out) { return index::nonzero(input, {}, run, out); });
}});
const Op op_argmax = on_any_device(
    {"argmax", "(input, dim=None, keepdim=False)", nullptr,
     [](Arguments& a, const RunOptions& run, Results& results) { return extreme_call(kMax, a, run, results); }});
const Op op_argmin = on_any_device(
    {"argmin", "(input, dim=None, keepdim=False)", nullptr,
     [](Arguments& a, const RunOptions& run, Results& results) { return extreme_call(kMin, a, run, results); }});

}  // namespace garner::torch
