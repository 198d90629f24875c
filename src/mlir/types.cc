#include "mlir/types.h"

#include "mlir/literal.h"

namespace garner::mlir {
namespace {

struct Spelling {
  std::string_view text;
  DType dtype;
};
constexpr Spelling kElements[] = {{"i1", DType::kBool},           {"i8", DType::kI8},
                                  {"i16", DType::kI16},           {"i32", DType::kI32},
                                  {"i64", DType::kI64},           {"si8", DType::kI8},
                                  {"si16", DType::kI16},          {"si32", DType::kI32},
                                  {"si64", DType::kI64},          {"ui8", DType::kU8},
                                  {"ui16", DType::kU16},          {"ui32", DType::kU32},
                                  {"ui64", DType::kU64},          {"f16", DType::kF16},
                                  {"bf16", DType::kBF16},         {"f32", DType::kF32},
                                  {"f64", DType::kF64},           {"complex<f32>", DType::kC64},
                                  {"complex<f64>", DType::kC128}, {"f8E4M3FN", DType::kF8E4M3},
                                  {"f8E5M2", DType::kF8E5M2},     {"index", DType::kI64}};

std::string_view spelling(DType dtype) {
  for (const Spelling& s : kElements)
    if (s.dtype == dtype) return s.text;
  return name(dtype);
}

Result<DType> read_element(const Node& node) {
  for (const Spelling& s : kElements)
    if (s.text == node.string_view()) return s.dtype;
  return fail_at(place_of(node), "M3", "elements of type {} are not offered", node.string_view());
}

Result<Index> read_extent(const Node& node) {
  const auto extent = read_integer(node.string_view());
  if (!extent)
    return fail_at(place_of(node), "M3", "an extent is {}, allowed a number known beforehand", node.string_view());
  return *extent;
}

Result<TensorType> read_tensor_type(const Node& node) {
  TensorType type;
  for (const auto& child : node.children) {
    if (!child->is_type<grammar::extent>()) continue;
    GARNER_ASSIGN(const Index extent, read_extent(*child));
    type.shape.push_back(extent);
  }
  for (const auto& child : node.children) {
    if (!child->is_type<grammar::element>()) continue;
    GARNER_ASSIGN(type.dtype, read_element(*child));
  }
  if (!validate(View(type.dtype, &type, type.shape), "tensor").ok())
    return fail_at(place_of(node), "M3", "{} has more than 2^63 bytes", node.string_view());
  return type;
}

bool is_a_type(const Node& node) {
  return node.is_type<grammar::tensor_type>() || node.is_type<grammar::other_type>() ||
         node.is_type<grammar::function_type>();
}

}  // namespace

std::string to_string(const TensorType& type) {
  std::string extents;
  for (const Index n : type.shape) extents += fmt::format("{}x", n);
  return fmt::format("tensor<{}{}>", extents, spelling(type.dtype));
}

Result<TensorType> read_type(const Node& node, const TypeNames& names) {
  if (node.is_type<grammar::tensor_type>()) return read_tensor_type(node);
  if (const auto at = names.find(node.string_view()); at != names.end() && at->second->is_type<grammar::tensor_type>())
    return read_tensor_type(*at->second);
  return fail_at(place_of(node), "M3", "type {} is not offered", node.string_view());
}

Result<std::vector<TensorType>> read_types(const Node& node, const TypeNames& names) {
  if (!node.children.empty() && node.children[0]->is_type<grammar::some_types>())
    return read_types(*node.children[0], names);
  std::vector<TensorType> out;
  for (const auto& child : node.children) {
    if (!is_a_type(*child)) continue;  // attributes of a result
    GARNER_ASSIGN(TensorType type, read_type(*child, names));
    out.push_back(std::move(type));
  }
  return out;
}

}  // namespace garner::mlir
