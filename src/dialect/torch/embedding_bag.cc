// torch.embedding_bag(input, weight, offsets=None, …, mode=mean, …): torch.nn.functional.embedding_bag
#include "dialect/torch/embedding.h"
#include "index/outputs.h"
#include "tensor/cast.h"

namespace garner::torch {
namespace {

constexpr const char* kName = "torch.embedding_bag";

Status check_offsets(const View& offsets, bool last_is_end) {
  if (offsets.rank() != 1)
    return fail(Code::kInvalidArgument, "TO30", "{}: rank of offsets is {}, allowed 1", kName, offsets.rank());
  GARNER_TRY(check_index_dtype(kName, offsets));
  if (!last_is_end || offsets.elements() > 0) return {};
  return fail(Code::kInvalidArgument, "TO31", "{}: number of offsets is 0, allowed [1, 2^63) with include_last_offset",
              kName);
}

Status check_input(const View& input, const BagOptions& options) {
  const Index allowed = options.offsets ? 1 : 2;
  if (input.rank() != allowed)
    return fail(Code::kInvalidArgument, "TO30", "{}: rank of input is {}, allowed {} (1 with offsets, 2 without)",
                kName, input.rank(), allowed);
  GARNER_TRY(check_index_dtype(kName, input));
  return options.offsets ? check_offsets(*options.offsets, options.last_offset_is_end) : Status{};
}

Status check_table(const View& weight) {
  GARNER_TRY(check_weight(kName, weight));
  if (kind(weight.dtype()) == Kind::kFloat) return {};
  return fail(Code::kInvalidArgument, "TO35", "{}: weight is {}, allowed a float dtype", kName, name(weight.dtype()));
}

Status check_samples(const View& input, const View& weight, const BagOptions& options) {
  if (!options.weights) return {};
  if (options.mode != BagMode::kSum)
    return fail(Code::kUnsupported, "TO33", "{}: per_sample_weights are given, allowed with mode sum only", kName);
  if (options.weights->dtype() == weight.dtype() && options.weights->shape() == input.shape()) return {};
  return fail(Code::kInvalidArgument, "TO34", "{}: per_sample_weights are {} {}, allowed {} {}", kName,
              name(options.weights->dtype()), list(options.weights->shape()), name(weight.dtype()),
              list(input.shape()));
}

/// The values of indices and offsets are looked at while running.
Status renamed(Status status) {
  if (status.ok() || status.message.starts_with(kName)) return status;
  if (status.rule == "IX7") status.rule = "TO8";
  if (status.rule == "IX8") status.rule = "TO31";
  status.message = fmt::format("torch.{}", status.message);
  return status;
}

Status combine_bags(const View& input, const View& weight, BagOptions options, const RunOptions& run,
                    index::Output& out) {
  GARNER_TRY(check_table(weight));
  GARNER_TRY(check_input(input, options));
  GARNER_TRY(check_samples(input, weight, options));
  GARNER_TRY(check_padding(kName, weight, options.padding));
  if (options.padding.value_or(0) < 0) *options.padding += weight.extent(0);
  return renamed(index::embedding_bag(weight, input, options, run, out));
}

Result<Tensor> bags(const View& input, const View& weight, const BagOptions& options, const RunOptions& run) {
  return index::fresh([&](index::Output& out) { return combine_bags(input, weight, options, run, out); });
}

Result<BagMode> mode_argument(Arguments& a) {
  const std::string word = a.word("mode");
  GARNER_TRY(a.status());
  if (word == "sum") return BagMode::kSum;
  if (word == "mean") return BagMode::kMean;
  if (word == "max") return BagMode::kMax;
  return fail(Code::kInvalidArgument, "TO32", "{}: mode is {}, allowed sum mean max", kName, word);
}

Result<BagOptions> options_of(Arguments& a) {
  BagOptions options{.offsets = a.maybe_tensor("offsets"),
                     .weights = a.maybe_tensor("per_sample_weights"),
                     .padding = a.maybe_integer("padding_idx"),
                     .last_offset_is_end = a.flag("include_last_offset")};
  GARNER_ASSIGN(options.mode, mode_argument(a));
  GARNER_TRY(refuse_max_norm(a));
  return options;
}

Status evaluate(Arguments& a, const RunOptions& run, Results& results) {
  const View input = a.tensor("input"), weight = a.tensor("weight");
  GARNER_ASSIGN(const BagOptions options, options_of(a));
  return results.one([&](index::Output& out) { return combine_bags(input, weight, options, run, out); });
}

/// Where each bag begins and the last one ends.
Result<Tensor> begins_of(const View& input, const BagOptions& options) {
  Axes begins;
  if (!options.offsets) {
    for (Index bag = 0; bag <= input.extent(0); ++bag) begins.push_back(bag * input.extent(1));
  } else {
    GARNER_ASSIGN(const Tensor offsets, cast(*options.offsets, DType::kI64));
    begins.assign(offsets.as<Index>(), offsets.as<Index>() + offsets.elements());
    if (!options.last_offset_is_end) begins.push_back(input.elements());
  }
  return contiguous(View(begins));
}

grad::Var combined(const grad::Var& table, const grad::BagInput& input, BagMode mode, const grad::Var& weights) {
  switch (mode) {
    case BagMode::kSum: return grad::embedding_bag_sum(table, input, weights);
    case BagMode::kMean: return grad::embedding_bag_mean(table, input);
    case BagMode::kMax: return grad::embedding_bag_max(table, input);
  }
  return {};
}

Result<std::vector<grad::Var>> record(Arguments& a, const Leaves& leaves) {
  const View input = a.tensor("input"), weight = a.tensor("weight");
  GARNER_ASSIGN(BagOptions options, options_of(a));
  GARNER_TRY(bags(input, weight, options, {}));  // refuses what the call refuses
  if (options.padding.value_or(0) < 0) *options.padding += weight.extent(0);
  GARNER_ASSIGN(const Tensor begins, begins_of(input, options));
  GARNER_ASSIGN(const Tensor flat, contiguous(input));
  const grad::BagInput bags{View(flat).seen_as({flat.elements()}), begins, options.padding};
  const grad::Var weights = options.weights ? leaves.of(*options.weights) : grad::Var();
  return std::vector<grad::Var>{combined(leaves.of(weight), bags, options.mode, weights)};
}

}  // namespace

Tensor embedding_bag(const View& input, const View& weight, const BagOptions& options, const RunOptions& run) {
  return value_or_throw(bags(input, weight, options, run));
}

extern const Op op_embedding_bag;
const Op op_embedding_bag =
    on_any_device({"embedding_bag",
                   "(input, weight, offsets=None, max_norm=None, norm_type=2, scale_grad_by_freq=False, "
                   "mode=mean, sparse=False, per_sample_weights=None, include_last_offset=False, "
                   "padding_idx=None)",
                   nullptr, evaluate, record});

}  // namespace garner::torch
