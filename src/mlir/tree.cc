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

/// Functions and modules are no operations of the table, but they are offered.
bool is_not_offered(std::string_view name) {
  if (name == "func.func" || name == "builtin.module" || name == "sdy.mesh") return false;
  return name.find('.') != std::string_view::npos && find_op(name) == nullptr;
}

/// The beginning of the line that a byte stands in, without its blanks.
std::string_view line_around(std::string_view text, std::size_t byte) {
  const std::size_t before = byte == 0 ? std::string_view::npos : text.rfind('\n', byte - 1);
  const std::string_view line = text.substr(before == std::string_view::npos ? 0 : before + 1);
  return line.substr(std::min(line.find_first_not_of(" \t"), line.size()));
}

std::string_view line_from(std::string_view text) { return text.substr(0, std::min<std::size_t>(text.find('\n'), 80)); }

Status unreadable(std::string_view text, const peg::position& at) {
  const std::size_t byte = std::min(at.byte, text.size());
  const std::string_view rest = text.substr(byte);
  const Place place{at.line, at.column};
  for (const std::string& name : {operation_at(rest), operation_at(line_around(text, byte))})
    if (is_not_offered(name)) return fail_at(place, "M2", "{} is not offered", name);
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
