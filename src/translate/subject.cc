#include "translate/subject.h"

#include <algorithm>
#include <random>

#include "dtype/convert.h"
#include "tensor/cast.h"
#include "tensor/walk.h"

namespace garner::translate_detail {
namespace {

// ---- the call's tensors ----

struct Slot {
  Value* value;
  std::string name;
};

void collect(Value& value, const std::string& name, std::vector<Slot>& slots) {
  if (value.memory()) slots.push_back({&value, name});
  auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
  if (list == nullptr) return;
  *list = std::make_shared<Values>(**list);  // a copy of the call shares its lists
  for (std::size_t i = 0; i < (*list)->size(); ++i) collect((**list)[i], fmt::format("{}_{}", name, i), slots);
}

/// The tensors of a call, to be replaced in place.
std::vector<Slot> slots_of(Call& call, const Parameters& parameters) {
  std::vector<Slot> slots;
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    CallArgument& argument = call.arguments[i];
    const bool known = argument.name.empty() && i < parameters.size();
    collect(argument.value, known ? parameters[i].name : argument.name, slots);
  }
  return slots;
}

Result<std::vector<Slot>> slots_of(Call& call) {
  GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
  GARNER_ASSIGN(const auto parameters, read_parameters(*op));
  return slots_of(call, *parameters);
}

// ---- where a part comes from ----

/// Elements from the first of a row-major tensor to where the view begins; nothing when it begins elsewhere.
std::optional<Index> offset_in(const Tensor& tensor, const View& view) {
  const auto at = reinterpret_cast<std::uintptr_t>(view.data()),
             first = reinterpret_cast<std::uintptr_t>(tensor.data());
  if (tensor.bytes() == 0 || at < first || at >= first + static_cast<std::uintptr_t>(tensor.bytes()))
    return std::nullopt;
  return static_cast<Index>(at - first) / width(view.dtype());
}

/// Conversions that every library makes alike: up from bool to complex, between integers (the low bits), between floats
/// (to the nearest), and to bool.
bool converts_alike(DType from, DType to) {
  const auto level = [](DType t) { return is_integer(t) ? 1 : static_cast<int>(kind(t)); };
  const bool float8 = width(to) == 1 && kind(to) == Kind::kFloat;  // past the largest, libraries differ
  return !float8 && (level(from) <= level(to) || to == DType::kBool);
}

/// Where an integer is not negative.
std::optional<Tensor> not_negative(const Tensor& t) {
  auto out = Tensor::zeros(DType::kBool, t.shape());
  if (!out.ok() || kind(t.dtype()) != Kind::kInt) return std::nullopt;
  const auto look = [&]<class T>() {
    for (Index i = 0; i < t.elements(); ++i) out->as<Bool>()[i] = Bool(t.as<T>()[i] >= 0);
  };
  dispatch_index(t.dtype(), look, [] {});
  return *out;
}

Tensor negated(const Tensor& t) {
  auto out = t.clone();
  if (!out.ok()) return t;
  dispatch(t.dtype(), [&]<class T>() {
    for (Index i = 0; i < t.elements(); ++i)
      if constexpr (is_index_v<T>) out->as<T>()[i] = static_cast<T>(0 - static_cast<std::uint64_t>(t.as<T>()[i]));
      else out->as<T>()[i] = convert<T>(-to_compute(t.as<T>()[i]));
  });
  return *out;
}

bool same_elements(const Tensor& a, const Tensor& b) {
  return a.dtype() == b.dtype() && a.elements() == b.elements() && same_bits(a.reshaped(b.shape()), b);
}

/// Every way to read the part, judged by one set of values.
class Sources {
 public:
  Sources(const std::vector<Tensor>& values, const Job& job) : values_(values), job_(job) {}

  Result<std::vector<Source>> of(const View& view) const {
    for (std::size_t i = 0; i < values_.size(); ++i)
      if (const auto offset = offset_in(values_[i], view))
        return std::vector<Source>{make(Source::Kind::kArgument, i, *offset, view)};
    std::vector<Source> found;
    for (const Tensor& kept : job_.kept)
      if (const auto offset = offset_in(kept, view)) add_conversions(kept, *offset, view, found);
    GARNER_ASSIGN(Tensor value, contiguous(view));
    found.push_back({.kind = Source::Kind::kConstant, .value = std::move(value), .view = view});
    return found;
  }

 private:
  static Source make(Source::Kind kind, std::size_t argument, Index offset, const View& view) {
    return {.kind = kind, .argument = static_cast<int>(argument), .offset = offset, .view = view};
  }

  void add_conversions(const Tensor& kept, Index offset, const View& view, std::vector<Source>& found) const {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if (values_[i].elements() != kept.elements()) continue;
      const auto add = [&](Source::Kind kind, const std::optional<Tensor>& made) {
        if (made && same_elements(*made, kept)) found.push_back(make(kind, i, offset, view));
      };
      add(Source::Kind::kNotNegative, not_negative(values_[i]));
      if (!converts_alike(values_[i].dtype(), kept.dtype())) continue;
      const auto converted = cast(values_[i], kept.dtype());
      if (!converted.ok()) continue;
      add(Source::Kind::kConverted, *converted);
      add(Source::Kind::kNegated, negated(*converted));
    }
  }

  const std::vector<Tensor>& values_;
  const Job& job_;
};

using Candidates = std::vector<Source>;

/// All the ways to read all the parts of a lowered call, in one order.
struct Reading {
  Jobs jobs;
  std::vector<Candidates> parts;
};

template <class F>
Status for_each_part(const Job& job, F&& f) {
  for (const auto* part : {&job.operand, &job.updates, &job.mask, &job.fill})
    if (*part) GARNER_TRY(f(**part));
  for (const View& index : job.indices) GARNER_TRY(f(index));
  return {};
}

/// A lowering may leave out a mask that would be true everywhere. Here it is, as `pattern` has it.
Status add_full_mask(Job& job, const Job& pattern) {
  if (job.mask || !pattern.mask) return {};
  const auto holds = [&](const Tensor& kept) { return offset_in(kept, *pattern.mask).has_value(); };
  const auto kept = std::ranges::find_if(pattern.kept, holds);
  if (kept == pattern.kept.end()) return {};
  GARNER_ASSIGN(Tensor full, Tensor::empty(DType::kBool, kept->shape()));
  std::fill_n(full.as<Bool>(), full.elements(), Bool(true));
  job.mask = View(DType::kBool, full.data(), pattern.mask->shape(), pattern.mask->stride());
  job.plan.mask_stride = pattern.plan.mask_stride;
  job.kept.push_back(std::move(full));
  return {};
}

Result<Reading> read(const Call& call, const std::vector<Tensor>& values, const Reading* pattern = nullptr) {
  GARNER_ASSIGN(const Call copy, with_tensors(call, values));
  Reading reading;
  GARNER_ASSIGN(reading.jobs, lower(copy));
  for (std::size_t j = 0; pattern != nullptr && j < std::min(reading.jobs.size(), pattern->jobs.size()); ++j)
    GARNER_TRY(add_full_mask(reading.jobs[j], pattern->jobs[j]));
  for (const Job& job : reading.jobs)
    GARNER_TRY(for_each_part(job, [&](const View& view) -> Status {
      GARNER_ASSIGN(reading.parts.emplace_back(), Sources(values, job).of(view));
      return {};
    }));
  return reading;
}

bool same_source(const Source& a, const Source& b) {
  if (a.kind != b.kind) return false;
  return a.is(Source::Kind::kConstant) ? same_bits(a.value, b.value) : a.argument == b.argument && a.offset == b.offset;
}

bool same_plans(const Jobs& a, const Jobs& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Job& x, const Job& y) { return x.plan == y.plan && x.result_shape == y.result_shape; });
}

/// Keeps what both say. False: nothing is left of some part, or the plans differ.
bool agree(Reading& reading, const Reading& other) {
  if (!same_plans(reading.jobs, other.jobs) || reading.parts.size() != other.parts.size()) return false;
  for (std::size_t p = 0; p < reading.parts.size(); ++p) {
    std::erase_if(reading.parts[p], [&](const Source& s) {
      return std::ranges::none_of(other.parts[p], [&](const Source& o) { return same_source(s, o); });
    });
    if (reading.parts[p].empty()) return false;
  }
  return true;
}

// ---- other values ----

constexpr int kTrials = 8;

/// The same values in another order stay in range, and as many are true. Then an index from the end, one that is too
/// large, and small random numbers.
template <class T>
void change(T* first, T* last, int trial, std::mt19937& random) {
  if (first == last) return;
  const auto small = [&](unsigned n) { return convert<T>(static_cast<std::int64_t>(random() % n)); };
  if (trial == 0) std::reverse(first, last);
  else if (trial == 1) std::rotate(first, first + 1, last);
  else if (trial <= 3) std::shuffle(first, last, random);
  else if (trial <= 5) *first = convert<T>(std::int64_t{trial == 4 ? -1 : 100});
  else std::generate(first, last, [&] { return small(trial == 6 ? 2 : 4); });
}

Result<Tensor> other_values(const Tensor& value, int trial) {
  GARNER_ASSIGN(Tensor out, value.clone());
  std::mt19937 random(static_cast<unsigned>(trial * 7919 + 1));
  dispatch(value.dtype(), [&]<class T>() { change(out.as<T>(), out.as<T>() + out.elements(), trial, random); });
  return out;
}

std::string short_text(const Tensor& value) {
  std::string text = to_string(value);
  std::ranges::replace(text, '\n', ' ');
  return text.size() > 60 ? text.substr(0, 57) + "..." : text;
}

/// Lowers with other values of one argument. T3 when that makes another plan.
Status try_other(const Call& call, const std::vector<Tensor>& values, std::size_t which,
                 const std::vector<TranslatedInput>& inputs, Reading& reading, Context& context) {
  int accepted = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<Tensor> others = values;
    GARNER_ASSIGN(others[which], other_values(values[which], trial));
    const auto other = read(call, others, &reading);
    if (!other.ok() || same_bits(others[which], values[which]))
      continue;  // the call refuses these, or they are no others
    ++accepted;
    if (!agree(reading, *other))
      return context.refuse("T3", fmt::format("{} = {}", inputs[which].name, short_text(others[which])),
                            "{}: what is read or written depends on the values of {}", context.to, inputs[which].name);
  }
  if (accepted == 0 && values[which].elements() > 0)
    return context.refuse("T3", fmt::format("any other {}", inputs[which].name),
                          "{}: the call is only defined for certain values of {}", context.to, inputs[which].name);
  return {};
}

/// An argument that no part comes from was looked at by the lowering, or is not needed.
Status check_all_used(const Reading& reading, const std::vector<TranslatedInput>& inputs, Context& context) {
  if (std::ranges::any_of(reading.jobs, [](const Job& job) { return any_zero(job.plan.domain); })) return {};
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto reads = [&](const Candidates& part) { return part.front().argument == static_cast<int>(i); };
    if (!any_zero(inputs[i].shape) && std::ranges::none_of(reading.parts, reads))
      return context.refuse("T3", fmt::format("any other {}", inputs[i].name),
                            "{}: what is read or written depends on the values of {}", context.to, inputs[i].name);
  }
  return {};
}

// ---- all together ----

PlacedJob placed(const Job& job, std::vector<Candidates>::const_iterator& part) {
  PlacedJob out{.job = job, .operand = {}, .updates = {}, .mask = {}, .fill = {}, .indices = {}, .result_shape = {}};
  if (job.operand) out.operand = (part++)->front();
  if (job.updates) out.updates = (part++)->front();
  if (job.mask) out.mask = (part++)->front();
  if (job.fill) out.fill = (part++)->front();
  for (std::size_t t = 0; t < job.indices.size(); ++t) out.indices.push_back((part++)->front());
  out.result_shape = job.result_shape;
  return out;
}

bool same_values(const std::vector<Tensor>& a, const std::vector<Tensor>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Tensor& x, const Tensor& y) { return same_elements(x, y); });
}

/// Operations with a plan and an evaluation of their own (a mean, a result of another shape): is the plan all there is?
Status check_evaluation(const Call& call, Subject& subject, Context& context) {
  GARNER_ASSIGN(const Op* op, find_op(call.dialect, call.op));
  if (op->evaluate == nullptr) return {};
  GARNER_ASSIGN(const std::vector<Tensor> results, evaluate(call));
  std::vector<Tensor> planned;
  for (const PlacedJob& job : subject.jobs) {
    GARNER_ASSIGN(std::vector<Tensor> more, run(job.job));
    planned.insert(planned.end(), more.begin(), more.end());
  }
  if (!same_values(results, planned) || results.size() != subject.jobs.size())
    return context.refuse("T2", "these very values", "{}: {} does more than its plan says", context.to, subject.op);
  for (std::size_t i = 0; i < results.size(); ++i) subject.jobs[i].result_shape = results[i].shape();
  return {};
}

/// A5 is the call's own way to say that it has no plan.
Result<Reading> first_reading(const Call& call, const std::vector<Tensor>& values, Context& context) {
  Result<Reading> reading = read(call, values);
  if (reading.ok() || reading.status().rule != "A5") return reading;
  return context.refuse("T2", "any: only gathers, scatters and their like have translations", "{}: {}", context.to,
                        reading.status().message);
}

/// With a negative index, where that brings a mask to light that the call's own values do without.
Status look_for_masks(const Call& call, std::vector<Tensor>& values, Reading& reading) {
  constexpr int kNegative = 4;  // of change()
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (kind(values[i].dtype()) != Kind::kInt) continue;
    std::vector<Tensor> others = values;
    GARNER_ASSIGN(others[i], other_values(values[i], kNegative));
    auto other = read(call, others);
    if (!other.ok() || other->parts.size() <= reading.parts.size()) continue;
    values = std::move(others);
    reading = *std::move(other);
  }
  return {};
}

}  // namespace

Result<Call> with_tensors(const Call& call, const std::vector<Tensor>& values) {
  Call copy = call;
  GARNER_ASSIGN(const std::vector<Slot> slots, slots_of(copy));
  for (std::size_t i = 0; i < slots.size(); ++i) slots[i].value->held = values[i];
  return copy;
}

Result<std::vector<Tensor>> copies_of(const Call& call) {
  Call copy = call;
  GARNER_ASSIGN(const std::vector<Slot> slots, slots_of(copy));
  std::vector<Tensor> values;
  for (const Slot& slot : slots) {
    GARNER_ASSIGN(Tensor value, contiguous(*slot.value->memory()));
    values.push_back(std::move(value));
  }
  return values;
}

Result<std::vector<TranslatedInput>> inputs_of(const Call& call) {
  Call copy = call;
  GARNER_ASSIGN(const std::vector<Slot> slots, slots_of(copy));
  std::vector<TranslatedInput> inputs;
  for (const Slot& slot : slots) {
    const View view = *slot.value->memory();
    inputs.push_back({slot.name, view.dtype(), view.shape()});
  }
  return inputs;
}

Result<Subject> study(const Call& call, Context& context) {
  Subject subject{.op = fmt::format("{}.{}", call.dialect, call.op), .inputs = {}, .values = {}, .jobs = {}};
  GARNER_ASSIGN(subject.inputs, inputs_of(call));
  GARNER_ASSIGN(subject.values, copies_of(call));
  GARNER_ASSIGN(Reading reading, first_reading(call, subject.values, context));
  GARNER_TRY(look_for_masks(call, subject.values, reading));
  for (std::size_t i = 0; i < subject.values.size(); ++i)
    GARNER_TRY(try_other(call, subject.values, i, subject.inputs, reading, context));
  GARNER_TRY(check_all_used(reading, subject.inputs, context));
  auto part = reading.parts.cbegin();
  for (const Job& job : reading.jobs) subject.jobs.push_back(placed(job, part));
  GARNER_TRY(check_evaluation(call, subject, context));
  return subject;
}

}  // namespace garner::translate_detail
