// Rows over a group of processes, as a place of a table.
#pragma once
#include <mutex>

#include "ranks/exchange.h"
#include "table/backend.h"

namespace garner {

class RankTable : public TableBackend {
 public:
  /// `shape` is the whole table's; `rows` are this rank's, as the sharding says.
  RankTable(Group group, Sharding sharding, Tensor rows, Axes shape, bool unique)
      : group_(std::move(group)),
        sharding_(std::move(sharding)),
        rows_(std::move(rows)),
        shape_(std::move(shape)),
        unique_(unique) {}
  /// Memory for messages. Rule V6.
  Status open();

  DType dtype() const override { return rows_.dtype(); }
  const Axes& shape() const override { return shape_; }
  Place place() const override { return Place::kRanks; }
  TableStats stats() const override;
  Status agree(Status mine) override;
  Status read(std::span<const Index> ids, std::byte* out, const RunOptions& run) override;
  bool in_background() const override { return false; }

  const Sharding& sharding() const { return sharding_; }
  const Tensor& rows() const { return rows_; }
  Axes row_shape() const { return {shape_.begin() + 1, shape_.end()}; }
  Shard shard() { return {group_, sharding_, buffers_, rows_.as<std::byte>()}; }
  Result<RowExchange::State> plan(std::span<const Index> ids, const RunOptions& run);
  Status gather(const RowExchange::State& plan, std::byte* out, const RunOptions& run);

 private:
  void count(const RowExchange::State& plan, Index lookups);

  mutable std::mutex mutex_;  // of the counts
  TableStats stats_;
  Group group_;
  Sharding sharding_;
  Tensor rows_;
  Axes shape_;
  bool unique_;
  FlowBuffers buffers_;
};

/// Rule RK4: the table lies on ranks.
Result<std::shared_ptr<RankTable>> rank_table(const char* op, const Table& table);

}  // namespace garner
