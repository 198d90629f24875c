// For the tests of tables on ranks: one process's answer, and every rank's part of it.
#pragma once
#include <gtest/gtest.h>

#include "grad/row_test.h"
#include "ranks/thread_ranks.h"

namespace garner {

inline constexpr Shards kAllShards[] = {Shards::kBlock, Shards::kCyclic, Shards::kHashed};

/// Numbers whose sums depend on their order.
template <class T>
T rough(index::Random& random) {
  if constexpr (is_index_v<T>) return static_cast<T>(random.below(100));
  else return T(static_cast<float>(random.below(2000) - 1000) * (random.one_in(5) ? 37.3F : 0.013F));
}

inline Tensor rough_tensor(index::Random& random, DType dtype, const Axes& shape) {
  Tensor out = value_or_throw(Tensor::empty(dtype, shape));
  dispatch(dtype, [&]<class T>() {
    if constexpr (is_table_v<T> || is_index_v<T>)
      for (Index i = 0; i < out.elements(); ++i) out.as<T>()[i] = rough<T>(random);
  });
  return out;
}

/// Rows [begin, end).
inline View rows_between(const View& whole, Index begin, Index end) {
  Axes shape = whole.shape();
  shape[0] = end - begin;
  return whole.seen_as(shape, whole.stride(), begin * whole.stride()[0]);
}

/// Indices of all ranks, one behind another; rank k has those from begins[k] on.
struct Batch {
  Tensor ids, updates;
  Axes begins;
  View ids_of(int rank) const { return part(ids, rank); }
  View updates_of(int rank) const { return part(updates, rank); }

 private:
  View part(const View& whole, int rank) const {
    return rows_between(whole, begins[static_cast<std::size_t>(rank)], begins[static_cast<std::size_t>(rank) + 1]);
  }
};

/// The same indices however many ranks there are, cut at other places; some ranks have none.
inline Axes cut(Index count, int ranks) {
  Axes begins = {0};
  for (int k = 1; k < ranks; ++k) begins.push_back(k % 3 == 2 ? begins.back() : count * k / ranks);
  begins.push_back(count);
  return begins;
}

/// The rows of one rank out of a whole table.
inline Tensor shard_of(const View& whole, const Sharding& sharding, int rank) {
  Axes shape = whole.shape();
  shape[0] = sharding.extent(rank);
  Tensor out = value_or_throw(Tensor::empty(whole.dtype(), shape));
  const Index bytes = shape[0] == 0 ? 0 : out.bytes() / shape[0];
  for (Index j = 0; j < shape[0]; ++j)
    std::memcpy(out.as<std::byte>() + j * bytes,
                static_cast<const std::byte*>(whole.data()) + sharding.id(sharding.begin(rank) + j) * bytes,
                static_cast<std::size_t>(bytes));
  return out;
}

inline Table shared(const std::shared_ptr<Ranks>& ranks, const View& whole, const ShareOptions& options) {
  const Sharding s = value_or_throw(Sharding::even(options.shards, whole.extent(0), ranks->size()));
  return share(ranks, shard_of(whole, s, ranks->rank()), options);
}

}  // namespace garner
