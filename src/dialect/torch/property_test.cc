// Random calls against torch's definition as a plain loop over positions.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "garner/torch.h"
#include "tensor/walk.h"

namespace garner::torch {
namespace {

Index number(Index lo, Index hi) { return *rc::gen::inRange<Index>(lo, hi + 1); }

Axes random_shape(Index rank, Index lo, Index hi) {
  Axes shape;
  for (Index a = 0; a < rank; ++a) shape.push_back(number(lo, hi));
  return shape;
}

Tensor random_tensor(const Axes& shape, Index lo, Index hi) {
  Tensor t = *Tensor::zeros(DType::kI64, shape);
  for (Index i = 0; i < t.elements(); ++i) t.as<Index>()[i] = number(lo, hi);
  return t;
}

/// The same numbers in memory that lies in another order, with gaps.
struct Strided {
  explicit Strided(const Tensor& t) : memory(static_cast<std::size_t>(2 * t.elements() + 1)) {
    Axes stride(t.shape().size());
    for (Index a = 0, next = 2; a < t.rank(); next *= std::max<Index>(t.shape()[static_cast<std::size_t>(a++)], 1))
      stride[static_cast<std::size_t>(a)] = next;
    view = View(memory.data(), t.shape(), stride);
    walk_positions(t.shape(), [&](const Axes& at) {
      memory[static_cast<std::size_t>(dot(at, stride))] = t.as<Index>()[dot(at, row_major(t.shape()))];
    });
  }
  std::vector<Index> memory;
  View view;
};

Index& element(Tensor& t, const Axes& at) { return t.as<Index>()[dot(at, row_major(t.shape()))]; }
Index element(const Tensor& t, const Axes& at) { return t.as<Index>()[dot(at, row_major(t.shape()))]; }

/// All values that meet in one place, in order, reduced.
Index reduce(const std::vector<Index>& values, Reduce how) {
  Index out = values.front();
  for (std::size_t i = 1; i < values.size(); ++i) {
    const Index v = values[i];
    out = how == Reduce::kProd   ? out * v
          : how == Reduce::kAmax ? std::max(out, v)
          : how == Reduce::kAmin ? std::min(out, v)
                                 : out + v;
  }
  const auto count = static_cast<double>(values.size());
  return how == Reduce::kMean ? static_cast<Index>(std::floor(static_cast<double>(out) / count)) : out;
}

using Meeting = std::vector<std::vector<Index>>;

Tensor reduced(const Tensor& self, const Meeting& arrived, const Reduction& reduction) {
  Tensor out = *self.clone();
  for (Index i = 0; i < out.elements(); ++i) {
    std::vector<Index> values = arrived[static_cast<std::size_t>(i)];
    if (values.empty()) continue;
    if (reduction.include_self) values.insert(values.begin(), self.as<Index>()[i]);
    out.as<Index>()[i] = reduce(values, reduction.reduce);
  }
  return out;
}

Reduction random_reduction(Index first) { return {static_cast<Reduce>(number(first, 4)), number(0, 1) == 1}; }

RC_GTEST_PROP(TorchProperties, ScatterReduceIsTheLoop, ()) {
  const Index rank = number(1, 3), dim = number(0, rank - 1);
  const Axes shape = random_shape(rank, 1, 4);
  Axes index_shape, src_shape;
  for (Index a = 0; a < rank; ++a) {
    index_shape.push_back(number(0, a == dim ? 5 : shape[static_cast<std::size_t>(a)]));
    src_shape.push_back(index_shape.back() + number(0, 2));
  }
  const Index n = shape[static_cast<std::size_t>(dim)];
  const Tensor self = random_tensor(shape, -9, 9), src = random_tensor(src_shape, -9, 9);
  const Tensor index = random_tensor(index_shape, 0, n - 1);
  const Reduction reduction = random_reduction(0);
  Meeting arrived(static_cast<std::size_t>(self.elements()));
  walk_positions(index_shape, [&](const Axes& d) {
    Axes at = d;
    at[static_cast<std::size_t>(dim)] = element(index, d);
    arrived[static_cast<std::size_t>(dot(at, row_major(shape)))].push_back(element(src, d));
  });
  const Tensor got =
      scatter_reduce(Strided(self).view, dim - rank * number(0, 1), Strided(index).view, Strided(src).view, reduction);
  RC_ASSERT(same_bits(got, reduced(self, arrived, reduction)));
}

RC_GTEST_PROP(TorchProperties, IndexReduceIsTheLoop, ()) {
  const Index rank = number(1, 3), dim = number(0, rank - 1);
  const Axes shape = random_shape(rank, 1, 4);
  const Tensor self = random_tensor(shape, -9, 9);
  const Tensor index = random_tensor({number(0, 5)}, 0, shape[static_cast<std::size_t>(dim)] - 1);
  Axes source_shape = shape;
  source_shape[static_cast<std::size_t>(dim)] = index.elements();
  const Tensor source = random_tensor(source_shape, -9, 9);
  const Reduction reduction = random_reduction(1);
  Meeting arrived(static_cast<std::size_t>(self.elements()));
  walk_positions(source_shape, [&](const Axes& d) {
    Axes at = d;
    at[static_cast<std::size_t>(dim)] = index.as<Index>()[d[static_cast<std::size_t>(dim)]];
    arrived[static_cast<std::size_t>(dot(at, row_major(shape)))].push_back(element(source, d));
  });
  const Tensor got = index_reduce(Strided(self).view, dim, Strided(index).view, Strided(source).view, reduction);
  RC_ASSERT(same_bits(got, reduced(self, arrived, reduction)));
}

/// index_put by the book: the block of the broadcast indices first or where it stood, ":" axes around it.
RC_GTEST_PROP(TorchProperties, IndexPutIsTheLoop, ()) {
  const Index rank = number(1, 4);
  const Axes shape = random_shape(rank, 1, 3), block = random_shape(number(0, 2), 0, 3);
  std::vector<std::optional<Tensor>> indices;
  std::vector<Index> looked_up, free;
  for (Index a = 0; a < rank; ++a) {
    const Index n = shape[static_cast<std::size_t>(a)];
    const bool index = number(0, 1) == 1 || (a == rank - 1 && looked_up.empty());
    indices.push_back(index ? std::optional(random_tensor(block, -n, n - 1)) : std::nullopt);
    (index ? looked_up : free).push_back(a);
  }
  const bool together = looked_up.back() - looked_up.front() + 1 == static_cast<Index>(looked_up.size());
  const auto at_block = together ? looked_up.front() : 0;
  Axes domain;
  for (const Index a : free) domain.push_back(shape[static_cast<std::size_t>(a)]);
  domain.insert(domain.begin() + at_block, block.begin(), block.end());
  const Tensor self = random_tensor(shape, -9, 9), values = random_tensor(domain, 10, 99);
  const bool accumulate = number(0, 1) == 1;

  Tensor expected = *self.clone();
  walk_positions(domain, [&](const Axes& d) {
    Axes rest = d;
    rest.erase(rest.begin() + at_block, rest.begin() + at_block + static_cast<Index>(block.size()));
    const Axes in_block(d.begin() + at_block, d.begin() + at_block + static_cast<Index>(block.size()));
    Axes at(static_cast<std::size_t>(rank));
    for (std::size_t f = 0; f < free.size(); ++f) at[static_cast<std::size_t>(free[f])] = rest[f];
    for (const Index a : looked_up) {
      const Index v = element(*indices[static_cast<std::size_t>(a)], in_block);
      at[static_cast<std::size_t>(a)] = v < 0 ? v + shape[static_cast<std::size_t>(a)] : v;
    }
    element(expected, at) = element(values, d) + (accumulate ? element(expected, at) : 0);
  });
  IndexList given;
  for (const auto& index : indices) given.push_back(index ? std::optional<View>(*index) : std::nullopt);
  RC_ASSERT(same_bits(index_put(Strided(self).view, given, Strided(values).view, accumulate), expected));
}

RC_GTEST_PROP(TorchProperties, MaskedSelectAndScatterAreInverse, ()) {
  const Axes shape = random_shape(number(0, 3), 0, 4);
  const Tensor self = random_tensor(shape, -9, 9), ones = random_tensor(shape, 0, 1);
  Tensor mask = *Tensor::zeros(DType::kBool, shape);
  for (Index i = 0; i < mask.elements(); ++i) mask.as<bool>()[i] = ones.as<Index>()[i] == 1;
  const Tensor chosen = torch::masked_select(Strided(self).view, mask);
  RC_ASSERT(same_bits(torch::masked_scatter(masked_fill(self, mask, 100), mask, chosen), self));
  RC_ASSERT(chosen.elements() == torch::nonzero(mask).shape()[0]);
}

}  // namespace
}  // namespace garner::torch
