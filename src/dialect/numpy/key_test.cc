// Random keys against the definition, one element at a time: the result's coordinates are dealt out to the key's parts.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "garner/numpy.h"
#include "tensor/walk.h"

namespace garner::numpy {
namespace {

/// The whole range from the first test on: small ones would make the same key again and again.
Index number(Index lo, Index hi) { return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<Index>(lo, hi + 1)); }
bool chance(Index percent) { return number(1, 100) <= percent; }

/// A key that fits the shape, and the memory of its arrays.
struct RandomKey {
  Axes shape, block;
  Key key = {};
  std::vector<Tensor> kept = {};
  std::size_t axis = 0;

  void add(Tensor t) {
    kept.push_back(std::move(t));
    key.emplace_back(View(kept.back()));
  }

  std::optional<Index> end(Index n) const { return chance(40) ? std::nullopt : std::optional(number(-n - 2, n + 2)); }
  void add_slice() {
    const Index n = shape[axis++], step = number(1, 3);
    key.emplace_back(Slice{end(n), end(n), chance(30) ? std::nullopt : std::optional(chance(50) ? step : -step)});
  }

  void add_array() {
    const Index n = shape[axis++];
    Axes own(block.begin() + (chance(30) && !block.empty() ? 1 : 0), block.end());
    for (Index& extent : own) extent = chance(20) ? 1 : extent;
    Tensor t = *Tensor::empty(DType::kI32, own);
    for (Index i = 0; i < t.elements(); ++i) t.as<std::int32_t>()[i] = static_cast<std::int32_t>(number(-n, n - 1));
    add(std::move(t));
  }

  /// With one place that is true, so that it goes with every block.
  void add_mask() {
    const std::size_t rank = axis + 1 < shape.size() && chance(50) ? 2 : 1;
    Tensor t = *Tensor::zeros(
        DType::kBool, Axes(shape.begin() + static_cast<Index>(axis), shape.begin() + static_cast<Index>(axis + rank)));
    t.as<bool>()[number(0, t.elements() - 1)] = true;
    axis += rank;
    add(std::move(t));
  }

  void add_part() {
    const Index kind = number(0, 99);  // what shrinks to 0 speaks of an axis, so that a key comes to its end
    if (kind < 28) add_slice();
    else if (kind < 43) key.emplace_back(number(-shape[axis], shape[axis] - 1)), ++axis;
    else if (kind < 78) add_array();
    else if (kind < 88) add_mask();
    else if (kind < 92) add(scalar(true));
    else key.emplace_back(newaxis);
  }

  /// A key may stop early, unless an ellipsis has decided which axes the parts after it speak of.
  void fill() {
    const Index rank = static_cast<Index>(shape.size()), ellipsis_at = chance(40) ? number(0, rank) : -1;
    for (Index part = 0; axis < shape.size(); ++part) {
      if (ellipsis_at < 0 && chance(5)) return;
      if (part != ellipsis_at) add_part();
      else key.emplace_back(ellipsis), axis += static_cast<std::size_t>(number(0, rank - static_cast<Index>(axis)));
    }
  }
};

RandomKey random_key() {
  RandomKey out;
  for (Index rank = number(1, 4); rank > 0; --rank) out.shape.push_back(number(1, 4));
  for (Index rank = number(0, 2); rank > 0; --rank) out.block.push_back(number(1, 3));
  out.fill();
  return out;
}

// ---- the definition ----

/// What one part gives for one axis of the array: all positions of a slice, or an index array (an integer is one of
/// rank 0), or a new axis.
struct Piece {
  bool fancy = false;  // an index array, a mask's axis, an integer
  bool array = false;  // not a mere integer
  bool consumes = true;  // speaks of an axis
  Axes extent = {};  // of the slice, or the index array's shape
  std::vector<Index> positions = {};  // row-major over extent
};

Piece slice_piece(const Slice& s, Index n) {
  const Index step = s.step.value_or(1);
  const auto clip = [&](Index v) {
    return std::clamp<Index>(v < 0 ? v + n : v, step > 0 ? 0 : -1, step > 0 ? n : n - 1);
  };
  Index at = s.start ? clip(*s.start) : step > 0 ? 0 : n - 1;
  const Index stop = s.stop ? clip(*s.stop) : step > 0 ? n : -1;
  Piece p;
  for (; step > 0 ? at < stop : at > stop; at += step) p.positions.push_back(at);
  p.extent = {static_cast<Index>(p.positions.size())};
  return p;
}

struct Pieces {
  const Axes& shape;
  Index spare;
  std::vector<Piece> all = {};
  std::size_t axis = 0;

  void operator()(Index v) { all.push_back({true, false, true, {}, {v < 0 ? v + shape[axis] : v}}), ++axis; }
  void operator()(const Slice& s) { all.push_back(slice_piece(s, shape[axis++])); }
  void operator()(const NewAxis&) { all.push_back({false, false, false, {1}, {0}}); }
  void operator()(const Ellipsis&) {
    for (; spare > 0; --spare) (*this)(Slice{});
    all.push_back({false, false, false, {}, {0}});  // sets arrays apart, though it has no axis itself
  }
  void operator()(const View& v) {
    if (v.dtype() == DType::kBool) return mask(v);
    Piece p{true, v.rank() > 0, true, v.shape(), {}};
    for (Index i = 0; i < v.elements(); ++i) {
      const Index value = static_cast<const std::int32_t*>(v.data())[i];
      p.positions.push_back(value < 0 ? value + shape[axis] : value);
    }
    ++axis;
    all.push_back(std::move(p));
  }
  void mask(const View& v) {
    std::vector<Piece> rows(static_cast<std::size_t>(v.rank()), Piece{true, true, true, {0}, {}});
    Index count = 0;
    walk_positions(v.shape(), [&](const Axes& at) {
      if (!static_cast<const bool*>(v.data())[dot(at, v.stride())]) return;
      ++count;
      for (std::size_t a = 0; a < rows.size(); ++a) rows[a].positions.push_back(at[a]);
    });
    for (Piece& row : rows) row.extent = {count}, all.push_back(row);
    if (rows.empty())
      all.push_back({true, true, false, {count}, std::vector<Index>(static_cast<std::size_t>(count), 0)});
    axis += rows.size();
  }
};

Index spare_axes(const Axes& shape, const Key& key) {
  Index spare = static_cast<Index>(shape.size());
  for (const KeyPart& part : key) {
    const View* v = std::get_if<View>(&part);
    if (v != nullptr) spare -= v->dtype() == DType::kBool ? v->rank() : 1;
    else if (!std::holds_alternative<NewAxis>(part) && !std::holds_alternative<Ellipsis>(part)) --spare;
  }
  return spare;
}

std::vector<Piece> pieces_of(const Axes& shape, const Key& key) {
  Pieces pieces{shape, spare_axes(shape, key)};
  for (const KeyPart& part : key) std::visit(pieces, part);
  pieces(Ellipsis{});
  return pieces.all;
}

/// Where in the result the index arrays' axes begin, counted in the axes of slices: -1 without arrays.
Index block_place(const std::vector<Piece>& pieces) {
  if (std::ranges::none_of(pieces, &Piece::array)) return -1;
  Index slots = 0, place = -1;
  bool left = false;
  for (const Piece& p : pieces) {
    if (p.fancy && left) return 0;
    if (p.fancy && place < 0) place = slots;
    if (!p.fancy && place >= 0) left = true;
    if (!p.fancy) slots += static_cast<Index>(p.extent.size());
  }
  return place;
}

/// The element of a row-major array of this shape at the last coordinates of `at`, stretched.
Index broadcast_offset(const Axes& shape, const Axes& at) {
  Index offset = 0;
  for (std::size_t a = 0; a < shape.size(); ++a)
    offset = offset * shape[a] + (shape[a] == 1 ? 0 : at[at.size() - shape.size() + a]);
  return offset;
}

struct Slow {
  Axes shape;
  std::vector<Axes> sources;
};  // the array's coordinates of every result element

Slow slow(const Axes& shape, const Key& key) {
  const auto pieces = pieces_of(shape, key);
  std::vector<Axes> arrays{{}};
  Axes slots;
  for (const Piece& p : pieces) {
    if (p.fancy) arrays.push_back(p.extent);
    else slots.insert(slots.end(), p.extent.begin(), p.extent.end());
  }
  const Axes block = *broadcast_shapes(arrays);
  const Index place = std::max<Index>(block_place(pieces), 0), width = static_cast<Index>(block.size());
  Slow out{slots, {}};
  out.shape.insert(out.shape.begin() + place, block.begin(), block.end());
  walk_positions(out.shape, [&](const Axes& d) {
    const Axes in_block(d.begin() + place, d.begin() + place + width);
    Axes in_slots(d), source;
    in_slots.erase(in_slots.begin() + place, in_slots.begin() + place + width);
    std::size_t slot = 0;
    for (const Piece& p : pieces) {
      const Index at = p.fancy ? broadcast_offset(p.extent, in_block) : p.extent.empty() ? 0 : in_slots[slot++];
      if (p.consumes) source.push_back(p.positions[static_cast<std::size_t>(at)]);
    }
    out.sources.push_back(source);
  });
  return out;
}

/// 0, 1, 2, … in a layout of its own: backwards, with gaps.
struct Strided {
  std::vector<Index> memory;
  MutableView view;
  explicit Strided(const Axes& shape) {
    Axes stride = row_major(shape);
    const Index n = View(DType::kI64, nullptr, shape).elements();
    memory.resize(static_cast<std::size_t>(2 * n));
    for (Index& s : stride) s *= -2;
    view = MutableView(memory.data() + 2 * (n - 1), shape, stride);
    Index next = 0;
    walk_positions(shape, [&](const Axes& at) { (*this)[at] = next++; });
  }
  Index& operator[](const Axes& at) { return static_cast<Index*>(view.mutable_data())[dot(at, view.stride())]; }
};

RC_GTEST_PROP(NumpyKeys, GetIsTheDefinition, ()) {
  const RandomKey k = random_key();
  Strided x(k.shape);
  const Slow wanted = slow(k.shape, k.key);
  const Tensor got = getitem(x.view, k.key);
  RC_ASSERT(got.shape() == wanted.shape);
  for (std::size_t i = 0; i < wanted.sources.size(); ++i) RC_ASSERT(got.as<Index>()[i] == x[wanted.sources[i]]);
}

/// Assigning and adding go through the places one by one, in order.
RC_GTEST_PROP(NumpyKeys, SetAndAddAreTheDefinition, ()) {
  const RandomKey k = random_key();
  Strided x(k.shape), expected(k.shape);
  const Slow places = slow(k.shape, k.key);
  const bool adds = chance(50);
  Tensor value = *Tensor::empty(DType::kI64, places.shape);
  for (std::size_t i = 0; i < places.sources.size(); ++i) {
    value.as<Index>()[i] = static_cast<Index>(1000 + i);
    Index& target = expected[places.sources[i]];
    target = (adds ? target : 0) + static_cast<Index>(1000 + i);
  }
  if (adds) add_at(x.view, k.key, value);
  else if (value.rank() > 1 || places.shape != Axes{1}) setitem(x.view, k.key, value);
  else setitem(x.view, k.key, getitem(value, {0}));
  RC_ASSERT(x.memory == expected.memory);
}

/// take and put with every mode, flat and on every axis.
Index resolved(Index v, Index n, Mode mode) {
  if (mode == Mode::kWrap) return ((v % n) + n) % n;
  if (mode == Mode::kClip) return std::clamp<Index>(v, 0, n - 1);
  return v < 0 ? v + n : v;
}

RC_GTEST_PROP(NumpyTake, TakeAndPutAreTheDefinition, ()) {
  Axes shape;
  for (Index rank = number(1, 3); rank > 0; --rank) shape.push_back(number(1, 4));
  const Mode mode = static_cast<Mode>(number(0, 2));
  const Index axis = number(0, static_cast<Index>(shape.size()) - 1), n = shape[static_cast<std::size_t>(axis)];
  const Index reach = mode == Mode::kRaise ? n : 3 * n;
  std::vector<Index> index;
  for (Index i = number(0, 5); i > 0; --i) index.push_back(number(-reach, reach - 1));
  Strided x(shape), expected(shape);
  const Tensor taken = take(x.view, index, {.axis = axis, .mode = mode});
  walk_positions(taken.shape(), [&](const Axes& d) {
    Axes source = d;
    source[static_cast<std::size_t>(axis)] =
        resolved(index[static_cast<std::size_t>(d[static_cast<std::size_t>(axis)])], n, mode);
    RC_ASSERT(taken.as<Index>()[dot(d, row_major(taken.shape()))] == x[source]);
  });
  put(x.view, index, std::vector<Index>{-1, -2}, mode);  // flat: the axis' extent is no more than that of all
  const Index all = x.view.elements();
  for (std::size_t i = 0; i < index.size(); ++i) {
    Index rest = resolved(index[i], all, mode);
    Axes at(shape.size());
    for (std::size_t a = shape.size(); a-- > 0; rest /= shape[a]) at[a] = rest % shape[a];
    expected[at] = i % 2 == 0 ? -1 : -2;
  }
  RC_ASSERT(x.memory == expected.memory);
}

}  // namespace
}  // namespace garner::numpy
