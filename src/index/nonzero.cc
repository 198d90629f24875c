// Positions of what is not zero. The number of results is known after the first pass, so the second writes in place.
#include "base/fail.h"
#include "garner/index.h"
#include "index/truth.h"

namespace garner::index {
namespace {

/// Coordinates of ascending flat positions, without a division for each: rows are stepped through.
class Coordinates {
 public:
  Coordinates(const Axes& shape, Index first) : shape_(shape), position_(shape.size(), 0) {
    const Index row = shape.empty() ? 1 : shape.back();
    row_start_ = first / row * row;
    for (std::size_t a = shape.size(), rest = static_cast<std::size_t>(first / row); a-- > 1;) {
      const auto n = static_cast<std::size_t>(shape[a - 1]);
      position_[a - 1] = static_cast<Index>(rest % n), rest /= n;
    }
  }

  const Axes& at(Index flat) {
    if (shape_.empty()) return position_;
    for (; flat - row_start_ >= shape_.back(); row_start_ += shape_.back()) next_row();
    position_.back() = flat - row_start_;
    return position_;
  }

 private:
  void next_row() {
    for (std::size_t a = shape_.size() - 1; a-- > 0;) {
      if (++position_[a] < shape_[a]) return;
      position_[a] = 0;
    }
  }
  const Axes& shape_;
  Axes position_;
  Index row_start_ = 0;
};

/// Where a result of `capacity` positions lies: coordinate a of position k is data[k * step + a * axis_step].
struct Table {
  Index* data;
  Index capacity, step, axis_step;
};

Table table_for(Index* data, Index capacity, Index rank, Layout layout) {
  const bool rows = layout == Layout::kRows;
  return {data, capacity, rows ? rank : 1, rows ? 1 : capacity};
}

void write_positions(const TruthMap& map, const Axes& shape, const Table& table, const RunOptions& run) {
  const Index rank = static_cast<Index>(shape.size());
  for_each_true(map, run, [&](Index first, Positions flat) {
    if (flat.empty()) return;
    Coordinates coordinates(shape, flat.front());
    const Index n = std::min<Index>(static_cast<Index>(flat.size()), table.capacity - first);
    for (Index k = 0; k < n; ++k) {
      const Axes& at = coordinates.at(flat[static_cast<std::size_t>(k)]);
      Index* to = table.data + (first + k) * table.step;
      for (Index a = 0; a < rank; ++a) to[a * table.axis_step] = at[static_cast<std::size_t>(a)];
    }
  });
}

void write_fill(const Table& table, Index from, Index rank, Index fill) {
  for (Index k = from; k < table.capacity; ++k)
    for (Index a = 0; a < rank; ++a) table.data[k * table.step + a * table.axis_step] = fill;
}

/// What flatnonzero and nonzero differ in: the shape positions are written in, and the shape of the result.
struct Form {
  const char* op;
  Axes shape;
  bool flat;
};

Form flat_form(const View& input) { return {"flatnonzero", {input.elements()}, true}; }
Form full_form(const View& input) { return {"nonzero", input.shape(), false}; }

Axes result_shape(const Form& form, Index capacity, Layout layout) {
  const Index rank = static_cast<Index>(form.shape.size());
  if (form.flat) return {capacity};
  return layout == Layout::kRows ? Axes{capacity, rank} : Axes{rank, capacity};
}

Result<Index> find_all(const Form& form, const View& input, const NonzeroOptions& options, const RunOptions& run,
                       Output& out) {
  GARNER_ASSIGN(const TruthMap map, truth_of(input, form.op, run));
  const Index capacity = options.capacity.value_or(map.count());
  if (capacity < 0)
    return fail(Code::kInvalidArgument, "IX6", "{}: capacity is {}, allowed [0, 2^63)", form.op, capacity);
  GARNER_TRY(out.open(form.op, DType::kI64, result_shape(form, capacity, options.layout), {input}));
  const Index rank = static_cast<Index>(form.shape.size());
  const Table table = table_for(out.as<Index>(), capacity, rank, form.flat ? Layout::kRows : options.layout);
  write_positions(map, form.shape, table, run);
  write_fill(table, std::min(map.count(), capacity), rank, options.fill);
  return map.count();
}

Result<Tensor> find_fresh(const Form& form, const View& input, const NonzeroOptions& options, const RunOptions& run) {
  Output out;
  GARNER_TRY(find_all(form, input, options, run, out));
  return out.tensor();
}

Result<Index> find_into(const Form& form, const View& input, const MutableView& given, NonzeroOptions options,
                        const RunOptions& run) {
  const Index along = form.flat || options.layout == Layout::kRows ? 0 : 1;
  options.capacity = along < given.rank() ? given.extent(along) : 0;
  Output out(given);
  GARNER_ASSIGN(const Index count, find_all(form, input, options, run, out));
  out.close(run);
  return count;
}

}  // namespace

Result<Tensor> nonzero(const View& input, const NonzeroOptions& options, const RunOptions& run) {
  return find_fresh(full_form(input), input, options, run);
}
Result<Index> nonzero_into(const View& input, const MutableView& out, const NonzeroOptions& options,
                           const RunOptions& run) {
  return find_into(full_form(input), input, out, options, run);
}
Result<Tensor> flatnonzero(const View& input, const NonzeroOptions& options, const RunOptions& run) {
  return find_fresh(flat_form(input), input, options, run);
}
Result<Index> flatnonzero_into(const View& input, const MutableView& out, const NonzeroOptions& options,
                               const RunOptions& run) {
  return find_into(flat_form(input), input, out, options, run);
}

}  // namespace garner::index
