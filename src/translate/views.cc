#include "translate/views.h"

#include <algorithm>
#include <numeric>

#include "garner/view.h"

namespace garner::translate_detail {
namespace {

/// The walk's own shape: extent 1 where it stands still.
Axes moving_shape(const Walk& walk) {
  Axes shape;
  for (std::size_t k = 0; k < walk.domain.size(); ++k) shape.push_back(walk.stride[k] == 0 ? 1 : walk.domain[k]);
  return shape;
}

/// Straight through all of it, in order.
bool is_whole(const Walk& walk, const Axes& shape) {
  const Axes own = moving_shape(walk), straight = row_major(own);
  for (std::size_t k = 0; k < own.size(); ++k)
    if (own[k] != 1 && walk.stride[k] != straight[k]) return false;
  return walk.offset == 0 && View(DType::kI8, nullptr, own).elements() == View(DType::kI8, nullptr, shape).elements();
}

/// A slice for each axis of the array, and which axis of the domain it follows (-1: none).
struct Slices {
  Axes start, extent, step, follows;
};

std::optional<Slices> slices_of(const Walk& walk, const Axes& shape) {
  const Axes stride = row_major(shape);
  Slices s{Axes(shape.size(), 0), Axes(shape.size(), 1), Axes(shape.size(), 1), Axes(shape.size(), -1)};
  Index rest = walk.offset;
  for (std::size_t a = 0; a < shape.size(); ++a) {
    s.start[a] = rest / stride[a];
    rest -= s.start[a] * stride[a];
  }
  for (std::size_t k = 0; k < walk.domain.size(); ++k) {
    if (walk.stride[k] == 0 || walk.domain[k] == 1) continue;
    std::size_t a = 0;
    while (a < shape.size() && !(shape[a] > 1 && stride[a] <= walk.stride[k])) ++a;
    if (a == shape.size() || s.follows[a] >= 0 || walk.stride[k] % stride[a] != 0) return std::nullopt;
    s.step[a] = walk.stride[k] / stride[a];
    s.extent[a] = walk.domain[k];
    s.follows[a] = static_cast<Index>(k);
    if (s.start[a] + (s.extent[a] - 1) * s.step[a] >= shape[a]) return std::nullopt;
  }
  return s;
}

bool in_order(const Axes& follows) {
  Index last = -1;
  for (const Index f : follows) {
    if (f >= 0 && f < last) return false;
    last = std::max(last, f);
  }
  return true;
}

/// Array axes in the order of the domain axes they follow; those that follow none come first, with extent 1.
int sliced(Builder& b, int a, const Slices& s, const Axes& shape) {
  Axes order(s.follows.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::ranges::sort(order, {}, [&](Index x) { return std::pair(s.follows[static_cast<std::size_t>(x)], x); });
  const int cut = b.slice(a, s.start, s.extent, s.step);
  return b.reshape(in_order(s.follows) ? cut : b.transpose(cut, order), shape);
}

}  // namespace

int affine(Builder& b, const Walk& walk) {
  int sum = b.number(walk.offset);
  for (std::size_t k = 0; k < walk.domain.size(); ++k) {
    if (walk.stride[k] == 0 || walk.domain[k] == 1) continue;
    sum = b.add(b.mul(b.coordinate(k, walk.domain), b.number(walk.stride[k])), sum);
  }
  return sum;
}

int walk_over(Builder& b, int a, const Walk& walk) {
  const Axes own = moving_shape(walk), shape = b[a].shape;
  if (is_whole(walk, shape)) return b.reshape(a, own);
  if (const auto slices = slices_of(walk, shape)) return sliced(b, a, *slices, own);
  const int places = b.flat(b.broadcast(affine(b, walk), own));
  return b.reshape(b.take(b.flat(a), places), own);
}

}  // namespace garner::translate_detail
