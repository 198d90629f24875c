// torch.nonzero(input, *, as_tuple=False), torch.argmax and argmin(input, dim=None, keepdim=False)
#include "dialect/torch/common.h"

namespace garner::torch {
namespace {

// ---- nonzero ----

/// A rank-0 tensor has one axis here, unlike in the other form.
Result<std::vector<Tensor>> tuple(const View& given, const RunOptions& run) {
  const View self = lifted(given);
  GARNER_ASSIGN(const Tensor columns, index::nonzero(self, {.layout = Layout::kColumns}, run));
  std::vector<Tensor> out;
  for (Index a = 0; a < self.rank(); ++a) {
    GARNER_ASSIGN(Tensor column, contiguous(slice_at(columns, 0, a)));
    out.push_back(std::move(column));
  }
  return out;
}

// ---- argmax, argmin ----

struct Extreme {
  const char* op;
  Result<Tensor> (*find)(const View&, const ArgOptions&, const RunOptions&);
};
constexpr Extreme kMax{"torch.argmax", index::argmax}, kMin{"torch.argmin", index::argmin};

Status check_choice(const char* op, const View& self, std::optional<Index> dim) {
  if (dim ? self.rank() == 0 || self.extent(*dim) > 0 : self.elements() > 0) return {};
  return fail(Code::kIndex, "TO36", "{}: shape of input is {}, allowed one with elements to choose from", op,
              list(self.shape()));
}

Result<Tensor> extreme(const Extreme& what, const View& self, std::optional<Index> dim, bool keepdim,
                       const RunOptions& run) {
  GARNER_TRY(check_ordered(what.op, self));
  if (dim) { GARNER_ASSIGN(dim, wrapped_dim(what.op, *dim, self.rank())); }
  GARNER_TRY(check_choice(what.op, self, dim));
  if (self.rank() == 0) dim.reset();
  return what.find(self, {.axis = dim, .keepdims = keepdim}, run);
}

Result<std::vector<Tensor>> extreme_call(const Extreme& what, Arguments& a, const RunOptions& run) {
  const View input = a.tensor("input");
  const auto dim = a.maybe_integer("dim");
  const bool keepdim = a.flag("keepdim");
  GARNER_TRY(a.status());
  return only(extreme(what, input, dim, keepdim, run));
}

}  // namespace

Tensor nonzero(const View& self, const RunOptions& run) { return value_or_throw(index::nonzero(self, {}, run)); }
std::vector<Tensor> nonzero_as_tuple(const View& self, const RunOptions& run) {
  return value_or_throw(tuple(self, run));
}

Tensor argmax(const View& self, std::optional<Index> dim, bool keepdim, const RunOptions& run) {
  return value_or_throw(extreme(kMax, self, dim, keepdim, run));
}
Tensor argmin(const View& self, std::optional<Index> dim, bool keepdim, const RunOptions& run) {
  return value_or_throw(extreme(kMin, self, dim, keepdim, run));
}

extern const Op op_nonzero, op_argmax, op_argmin;
const Op op_nonzero = on_any_device({"nonzero", "(input, *, as_tuple=False)", nullptr,
                                     [](Arguments& a, const RunOptions& run) -> Result<std::vector<Tensor>> {
  const View input = a.tensor("input");
  const bool as_tuple = a.flag("as_tuple");
  GARNER_TRY(a.status());
  return as_tuple ? tuple(input, run) : only(index::nonzero(input, {}, run));
}});
const Op op_argmax = on_any_device({"argmax", "(input, dim=None, keepdim=False)", nullptr,
                                    [](Arguments& a, const RunOptions& run) { return extreme_call(kMax, a, run); }});
const Op op_argmin = on_any_device({"argmin", "(input, dim=None, keepdim=False)", nullptr,
                                    [](Arguments& a, const RunOptions& run) { return extreme_call(kMin, a, run); }});

}  // namespace garner::torch
