// Rows that were read and may be asked for again. S3-FIFO (Yang et al., "FIFO queues are all you need for cache
// eviction", SOSP 2023): most rows are asked for once, so new ones wait in a small queue, and only those that are asked
// for again there, or soon after they were dropped, get into the main one.
#pragma once
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "base/fail.h"
#include "garner/axes.h"

namespace garner {

/// Numbers by id, for as many ids as it was made for; open addressing.
class IdMap {
 public:
  explicit IdMap(std::size_t ids);
  const std::uint32_t* find(Index id) const;
  void insert(Index id, std::uint32_t value);  // an id that is not there
  void erase(Index id);

  static constexpr std::size_t kBytesEach = 44;  // at most, of an id: 16 bytes an entry, 3/8 of them full or more

 private:
  struct Entry {
    Index id;
    std::uint32_t value;
  };
  std::size_t home(Index id) const;
  std::size_t place_of(Index id) const;
  std::vector<Entry> entries_;
  std::size_t mask_;
  int shift_;
};

/// First in, first out, of at most so many.
template <class T>
class Fifo {
 public:
  explicit Fifo(std::size_t most) : items_(most) {}
  std::size_t size() const { return size_; }
  bool full() const { return size_ == items_.size(); }
  void push(T item) { items_[(first_ + size_++) % items_.size()] = item; }
  T pop() {
    const T item = items_[first_];
    first_ = (first_ + 1) % items_.size();
    --size_;
    return item;
  }

 private:
  std::vector<T> items_;
  std::size_t first_ = 0, size_ = 0;
};

/// A part of the cache with a lock of its own.
class CacheShard {
 public:
  CacheShard(std::byte* rows, std::size_t row_bytes, std::size_t capacity);
  bool get(Index row, std::byte* to);
  void put(Index row, const std::byte* from);
  std::size_t size() const;

 private:
  using Slot = std::uint32_t;
  struct Held {
    Index row;
    std::uint8_t hits;  // up to 3
  };
  std::byte* bytes_of(Slot slot) const { return rows_ + slot * row_bytes_; }
  Slot free_slot();
  bool make_room_in_small(Slot& freed);
  bool make_room_in_main(Slot& freed);
  void drop(Slot slot);
  void remember(Index row);
  bool forget(Index row);

  mutable std::mutex mutex_;
  std::byte* rows_;
  std::size_t row_bytes_, small_most_;
  std::vector<Held> held_;
  std::size_t used_ = 0;
  IdMap slots_;
  Fifo<Slot> small_, main_;
  IdMap ghosts_;  // rows dropped from the small queue
  Fifo<Index> ghost_order_;  // the same, by age
};

class RowCache {
 public:
  /// At most `bytes` bytes, with what is remembered of each row counted; at most `rows` rows. Rule V6.
  static Result<std::unique_ptr<RowCache>> create(Index bytes, Index row_bytes, Index rows);

  Index capacity() const { return capacity_; }
  Index size() const;
  bool get(Index row, std::byte* to) { return capacity_ > 0 && shard_of(row).get(row, to); }
  void put(Index row, const std::byte* from) {
    if (capacity_ > 0) shard_of(row).put(row, from);
  }

 private:
  CacheShard& shard_of(Index row);
  std::shared_ptr<void> rows_;
  std::vector<std::unique_ptr<CacheShard>> shards_;
  Index capacity_ = 0;
};

}  // namespace garner
