#include "grad/reduce.h"

#include <algorithm>
#include <array>
#include <limits>

#include "base/checked_math.h"
#include "garner/index.h"
#include "grad/cuda/reduce.h"
#include "grad/offers.h"
#include "grad/place.h"
#include "grad/rounding.h"
#include "index/memory.h"
#include "index/runs.h"
#include "tensor/shape.h"

namespace garner::grad::plain {
namespace {

using index::Run;
using index::RunSpace;

/// What a sum of T is added up in.
template <class T>
using Sum = std::conditional_t<is_complex_v<T>, std::complex<double>,
                               std::conditional_t<is_real_float_v<T>, double, std::uint64_t>>;

template <class T>
Sum<T> widen(T value) {
  return static_cast<Sum<T>>(to_compute(value));
}

/// Some axes of an array: their extents, their strides in it, and those in the result.
struct Part {
  Axes shape, stride, result;
};

struct Split {
  Part kept, reduced;
};

Split split(const Axes& shape, const Reduction& over) {
  Split parts;
  const Axes stride = row_major(shape), result = row_major(over.kept);
  for (std::size_t a = 0; a < shape.size(); ++a) {
    const bool goes = std::find(over.axes.begin(), over.axes.end(), static_cast<Index>(a)) != over.axes.end();
    Part& part = goes ? parts.reduced : parts.kept;
    part.result.push_back(goes ? 0 : result[part.shape.size()]);
    part.shape.push_back(shape[a]);
    part.stride.push_back(stride[a]);
  }
  return parts;
}

// ---- sums ----

static_assert(RunSpace::kPiece == on_device::kRowPiece);

using One = std::integral_constant<Index, 1>;  // a step the compiler knows

/// In eight sums side by side, which the compiler may keep in registers, then those one after another.
template <class T, class Step>
Sum<T> lane_sum(const T* data, Step step, Index count) {
  constexpr Index kLanes = 8;
  std::array<Sum<T>, kLanes> sums{};
  Index i = 0;
  for (; i + kLanes <= count; i += kLanes)
    for (Index l = 0; l < kLanes; ++l) sums[static_cast<std::size_t>(l)] += widen(data[(i + l) * step]);
  for (; i < count; ++i) sums[0] += widen(data[i * step]);
  for (std::size_t l = 1; l < kLanes; ++l) sums[0] += sums[l];
  return sums[0];
}

constexpr Index kColumns =
    on_device::kColumnsAtOnce;  // sums side by side: what fits L1 with room for the rows that pass by

/// Up to kColumns results: data[i * down + j * across] over i is added to sums[j].
template <class T>
struct Block {
  const T* data;
  Index down, count, across, columns;

  void add_to(Sum<T>* sums) const {
    if (down == 1 || columns == 1) return by_lanes(sums);
    for (Index i = 0; i < count; ++i)
      if (across == 1) add_row(data + i * down, sums);
      else
        for (Index j = 0; j < columns; ++j) sums[j] += widen(data[i * down + j * across]);
  }
  void by_lanes(Sum<T>* sums) const {
    for (Index j = 0; j < columns; ++j) {
      const T* lane = data + j * across;
      sums[j] += down == 1 ? lane_sum(lane, One(), count) : lane_sum(lane, down, count);
    }
  }
  void add_row(const T* row, Sum<T>* __restrict sums) const {
    for (Index j = 0; j < columns; ++j) sums[j] += widen(row[j]);
  }
};

/// sums[…] for a run of kept places.
template <class T>
void sum_run(const T* data, const Run& kept, const RunSpace& reduced, Sum<T>* sums) {
  for (Index j = 0; j < kept.count; j += kColumns) {
    std::array<Sum<T>, kColumns> block{};
    const Index columns = std::min(kColumns, kept.count - j);
    const T* corner = data + kept.start[0] + j * kept.step[0];
    reduced.visit(0, reduced.units(), [&](const Run& r) {
      Block<T>{corner + r.start[0], r.step[0], r.count, kept.step[0], columns}.add_to(block.data());
    });
    for (Index c = 0; c < columns; ++c)
      sums[kept.start[1] + (j + c) * kept.step[1]] = block[static_cast<std::size_t>(c)];
  }
}

// ---- sharing out ----

/// An axis cut into pieces of one length, the last perhaps shorter.
struct Cut {
  std::size_t axis = 0;
  Index length = 0, count = 1;
};

/// The longest axis, in about as many pieces as wanted.
Cut cut_of(const Axes& shape, Index wanted) {
  Cut cut;
  if (shape.empty()) return cut;
  cut.axis = static_cast<std::size_t>(std::max_element(shape.begin(), shape.end()) - shape.begin());
  const Index extent = shape[cut.axis], pieces = std::clamp<Index>(wanted, 1, std::max<Index>(extent, 1));
  cut.length = (extent + pieces - 1) / pieces;
  cut.count = extent == 0 ? 1 : (extent + cut.length - 1) / cut.length;
  return cut;
}

struct Cuts {
  Cut kept, reduced;
};

/// Decided by the shape alone, so that the order of a sum is. Pieces have some 64 Ki elements. Where kept axes are too
/// short to cut, reduced ones are: their partial sums must stay few beside the input, hence 64 elements for each.
Cuts cuts_of(const Split& parts, Index elements, Index each) {
  constexpr Index kMost = 64, kElements = 1 << 16, kLeastColumns = 64, kLeastEach = 64;
  const Index wanted = std::min(kMost, elements / kElements), results = elements / std::max<Index>(each, 1);
  const Cut kept = cut_of(parts.kept.shape, std::min(wanted, results / kLeastColumns));
  return {kept, cut_of(parts.reduced.shape, std::min(wanted / kept.count, each / kLeastEach))};
}

/// Piece p of some axes, and where it begins in the array and in the result.
struct Box {
  Box(const Part& part, const Cut& cut, Index p) : space(shape_of(part, cut, p), {part.stride, part.result}) {
    if (part.shape.empty()) return;
    start = p * cut.length * part.stride[cut.axis];
    result = p * cut.length * part.result[cut.axis];
  }
  static Axes shape_of(const Part& part, const Cut& cut, Index p) {
    Axes shape = part.shape;
    if (!shape.empty()) shape[cut.axis] = std::min(cut.length, shape[cut.axis] - p * cut.length);
    return shape;
  }
  RunSpace space;
  Index start = 0, result = 0;
};

/// sums[p * results + r]: the share of reduced piece p in result r.
template <class T>
void sum_pieces(const Tensor& a, const Split& parts, const Cuts& cuts, std::vector<Sum<T>>& sums) {
  const Index units = cuts.kept.count * cuts.reduced.count;
  const Index results = static_cast<Index>(sums.size()) / cuts.reduced.count;
  parallel_ranges(thread_count(0, a.bytes()), units, 1, [&](Index begin, Index end) {
    for (Index u = begin; u < end; ++u) {
      const Index p = u / cuts.kept.count;
      const Box kept(parts.kept, cuts.kept, u % cuts.kept.count), reduced(parts.reduced, cuts.reduced, p);
      const T* data = a.as<T>() + kept.start + reduced.start;
      kept.space.visit(0, kept.space.units(), [&](const Run& run) {
        sum_run(data, run, reduced.space, sums.data() + p * results + kept.result);
      });
    }
  });
}

template <class T>
T rounded(Sum<T> sum, double divisor) {
  if constexpr (is_complex_v<T>) return T(sum / divisor);
  else if constexpr (is_real_float_v<T>) return rounded_once<T>(sum / divisor);
  else return static_cast<T>(sum);
}

/// Piece p of some axes, for a device.
struct CutLine {
  CutLine(const Part& part, const Cut& cut, Index p)
      : shape(Box::shape_of(part, cut, p)), line{shape, part.stride, part.result} {}
  Axes shape;
  on_device::Line line;
};

/// The same pieces in the same order.
Result<Tensor> sum_there(const Tensor& a, const Split& parts, const Cuts& cuts, double divisor, Tensor out) {
  const Index results = out.elements();
  const DType wide = on_device::sum_dtype(a.dtype());
  GARNER_ASSIGN(Tensor sums, empty_at(a.device(), wide, {results * cuts.reduced.count}));
  for (Index u = 0; u < cuts.kept.count * cuts.reduced.count; ++u) {
    const Index k = u % cuts.kept.count, p = u / cuts.kept.count;
    const Box kept(parts.kept, cuts.kept, k), reduced(parts.reduced, cuts.reduced, p);
    const CutLine keeps(parts.kept, cuts.kept, k), reduces(parts.reduced, cuts.reduced, p);
    void* to = sums.as<std::byte>() + (p * results + kept.result) * width(wide);
    GARNER_TRY(on_device::sum_box(a, kept.start + reduced.start, keeps.line, reduces.line, to));
  }
  GARNER_TRY(on_device::finish_sums(sums, cuts.reduced.count, divisor, out.view()));
  return out;
}

template <class T>
Result<Tensor> sum_over(const Tensor& a, const Reduction& over, double divisor) {
  GARNER_ASSIGN(Tensor out, empty_at(a.device(), a.dtype(), over.kept));
  const Index results = out.elements();
  if (results == 0) return out;
  const Split parts = split(a.shape(), over);
  const Cuts cuts = cuts_of(parts, a.elements(), over.count);
  if (!a.device().is_cpu()) return sum_there(a, parts, cuts, divisor, out);
  std::vector<Sum<T>> sums(static_cast<std::size_t>(results * cuts.reduced.count));
  sum_pieces<T>(a, parts, cuts, sums);
  for (Index r = 0; r < results; ++r) {
    Sum<T> total{};
    for (Index p = 0; p < cuts.reduced.count; ++p) total += sums[static_cast<std::size_t>(p * results + r)];
    out.as<T>()[r] = rounded<T>(total, divisor);
  }
  return out;
}

Status mark(const char* op, const Axes& axes, std::vector<bool>& goes) {
  const auto rank = static_cast<Index>(goes.size());
  for (const Index axis : axes) {
    if (axis < -rank || axis >= rank)
      return fail(Code::kInvalidArgument, "G5", "{}: axis is {}, allowed [{}, {})", op, axis, -rank, rank);
    const auto a = static_cast<std::size_t>(axis < 0 ? axis + rank : axis);
    if (goes[a]) return fail(Code::kInvalidArgument, "G5", "{}: axes are {}, allowed none twice", op, list(axes));
    goes[a] = true;
  }
  return {};
}

// ---- extremes ----

/// Every kept place a row, its elements behind one another: a look at the tensor where its axes already lie that way.
Result<Tensor> rows_of(const Tensor& a, const Split& parts, Index rows, Index count) {
  Axes shape = parts.kept.shape, stride = parts.kept.stride;
  shape.insert(shape.end(), parts.reduced.shape.begin(), parts.reduced.shape.end());
  stride.insert(stride.end(), parts.reduced.stride.begin(), parts.reduced.stride.end());
  const View view = View(a).seen_as(shape, stride);
  if (is_row_major(view)) return a.reshaped({rows, count});
  GARNER_ASSIGN(const Tensor copy, contiguous(view));
  return copy.reshaped({rows, count});
}

/// From a position in a row to the position in the tensor.
Index position_in(const Part& reduced, Index at) {
  Index position = 0;
  for (std::size_t a = reduced.shape.size(); a-- > 0; at /= reduced.shape[a])
    position += at % reduced.shape[a] * reduced.stride[a];
  return position;
}

Status to_tensor_positions(const Split& parts, Tensor& found) {
  const auto line = [](const Part& part) { return on_device::Line{part.shape, part.stride, part.result}; };
  if (!found.device().is_cpu()) return on_device::to_positions(line(parts.kept), line(parts.reduced), found.view());
  Index row = 0;
  Index* positions = found.as<Index>();
  walk_positions(parts.kept.shape, [&](const Axes& at) {
    positions[row] = dot(at, parts.kept.stride) + position_in(parts.reduced, positions[row]);
    ++row;
  });
  return {};
}

Result<Tensor> elements_at(const Tensor& a, const Tensor& positions, const Axes& shape) {
  GARNER_ASSIGN(Tensor out, empty_at(a.device(), a.dtype(), shape));
  if (!a.device().is_cpu()) {
    if (out.elements() > 0) GARNER_TRY(on_device::take(a, positions, out.view()));
    return out;
  }
  dispatch(a.dtype(), [&]<class T>() {
    for (Index i = 0; i < out.elements(); ++i) out.as<T>()[i] = a.as<T>()[positions.as<Index>()[i]];
  });
  return out;
}

Result<Tensor> best_in_rows(Which which, const Tensor& rows) {
  const ArgOptions options{.axis = 1};
  return which == Which::kMax ? index::argmax(rows, options) : index::argmin(rows, options);
}

Result<Extremes> choose(const char* op, Which which, const Tensor& a, const Reduction& over) {
  const Split parts = split(a.shape(), over);
  Extremes found;
  GARNER_ASSIGN(found.positions, zeros_at(a.device(), DType::kI64, over.kept));
  const Index rows = found.positions.elements();
  if (rows > 0 && over.count == 0)
    return fail(Code::kInvalidArgument, "G5", "{}: number of elements is 0 along axes {}, allowed [1, 2^63)", op,
                list(over.axes));
  if (rows > 0) {
    GARNER_ASSIGN(const Tensor lanes, rows_of(a, parts, rows, over.count));
    GARNER_ASSIGN(found.positions, best_in_rows(which, lanes));
    GARNER_TRY(to_tensor_positions(parts, found.positions));
  }
  GARNER_ASSIGN(found.values, elements_at(a, found.positions, over.kept));
  return found;
}

}  // namespace

Result<Reduction> reduction(const char* op, const Axes& shape, const std::optional<Axes>& axes) {
  std::vector<bool> goes(shape.size(), !axes);
  if (axes) GARNER_TRY(mark(op, *axes, goes));
  Reduction over;
  Axes counted;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    if (goes[a]) over.axes.push_back(static_cast<Index>(a)), counted.push_back(shape[a]);
    else over.kept.push_back(shape[a]);
    over.with_ones.push_back(goes[a] ? 1 : shape[a]);
  }
  // Saturates only where the tensor is empty, and then so is the result.
  over.count = checked_product(counted).value_or(std::numeric_limits<Index>::max());
  return over;
}

Result<Tensor> sum(const Tensor& a, const Reduction& over) {
  return dispatch_offered<Numbers>("sum", a.dtype(), [&]<class T>() { return sum_over<T>(a, over, 1); });
}

Result<Tensor> mean(const Tensor& a, const Reduction& over) {
  return dispatch_offered<FloatsAndComplex>(
      "mean", a.dtype(), [&]<class T>() { return sum_over<T>(a, over, static_cast<double>(over.count)); });
}

Result<Extremes> extremes(Which which, const Tensor& a, const Reduction& over) {
  const char* op = which == Which::kMax ? "max" : "min";
  return dispatch_offered<OrderedNumbers>(op, a.dtype(), [&]<class T>() { return choose(op, which, a, over); });
}

Result<Tensor> mask_at(const Tensor& positions, const Axes& shape) {
  GARNER_ASSIGN(Tensor mask, zeros_at(positions.device(), DType::kBool, shape));
  if (!positions.device().is_cpu()) {
    if (positions.elements() > 0) GARNER_TRY(on_device::mark(positions, mask.view()));
    return mask;
  }
  for (Index i = 0; i < positions.elements(); ++i) mask.as<Bool>()[positions.as<Index>()[i]] = true;
  return mask;
}

}  // namespace garner::grad::plain
