// Random calls against the specification's own formulas, in its variable names.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "garner/stablehlo.h"
#include "tensor/walk.h"

namespace garner::stablehlo {
namespace {

std::size_t u(Index i) { return static_cast<std::size_t>(i); }
bool has(const Axes& list, Index d) { return std::find(list.begin(), list.end(), d) != list.end(); }

/// One random shape of addressing, for both operations.
struct Sample {
  Axes operand, indices, domain, slice_sizes;
  GatherDims dims;
};

class Maker {
 public:
  explicit Maker(unsigned seed) : random_(seed) {}

  Index number(Index lo, Index hi) { return std::uniform_int_distribution<Index>(lo, hi)(random_); }

  Sample sample() {
    Sample s;
    const Index batch = number(0, 2);
    s.dims.index_vector_dim = number(0, batch + 1);
    for (Index i = 0; i < batch; ++i) s.indices.push_back(number(0, 3));
    for (Index d = 0, rank = number(1, 4); d < rank; ++d) add_dimension(s, d);
    std::shuffle(s.dims.start_index_map.begin(), s.dims.start_index_map.end(), random_);
    add_vector_axis(s);
    place_offsets(s);
    return s;
  }

 private:
  void add_dimension(Sample& s, Index d) {
    const Index role = number(0, 3), free = static_cast<Index>(s.dims.operand_batching_dims.size());
    if (role == 0 && free < static_cast<Index>(s.indices.size())) {
      s.operand.push_back(s.indices[u(free)]);
      s.slice_sizes.push_back(std::min<Index>(1, s.operand.back()));
      s.dims.operand_batching_dims.push_back(d);
      s.dims.start_indices_batching_dims.push_back(free);
      return;
    }
    s.operand.push_back(number(1, 4));
    s.slice_sizes.push_back(role == 1 ? 1 : number(0, s.operand.back()));
    if (role == 1) s.dims.collapsed_slice_dims.push_back(d);
    if (number(0, 2) > 0) s.dims.start_index_map.push_back(d);
  }

  /// Puts the index vector in, or leaves it out where one component allows that.
  void add_vector_axis(Sample& s) {
    const auto components = static_cast<Index>(s.dims.start_index_map.size());
    const auto batch = static_cast<Index>(s.indices.size());
    if (components == 1 && number(0, 1) == 1) {
      s.dims.index_vector_dim = batch;
      return;
    }
    s.dims.index_vector_dim = std::min(s.dims.index_vector_dim, batch);
    s.indices.insert(s.indices.begin() + s.dims.index_vector_dim, components);
    for (Index& b : s.dims.start_indices_batching_dims)
      if (b >= s.dims.index_vector_dim) ++b;
  }

  void place_offsets(Sample& s) {
    s.domain = s.indices;
    if (s.dims.index_vector_dim < static_cast<Index>(s.indices.size()))
      s.domain.erase(s.domain.begin() + s.dims.index_vector_dim);
    for (Index d = 0; d < static_cast<Index>(s.operand.size()); ++d) {
      if (has(s.dims.collapsed_slice_dims, d) || has(s.dims.operand_batching_dims, d)) continue;
      const Index last = s.dims.offset_dims.empty() ? -1 : s.dims.offset_dims.back();
      const Index at = number(last + 1, static_cast<Index>(s.domain.size()));
      s.dims.offset_dims.push_back(at);
      s.domain.insert(s.domain.begin() + at, s.slice_sizes[u(d)]);
    }
  }

  std::mt19937 random_;
};

Index value_at(const Tensor& t, const Axes& position) { return t.as<Index>()[dot(position, row_major(t.shape()))]; }

/// The coordinates of a domain position that are not on a window axis.
Axes batch_of(const Sample& s, const Axes& position) {
  Axes out;
  for (Index d = 0; d < static_cast<Index>(position.size()); ++d)
    if (!has(s.dims.offset_dims, d)) out.push_back(position[u(d)]);
  return out;
}

Axes start_of(const Sample& s, const Tensor& indices, const Axes& batch) {
  Axes start(s.operand.size(), 0);
  for (std::size_t k = 0; k < s.dims.start_index_map.size(); ++k) {
    Axes at = batch;
    if (at.size() < indices.shape().size()) at.insert(at.begin() + s.dims.index_vector_dim, static_cast<Index>(k));
    start[u(s.dims.start_index_map[k])] = value_at(indices, at);
  }
  return start;
}

/// batching + offset.
Axes rest_of(const Sample& s, const Axes& position, const Axes& batch) {
  Axes out(s.operand.size(), 0);
  for (std::size_t i = 0; i < s.dims.operand_batching_dims.size(); ++i) {
    const Index b = s.dims.start_indices_batching_dims[i];
    out[u(s.dims.operand_batching_dims[i])] = batch[u(b < s.dims.index_vector_dim ? b : b - 1)];
  }
  std::size_t next = 0;
  for (Index d = 0; d < static_cast<Index>(s.operand.size()); ++d)
    if (!has(s.dims.collapsed_slice_dims, d) && !has(s.dims.operand_batching_dims, d))
      out[u(d)] = position[u(s.dims.offset_dims[next++])];
  return out;
}

Tensor random_tensor(Maker& maker, const Axes& shape, Index lo, Index hi) {
  Tensor t = *Tensor::zeros(DType::kI64, shape);
  for (Index i = 0; i < t.elements(); ++i) t.as<Index>()[i] = maker.number(lo, hi);
  return t;
}

Tensor gather_by_formula(const Sample& s, const Tensor& operand, const Tensor& indices) {
  Tensor result = *Tensor::zeros(DType::kI64, s.domain);
  Index* out = result.as<Index>();
  walk_positions(s.domain, [&](const Axes& position) {
    const Axes batch = batch_of(s, position);
    Axes at = start_of(s, indices, batch);
    const Axes rest = rest_of(s, position, batch);
    for (std::size_t d = 0; d < at.size(); ++d)
      at[d] = std::clamp<Index>(at[d], 0, s.operand[d] - s.slice_sizes[d]) + rest[d];
    *out++ = value_at(operand, at);
  });
  return result;
}

enum class Fits { kElement, kWindow };

bool is_inside(const Sample& s, const Axes& start, const Axes& rest, Fits fits) {
  for (std::size_t d = 0; d < start.size(); ++d) {
    const Index at = fits == Fits::kElement ? start[d] + rest[d] : start[d];
    const Index room = fits == Fits::kElement                                     ? 1
                       : has(s.dims.operand_batching_dims, static_cast<Index>(d)) ? 0
                                                                                  : s.slice_sizes[d];
    if (at < 0 || at > s.operand[d] - room) return false;
  }
  return true;
}

Tensor scatter_by_formula(const Sample& s, const Tensor& input, const Tensor& indices, const Tensor& updates,
                          Fits fits) {
  Tensor result = *input.clone();
  walk_positions(s.domain, [&](const Axes& position) {
    const Axes batch = batch_of(s, position), start = start_of(s, indices, batch), rest = rest_of(s, position, batch);
    if (!is_inside(s, start, rest, fits)) return;
    Axes at = start;
    for (std::size_t d = 0; d < at.size(); ++d) at[d] += rest[d];
    result.as<Index>()[dot(at, row_major(s.operand))] = value_at(updates, position);
  });
  return result;
}

ScatterDims as_scatter(const GatherDims& d) {
  return {d.offset_dims,     d.collapsed_slice_dims, d.operand_batching_dims, d.start_indices_batching_dims,
          d.start_index_map, d.index_vector_dim};
}

constexpr unsigned kSamples = 3000;

TEST(Stablehlo, gather_C22_RandomCallsFollowTheFormula) {
  for (unsigned seed = 0; seed < kSamples; ++seed) {
    Maker maker(seed);
    const Sample s = maker.sample();
    const Tensor operand = random_tensor(maker, s.operand, -99, 99), indices = random_tensor(maker, s.indices, -3, 6);
    const auto result = run_one(lower_gather(operand, indices, s.dims, s.slice_sizes));
    ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.status().message;
    ASSERT_TRUE(same_bits(*result, gather_by_formula(s, operand, indices))) << "seed " << seed;
  }
}

TEST(Stablehlo, scatter_C24_RandomCallsFollowTheFormula) {
  for (unsigned seed = 0; seed < kSamples; ++seed) {
    Maker maker(seed);
    const Sample s = maker.sample();
    const Tensor input = random_tensor(maker, s.operand, -99, 99), indices = random_tensor(maker, s.indices, -3, 6);
    const Tensor updates = random_tensor(maker, s.domain, -99, 99);
    for (const Fits fits : {Fits::kElement, Fits::kWindow}) {
      const auto skip = fits == Fits::kElement ? OutOfBounds::kSkipElement : OutOfBounds::kSkipWindow;
      const auto jobs = lower_scatter({input}, indices, {updates}, as_scatter(s.dims), {}, {.out_of_bounds = skip});
      ASSERT_TRUE(jobs.ok()) << "seed " << seed << ": " << jobs.status().message;
      const auto result = run_one((*jobs)[0]);
      ASSERT_TRUE(result.ok()) << "seed " << seed << ": " << result.status().message;
      ASSERT_TRUE(same_bits(*result, scatter_by_formula(s, input, indices, updates, fits))) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace garner::stablehlo
