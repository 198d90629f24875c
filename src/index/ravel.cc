// Between coordinates and flat row-major positions.
#include "base/checked_math.h"
#include "base/fail.h"
#include "garner/index.h"
#include "index/engine.h"
#include "index/there.h"

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

Status outside(Index position, Index coordinate, Index extent, Index axis) {
  return fail(Code::kIndex, "IX7", "ravel_multi_index: coordinate of position {} is {}, allowed [0, {}) on axis {}",
              position, coordinate, extent, axis);
}

Result<Index> ravel_one(const Index* coordinates, Index axis_step, const Axes& shape, Index k) {
  Index position = 0;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const Index c = coordinates[static_cast<Index>(a) * axis_step];
    if (c < 0 || c >= shape[a]) return outside(k, c, shape[a], static_cast<Index>(a));
    position = position * shape[a] + c;
  }
  return position;
}

/// A shape that a launch has room for. Rule P24.
Status check_axes(const char* op, Index rank) {
  if (rank <= on_cuda::kMostAxes) return {};
  return fail(Code::kUnsupported, "P24", "{}: rank is {}, allowed [0, {}] on a device", op, rank, on_cuda::kMostAxes);
}

/// On a device: one look at all coordinates, for which it waits, before anything is written.
Status ravel_there(const char* op, const View& coordinates, const Axes& shape, const Table& table,
                   const RunOptions& run, Output& out) {
  const Index rank = static_cast<Index>(shape.size());
  GARNER_TRY(check_axes(op, rank));
  GARNER_TRY(check_integer(coordinates, op, "coordinates"));
  GARNER_ASSIGN(const Packed packed, pack_anywhere(coordinates, op, run));
  const on_cuda::Where at = where(coordinates, run);
  const on_cuda::Integers integers = integers_there(packed.view());
  const on_cuda::CoordinateTable entries{table.positions, table.step, table.axis_step};
  GARNER_ASSIGN(const Index bad, on_cuda::first_outside(at, integers, entries, shape));
  if (bad >= 0) {
    const Index k = bad / rank, a = bad % rank;
    GARNER_ASSIGN(const Index c, on_cuda::integer_at(at, integers, k * table.step + a * table.axis_step));
    return outside(k, c, shape[static_cast<std::size_t>(a)], a);
  }
  GARNER_TRY(out.open(op, DType::kI64, {table.positions}, {&coordinates}, run.stream));
  return finished(on_cuda::ravel(at, integers, entries, shape, out.as<Index>()), coordinates, run);
}

Status ravel(const View& coordinates, const Axes& shape, Layout layout, const RunOptions& run, Output& out) {
  constexpr const char* kOp = "ravel_multi_index";
  GARNER_TRY(check_shape(kOp, shape));
  const Index rank = static_cast<Index>(shape.size()), along = layout == Layout::kRows ? 1 : 0;
  if (coordinates.rank() != 2 || coordinates.extent(along) != rank)
    return fail(Code::kInvalidArgument, "IX5", "{}: coordinates have shape {}, allowed rank 2, extent {} on axis {}",
                kOp, list(coordinates.shape()), rank, along);
  const Table table = table_of(coordinates.extent(1 - along), rank, layout);
  if (!coordinates.device().is_cpu()) return ravel_there(kOp, coordinates, shape, table, run, out);
  GARNER_ASSIGN(const IndexList values, integers_of(coordinates, kOp, "coordinates", run));
  Axes positions;
  for (Index k = 0; k < table.positions; ++k) {
    GARNER_ASSIGN(const Index position, ravel_one(values.data() + k * table.step, table.axis_step, shape, k));
    positions.push_back(position);
  }
  GARNER_TRY(out.open(kOp, DType::kI64, {table.positions}, {&coordinates}));
  std::copy(positions.begin(), positions.end(), out.as<Index>());
  return {};
}

Status position_outside(const char* op, Index k, Index position, Index elements) {
  return fail(Code::kIndex, "IX7", "{}: positions[{}] is {}, allowed [0, {})", op, k, position, elements);
}

Status check_positions(const char* op, std::span<const Index> positions, Index elements) {
  const Index k = first_outside(positions, elements);
  if (k < 0) return {};
  return position_outside(op, k, positions[static_cast<std::size_t>(k)], elements);
}

Axes coordinates_shape(Index positions, Index rank, Layout layout) {
  return layout == Layout::kRows ? Axes{positions, rank} : Axes{rank, positions};
}

/// As ravel_there.
Status unravel_there(const char* op, const View& positions, const Axes& shape, Layout layout, const RunOptions& run,
                     Output& out) {
  const Index rank = static_cast<Index>(shape.size()), n = positions.elements(), elements = *checked_product(shape);
  GARNER_TRY(check_axes(op, rank));
  GARNER_TRY(check_integer(positions, op, "positions"));
  GARNER_ASSIGN(const Packed packed, pack_anywhere(positions, op, run));
  const on_cuda::Where at = where(positions, run);
  const on_cuda::Integers integers = integers_there(packed.view());
  GARNER_ASSIGN(const auto seen, on_cuda::look_at(at, integers, 0, elements));
  if (seen.outside >= 0) {
    GARNER_ASSIGN(const Index position, on_cuda::integer_at(at, integers, seen.outside));
    return position_outside(op, seen.outside, position, elements);
  }
  const Table table = table_of(n, rank, layout);
  GARNER_TRY(out.open(op, DType::kI64, coordinates_shape(n, rank, layout), {&positions}, run.stream));
  return finished(
      on_cuda::unravel(at, integers, {table.positions, table.step, table.axis_step}, shape, out.as<Index>()), positions,
      run);
}

Status unravel(const View& positions, const Axes& shape, Layout layout, const RunOptions& run, Output& out) {
  constexpr const char* kOp = "unravel_index";
  GARNER_TRY(check_shape(kOp, shape));
  if (!positions.device().is_cpu()) return unravel_there(kOp, positions, shape, layout, run, out);
  GARNER_ASSIGN(const IndexList values, integers_of(positions, kOp, "positions", run));
  GARNER_TRY(check_positions(kOp, values, *checked_product(shape)));
  const Index rank = static_cast<Index>(shape.size()), n = static_cast<Index>(values.size());
  const Table table = table_of(n, rank, layout);
  GARNER_TRY(out.open(kOp, DType::kI64, coordinates_shape(n, rank, layout), {&positions}));
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
