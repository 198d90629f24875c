#include <cmath>
#include <limits>

#include "base/fail.h"
#include "dtype/convert.h"
#include "grad/cuda/rows.h"
#include "grad/elementwise.h"
#include "grad/row_check.h"
#include "grad/row_update.h"
#include "index/memory.h"
#include "tensor/shape.h"

namespace garner {
namespace {

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

Status check_options(const StepRule& rule) {
  for (const OptionRange& o : rule.options)
    if (!(o.value >= o.lo && o.value < o.hi))
      return fail(Code::kInvalidArgument, "R5", "{}: {} is {}, allowed [{}, {})", rule.op, o.name, o.value, o.lo, o.hi);
  return {};
}

/// What would move rows that are not in the gradient.
Status check_by_rows(const StepRule& rule) {
  if (rule.weight_decay != 0)
    return fail(Code::kUnsupported, "R4", "{}: weight_decay is {}, allowed 0 in a step by rows", rule.op,
                rule.weight_decay);
  if (rule.formula == Formula::kMomentum)
    return fail(Code::kUnsupported, "R4", "{}: momentum is {}, allowed 0 in a step by rows", rule.op, rule.keep1);
  return {};
}

/// The table without its first axis.
View row_of(const View& table) {
  return {table.dtype(), table.data(), Axes(table.shape().begin() + 1, table.shape().end()),
          Axes(table.stride().begin() + 1, table.stride().end())};
}

Status check_table(const StepRule& rule, const View& table) {
  GARNER_TRY(validate_anywhere(table, "table"));
  GARNER_TRY(check_dtype(rule.op, "table", table.dtype()));
  if (table.rank() > 0 && !is_row_major(row_of(table)))
    return fail(Code::kUnsupported, "R4", "{}: table has strides {}, allowed rows without gaps", rule.op,
                list(table.stride()));
  if (overlaps_itself(table))
    return fail(Code::kInvalidArgument, "R2", "{}: table has strides {}, allowed rows apart from each other", rule.op,
                list(table.stride()));
  return {};
}

Status check_place(const StepRule& rule, const char* what, const View& view, const View& table) {
  if (view.device() == table.device()) return {};
  return fail(Code::kInvalidArgument, "P23", "{}: {} lies on {}, allowed {} as the table", rule.op, what,
              name(view.device()), name(table.device()));
}

Status check_like(const StepRule& rule, const char* what, const View& view, DType dtype, const Axes& shape) {
  if (view.dtype() != dtype)
    return fail(Code::kType, "R3", "{}: {} is {}, allowed {}", rule.op, what, name(view.dtype()), name(dtype));
  if (view.shape() != shape)
    return fail(Code::kInvalidArgument, "R2", "{}: {} has shape {}, allowed {}", rule.op, what, list(view.shape()),
                list(shape));
  return {};
}

/// What is remembered, the table and the gradient are different memory.
Status check_apart(const StepRule& rule, const std::vector<View>& views) {
  for (std::size_t i = 0; i < views.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (may_overlap(views[i], views[j]))
        return fail(Code::kInvalidArgument, "R2", "{}: table, gradient and state overlap, allowed separate memory",
                    rule.op);
  return {};
}

DType state_dtype(DType table) {
  return dispatch(table, []<class T>() { return dtype_of<Compute<T>>; });
}

/// Zeros that take no memory until they are touched: large blocks are pages the system has not made yet. Aligned to a
/// cache line, so that rows of whole lines stay whole.
std::shared_ptr<void> untouched_zeros(Index bytes) {
  constexpr std::size_t kLine = 64;
  std::size_t room = static_cast<std::size_t>(bytes) + kLine;
  const std::shared_ptr<void> memory(std::calloc(room, 1), std::free);
  void* start = memory.get();
  if (start == nullptr) return nullptr;
  return {memory, std::align(kLine, static_cast<std::size_t>(bytes), start, room)};
}

/// Memory for one state, and who keeps it.
struct NewState {
  MutableView view;
  std::shared_ptr<void> owner;
};
Result<NewState> state_there(const StepRule& rule, DType dtype, const View& table) {
  GARNER_ASSIGN(const Tensor state, grad::plain::filled(rule.initial, dtype, table.shape(), table.device()));
  return NewState{state.view(), std::make_shared<Tensor>(state)};
}

void fill(const MutableView& state, double value) {
  dispatch(state.dtype(), [&]<class T>() {
    if constexpr (std::is_floating_point_v<T>)
      std::fill_n(static_cast<T*>(state.mutable_data()), state.elements(), static_cast<T>(value));
  });
}

Result<NewState> state_here(const StepRule& rule, DType dtype, const View& table) {
  const Index bytes = table.elements() * width(dtype);
  auto memory = untouched_zeros(bytes);
  if (memory == nullptr) return fail(Code::kMemory, "V6", "{}: the system refuses {} bytes", rule.op, bytes);
  NewState state{MutableView(dtype, memory.get(), table.shape()), memory};
  if (rule.initial != 0) fill(state.view, rule.initial);
  return state;
}

/// A dense step takes a row-major table in pieces of this many elements, whatever its rows are.
constexpr Index kDensePiece = 4096;

Pieces all_of(const View& table) {
  const Index total = table.elements();
  if (is_row_major(table)) return {nullptr, (total + kDensePiece - 1) / kDensePiece, kDensePiece, total, kDensePiece};
  return {nullptr, table.extent(0), total / table.extent(0), total, table.stride(0)};
}

Pieces some_of(const View& table, const RowGradient& gradient) {
  const Index count = gradient.rows.elements(), total = gradient.values.elements();
  return {gradient.rows.as<Index>(), count, total / count, total, table.stride(0)};
}

Status update_where_it_lies(const StepRule& rule, const View& table, const Pieces& pieces, const UpdateMemory& memory,
                            const RunOptions& run) {
  if (!table.device().is_cpu()) return on_device::update(rule, pieces, memory, table.device().number);
  update(rule, pieces, memory, run.threads);
  return {};
}

UpdateMemory memory_of(const MutableView& table, const void* gradient, const OptimiserMemory& memory) {
  UpdateMemory out{table.dtype(), table.mutable_data(), gradient, {nullptr, nullptr}};
  for (std::size_t i = 0; i < std::size(out.state) && i < memory.state.size(); ++i)
    out.state[i] = memory.state[i].mutable_data();
  return out;
}

}  // namespace

/// Memory for what is remembered: made at the first step, or given and checked.
Status Optimiser::open(const StepRule& rule, const View& table) {
  const DType dtype = state_dtype(table.dtype());
  for (std::size_t have = memory_.state.size(); !given_ && have < rule.states; ++have) {
    GARNER_ASSIGN(NewState state,
                  table.device().is_cpu() ? state_here(rule, dtype, table) : state_there(rule, dtype, table));
    memory_.state.push_back(state.view);
    owned_.push_back(std::move(state.owner));
  }
  if (memory_.state.size() < rule.states)
    return fail(Code::kInvalidArgument, "R2", "{}: number of states is {}, allowed {}", rule.op, memory_.state.size(),
                rule.states);
  for (const MutableView& state : memory_.state) {
    GARNER_TRY(validate_anywhere(state, "state"));
    GARNER_TRY(check_place(rule, "state", state, table));
    GARNER_TRY(check_like(rule, "state", state, dtype, table.shape()));
    if (!is_row_major(state))
      return fail(Code::kUnsupported, "R4", "{}: state has strides {}, allowed row-major", rule.op,
                  list(state.stride()));
  }
  return {};
}

Status Optimiser::prepare(const StepRule& rule, const MutableView& table, const View& gradient) {
  GARNER_TRY(check_options(rule));
  GARNER_TRY(check_table(rule, table));
  GARNER_TRY(check_place(rule, "gradient", gradient, table));
  GARNER_TRY(open(rule, table));
  std::vector<View> views{table, gradient};
  views.insert(views.end(), memory_.state.begin(), memory_.state.end());
  return check_apart(rule, views);
}

Status Optimiser::try_step(const MutableView& table, const RowGradient& gradient, const RunOptions& run) {
  const OnStream on(run.stream);
  const StepRule rule = this->rule(memory_.steps + 1);
  GARNER_TRY(check_by_rows(rule));
  GARNER_TRY(check_gradient(rule.op, gradient, run));
  GARNER_TRY(check_place(rule, "rows", gradient.rows, table));
  GARNER_TRY(check_like(rule, "table", table, gradient.values.dtype(), gradient.shape));
  GARNER_TRY(prepare(rule, table, gradient.values));
  if (gradient.values.elements() > 0)
    GARNER_TRY(update_where_it_lies(rule, table, some_of(table, gradient),
                                    memory_of(table, gradient.values.data(), memory_), run));
  ++memory_.steps;
  return {};
}

Status Optimiser::try_step(const MutableView& table, const View& gradient, const RunOptions& run) {
  const OnStream on(run.stream);
  const StepRule rule = this->rule(memory_.steps + 1);
  GARNER_TRY(check_like(rule, "gradient", gradient, table.dtype(), table.shape()));
  Tensor kept;
  View packed = gradient;
  if (!is_row_major(gradient)) {
    GARNER_ASSIGN(kept, contiguous(gradient, run));
    packed = kept;
  }
  GARNER_TRY(validate_anywhere(packed, rule.op));
  GARNER_TRY(prepare(rule, table, packed));
  if (table.elements() > 0)
    GARNER_TRY(update_where_it_lies(rule, table, all_of(table), memory_of(table, packed.data(), memory_), run));
  ++memory_.steps;
  return {};
}

StepRule Sgd::rule(Index) const {
  const SgdOptions& o = options;
  return {
      .op = "sgd",
      .formula = o.momentum == 0 ? Formula::kSgd : Formula::kMomentum,
      .rate = o.lr,
      .weight_decay = o.weight_decay,
      .keep1 = o.momentum,
      .states = o.momentum == 0 ? 0U : 1U,
      .options = {
          {"lr", o.lr, 0, kNoEnd}, {"momentum", o.momentum, 0, kNoEnd}, {"weight_decay", o.weight_decay, 0, kNoEnd}}};
}

StepRule Adagrad::rule(Index step) const {
  const AdagradOptions& o = options;
  return {.op = "adagrad",
          .formula = Formula::kAdagrad,
          .rate = o.lr / (1 + static_cast<double>(step - 1) * o.lr_decay),
          .weight_decay = o.weight_decay,
          .eps = o.eps,
          .initial = o.initial_accumulator,
          .states = 1,
          .options = {{"lr", o.lr, 0, kNoEnd},
                      {"eps", o.eps, 0, kNoEnd},
                      {"initial_accumulator", o.initial_accumulator, 0, kNoEnd},
                      {"weight_decay", o.weight_decay, 0, kNoEnd},
                      {"lr_decay", o.lr_decay, 0, kNoEnd}}};
}

StepRule Adam::rule(Index step) const {
  const AdamOptions& o = options;
  const auto n = static_cast<double>(step);
  return {.op = "adam",
          .formula = Formula::kAdam,
          .rate = o.lr / (1 - std::pow(o.beta1, n)),
          .weight_decay = o.weight_decay,
          .keep1 = o.beta1,
          .keep2 = o.beta2,
          .root_scale = std::sqrt(1 - std::pow(o.beta2, n)),
          .eps = o.eps,
          .states = 2,
          .options = {{"lr", o.lr, 0, kNoEnd},
                      {"beta1", o.beta1, 0, 1},
                      {"beta2", o.beta2, 0, 1},
                      {"eps", o.eps, 0, kNoEnd},
                      {"weight_decay", o.weight_decay, 0, kNoEnd}}};
}

}  // namespace garner
