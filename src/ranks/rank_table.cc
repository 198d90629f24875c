#include "ranks/rank_table.h"

#include "base/fail.h"

namespace garner {

Status RankTable::open() {
  GARNER_ASSIGN(buffers_, FlowBuffers::make(row_bytes_of(*this), group_.size()));
  return {};
}

Status RankTable::agree(Status mine) { return group_.agree(mine); }

TableStats RankTable::stats() const {
  const std::scoped_lock lock(mutex_);
  TableStats out = stats_;
  out.bytes_sent = group_.sent();
  out.bytes_received = group_.received();
  return out;
}

void RankTable::count(const RowExchange::State& plan, Index lookups) {
  const std::scoped_lock lock(mutex_);
  stats_.lookups += lookups;
  stats_.unique += plan.wanted.groups();
  stats_.hits += plan.wanted.groups_of(group_.rank());
}

Result<RowExchange::State> RankTable::plan(std::span<const Index> ids, const RunOptions& run) {
  auto made = plan_exchange(shard(), ids, unique_, run);
  if (made.ok()) count(*made, static_cast<Index>(ids.size()));
  return made;
}

Status RankTable::gather(const RowExchange::State& plan, std::byte* out, const RunOptions& run) {
  return gather_rows(shard(), plan, out, run);
}

Status RankTable::read(std::span<const Index> ids, std::byte* out, const RunOptions& run) {
  GARNER_ASSIGN(const RowExchange::State made, plan(ids, run));
  return gather(made, out, run);
}

Result<std::shared_ptr<RankTable>> rank_table(const char* op, const Table& table) {
  auto found = std::dynamic_pointer_cast<RankTable>(table.backend());
  if (found) return found;
  return fail(Code::kInvalidArgument, "RK4", "{}: table lies elsewhere, allowed on ranks (share)", op);
}

}  // namespace garner
