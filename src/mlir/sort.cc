// sort by a comparator, and chlo's top_k.
#include <algorithm>
#include <functional>

#include "device/cpu/threads.h"
#include "garner/index.h"
#include "index/order.h"
#include "mlir/attributes.h"
#include "mlir/reduce.h"
#include "tensor/cast.h"

namespace garner::mlir {
namespace {

/// Element i of lane (outer, inner) lies at (outer * count + i) * lanes + inner.
struct Lanes {
  Index outer = 1, count = 1, inner = 1;
};

Lanes lanes_along(const Axes& shape, Index axis) {
  Lanes out;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    if (static_cast<Index>(a) < axis) out.outer *= shape[a];
    else (static_cast<Index>(a) == axis ? out.count : out.inner) *= shape[a];
  }
  return out;
}

/// Does the element at one place of a lane come before that at another?
class Before {
 public:
  Before(const Body& body, const std::vector<Tensor>& inputs)
      : body_(body), inputs_(inputs), cells_(body.cells()), arguments_(2 * inputs.size()) {}

  bool operator()(Index a, Index b) {
    for (std::size_t k = 0; k < inputs_.size(); ++k) {
      const auto* base = inputs_[k].as<std::byte>();
      arguments_[2 * k] = base + a * width(inputs_[k].dtype());
      arguments_[2 * k + 1] = base + b * width(inputs_[k].dtype());
    }
    std::uint8_t result = 0;
    void* out = &result;
    body_.run(cells_, arguments_.data(), &out);
    return result != 0;
  }

 private:
  const Body& body_;
  const std::vector<Tensor>& inputs_;
  Cells cells_;
  std::vector<const void*> arguments_;
};

void write_sorted(const Tensor& input, const std::vector<Index>& places, Index first, Index step, Tensor& out) {
  const Index bytes = width(input.dtype());
  for (std::size_t i = 0; i < places.size(); ++i)
    std::memcpy(out.as<std::byte>() + (first + static_cast<Index>(i) * step) * bytes,
                input.as<std::byte>() + places[i] * bytes, static_cast<std::size_t>(bytes));
}

/// Runs of 1, 2, 4, … are merged. A comparator that is no order gives some arrangement of the elements: a merge stays
/// inside its ranges whatever it says.
void merge_sort(std::vector<Index>& places, Before& before) {
  const std::size_t n = places.size();
  std::vector<Index> merged(n);
  const auto from = [&](std::size_t i) { return places.begin() + static_cast<std::ptrdiff_t>(std::min(i, n)); };
  for (std::size_t length = 1; length < n; length *= 2) {
    auto out = merged.begin();
    for (std::size_t i = 0; i < n; i += 2 * length)
      out = std::merge(from(i), from(i + length), from(i + length), from(i + 2 * length), out, std::ref(before));
    places.swap(merged);
  }
}

void sort_lane(Before& before, const std::vector<Tensor>& inputs, const Lanes& lanes, Index lane,
               std::vector<Tensor>& outputs) {
  const Index first = lane / lanes.inner * lanes.count * lanes.inner + lane % lanes.inner;
  std::vector<Index> places(static_cast<std::size_t>(lanes.count));
  for (Index i = 0; i < lanes.count; ++i) places[static_cast<std::size_t>(i)] = first + i * lanes.inner;
  merge_sort(places, before);
  for (std::size_t k = 0; k < inputs.size(); ++k) write_sorted(inputs[k], places, first, lanes.inner, outputs[k]);
}

Status check_comparator(const Operation& op, const Body& body, const std::vector<Tensor>& inputs) {
  std::vector<DType> wanted;
  for (const Tensor& input : inputs) wanted.insert(wanted.end(), 2, input.dtype());
  if (body.arguments() == wanted && body.results() == std::vector{DType::kBool}) return {};
  return misfit(op, "its comparator takes {} elements, allowed two of each operand's dtype, to i1",
                body.arguments().size());
}

Result<std::vector<Tensor>> packed(const Operation& op, const Values& operands) {
  std::vector<Tensor> out;
  for (const Value& operand : operands) {
    if (operand.view.shape() != operands[0].view.shape())
      return misfit(op, "operands have shapes {} and {}, allowed one", list(operands[0].view.shape()),
                    list(operand.view.shape()));
    GARNER_ASSIGN(Tensor tensor, contiguous(operand.view));
    out.push_back(std::move(tensor));
  }
  return out;
}

Result<Values> sort(const Operation& op, const Values& operands, Context& context) {
  if (operands.empty() || op.regions.size() != 1)
    return misfit(op, "it has {} operands, allowed at least 1", operands.size());
  GARNER_ASSIGN(const std::vector<Tensor> inputs, packed(op, operands));
  GARNER_ASSIGN(const Body body, Body::compile(op.regions[0], context));
  GARNER_TRY(check_comparator(op, body, inputs));
  GARNER_ASSIGN(Index axis, integer_or(op, {"dimension", "dim"}, -1));
  const Index rank = inputs[0].rank();
  if (axis < -rank || axis >= rank) return misfit(op, "dimension is {}, allowed [{}, {})", axis, -rank, rank);
  if (axis < 0) axis += rank;
  std::vector<Tensor> outputs;
  for (const Tensor& input : inputs) {
    GARNER_ASSIGN(Tensor out, Tensor::empty(input.dtype(), input.shape()));
    outputs.push_back(std::move(out));
  }
  const Lanes lanes = lanes_along(inputs[0].shape(), axis);
  const int threads = thread_count(context.options.threads, 16 * inputs[0].bytes());  // a comparison is dear
  parallel_ranges(threads, lanes.outer * lanes.inner, 1, [&](Index begin, Index end) {
    Before before(body, inputs);
    for (Index lane = begin; lane < end; ++lane) sort_lane(before, inputs, lanes, lane, outputs);
  });
  return values_of(outputs);
}

// ---- top_k ----

/// Floats as integers that grow with them, and back: it is the same change of bits.
template <class Bits>
void turn(Tensor& floats) {
  auto* bits = static_cast<Bits*>(floats.mutable_data());
  for (Index i = 0; i < floats.elements(); ++i)
    if (bits[i] < 0) bits[i] = static_cast<Bits>(bits[i] ^ std::numeric_limits<Bits>::max());
}

/// By total order: -NaN, -inf … -0, 0 … inf, NaN. The values are integers.
template <class T>
Result<TopK> top_floats(const View& view, Index k, const TopKOptions& options, const RunOptions& run) {
  using Bits = std::make_signed_t<typename index::UIntOf<sizeof(T)>::type>;
  GARNER_ASSIGN(Tensor keys, contiguous(view));
  turn<Bits>(keys);
  GARNER_ASSIGN(TopK top, index::top_k(View(dtype_of<Bits>, keys.data(), keys.shape()), k, options, run));
  turn<Bits>(top.values);
  return top;
}

Result<TopK> top_of(const View& view, Index k, const TopKOptions& options, const RunOptions& run) {
  return dispatch(view.dtype(), [&]<class T>() {
    if constexpr (kind(dtype_of<T>) != Kind::kFloat) return index::top_k(view, k, options, run);
    else return top_floats<T>(view, k, options, run);
  });
}

/// The largest first (or the smallest, where the text says so), of equal ones the first; indices in the dtype it says.
Result<Values> top_k(const Operation& op, const Values& operands, Context& context) {
  GARNER_TRY(check_count(op, operands.size(), 1, 1));
  GARNER_ASSIGN(const Index k, integer(op, {"k"}));
  if (op.result_types.size() != 2) return misfit(op, "it has {} results, allowed 2", op.result_types.size());
  GARNER_ASSIGN(const bool largest, flag(op, "largest"));
  const TopKOptions options{.largest = largest || find(op.attributes, {"largest"}) == nullptr};
  const View& view = operands[0].view;
  GARNER_ASSIGN(const TopK top, top_of(view, k, options, context.options));
  GARNER_ASSIGN(const Tensor indices, cast(top.indices, op.result_types[1].dtype));
  return Values{Value{View(view.dtype(), top.values.data(), top.values.shape()), top.values}, value_of(indices)};
}

}  // namespace

GARNER_MLIR_DEFINE(sort, nullptr, &sort);
GARNER_MLIR_DEFINE(top_k, nullptr, &top_k);

}  // namespace garner::mlir
