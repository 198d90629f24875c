// torch.searchsorted(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None)
#include <utility>

#include "dialect/torch/common.h"
#include "garner/cuda.h"
#include "index/outputs.h"
#include "tensor/cast.h"
#include "tensor/walk.h"

namespace garner::torch {
namespace {

constexpr const char* kName = "torch.searchsorted";

Status check_shapes(const View& sequence, const View& values) {
  const Axes &s = sequence.shape(), &v = values.shape();
  const bool one_sequence = s.size() == 1;
  const bool paired = !s.empty() && s.size() == v.size() && std::equal(s.begin(), s.end() - 1, v.begin());
  if (one_sequence || paired) return {};
  return fail(Code::kInvalidArgument, "TO38",
              "{}: shape of sorted_sequence is {}, allowed rank 1 or leading extents {}", kName, list(s),
              list(v.empty() ? v : Axes(v.begin(), v.end() - 1)));
}

Status check_dtype(const View& view) {
  if (is_integer(view.dtype()) || kind(view.dtype()) == Kind::kFloat) return {};
  return fail(Code::kUnsupported, "TO41", "{}: a tensor is {}, allowed integer and float dtypes", kName,
              name(view.dtype()));
}

Status check_sorter(const View& sequence, const View& sorter) {
  if (sorter.dtype() != DType::kI64)
    return fail(Code::kInvalidArgument, "TO40", "{}: sorter is {}, allowed i64", kName, name(sorter.dtype()));
  if (sorter.shape() == sequence.shape()) return {};
  return fail(Code::kInvalidArgument, "TO40", "{}: shape of sorter is {}, allowed {}", kName, list(sorter.shape()),
              list(sequence.shape()));
}

/// The sequence in the order of the sorter: a gather along the last axis.
Result<Tensor> in_order(const View& sequence, const View& sorter, const RunOptions& run) {
  GARNER_TRY(check_sorter(sequence, sorter));
  GARNER_ASSIGN(Job job, lower_gather(sequence, -1, sorter));
  job.op = kName;
  for (TermLabel& label : job.labels) label.name = "sorter";
  return run_one(job, run);
}

/// Both in one dtype. u64 beside another integer meets it in f64, as in NumPy.
struct Pair {
  Tensor sequence, values;
};
Result<Pair> converted_pair(const View& sequence, const View& values) {
  const auto signed_enough = [](const View& v) { return is_integer(v.dtype()) && v.dtype() != DType::kU64; };
  const DType common = signed_enough(sequence) && signed_enough(values) ? DType::kI64 : DType::kF64;
  GARNER_ASSIGN(Tensor s, cast(sequence, common));
  GARNER_ASSIGN(Tensor v, cast(values, common));
  return Pair{s, v};
}

/// A row of a batch: everything but the last axis fixed.
View row(View view, const Axes& lead) {
  for (const Index at : lead) view = slice_at(view, 0, at);
  return view;
}

/// One search per row of values, each in its own sequence.
Status search_rows(const View& sequence, const View& values, Side side, const RunOptions& run, index::Output& out) {
  GARNER_TRY(out.open(kName, DType::kI64, values.shape(), {&sequence, &values}, run.stream));
  auto* to = out.as<Index>();
  const Axes one_row{values.shape().back()};
  Status status;
  walk_positions(Axes(values.shape().begin(), values.shape().end() - 1), [&](const Axes& lead) {
    if (!status.ok()) return;
    const MutableView found = MutableView(std::exchange(to, to + one_row[0]), one_row).on(values.device());
    status = index::searchsorted_into(row(sequence, lead), row(values, lead), found, side, run);
  });
  return status;
}

Status search_same(const View& sequence, const View& values, Side side, const RunOptions& run, index::Output& out) {
  if (sequence.rank() == 1) return index::searchsorted(sequence, values, side, run, out);
  return search_rows(sequence, values, side, run, out);
}

Status search_any(const View& sequence, const View& values, Side side, const RunOptions& run, index::Output& out) {
  if (sequence.dtype() == values.dtype()) return search_same(sequence, values, side, run, out);
  GARNER_ASSIGN(const Pair pair, converted_pair(sequence, values));
  return search_same(pair.sequence, pair.values, side, run, out);
}

/// Half as wide as they are found.
Status search_i32(const View& sequence, const View& values, Side side, const RunOptions& run, index::Output& out) {
  GARNER_ASSIGN(const Tensor found,
                index::fresh([&](index::Output& wide) { return search_any(sequence, values, side, run, wide); }));
  GARNER_TRY(out.open(kName, DType::kI32, found.shape(), {&found.view()}, run.stream));
  GARNER_ASSIGN(const Tensor narrow, cast(found, DType::kI32));
  return out.put(narrow, run);
}

Status search(const View& given, const View& values, const SearchOptions& options, const RunOptions& run,
              index::Output& out) {
  GARNER_TRY(check_shapes(given, values));
  GARNER_TRY(check_dtype(given));
  GARNER_TRY(check_dtype(values));
  Tensor ordered;
  View sequence = given;
  if (options.sorter) {
    GARNER_ASSIGN(ordered, in_order(given, *options.sorter, run));
    sequence = ordered;
  }
  const Side side = options.right ? Side::kRight : Side::kLeft;
  return (options.out_int32 ? search_i32 : search_any)(sequence, values, side, run, out);
}

/// side and right say the same; side=left beside right=True contradicts it.
Result<bool> right_argument(Arguments& a) {
  const bool right = a.flag("right");
  if (!a.has("side")) return right;
  const std::string side = a.word("side");
  GARNER_TRY(a.status());
  if (side == "right" || (side == "left" && !right)) return side == "right";
  return fail(Code::kInvalidArgument, "TO39", "{}: side is {}, allowed {}", kName, side,
              right ? "right beside right=True" : "left right");
}

Status evaluate(Arguments& a, const RunOptions& run, Results& results) {
  const View sequence = a.tensor("sorted_sequence"), input = a.tensor("input");
  SearchOptions options{.sorter = a.maybe_tensor("sorter"), .out_int32 = a.flag("out_int32")};
  GARNER_ASSIGN(options.right, right_argument(a));
  GARNER_TRY(a.status());
  return results.one([&](index::Output& out) { return search(sequence, input, options, run, out); });
}

}  // namespace

Tensor searchsorted(const View& sorted_sequence, const View& values, const SearchOptions& options,
                    const RunOptions& run) {
  return value_or_throw(
      index::fresh([&](index::Output& out) { return search(sorted_sequence, values, options, run, out); }));
}

extern const Op op_searchsorted;
const Op op_searchsorted =
    on_any_device({"searchsorted", "(sorted_sequence, input, *, out_int32=False, right=False, side=None, sorter=None)",
                   nullptr, evaluate});

}  // namespace garner::torch
