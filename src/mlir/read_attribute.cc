#include "mlir/read_attribute.h"

#include "mlir/literal.h"

namespace garner::mlir {
namespace {

/// One number for more elements than this stays one number: it is no list of dimensions, but a constant.
constexpr Index kMaxWrittenOut = 1 << 12;

Result<Attribute> read_number(const Node& node) {
  const std::string_view text = node.string_view();
  if (const auto integer = read_integer(text)) return Attribute{*integer};
  if (const auto real = read_real(text)) return Attribute{*real};
  return fail_at(place_of(node), "M1", "'{}' is no 64-bit number", text);
}

/// true, false, or a word such as unit or LT. Types are kept as their text.
Attribute read_word(const Node& node) {
  const std::string_view text = node.string_view();
  if (text == "true" || text == "false") return {text == "true"};
  if (text == "unit") return {};
  return {std::string(text)};
}

Result<Attribute> read_items(const Node& node, const Aliases& aliases, std::size_t first) {
  std::vector<Attribute> items;
  for (std::size_t i = first; i < node.children.size(); ++i) {
    GARNER_ASSIGN(Attribute item, read_attribute(*node.children[i], aliases));
    items.push_back(std::move(item));
  }
  return Attribute{std::move(items)};
}

Result<Attribute> read_dictionary(const Node& node, const Aliases& aliases) {
  Attributes entries;
  GARNER_TRY(read_entries(node, aliases, entries));
  return Attribute{std::make_shared<const Attributes>(std::move(entries))};
}

/// "LT" of <comparison_direction LT>: the last word.
Attribute read_opaque(const Node& node) {
  std::string_view text = node.string_view();
  text = text.substr(1, text.size() - 2);
  text = text.substr(0, text.find_last_not_of(' ') + 1);
  return {std::string(text.substr(text.find_last_of(' ') + 1))};
}

Result<Attribute> read_alias(const Node& node, const Aliases& aliases) {
  const auto at = aliases.attributes.find(node.string_view());
  if (at == aliases.attributes.end()) return fail_at(place_of(node), "M4", "{} is not defined", node.string_view());
  const Node& target = at->second->is_type<grammar::typed_attribute>() ? *at->second->children[0] : *at->second;
  if (target.is_type<grammar::hashed>() && target.children.size() == 1)  // or a name could lead to itself
    return fail_at(place_of(target), "M1", "{} is a name for another name", node.string_view());
  return read_attribute(*at->second, aliases);
}

Result<Attribute> read_hashed(const Node& node, const Aliases& aliases) {
  if (node.children.size() == 1) return read_alias(*node.children[0], aliases);
  const Node& content = *node.children[1];
  if (content.is_type<grammar::opaque>()) return read_opaque(content);
  return read_dictionary(content, aliases);
}

Result<Attribute> read_typed_dense(const Node& dense, const Node* type, const Aliases& aliases) {
  if (type == nullptr) return fail_at(place_of(dense), "M1", "dense<…> has no type here");
  GARNER_ASSIGN(const TensorType wanted, read_type(*type, aliases.types));
  GARNER_ASSIGN(Tensor read, read_dense(dense.children[0]->string_view(), wanted, place_of(dense)));
  if (read.shape() == wanted.shape || View(wanted.dtype, nullptr, wanted.shape).elements() > kMaxWrittenOut)
    return Attribute{std::move(read)};
  GARNER_ASSIGN(Tensor full, contiguous(View(wanted.dtype, read.data(), wanted.shape, Axes(wanted.shape.size(), 0))));
  return Attribute{std::move(full)};
}

}  // namespace

std::string plain(const Node& node) {
  std::string_view text = node.string_view();
  if (text.starts_with('@')) text.remove_prefix(1);
  if (text.starts_with('"')) text = text.substr(1, text.size() - 2);
  return std::string(text);
}

Status read_entries(const Node& node, const Aliases& aliases, Attributes& out) {
  for (const auto& entry : node.children) {
    Attribute value;
    if (entry->is_type<grammar::keyed_entry>()) { GARNER_ASSIGN(value, read_attribute(*entry->children[1], aliases)); }
    out.insert_or_assign(plain(*entry->children[0]), std::move(value));
  }
  return {};
}

Result<Attribute> read_attribute(const Node& node, const Aliases& aliases) {
  if (node.is_type<grammar::typed_attribute>()) {
    const Node& content = *node.children[0];
    const Node* type = node.children.size() > 1 ? node.children[1].get() : nullptr;
    return content.is_type<grammar::dense>() ? read_typed_dense(content, type, aliases)
                                             : read_attribute(content, aliases);
  }
  if (node.is_type<grammar::number>()) return read_number(node);
  if (node.is_type<grammar::list>()) return read_items(node, aliases, 0);
  if (node.is_type<grammar::array>()) return read_items(node, aliases, 1);  // behind the type of its elements
  if (node.is_type<grammar::dictionary>()) return read_dictionary(node, aliases);
  if (node.is_type<grammar::hashed>()) return read_hashed(node, aliases);
  if (node.is_type<grammar::quoted>() || node.is_type<grammar::symbol>()) return Attribute{plain(node)};
  if (node.is_type<grammar::dense>()) return read_typed_dense(node, nullptr, aliases);
  return read_word(node);
}

}  // namespace garner::mlir
