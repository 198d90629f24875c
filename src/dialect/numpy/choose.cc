// numpy.choose(a, choices, out=None, mode=raise)
//   result[d] = choices[a[d]][d], everything broadcast to one shape
// One gather on an array that has the choices along its first axis; separate choices are stacked first.
#include <algorithm>

#include "base/fail.h"
#include "dialect/numpy/convert.h"
#include "dialect/numpy/indices.h"
#include "garner/error.h"
#include "tensor/cast.h"

namespace garner::numpy {
namespace {

constexpr const char* kName = "numpy.choose";

Status check_any(Index choices) {
  if (choices > 0) return {};
  return fail(Code::kInvalidArgument, "NP17", "{}: there are 0 choices, allowed [1, 2^63)", kName);
}

Result<Axes> common_shape(const std::vector<Axes>& shapes) {
  auto common = broadcast_shapes(shapes);
  if (common) return *std::move(common);
  return fail(Code::kInvalidArgument, "NP18", "{}: shapes are {}, allowed what broadcasts together", kName,
              shapes_text(shapes));
}

Result<DType> common_dtype(const std::vector<View>& choices) {
  DType common = choices.front().dtype();
  for (const View& choice : choices) {
    const auto wider = promote(common, choice.dtype());
    if (!wider)
      return fail(Code::kType, "NP22", "{}: choices are {} and {}, allowed dtypes with a common one", kName,
                  name(common), name(choice.dtype()));
    common = *wider;
  }
  return common;
}

Status copy_choice(const View& choice, const MutableView& to, Index k) {
  GARNER_ASSIGN(const Tensor typed, cast(choice, to.dtype()));
  GARNER_ASSIGN(const View wide, broadcast_to(typed, Axes(to.shape().begin() + 1, to.shape().end())));
  auto copy = JobBuilder::gather(kName, wide, wide.shape());
  for (Index a = 0; a < wide.rank(); ++a) copy.follow(a, a);
  const View place = slice_at(to, 0, k);
  auto* data = static_cast<std::byte*>(to.mutable_data()) + k * to.stride(0) * width(to.dtype());
  return run_into(std::move(copy).build(), MutableView(to.dtype(), data, place.shape(), place.stride()));
}

Result<Tensor> stacked(const std::vector<View>& choices) {
  std::vector<Axes> shapes;
  for (const View& choice : choices) {
    GARNER_TRY(validate(choice, fmt::format("{}: choice", kName)));
    shapes.push_back(choice.shape());
  }
  GARNER_ASSIGN(Axes shape, common_shape(shapes));
  GARNER_ASSIGN(const DType dtype, common_dtype(choices));
  shape.insert(shape.begin(), static_cast<Index>(choices.size()));
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype, shape));
  for (std::size_t k = 0; k < choices.size(); ++k)
    GARNER_TRY(copy_choice(choices[k], out.view(), static_cast<Index>(k)));
  return out;
}

/// A choice is no position: negatives do not count from the end.
Bounds choice_bounds(Mode mode, Index choices) {
  Bounds bounds = bounds_of(mode, choices);
  bounds.wrap = 0;
  return bounds;
}

/// NumPy calls a choice that is not there a bad value, not a bad index.
Status as_value_error(Status status) {
  if (status.rule == "NP17") status.code = Code::kInvalidArgument;
  return status;
}

Tensor chosen(const Result<Job>& job, const RunOptions& run) {
  const auto result = run_one(job, run);
  value_or_throw(as_value_error(result.status()));
  return *result;
}

Result<Job> lower_call(Arguments& args) {
  const View a = args.tensor("a");
  const bool is_array = args.value("choices").memory().has_value();
  const std::vector<View> choices = args.tensors("choices");
  GARNER_ASSIGN(const Mode mode, mode_argument(args));
  if (args.has("out")) return fail(Code::kUnsupported, "NP20", "{}: out is given, allowed None", kName);
  return is_array ? lower_choose(a, choices.front(), mode) : lower_choose(a, choices, mode);
}

/// A choice in the common dtype; one that requires gradients has it already (G11).
Result<grad::Var> typed(const grad::Var& choice, DType dtype) {
  if (choice.dtype() == dtype) return choice;
  if (choice.requires_grad())
    return fail(Code::kUnsupported, "G11", "{}: a choice is {}, allowed {} for gradients", kName, name(choice.dtype()),
                name(dtype));
  GARNER_ASSIGN(Tensor converted, cast(choice.value(), dtype));
  return grad::Var(std::move(converted));
}

/// Separate choices are stacked as variables.
Result<std::vector<grad::Var>> record(Arguments& args, const Leaves& leaves) {
  GARNER_TRY(lower_call(args));  // refuses what the call refuses
  const View a = args.tensor("a");
  const std::vector<View> choices = args.tensors("choices");
  GARNER_ASSIGN(const Mode mode, mode_argument(args));
  std::vector<Axes> shapes;
  for (const View& choice : choices) shapes.push_back(choice.shape());
  GARNER_ASSIGN(Axes shape, common_shape(shapes));
  std::vector<grad::Var> rows;
  Axes row = shape;
  row.insert(row.begin(), 1);
  GARNER_ASSIGN(const DType dtype, common_dtype(choices));
  for (const View& choice : choices) {
    GARNER_ASSIGN(const grad::Var one, typed(leaves.of(choice), dtype));
    rows.push_back(grad::reshape(grad::broadcast(one, shape), row));
  }
  const bool is_array = args.value("choices").memory().has_value();
  const grad::Var all = is_array ? leaves.of(choices.front()) : grad::concatenate(rows);
  return std::vector<grad::Var>{
      grad::call({all}, [&](const std::vector<View>& v) { return lower_choose(a, v[0], mode); })};
}

}  // namespace

Result<Job> lower_choose(const View& a, const View& choices, Mode mode) {
  GARNER_TRY(validate(a, fmt::format("{}: a", kName)));
  GARNER_TRY(validate(choices, fmt::format("{}: choices", kName)));
  if (choices.rank() == 0) return fail(Code::kType, "NP22", "{}: choices have rank 0, allowed [1, 2^63)", kName);
  GARNER_TRY(check_any(choices.extent(0)));
  std::vector<Tensor> kept;
  GARNER_ASSIGN(const View integers, integer_indices(kName, a, IndexCast::kSafe, kept));
  const Axes one_choice(choices.shape().begin() + 1, choices.shape().end());
  GARNER_ASSIGN(const Axes domain, common_shape({a.shape(), one_choice}));
  auto job = JobBuilder::gather(kName, choices, domain);
  const Index rank = static_cast<Index>(domain.size()), lead = rank - (choices.rank() - 1);
  const Axes along = axes_from(rank - a.rank(), a.rank());
  job.look_up(0, job.term(integers, along, choice_bounds(mode, choices.extent(0)), "a", "NP17"));
  for (Index c = 1; c < choices.rank(); ++c)
    if (choices.extent(c) != 1) job.follow(c, lead + c - 1);
  return finish(std::move(job), std::move(kept));
}

Result<Job> lower_choose(const View& a, const std::vector<View>& choices, Mode mode) {
  GARNER_TRY(check_any(static_cast<Index>(choices.size())));
  GARNER_ASSIGN(Tensor all, stacked(choices));
  GARNER_ASSIGN(Job job, lower_choose(a, View(all), mode));
  job.kept.push_back(std::move(all));
  return job;
}

Tensor choose(const View& a, const std::vector<View>& choices, Mode mode, const RunOptions& run) {
  return chosen(lower_choose(a, choices, mode), run);
}

Tensor choose(const View& a, const View& choices, Mode mode, const RunOptions& run) {
  return chosen(lower_choose(a, choices, mode), run);
}

extern const Op op_choose;
const Op op_choose{"choose", "(a, choices, out=None, mode=raise)", [](Arguments& args) -> Result<Jobs> {
  return one(lower_call(args));
}, [](Arguments& args, const RunOptions& run, Results& results) {
  return as_value_error(results.run(lower_call(args), run));
}, record};

}  // namespace garner::numpy
