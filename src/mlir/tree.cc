#include "mlir/tree.h"

#include "mlir/op.h"

namespace garner::mlir {
namespace {

namespace peg = tao::pegtl;

template <class Rule> struct NameAction : peg::nothing<Rule> {};
template <> struct NameAction<grammar::bare> {
  template <class Input> static void apply(const Input& in, std::string& name) { name = in.string(); }
};

/// The name of the operation that begins here; empty where none does.
std::string operation_at(std::string_view text) {
  std::string name;
  peg::memory_input in(text.data(), text.size(), "");
  return peg::parse<grammar::operation_start, NameAction>(in, name) ? name : "";
}

std::string_view line_from(std::string_view text) { return text.substr(0, std::min<std::size_t>(text.find('\n'), 80)); }

Status unreadable(std::string_view text, const peg::position& at) {
  const std::string_view rest = text.substr(std::min(at.byte, text.size()));
  const std::string name = operation_at(rest);
  const Place place{at.line, at.column};
  if (name.find('.') != std::string::npos && find_op(name) == nullptr)
    return fail_at(place, "M2", "{} is not offered", name);
  if (rest.empty()) return fail_at(place, "M1", "the text ends here, before it is complete");
  return fail_at(place, "M1", "cannot read '{}'", line_from(rest));
}

}  // namespace

Result<std::shared_ptr<Node>> parse_file(std::string_view text) {
  peg::memory_input in(text.data(), text.size(), "mlir");
  try {
    auto root = peg::parse_tree::parse<grammar::file, TreeSelector, DepthAction>(in);
    if (root == nullptr) return unreadable(text, in.position());
    return std::shared_ptr<Node>(std::move(root));
  } catch (const peg::parse_error& e) { return unreadable(text, e.positions().front()); }
}

}  // namespace garner::mlir
