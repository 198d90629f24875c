// stablehlo.scatter(inputs, scatter_indices, updates, …)
//   results = inputs; results[start + batching + window] = computation(results[…], updates[U]), outside is skipped
#include <algorithm>

#include "base/fail.h"
#include "dialect/op.h"
#include "dialect/stablehlo/addressing.h"
#include "dialect/stablehlo/promote.h"
#include "garner/error.h"
#include "tensor/cast.h"

namespace garner::stablehlo {
namespace {

// ---- rules about inputs and updates ----

Status check_counts(const Words& w, const ScatterArguments& args) {
  if (!args.inputs.empty() && args.inputs.size() == args.updates.size()) return {};
  return fail(Code::kInvalidArgument, "scatter_C5",
              "{}: updates has {} entries, allowed {} (as many as inputs, at least 1)", w.op, args.updates.size(),
              args.inputs.size());
}

Status require_same_shapes(const Words& w, const std::vector<View>& views, const char* called, const char* rule) {
  for (std::size_t i = 1; i < views.size(); ++i)
    if (views[i].shape() != views[0].shape())
      return fail(Code::kInvalidArgument, rule, "{}: {}[{}] has shape {}, allowed {} (that of the first)", w.op, called,
                  static_cast<Index>(i) + w.base, list(views[i].shape()), list(views[0].shape()));
  return {};
}

Status check_dtypes(const Words& w, const ScatterArguments& args) {
  for (std::size_t i = 0; i < args.inputs.size(); ++i)
    if (args.inputs[i].dtype() != args.updates[i].dtype())
      return fail(Code::kType, "scatter_C6", "{}: updates[{}] is {}, allowed {} (the dtype of its input)", w.op,
                  static_cast<Index>(i) + w.base, name(args.updates[i].dtype()), name(args.inputs[i].dtype()));
  return {};
}

Status check_updates_rank(const Words& w, const Addressing& a, const Axes& indices, Index rank) {
  const Index wanted = static_cast<Index>(batch_extents(a, indices).size() + a.window.size());
  if (rank == wanted) return {};
  return fail(Code::kInvalidArgument, "scatter_C4",
              "{}: updates has rank {}, allowed {} (scatter and window dimensions)", w.op, rank, wanted);
}

Status bad_extent(const Words& w, Index extent, const std::string& allowed, Index axis) {
  return fail(Code::kInvalidArgument, "scatter_C4", "{}: updates extent is {}, allowed {} on axis {}", w.op, extent,
              allowed, axis + w.base);
}

Status check_update_extents(const Words& w, const Addressing& a, const Axes& input, const Axes& indices,
                            const Axes& updates) {
  const Axes batch = batch_extents(a, indices), batch_axes = axes_without(static_cast<Index>(updates.size()), a.window);
  for (std::size_t i = 0; i < batch.size(); ++i)
    if (const Index n = at(updates, batch_axes[i]); n != batch[i])
      return bad_extent(w, n, fmt::format("{} (that of {})", batch[i], w.indices), batch_axes[i]);
  const Axes dims = window_dims(a, static_cast<Index>(input.size()));
  for (std::size_t i = 0; i < dims.size(); ++i)
    if (const Index n = at(updates, a.window[i]); n > at(input, dims[i]))
      return bad_extent(w, n, fmt::format("[0, {}]", at(input, dims[i])), a.window[i]);
  return {};
}

Status check_places(const Words& w, const Addressing& a, const ScatterArguments& args) {
  const Axes &input = args.inputs[0].shape(), &indices = args.indices.shape(), &updates = args.updates[0].shape();
  GARNER_TRY(check_integer(w, args.indices));
  GARNER_TRY(check_addressing(w, a, input, indices, static_cast<Index>(updates.size())));
  GARNER_TRY(check_updates_rank(w, a, indices, static_cast<Index>(updates.size())));
  return check_update_extents(w, a, input, indices, updates);
}

// ---- rules about the computation ----

bool is_logic(Combine c) { return c == Combine::kAnd || c == Combine::kOr || c == Combine::kXor; }
bool is_order(Combine c) { return c == Combine::kMin || c == Combine::kMax; }

bool takes(Combine combine, DType dtype) {
  if (combine == Combine::kCompareExchange) return false;
  if (is_logic(combine)) return is_integer(dtype) || dtype == DType::kBool;
  return !is_order(combine) || kind(dtype) != Kind::kComplex;
}

Status check_builtin(const Words& w, const Computation& computation, DType dtype) {
  if (takes(computation.combine, dtype)) return {};
  return fail(Code::kType, "scatter_C23", "{}: update_computation is {} on {}, allowed a function of that dtype", w.op,
              name(computation.combine), name(dtype));
}

Status check_types(const Words& w, const Computation& computation, const std::vector<View>& inputs) {
  const auto& types = computation.types;
  if (!types.empty() && types.size() != inputs.size())
    return fail(Code::kType, "scatter_C23", "{}: update_computation has {} types, allowed {} (one per input)", w.op,
                types.size(), inputs.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    if (!is_promotable(inputs[i].dtype(), types[i]))
      return fail(Code::kType, "scatter_C23", "{}: update_computation takes {}, allowed {} or a wider one of its kind",
                  w.op, name(types[i]), name(inputs[i].dtype()));
  return {};
}

Status check_computation(const Words& w, const Computation& computation, const std::vector<View>& inputs) {
  GARNER_TRY(check_types(w, computation, inputs));
  if ((computation.combine == Combine::kUser) != static_cast<bool>(computation.user))
    return fail(Code::kType, "scatter_C23", "{}: update_computation is {}, allowed user with a function, and only then",
                w.op, name(computation.combine));
  for (const View& input : inputs) GARNER_TRY(check_builtin(w, computation, input.dtype()));
  return {};
}

// ---- lowering ----

/// Arithmetic on truth values is logic.
Combine on_dtype(Combine combine, DType dtype) {
  if (dtype != DType::kBool) return combine;
  if (combine == Combine::kAdd || combine == Combine::kMax) return Combine::kOr;
  return combine == Combine::kMul || combine == Combine::kMin ? Combine::kAnd : combine;
}

/// Sizes of the window along every input axis; 1 where there is none.
Axes window_sizes(const Addressing& a, const View& input, const View& updates) {
  Axes out(input.shape().size(), 1);
  const Axes dims = window_dims(a, input.rank());
  for (std::size_t i = 0; i < dims.size(); ++i) out[static_cast<std::size_t>(dims[i])] = updates.extent(a.window[i]);
  return out;
}

std::vector<Bounds> skipping(const Words& w, const Addressing& a, const View& input, const Axes& window,
                             OutOfBounds out_of_bounds) {
  std::vector<Bounds> out;
  for (const Index d : a.map) {
    if (out_of_bounds == OutOfBounds::kSkipWindow)
      out.push_back(fitting(w, input.extent(d), at(window, d), OutOfRange::kDrop));
    else out.push_back({.lo = 0, .hi = input.extent(d), .policy = OutOfRange::kDrop, .scope = Scope::kPosition});
  }
  return out;
}

/// An inserted axis of extent 0 that no index addresses has no position 0 to write to. The result is empty anyway, but
/// the plan must stay inside: an index that is always out of range, returned here, says that nothing is written.
Tensor write_nothing(JobBuilder& job, const Words& w, Index axis) {
  const Tensor zero = scalar(Index{0});
  job.look_up(axis, job.term(zero, {}, {.hi = 0, .policy = OutOfRange::kDrop}, w.indices, w.integer));
  return zero;
}

bool is_void(const Addressing& a, const View& input, Index d) {
  return input.extent(d) == 0 && std::find(a.map.begin(), a.map.end(), d) == a.map.end();
}

/// Where to write: the same for every input.
struct Places {
  const Words& words;
  const Addressing& addressing;
  const View& indices;
  OutOfBounds out_of_bounds;
};

Job scatter_job(const Places& p, const View& input, const View& updates, Combine combine) {
  const Addressing& a = p.addressing;
  auto builder = JobBuilder::scatter(p.words.op, input, updates, combine);
  const Axes window = window_sizes(a, input, updates);
  address(builder, p.words, a, p.indices, skipping(p.words, a, input, window, p.out_of_bounds));
  std::vector<Tensor> kept;
  for (const Index d : a.removed)
    if (is_void(a, input, d)) kept.push_back(write_nothing(builder, p.words, d));
  Job job = std::move(builder).build();
  job.kept = std::move(kept);
  return job;
}

/// The arguments in the types the computation works in; `kept` owns those that had to be converted.
struct Promoted {
  std::vector<View> inputs, updates;
  std::vector<Tensor> kept;
};

Result<View> promoted(const View& view, DType type, std::vector<Tensor>& kept) {
  if (view.dtype() == type) return view;
  GARNER_ASSIGN(const Tensor converted, cast(view, type));
  kept.push_back(converted);
  return View(converted);
}

Result<Promoted> promote(const ScatterArguments& args, const std::vector<DType>& types) {
  Promoted out{args.inputs, args.updates, {}};
  for (std::size_t i = 0; i < types.size(); ++i) {
    GARNER_ASSIGN(out.inputs[i], promoted(args.inputs[i], types[i], out.kept));
    GARNER_ASSIGN(out.updates[i], promoted(args.updates[i], types[i], out.kept));
  }
  return out;
}

Job joint_job(const Places& places, const Promoted& args, const UserCombine& user) {
  Job job = scatter_job(places, args.inputs[0], args.updates[0], Combine::kUser);
  job.user = user;
  job.more_operands.assign(args.inputs.begin() + 1, args.inputs.end());
  job.more_updates.assign(args.updates.begin() + 1, args.updates.end());
  return job;
}

std::vector<Job> separate_jobs(const Places& places, const Promoted& args, Combine combine) {
  std::vector<Job> jobs;
  for (std::size_t i = 0; i < args.inputs.size(); ++i) {
    const View& input = args.inputs[i];
    jobs.push_back(scatter_job(places, input, args.updates[i], on_dtype(combine, input.dtype())));
  }
  return jobs;
}

Addressing addressing(const ScatterDims& d) {
  return {d.update_window_dims,           d.inserted_window_dims,
          d.input_batching_dims,          d.scatter_indices_batching_dims,
          d.scatter_dims_to_operand_dims, d.index_vector_dim};
}

}  // namespace

Words scatter_words(const char* op) {
  return {.op = op,
          .base = 0,
          .operand = "inputs",
          .indices = "scatter_indices",
          .window = {"update_window_dims", "scatter_C7", "scatter_C7", "scatter_C8"},
          .removed = {"inserted_window_dims", "scatter_C10", "scatter_C9", "scatter_C11"},
          .operand_batching = {"input_batching_dims", "scatter_C12", "scatter_C9", "scatter_C13"},
          .indices_batching = {"scatter_indices_batching_dims", nullptr, "scatter_C14", "scatter_C15"},
          .map = {"scatter_dims_to_operand_dims", nullptr, "scatter_C20", "scatter_C21"},
          .rank = "scatter_C2",
          .vector_range = "scatter_C22",
          .map_length = "scatter_C19",
          .vector_not_batching = "scatter_C16",
          .batching_lengths = "scatter_C17",
          .paired_extents = "scatter_C18",
          .integer = "scatter_I2"};
}

Result<std::vector<Job>> scatter_jobs(const Words& w, const Addressing& a, const ScatterArguments& args,
                                      const Computation& computation, OutOfBounds out_of_bounds) {
  GARNER_TRY(check_counts(w, args));
  GARNER_TRY(require_same_shapes(w, args.inputs, "inputs", "scatter_C1"));
  GARNER_TRY(require_same_shapes(w, args.updates, "updates", "scatter_C3"));
  GARNER_TRY(check_dtypes(w, args));
  GARNER_TRY(check_places(w, a, args));
  GARNER_TRY(check_computation(w, computation, args.inputs));
  GARNER_ASSIGN(const Promoted operands, promote(args, computation.types));
  const Places places{w, a, args.indices, out_of_bounds};
  std::vector<Job> jobs = computation.user ? std::vector{joint_job(places, operands, computation.user)}
                                           : separate_jobs(places, operands, computation.combine);
  for (Job& job : jobs) job.kept.insert(job.kept.end(), operands.kept.begin(), operands.kept.end());
  return jobs;
}

Result<Computation> computation_named(const std::string& op, const std::string& word) {
  if (word == "replace") return Computation{};
  for (const Combine c :
       {Combine::kAdd, Combine::kMul, Combine::kMin, Combine::kMax, Combine::kAnd, Combine::kOr, Combine::kXor})
    if (word == name(c)) return Computation{.combine = c};
  return fail(Code::kInvalidArgument, "scatter_C23",
              "{}: update_computation is {}, allowed replace, add, mul, min, max, and, or, xor", op, word);
}

Result<OutOfBounds> out_of_bounds_named(const std::string& op, const std::string& word) {
  if (word == "element") return OutOfBounds::kSkipElement;
  if (word == "window") return OutOfBounds::kSkipWindow;
  return fail(Code::kInvalidArgument, "scatter_O1", "{}: out_of_bounds is {}, allowed element, window", op, word);
}

std::vector<Tensor> run_all(const Result<std::vector<Job>>& jobs, const RunOptions& options) {
  std::vector<Tensor> out;
  for (const Job& job : value_or_throw(jobs))
    for (Tensor& result : value_or_throw(run(job, options))) out.push_back(std::move(result));
  return out;
}

Result<std::vector<Job>> lower_scatter(const std::vector<View>& inputs, const View& scatter_indices,
                                       const std::vector<View>& updates, const ScatterDims& dims,
                                       const Computation& update_computation, const ScatterOptions& options) {
  return scatter_jobs(scatter_words("stablehlo.scatter"), addressing(dims), {inputs, scatter_indices, updates},
                      update_computation, options.out_of_bounds);
}

std::vector<Tensor> scatter(const std::vector<View>& inputs, const View& scatter_indices,
                            const std::vector<View>& updates, const ScatterDims& dims,
                            const Computation& update_computation, const ScatterOptions& options) {
  return run_all(lower_scatter(inputs, scatter_indices, updates, dims, update_computation, options), options.run);
}

extern const Op op_scatter;
const Op op_scatter{"scatter",
                    "(inputs, scatter_indices, updates, *, update_window_dims=[], inserted_window_dims=[], "
                    "input_batching_dims=[], scatter_indices_batching_dims=[], scatter_dims_to_operand_dims, "
                    "index_vector_dim, indices_are_sorted=false, unique_indices=false, computation=replace, "
                    "out_of_bounds=element)",
                    [](Arguments& a) -> Result<Jobs> {
  const std::vector<View> inputs = a.tensors("inputs"), updates = a.tensors("updates");
  const View indices = a.tensor("scatter_indices");
  const ScatterDims dims{a.integers("update_window_dims"),           a.integers("inserted_window_dims"),
                         a.integers("input_batching_dims"),          a.integers("scatter_indices_batching_dims"),
                         a.integers("scatter_dims_to_operand_dims"), a.integer("index_vector_dim")};
  ScatterOptions options{a.flag("indices_are_sorted"), a.flag("unique_indices")};
  const std::string combine = a.word("computation"), out_of_bounds = a.word("out_of_bounds");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const Computation computation, computation_named(a.op(), combine));
  GARNER_ASSIGN(options.out_of_bounds, out_of_bounds_named(a.op(), out_of_bounds));
  return lower_scatter(inputs, indices, updates, dims, computation, options);
}};

}  // namespace garner::stablehlo
