// Between coordinates and flat row-major positions.
#include "base/checked_math.h"
#include "base/fail.h"
#include "garner/index.h"
#include "index/engine.h"

namespace garner::index {
namespace {

Status check_shape(const char* op, const Axes& shape) {
  for (std::size_t a = 0; a < shape.size(); ++a)
    if (shape[a] < 0)
      return fail(Code::kInvalidArgument, "IX6", "{}: extent is {}, allowed [0, 2^63) on axis {}", op, shape[a], a);
  if (checked_product(shape)) return {};
  return fail(Code::kInvalidArgument, "IX6", "{}: shape {} has more than 2^63 elements", op, list(shape));
}

/// Coordinate a of position k in a table of either layout: k * step + a * axis_step.
struct Table {
  Index positions, step, axis_step;
};

Table table_of(Index positions, Index rank, Layout layout) {
  const bool rows = layout == Layout::kRows;
  return {positions, rows ? rank : 1, rows ? 1 : positions};
}

Result<Index> ravel_one(const Index* coordinates, Index axis_step, const Axes& shape, Index k) {
  Index position = 0;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const Index c = coordinates[static_cast<Index>(a) * axis_step];
    if (c < 0 || c >= shape[a])
      return fail(Code::kIndex, "IX7", "ravel_multi_index: coordinate of position {} is {}, allowed [0, {}) on axis {}",
                  k, c, shape[a], a);
    position = position * shape[a] + c;
  }
  return position;
}

Status ravel(const View& coordinates, const Axes& shape, Layout layout, const RunOptions& run, Output& out) {
  constexpr const char* kOp = "ravel_multi_index";
  GARNER_TRY(check_shape(kOp, shape));
  const Index rank = static_cast<Index>(shape.size()), along = layout == Layout::kRows ? 1 : 0;
  if (coordinates.rank() != 2 || coordinates.extent(along) != rank)
    return fail(Code::kInvalidArgument, "IX5", "{}: coordinates have shape {}, allowed rank 2, extent {} on axis {}",
                kOp, list(coordinates.shape()), rank, along);
  GARNER_ASSIGN(const Axes values, integers_of(coordinates, kOp, "coordinates", run));
  const Table table = table_of(coordinates.extent(1 - along), rank, layout);
  Axes positions;
  for (Index k = 0; k < table.positions; ++k) {
    GARNER_ASSIGN(const Index position, ravel_one(values.data() + k * table.step, table.axis_step, shape, k));
    positions.push_back(position);
  }
  GARNER_TRY(out.open(kOp, DType::kI64, {table.positions}, {&coordinates}));
  std::copy(positions.begin(), positions.end(), out.as<Index>());
  return {};
}

Status check_positions(const char* op, const Axes& positions, Index elements) {
  for (std::size_t k = 0; k < positions.size(); ++k)
    if (positions[k] < 0 || positions[k] >= elements)
      return fail(Code::kIndex, "IX7", "{}: positions[{}] is {}, allowed [0, {})", op, k, positions[k], elements);
  return {};
}

Status unravel(const View& positions, const Axes& shape, Layout layout, const RunOptions& run, Output& out) {
  constexpr const char* kOp = "unravel_index";
  GARNER_TRY(check_shape(kOp, shape));
  GARNER_ASSIGN(const Axes values, integers_of(positions, kOp, "positions", run));
  GARNER_TRY(check_positions(kOp, values, *checked_product(shape)));
  const Index rank = static_cast<Index>(shape.size()), n = static_cast<Index>(values.size());
  const Table table = table_of(n, rank, layout);
  GARNER_TRY(out.open(kOp, DType::kI64, layout == Layout::kRows ? Axes{n, rank} : Axes{rank, n}, {&positions}));
  for (Index k = 0; k < n; ++k) {
    Index rest = values[static_cast<std::size_t>(k)];
    Index* to = out.as<Index>() + k * table.step;
    for (Index a = rank; a-- > 0; rest /= shape[static_cast<std::size_t>(a)])
      to[a * table.axis_step] = rest % shape[static_cast<std::size_t>(a)];
  }
  return {};
}

}  // namespace

Result<Tensor> ravel_multi_index(const View& coordinates, const Axes& shape, Layout layout, const RunOptions& run) {
  return fresh([&](Output& out) { return ravel(coordinates, shape, layout, run, out); });
}
Status ravel_multi_index_into(const View& coordinates, const Axes& shape, const MutableView& out, Layout layout,
                              const RunOptions& run) {
  return into(out, run, [&](Output& o) { return ravel(coordinates, shape, layout, run, o); });
}
Result<Tensor> unravel_index(const View& positions, const Axes& shape, Layout layout, const RunOptions& run) {
  return fresh([&](Output& out) { return unravel(positions, shape, layout, run, out); });
}
Status unravel_index_into(const View& positions, const Axes& shape, const MutableView& out, Layout layout,
                          const RunOptions& run) {
  return into(out, run, [&](Output& o) { return unravel(positions, shape, layout, run, o); });
}

}  // namespace garner::index
