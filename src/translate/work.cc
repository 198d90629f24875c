#include "translate/work.h"

#include <algorithm>

#include "base/fail.h"
#include "translate/views.h"

namespace garner::translate_detail {

Axes Work::indexed_shape() const {
  Axes shape;
  for (const AxisMap& map : plan().indexed) shape.push_back(map.extent);
  return shape;
}

Axes Work::indexed_stride() const {
  Axes stride;
  for (const AxisMap& map : plan().indexed) stride.push_back(map.stride);
  return stride;
}

int Work::array_of(const Source& source) {
  if (source.is(Source::Kind::kConstant)) return b.constant(source.value);
  int a = inputs[static_cast<std::size_t>(source.argument)];
  if (source.is(Source::Kind::kNotNegative)) return b.lnot(b.less(b.convert(a, DType::kI64), b.number(0)));
  if (!source.is(Source::Kind::kArgument)) a = b.convert(a, source.view.dtype());
  return source.is(Source::Kind::kNegated) ? b.mul(a, b.convert(b.number(-1), source.view.dtype())) : a;
}

int Work::constant(const View& view) {
  auto value = contiguous(view);
  if (!value.ok()) failed = value.status();
  return b.constant(value.ok() ? *value : Tensor());
}

/// Where a target's own choice does not keep every bit, both lie side by side and the index is chosen.
int Work::choose(int condition, int yes, int no) {
  if (target.selects_data) return b.select(condition, yes, no);
  const Axes shape = broadcast_shape(b[condition].shape, broadcast_shape(b[yes].shape, b[no].shape));
  const auto spread = [&](int a) { return b.flat(b.broadcast(a, shape)); };
  const int both = b.concat(spread(yes), spread(no));
  const Index count = b[both].shape[0] / 2;
  const int first = b.iota(count);
  const int place = b.select(spread(condition), first, b.add(first, b.number(count)));
  return b.reshape(b.take(both, place), shape);
}

int Work::along(const Source& source, const Axes& domain, const Axes& stride) {
  if (!source.is(Source::Kind::kConstant)) return walk_over(b, array_of(source), {source.offset, domain, stride});
  Axes shape;
  for (std::size_t k = 0; k < domain.size(); ++k) shape.push_back(stride[k] == 0 ? 1 : domain[k]);
  const bool single = std::ranges::all_of(shape, [](Index n) { return n == 1; });
  const DType t = source.view.dtype();
  return constant(single ? View(t, source.view.data(), {}) : View(t, source.view.data(), shape, stride));
}

}  // namespace garner::translate_detail
