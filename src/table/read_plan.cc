#include "table/read_plan.h"

namespace garner {
namespace {

Index block_below(Index at) { return at / kBlock * kBlock; }
Index block_above(Index at) { return block_below(at + kBlock - 1); }

class Planner {
 public:
  explicit Planner(Index longest) : longest_(longest) {}

  void add(std::size_t row, Index begin, Index end) {
    if (reads_.empty() || block_below(begin) > block_above(end_)) start(block_below(begin), row);
    // The last read may be full to its last byte, so that this row begins where it ends.
    while (end > limit()) {
      if (begin < limit()) extend(row, limit());
      start(limit(), row);
    }
    extend(row, end);
  }

  std::vector<RowsRead> finish() {
    close();
    return std::move(reads_);
  }

 private:
  Index limit() const { return reads_.back().blocks.offset + longest_; }
  void extend(std::size_t row, Index end) {
    end_ = end;
    reads_.back().last = row + 1;
  }
  void start(Index offset, std::size_t row) {
    close();
    reads_.push_back({{offset, 0, 0}, row, row});
    end_ = offset;
  }
  void close() {
    if (reads_.empty()) return;
    BlockRead& read = reads_.back().blocks;
    read.needed = end_ - read.offset;
    read.bytes = block_above(end_) - read.offset;
  }

  Index longest_, end_ = 0;
  std::vector<RowsRead> reads_;
};

}  // namespace

std::vector<RowsRead> plan_reads(const std::vector<Index>& rows, const RowPlaces& places, Index longest) {
  Planner planner(longest);
  for (std::size_t i = 0; i < rows.size(); ++i) planner.add(i, places.begin(rows[i]), places.end(rows[i]));
  return planner.finish();
}

}  // namespace garner
