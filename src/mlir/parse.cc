// From the text's tree to a Program: modules and the functions in them.
#include "mlir/op.h"
#include "mlir/read_function.h"

namespace garner::mlir {
namespace {

class ModuleReader {
 public:
  Result<Program> read(const Node& file) {
    collect_aliases(file);
    GARNER_TRY(read_items(file));
    return std::move(program_);
  }

 private:
  /// A name may be used before its line.
  void collect_aliases(const Node& items) {
    for (const auto& item : items.children) {
      if (item->is_type<grammar::module>()) collect_aliases(*item);
      if (item->is_type<grammar::alias>() && item->children.size() > 1)
        aliases_.attributes[item->children[0]->string()] = item->children[1].get();
      if (item->is_type<grammar::type_alias>())
        aliases_.types[fmt::format("!{}", item->children[0]->string_view())] = item->children[1].get();
    }
  }

  Status read_items(const Node& items) {
    for (const auto& item : items.children) {
      if (item->is_type<grammar::module>()) GARNER_TRY(read_items(*item));
      else if (item->is_type<grammar::function>()) GARNER_TRY(read_function(*item));
      else if (item->is_type<grammar::operation>()) GARNER_TRY(read_generic_item(*item));
    }
    return {};
  }

  Status add(Signature signature, const Node& region) {
    if (program_.find(signature.name) != nullptr)
      return fail_at(place_of(region), "M4", "@{} is defined twice", signature.name);
    GARNER_ASSIGN(Function function, mlir::read_function(region, std::move(signature), aliases_));
    program_.functions.push_back(std::move(function));
    return {};
  }

  Status read_function(const Node& node) {
    Signature signature;
    const Node* body = nullptr;
    for (const auto& child : node.children) {
      if (child->is_type<grammar::visibility>()) signature.is_public = child->string_view() == "public";
      else if (child->is_type<grammar::symbol>()) signature.name = plain(*child);
      else if (child->is_type<grammar::block_argument>()) GARNER_TRY(read_argument(*child, signature));
      else if (child->is_type<grammar::outputs>()) {
        GARNER_ASSIGN(signature.results, read_types(*child, aliases_.types));
      } else if (child->is_type<grammar::region>()) body = child.get();
    }
    // A declaration: a call of it will say that it is not defined.
    return body == nullptr ? Status{} : add(std::move(signature), *body);
  }

  Status read_argument(const Node& argument, Signature& signature) {
    GARNER_ASSIGN(TensorType type, read_type(*argument.children[1], aliases_.types));
    signature.arguments.push_back({argument.children[0]->string(), std::move(type)});
    return {};
  }

  /// "builtin.module"() ({…}) and "func.func"() <{…}> ({…}).
  Status read_generic_item(const Node& operation) {
    const Node& content = *operation.children.back();
    const std::string name = plain(*content.children[0]);
    const Node* region = nullptr;
    for (const auto& child : content.children)
      if (child->is_type<grammar::region>()) region = child.get();
    if (region != nullptr && name == "builtin.module") return read_items(*region);
    if (region != nullptr && name == "func.func") return read_generic_function(content, *region);
    if (name == "sdy.mesh") return {};
    return fail_at(place_of(content), "M2", "{} is not offered outside a function", name);
  }

  Status read_generic_function(const Node& content, const Node& region) {
    Signature signature;
    for (const auto& child : content.children) {
      if (!child->is_type<grammar::dictionary>()) continue;
      for (const auto& entry : child->children) GARNER_TRY(read_function_entry(*entry, signature));
    }
    // The arguments stand in the label; read_body() finds them there.
    Status status = add(std::move(signature), region);
    if (status.ok()) name_arguments(region);
    return status;
  }

  Status read_function_entry(const Node& entry, Signature& signature) {
    if (entry.children.size() < 2) return {};
    const std::string key = plain(*entry.children[0]);
    const Node& value = *entry.children[1]->children[0];
    if (key == "sym_name") signature.name = plain(value);
    if (key == "sym_visibility") signature.is_public = plain(value) == "public";
    if (key == "function_type" && value.is_type<grammar::function_type>()) {
      GARNER_ASSIGN(signature.results, read_types(*value.children[1], aliases_.types));
    }
    return {};
  }

  void name_arguments(const Node& region) {
    Function& function = program_.functions.back();
    if (region.children.empty() || !region.children[0]->is_type<grammar::block_label>()) return;
    const auto& arguments = region.children[0]->children;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      function.signature.arguments.push_back({arguments[i]->children[0]->string(), function.body.types[i]});
  }

  Aliases aliases_;
  Program program_;
};

template <class Rule> struct PieceAction : tao::pegtl::nothing<Rule> {};
template <> struct PieceAction<grammar::piece> {
  template <class Input> static void apply(const Input& in, std::vector<std::string_view>& out) {
    out.push_back(in.string_view());
  }
};

}  // namespace

Result<Module> parse(std::string_view text) {
  GARNER_ASSIGN(const auto tree, parse_file(text));
  GARNER_ASSIGN(Program program, ModuleReader().read(*tree));
  return Module(std::make_shared<const Program>(std::move(program)));
}

std::vector<std::string_view> pieces(std::string_view text) {
  std::vector<std::string_view> out;
  tao::pegtl::memory_input in(text.data(), text.size(), "mlir");
  tao::pegtl::parse<grammar::divided, PieceAction>(in, out);
  return out;
}

std::vector<Signature> Module::functions() const {
  std::vector<Signature> out;
  for (const Function& f : program_->functions) out.push_back(f.signature);
  return out;
}

std::optional<Signature> Module::function(std::string_view name) const {
  const Function* found = program_->find(name);
  return found == nullptr ? std::nullopt : std::optional(found->signature);
}

}  // namespace garner::mlir
