#include "mlir/attributes.h"

#include "tensor/cast.h"

namespace garner::mlir {
namespace {

Status wrong_kind(const Operation& op, std::string_view name, const char* wanted) {
  return fail(Code::kInvalidArgument, "M5", "{}: {} is not {}", op.name, name, wanted);
}

Status missing(const Operation& op, Names names) {
  return fail(Code::kInvalidArgument, "M5", "{}: it has no {}", op.name, fmt::join(names, " or "));
}

template <class T>
Result<T> held(const Operation& op, Names names, const char* wanted) {
  const Attribute* attribute = find(op.attributes, names);
  if (attribute == nullptr) return missing(op, names);
  if (const T* value = std::get_if<T>(&attribute->held)) return *value;
  return wrong_kind(op, *names.begin(), wanted);
}

/// The numbers of a tensor of integers of any rank, in order.
Result<Axes> numbers_of(const Operation& op, std::string_view name, const Tensor& tensor) {
  if (!is_integer(tensor.dtype())) return wrong_kind(op, name, "a list of integers");
  GARNER_ASSIGN(const Tensor wide, cast(tensor, DType::kI64));
  return Axes(wide.as<Index>(), wide.as<Index>() + wide.elements());
}

Result<Axes> numbers_of(const Operation& op, std::string_view name, const Attribute& attribute) {
  if (const auto* tensor = std::get_if<Tensor>(&attribute.held)) return numbers_of(op, name, *tensor);
  const auto* items = std::get_if<std::vector<Attribute>>(&attribute.held);
  if (items == nullptr) return wrong_kind(op, name, "a list of integers");
  Axes out;
  for (const Attribute& item : *items) {
    const Index* number = std::get_if<Index>(&item.held);
    if (number == nullptr) return wrong_kind(op, name, "a list of integers");
    out.push_back(*number);
  }
  return out;
}

}  // namespace

const Attribute* find(const Attributes& attributes, Names names) {
  for (const std::string_view name : names)
    if (const auto at = attributes.find(name); at != attributes.end()) return &at->second;
  return nullptr;
}

Result<Index> integer(const Operation& op, Names names) { return held<Index>(op, names, "an integer"); }
Result<std::string> text(const Operation& op, Names names) { return held<std::string>(op, names, "a word"); }
Result<Tensor> tensor(const Operation& op, Names names) { return held<Tensor>(op, names, "dense<…> with a type"); }

Result<Axes> integers(const Operation& op, Names names) {
  const Attribute* attribute = find(op.attributes, names);
  if (attribute == nullptr) return missing(op, names);
  return numbers_of(op, *names.begin(), *attribute);
}

Result<const Attributes*> dictionary(const Operation& op, Names names) {
  using Shared = std::shared_ptr<const Attributes>;
  const Attribute* attribute = find(op.attributes, names);
  if (attribute == nullptr) return missing(op, names);
  const auto* entries = std::get_if<Shared>(&attribute->held);
  if (entries == nullptr) return wrong_kind(op, *names.begin(), "a list of dimension numbers");
  return entries->get();
}

Result<Index> integer_or(const Operation& op, Names names, Index fallback) {
  if (find(op.attributes, names) == nullptr) return fallback;
  return integer(op, names);
}

Result<Axes> integers_or(const Operation& op, Names names, const Axes& fallback) {
  if (find(op.attributes, names) == nullptr) return fallback;
  return integers(op, names);
}

Result<double> real_or(const Operation& op, Names names, double fallback) {
  const Attribute* attribute = find(op.attributes, names);
  if (attribute == nullptr) return fallback;
  if (const Index* whole = std::get_if<Index>(&attribute->held)) return static_cast<double>(*whole);
  return held<double>(op, names, "a number");
}

Result<bool> flag(const Operation& op, std::string_view name) {
  const Attribute* attribute = find(op.attributes, {name});
  if (attribute == nullptr) return false;
  if (std::holds_alternative<std::monostate>(attribute->held)) return true;
  return held<bool>(op, {name}, "true or false");
}

Result<Axes> integers_in(const Operation& op, const Attributes& dictionary, std::string_view name) {
  const Attribute* attribute = find(dictionary, {name});
  if (attribute == nullptr) return Axes{};
  return numbers_of(op, name, *attribute);
}

Result<Index> integer_in(const Operation& op, const Attributes& dictionary, std::string_view name) {
  const Attribute* attribute = find(dictionary, {name});
  if (attribute == nullptr) return Index{0};
  if (const Index* number = std::get_if<Index>(&attribute->held)) return *number;
  return wrong_kind(op, name, "an integer");
}

}  // namespace garner::mlir
