#include "dialect/op.h"

#include <algorithm>

#include "base/fail.h"
#include "garner/tensor.h"
#include "tensor/cast.h"

namespace garner {

#define GARNER_DIALECT(name)     \
  namespace name {               \
  extern const Dialect kDialect; \
  }
#include "dialect/dialects.def"
#undef GARNER_DIALECT

std::span<const Dialect> dialects() {
  static const Dialect kAll[] = {
#define GARNER_DIALECT(name) name::kDialect,
#include "dialect/dialects.def"
#undef GARNER_DIALECT
  };
  return kAll;
}

std::string_view promise_of(const std::string& dialect, std::string_view op) {
  for (const Dialect& d : dialects())
    if (dialect == d.name)
      for (const Promise& promise : d.promises)
        if (promise.op == op) return promise.text;
  return {};
}

grad::Var Leaves::of(const View& view) const {
  for (const grad::Var& leaf : leaves_)
    if (leaf.value().data() == view.data() && leaf.shape() == view.shape() && leaf.dtype() == view.dtype()) return leaf;
  return grad::Var(value_or_throw(contiguous(view)));
}

Result<Jobs> one(Result<Job> job) {
  if (!job.ok()) return job.status();
  Jobs jobs;
  jobs.push_back(*std::move(job));
  return jobs;
}

namespace {

const Value kNone;

const Values* as_list(const Value& v) {
  const auto* held = std::get_if<std::shared_ptr<Values>>(&v.held);
  return held == nullptr ? nullptr : held->get();
}

/// The lengths along the first items: what the shape is if the list has one.
Axes leading_shape(const Value& v) {
  Axes shape;
  for (const Values* items = as_list(v); items != nullptr; items = items->empty() ? nullptr : as_list(items->front()))
    shape.push_back(static_cast<Index>(items->size()));
  return shape;
}

/// The numbers of a nested list; false when rows differ or something is no number.
struct Flattener {
  const Axes shape;
  std::vector<double> reals;
  std::vector<Index> integers;
  std::vector<std::uint8_t> flags;
  bool all_integer = true;

  bool add(const Value& v, std::size_t depth) {
    const Values* items = as_list(v);
    if (items == nullptr) return depth == shape.size() && add_number(v);
    if (depth >= shape.size() || shape[depth] != static_cast<Index>(items->size())) return false;
    return std::ranges::all_of(*items, [&](const Value& item) { return add(item, depth + 1); });
  }

  bool add_number(const Value& v) {
    if (const auto* b = std::get_if<bool>(&v.held)) {
      flags.push_back(*b ? 1 : 0);
      return true;
    }
    if (const auto* i = std::get_if<Index>(&v.held)) {
      integers.push_back(*i);
      reals.push_back(static_cast<double>(*i));
      return true;
    }
    all_integer = false;
    if (const auto* d = std::get_if<double>(&v.held)) reals.push_back(*d);
    return std::holds_alternative<double>(v.held);
  }
};

/// A number or a nested list of numbers as i64, or f64 when one has a point; of true and false as bool.
std::optional<Tensor> tensor_from(const Value& v) {
  if (const auto* b = std::get_if<bool>(&v.held)) return scalar(*b);
  Flattener flat{.shape = leading_shape(v), .reals = {}, .integers = {}, .flags = {}};
  if (!flat.add(v, 0)) return std::nullopt;
  if (!flat.flags.empty() && flat.reals.empty())
    return detail::copy_literal(DType::kBool, flat.shape, flat.flags.data());
  if (!flat.flags.empty()) return std::nullopt;  // true beside 1
  if (flat.all_integer) return detail::copy_literal(DType::kI64, flat.shape, flat.integers.data());
  return detail::copy_literal(DType::kF64, flat.shape, flat.reals.data());
}

/// A rank-0 integer tensor stands for its value.
std::optional<Index> integer_in(const Value& v) {
  if (const auto* i = std::get_if<Index>(&v.held)) return *i;
  const View* view = view_in(v);
  if (!view || view->rank() != 0 || !is_integer(view->dtype())) return std::nullopt;
  const auto wide = cast(*view, DType::kI64);
  return wide.ok() ? std::optional(*wide->as<Index>()) : std::nullopt;
}

std::optional<Device> device_in(const Value& v) {
  if (const View* view = view_in(v)) return view->device().is_cpu() ? std::nullopt : std::optional(view->device());
  const auto* list = std::get_if<std::shared_ptr<Values>>(&v.held);
  if (list == nullptr) return std::nullopt;
  for (const Value& item : **list)
    if (const auto device = device_in(item)) return device;
  return std::nullopt;
}

}  // namespace

std::optional<Device> Arguments::device() const {
  for (const Value& v : values_)
    if (const auto device = device_in(v)) return device;
  return std::nullopt;
}

Status Arguments::require_cpu() const {
  const auto there = device();
  if (!there) return {};
  return fail(Code::kUnsupported, "V9", "{}: an argument lies on {}, allowed cpu", op_, garner::name(*there));
}

const Value& Arguments::value(std::string_view name) const {
  for (std::size_t i = 0; i < values_.size(); ++i)
    if ((*parameters_)[i].name == name) return values_[i];
  return kNone;
}

bool Arguments::has(std::string_view name) const { return !value(name).is_none(); }

void Arguments::wrong(std::string_view name, const char* wanted) {
  if (status_.ok()) status_ = fail(Code::kType, "A3", "{}: {} must be {}", op_, name, wanted);
}

std::optional<View> Arguments::view_of(std::string_view name, const Value& value) {
  if (const auto* t = std::get_if<Tensor>(&value.held)) {
    kept_.push_back(*t);
    return View(*t);
  }
  if (const auto* view = std::get_if<View>(&value.held)) return *view;
  auto made = tensor_from(value);
  if (!made) {
    wrong(name, "a tensor");
    return std::nullopt;
  }
  kept_.push_back(std::move(*made));
  return View(kept_.back());
}

View Arguments::tensor(std::string_view name) { return view_of(name, value(name)).value_or(View()); }

std::optional<View> Arguments::maybe_tensor(std::string_view name) {
  if (!has(name)) return std::nullopt;
  return view_of(name, value(name));
}

std::vector<View> Arguments::tensors(std::string_view name) {
  std::vector<View> out;
  for (const auto& view : maybe_tensors(name)) {
    if (!view) wrong(name, "tensors without None");
    out.push_back(view.value_or(View()));
  }
  return out;
}

std::vector<std::optional<View>> Arguments::maybe_tensors(std::string_view name) {
  const Values* items = as_list(value(name));
  if (items == nullptr) return {view_of(name, value(name))};
  std::vector<std::optional<View>> out;
  for (const Value& item : *items) out.push_back(item.is_none() ? std::nullopt : view_of(name, item));
  return out;
}

Index Arguments::integer(std::string_view name) {
  const std::optional<Index> i = integer_in(value(name));
  if (!i) wrong(name, "an integer");
  return i.value_or(0);
}

std::optional<Index> Arguments::maybe_integer(std::string_view name) {
  if (!has(name)) return std::nullopt;
  return integer(name);
}

Axes Arguments::integers(std::string_view name) {
  const Values* items = as_list(value(name));
  if (items == nullptr) return {integer(name)};
  Axes out;
  for (const Value& item : *items) {
    const std::optional<Index> i = integer_in(item);
    if (!i) wrong(name, "a list of integers");
    out.push_back(i.value_or(0));
  }
  return out;
}

bool Arguments::flag(std::string_view name) {
  const auto* b = std::get_if<bool>(&value(name).held);
  if (b == nullptr) wrong(name, "true or false");
  return b != nullptr && *b;
}

std::string Arguments::word(std::string_view name) {
  const auto* w = std::get_if<Word>(&value(name).held);
  if (w == nullptr) wrong(name, "a word");
  return w == nullptr ? "" : w->text;
}

}  // namespace garner
