// reduce_window, by its definition: JAX writes cumsum and its like so.
#include "base/checked_math.h"
#include "mlir/attributes.h"
#include "mlir/reduce.h"
#include "tensor/walk.h"

namespace garner::mlir {
namespace {

/// How windows lie along every axis.
struct Windows {
  Axes size, step, base_dilation, dilation, low, high;
};

/// Far above what memory holds, far below what overflows.
constexpr Index kMaxReach = Index{1} << 30;

Status check_entries(const Operation& op, const Axes& entries, std::size_t rank, Index least) {
  if (entries.size() != rank) return misfit(op, "a list has {} entries, allowed {}", entries.size(), rank);
  for (const Index n : entries)
    if (n < least || n > kMaxReach) return misfit(op, "an entry is {}, allowed [{}, 2^30]", n, least);
  return {};
}

Result<Windows> read_windows(const Operation& op, std::size_t rank) {
  Windows w;
  const Axes ones(rank, 1);
  GARNER_ASSIGN(w.size, integers(op, {"window_dimensions"}));
  GARNER_ASSIGN(w.step, integers_or(op, {"window_strides"}, ones));
  GARNER_ASSIGN(w.base_dilation, integers_or(op, {"base_dilations"}, ones));
  GARNER_ASSIGN(w.dilation, integers_or(op, {"window_dilations"}, ones));
  GARNER_ASSIGN(const Axes padding, integers_or(op, {"padding"}, Axes(2 * rank, 0)));
  for (const Axes* entries : {&w.size, &w.step, &w.base_dilation, &w.dilation})
    GARNER_TRY(check_entries(op, *entries, rank, 1));
  GARNER_TRY(check_entries(op, padding, 2 * rank, -kMaxReach));
  for (std::size_t a = 0; a < rank; ++a) {
    w.low.push_back(padding[2 * a]);
    w.high.push_back(padding[2 * a + 1]);
  }
  return w;
}

/// (padded extent - window) / step + 1, and 0 where the window does not fit.
Result<Axes> result_shape(const Operation& op, const Windows& w, const Axes& shape) {
  Axes out;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    if (shape[a] > kMaxReach) return misfit(op, "an extent is {}, allowed up to 2^30", shape[a]);
    const Index dilated = shape[a] == 0 ? 0 : (shape[a] - 1) * w.base_dilation[a] + 1;
    const Index room = w.low[a] + dilated + w.high[a] - ((w.size[a] - 1) * w.dilation[a] + 1);
    out.push_back(room < 0 ? 0 : room / w.step[a] + 1);
  }
  return out;
}

/// The offset of the input's element under a place of a window; none in the padding and between dilated elements.
std::optional<Index> offset_under(const Windows& w, const Axes& shape, const Axes& window, const Axes& place) {
  Index offset = 0;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const Index at = window[a] * w.step[a] + place[a] * w.dilation[a] - w.low[a];
    if (at < 0 || at % w.base_dilation[a] != 0 || at / w.base_dilation[a] >= shape[a]) return std::nullopt;
    offset = offset * shape[a] + at / w.base_dilation[a];
  }
  return offset;
}

Result<Values> reduce_window(const Operation& op, const Values& operands, Context& context) {
  GARNER_ASSIGN(const Joined joined, read_joined(op, operands, context));
  GARNER_ASSIGN(const Windows windows, read_windows(op, joined.shape().size()));
  GARNER_ASSIGN(const Axes shape, result_shape(op, windows, joined.shape()));
  GARNER_ASSIGN(std::vector<Tensor> sums, make_starts(joined, shape, context.options));
  const std::size_t n = sums.size();
  Cells cells = joined.body.cells();
  std::vector<const void*> arguments(2 * n);
  std::vector<void*> results(n);
  Index next = 0;
  walk_positions(shape, [&](const Axes& window) {
    for (std::size_t k = 0; k < n; ++k)
      arguments[k] = results[k] = sums[k].as<std::byte>() + next * width(sums[k].dtype());
    walk_positions(windows.size, [&](const Axes& place) {
      const auto offset = offset_under(windows, joined.shape(), window, place);
      if (!offset) return;
      for (std::size_t k = 0; k < n; ++k)
        arguments[n + k] = joined.inputs[k].as<std::byte>() + *offset * width(sums[k].dtype());
      joined.body.run(cells, arguments.data(), results.data());
    });
    ++next;
  });
  return values_of(sums);
}

}  // namespace

GARNER_MLIR_DEFINE(reduce_window, nullptr, &reduce_window);

}  // namespace garner::mlir
