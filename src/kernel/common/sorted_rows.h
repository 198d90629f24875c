// Updates of whole rows in the order of the rows they go to, those of one row in index order. A row of the destination
// is then read and written once, however often it is updated, and it is the updates that are read from all over memory:
// worth it where rows are updated several times and do not stay in a cache. Positions that have this order already are
// left where they are.
#pragma once
#include <cstdint>
#include <span>

#include "garner/tensor.h"
#include "kernel/kernel.h"

namespace garner {

class SortedRows {
 public:
  /// Rows of a plan are either the same place or apart.
  static bool is_worth(const Launch& launch);

  explicit SortedRows(const Launch& launch);
  /// False: there is no memory for the order.
  bool ok() const { return places_.has_value(); }

  /// Have all positions this order already, and is each of them valid? Then there are no updates here.
  bool in_order() const { return in_order_; }
  /// Where the positions of share k of n begin, if they are in order. A row belongs to one share.
  Index first_position(Index k, Index n) const;

  /// Rows of share k of n otherwise: about as many updates as in the others.
  struct Rows {
    Index begin, end;
  };
  Rows share(Index k, Index n) const { return {first_row(k, n), first_row(k + 1, n)}; }

  /// Element offset of a row on the indexed side.
  Index target(Index row) const { return launch_.facts.span.lo + row * row_pitch_; }
  /// The valid positions that go to a row. kPast more may be read behind the last row's: any of them.
  std::span<const std::uint32_t> updates(Index row) const;
  static constexpr Index kPast = 256;
  /// Element offset of a position on the dense side.
  Index source(std::uint32_t position) const { return is_linear_ ? first_ + position * pitch_ : look_up(position); }

  /// Updates of the row that has most of them.
  Index most() const { return most_; }

 private:
  static constexpr std::uint32_t kNoRow = UINT32_MAX;  // of a position that is not valid

  template <class F>
  void each_part(const F& f);
  void find_rows();
  void set_places();
  bool order();
  void see_source();
  Index look_up(Index position) const;
  Index first_row(Index k, Index n) const;
  const std::uint32_t* last_places() const { return places_->as<std::uint32_t>() + (parts_ - 1) * rows_; }

  const Launch& launch_;
  Index row_pitch_, rows_, parts_;
  // From the pool: fresh pages would cost as much as the sorting.
  std::optional<Tensor> places_;  // of every part, where the next update of each row belongs
  Tensor row_of_, positions_;  // of each position its row; positions by their rows
  Index total_ = 0, most_ = 0, first_ = 0, pitch_ = 0;
  bool in_order_ = false, is_linear_ = false;
};

}  // namespace garner
