#include "dialect/onnx/node.h"

#include "base/fail.h"

namespace garner::onnx {

Status check_opset(const Node& node, Index first, Index last) {
  if (node.opset >= first && node.opset <= last) return {};
  return fail(Code::kInvalidArgument, "OX1", "{}: opset is {}, allowed [{}, {}]", node.op, node.opset, first, last);
}

Status check_since(const Node& node, Index since, const char* attribute, const std::string& value) {
  if (node.opset >= since) return {};
  return fail(Code::kInvalidArgument, "OX5", "{}: {} is {}, allowed from opset {} on, not in {}", node.op, attribute,
              value, since, node.opset);
}

namespace {

std::string names_of(DTypes set) {
  std::vector<std::string_view> names;
  for (const DTypeInfo& d : kDTypes)
    if ((set & bit(d.dtype)) != 0) names.push_back(d.name);
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

Status check_dtype(const Node& node, const Typed& input, DTypes allowed) {
  if ((allowed & bit(input.dtype)) != 0) return {};
  return fail(Code::kType, "OX4", "{}: dtype of {} is {}, allowed {}", node.op, input.name, name(input.dtype),
              names_of(allowed));
}

Status check_rank(const Node& node, const char* name, const View& input, Index least) {
  if (input.rank() >= least) return {};
  return fail(Code::kInvalidArgument, "OX3", "{}: rank of {} is {}, allowed {} or more", node.op, name, input.rank(),
              least);
}

Status check_rank_is(const Node& node, const char* name, const View& input, Index rank) {
  if (input.rank() == rank) return {};
  return fail(Code::kInvalidArgument, "OX3", "{}: rank of {} is {}, allowed {}", node.op, name, input.rank(), rank);
}

Result<Index> effective_axis(const Node& node, Index axis, Index lowest, Index rank) {
  if (axis >= lowest && axis < rank) return axis < 0 ? axis + rank : axis;
  return fail(Code::kInvalidArgument, "OX2", "{}: axis is {}, allowed [{}, {})", node.op, axis, lowest, rank);
}

Reading reading(bool wraps) { return {.wraps = wraps, .rule = "OX6"}; }

Result<Index> check_elements(const Node& node, const View& data, const View& indices, Index axis) {
  GARNER_TRY(check_rank(node, "data", data, 1));
  GARNER_TRY(check_rank_is(node, "indices", indices, data.rank()));
  GARNER_ASSIGN(axis, effective_axis(node, axis, -data.rank(), data.rank()));
  for (Index a = 0; a < data.rank(); ++a)
    if (a != axis && indices.extent(a) > data.extent(a))
      return fail(Code::kInvalidArgument, "OX7", "{}: extent of indices is {}, allowed [0, {}] on axis {}", node.op,
                  indices.extent(a), data.extent(a), a);
  return axis;
}

Status check_updates(const Node& node, const View& updates, const Axes& allowed) {
  if (updates.shape() == allowed) return {};
  return fail(Code::kInvalidArgument, "OX8", "{}: shape of updates is {}, allowed {}", node.op, list(updates.shape()),
              list(allowed));
}

namespace {

struct ReductionRow {
  const char* word;
  Combine combine;
  Index since;
};
constexpr ReductionRow kReductions[] = {{"none", Combine::kAssign, 1},
                                        {"add", Combine::kAdd, 16},
                                        {"mul", Combine::kMul, 16},
                                        {"max", Combine::kMax, 18},
                                        {"min", Combine::kMin, 18}};

}  // namespace

Result<Combine> combine_of(const Node& node, Reduction reduction, DType dtype) {
  const ReductionRow& row = kReductions[static_cast<std::size_t>(reduction)];
  GARNER_TRY(check_since(node, row.since, "reduction", row.word));
  const bool ordered = row.combine == Combine::kMax || row.combine == Combine::kMin;
  if (ordered && kind(dtype) == Kind::kComplex)
    return fail(Code::kType, "OX4", "{}: reduction of {} is {}, allowed none add mul", node.op, name(dtype), row.word);
  return row.combine;
}

Result<Reduction> reduction_named(const std::string& op, const std::string& word) {
  for (std::size_t r = 0; r < std::size(kReductions); ++r)
    if (kReductions[r].word == word) return static_cast<Reduction>(r);
  return fail(Code::kInvalidArgument, "OX11", "{}: reduction is {}, allowed none add mul max min", op, word);
}

Index opset_of(Arguments& args, Index newest) { return args.maybe_integer("opset").value_or(newest); }

}  // namespace garner::onnx
