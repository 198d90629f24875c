// Updates of whole rows in the order of the rows they go to, those of one row in index order. A row of the destination
// is then read and written once, however often it is updated, and it is the updates that are read from all over memory:
// worth it where rows are updated several times and do not stay in a cache. Positions that have this order already are
// left where they are.
#pragma once
#include <cstdint>

#include "garner/tensor.h"
#include "kernel/kernel.h"

namespace garner {

/// Element offsets of a row on the indexed side, and of its update on the dense one.
struct RowUpdate {
  Index target, source;
};

class SortedRows {
 public:
  /// Rows of a plan are either the same place or apart, so offsets that are a run apart are different rows.
  static bool is_worth(const Launch& launch);

  explicit SortedRows(const Launch& launch);
  /// False: there is no memory for the order.
  bool ok() const { return places_.has_value(); }

  /// Have all positions this order already, and is each of them valid? Then there are no updates here.
  bool in_order() const { return in_order_; }
  /// Where the positions of share k of n begin, if they are in order. A row belongs to one share.
  Index first_position(Index k, Index n) const;

  /// Updates of share k of n otherwise: [begin, end) of all. A row belongs to one share.
  struct Share {
    const RowUpdate* begin;
    const RowUpdate* end;
  };
  Share share(Index k, Index n) const { return {bound(k, n), bound(k + 1, n)}; }

  /// The most updates of one row.
  Index most() const { return most_; }

 private:
  /// f(number of the row, update) for the valid ones among positions [begin, end).
  template <class F>
  void walk(Index begin, Index end, const F& f) const;
  template <class F>
  void each_part(const F& f);
  void count();
  void set_places();
  bool order();
  const RowUpdate* bound(Index k, Index n) const;

  const Launch& launch_;
  Index rows_, parts_;
  std::optional<Tensor> places_;  // of every part, where the next update of each row belongs
  Tensor updates_;  // from the pool, as those are: fresh pages would cost as much as the sorting
  RowUpdate* begin_ = nullptr;
  RowUpdate* end_ = nullptr;
  Index total_ = 0, most_ = 0;
  bool in_order_ = false;
};

}  // namespace garner
