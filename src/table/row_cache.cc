#include "table/row_cache.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/checked_math.h"
#include "kernel/common/spread.h"
#include "tensor/pool.h"

namespace garner {
namespace {
constexpr Index kNobody = -1;
}  // namespace

// ---- IdMap ----

IdMap::IdMap(std::size_t ids)
    : entries_(std::bit_ceil(std::max<std::size_t>(ids, 1) * 4 / 3 + 1), {kNobody, 0}),
      mask_(entries_.size() - 1),
      shift_(64 - std::countr_zero(entries_.size())) {}

std::size_t IdMap::home(Index id) const { return spread(id) >> shift_; }

/// Where it is, or the free place it would take.
std::size_t IdMap::place_of(Index id) const {
  std::size_t at = home(id);
  while (entries_[at].id != id && entries_[at].id != kNobody) at = (at + 1) & mask_;
  return at;
}

const std::uint32_t* IdMap::find(Index id) const {
  const Entry& entry = entries_[place_of(id)];
  return entry.id == id ? &entry.value : nullptr;
}

void IdMap::insert(Index id, std::uint32_t value) { entries_[place_of(id)] = {id, value}; }

/// What came after it moves up, so that no search ends at the hole.
void IdMap::erase(Index id) {
  std::size_t hole = place_of(id);
  if (entries_[hole].id != id) return;
  for (std::size_t at = (hole + 1) & mask_; entries_[at].id != kNobody; at = (at + 1) & mask_) {
    const std::size_t wanted = home(entries_[at].id);
    if (((at - wanted) & mask_) < ((at - hole) & mask_)) continue;
    entries_[hole] = entries_[at];
    hole = at;
  }
  entries_[hole].id = kNobody;
}

// ---- CacheShard ----

/// A tenth for what is new, as measured in the paper.
CacheShard::CacheShard(std::byte* rows, std::size_t row_bytes, std::size_t capacity)
    : rows_(rows),
      row_bytes_(row_bytes),
      small_most_(std::max<std::size_t>(capacity / 10, 1)),
      held_(capacity),
      slots_(capacity),
      small_(capacity),
      main_(capacity),
      ghosts_(capacity),
      ghost_order_(capacity) {}

std::size_t CacheShard::size() const {
  const std::lock_guard lock(mutex_);
  return small_.size() + main_.size();
}

bool CacheShard::get(Index row, std::byte* to) {
  const std::lock_guard lock(mutex_);
  const Slot* slot = slots_.find(row);
  if (slot == nullptr) return false;
  Held& held = held_[*slot];
  held.hits = static_cast<std::uint8_t>(std::min(held.hits + 1, 3));
  std::memcpy(to, bytes_of(*slot), row_bytes_);
  return true;
}

void CacheShard::put(Index row, const std::byte* from) {
  const std::lock_guard lock(mutex_);
  if (slots_.find(row) != nullptr) return;  // another call was first
  const bool again = forget(row);
  const Slot slot = free_slot();
  held_[slot] = {row, 0};
  slots_.insert(row, slot);
  std::memcpy(bytes_of(slot), from, row_bytes_);
  (again ? main_ : small_).push(slot);
}

CacheShard::Slot CacheShard::free_slot() {
  if (used_ < held_.size()) return static_cast<Slot>(used_++);
  Slot freed = 0;
  for (bool done = false; !done;) {
    const bool from_small = small_.size() >= small_most_ || main_.size() == 0;
    done = from_small ? make_room_in_small(freed) : make_room_in_main(freed);
  }
  return freed;
}

/// The oldest of the small queue goes on to the main one if it was asked for meanwhile; a call asks for a row once,
/// however often it needs it.
bool CacheShard::make_room_in_small(Slot& freed) {
  freed = small_.pop();
  if (held_[freed].hits > 0) {
    held_[freed].hits = 0;
    main_.push(freed);
    return false;
  }
  remember(held_[freed].row);
  drop(freed);
  return true;
}

/// The oldest of the main queue gets another round for each time it was asked for.
bool CacheShard::make_room_in_main(Slot& freed) {
  freed = main_.pop();
  if (held_[freed].hits > 0) {
    --held_[freed].hits;
    main_.push(freed);
    return false;
  }
  drop(freed);
  return true;
}

void CacheShard::drop(Slot slot) { slots_.erase(held_[slot].row); }

void CacheShard::remember(Index row) {
  if (ghost_order_.full()) ghosts_.erase(ghost_order_.pop());
  if (ghosts_.find(row) == nullptr) ghosts_.insert(row, 0);
  ghost_order_.push(row);
}

/// Its place in the order stays, and is dropped when it is the oldest.
bool CacheShard::forget(Index row) {
  if (ghosts_.find(row) == nullptr) return false;
  ghosts_.erase(row);
  return true;
}

// ---- RowCache ----

namespace {

/// What one row takes beside its bytes: the two maps, the three queues, who holds the slot.
constexpr Index kBesides = Index{2 * IdMap::kBytesEach + 2 * sizeof(std::uint32_t) + sizeof(Index) + 16};

/// Slots are numbered in 32 bits.
constexpr Index kMostRows = Index{1} << 32;

/// Few rows are not worth many locks: a part of 64 rows may be full while others are not.
Index shards_for(Index capacity) { return std::clamp<Index>(capacity / 1024, 1, 16); }

}  // namespace

Result<std::unique_ptr<RowCache>> RowCache::create(Index bytes, Index row_bytes, Index rows) {
  auto cache = std::make_unique<RowCache>();
  const Index most = std::min({row_bytes == 0 ? 0 : bytes / (row_bytes + kBesides), rows, kMostRows});
  if (most == 0) return cache;
  const Index shards = shards_for(most), each = most / shards;
  cache->rows_ = lasting_block(static_cast<std::size_t>(shards * each * row_bytes));
  if (cache->rows_ == nullptr)
    return fail(Code::kMemory, "V6", "open_table: the system refuses {} bytes for the cache", bytes);
  for (Index i = 0; i < shards; ++i)
    cache->shards_.push_back(
        std::make_unique<CacheShard>(static_cast<std::byte*>(cache->rows_.get()) + i * each * row_bytes,
                                     static_cast<std::size_t>(row_bytes), static_cast<std::size_t>(each)));
  cache->capacity_ = shards * each;
  return cache;
}

Index RowCache::size() const {
  Index rows = 0;
  for (const auto& shard : shards_) rows += static_cast<Index>(shard->size());
  return rows;
}

/// By lower bits of the hash than the shards' maps go by.
CacheShard& RowCache::shard_of(Index row) { return *shards_[(spread(row) >> 24 & 255) % shards_.size()]; }

}  // namespace garner
