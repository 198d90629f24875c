// deepnet.allIdx: positions made while they are walked.
#include "dialect/deepnet/index_common.h"
#include "tensor/walk.h"

namespace garner::deepnet {

AllIdx::Iterator::Iterator(const Axes& shape) : shape_(shape), position_(shape.size(), 0), done_(any_zero(shape)) {}

AllIdx::Iterator& AllIdx::Iterator::operator++() {
  done_ = !next_position(position_, shape_);
  return *this;
}

std::ranges::iota_view<Index, Index> all_idx_of_dim(Index dim, const View& a) {
  value_or_throw(check_axis("deepnet.all_idx_of_dim", dim, a));
  return {Index{0}, a.extent(dim)};
}

namespace {

/// A call's result has to be a tensor: one row per position.
Status all_rows(const View& a, index::Output& out) {
  constexpr const char* kOp = "deepnet.all_idx";
  GARNER_TRY(validate(a, kOp));
  GARNER_TRY(out.open(kOp, DType::kI64, {a.elements(), a.rank()}, {}));
  auto* to = out.as<Index>();
  for (const Axes& at : all_idx(a)) to = std::ranges::copy(at, to).out;
  return {};
}

}  // namespace

extern const Op op_all_idx;
const Op op_all_idx{"all_idx", "(a)", nullptr, [](Arguments& args, const RunOptions&, Results& results) -> Status {
  const View a = args.tensor("a");
  GARNER_TRY(args.status());
  return results.one([&](index::Output& out) { return all_rows(a, out); });
}};

}  // namespace garner::deepnet
