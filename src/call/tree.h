// Parsing to a tree of the grammar's named parts, with our kind of error.
#pragma once
#include <algorithm>
#include <tao/pegtl/contrib/parse_tree.hpp>

#include "base/fail.h"
#include "call/grammar.h"

namespace garner {

using Node = tao::pegtl::parse_tree::node;

template <class Rule>
using TreeSelector = tao::pegtl::parse_tree::selector<
    Rule, tao::pegtl::parse_tree::store_content::on<grammar::name, grammar::number, grammar::list, grammar::tuple,
                                                    grammar::typed_list, grammar::no_elements, grammar::maker,
                                                    grammar::keyword, grammar::call, grammar::slash, grammar::star_mark,
                                                    grammar::signature, grammar::file, grammar::path, grammar::member>>;

/// Brackets inside brackets. The parser recurses once for each, so that some thousands would overflow the stack. Those
/// in quotes are a file's name.
inline constexpr int kMaxDepth = 64;
inline int depth_of(std::string_view text) {
  int depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') quoted = !quoted;
    if (quoted && c == '\\') ++i;
    if (quoted) continue;
    if (c == '[' || c == '(' || c == '{') deepest = std::max(deepest, ++depth);
    if (c == ']' || c == ')' || c == '}') --depth;
  }
  return deepest;
}

/// The node for Rule, which must be the whole text. Rule A4 otherwise.
template <class Rule>
Result<std::shared_ptr<Node>> parse_tree(std::string_view text) {
  if (depth_of(text) > kMaxDepth)
    return fail(Code::kInvalidArgument, "A4", "call: brackets are nested {} deep, allowed [0, {}]", depth_of(text),
                kMaxDepth);
  tao::pegtl::memory_input in(text.data(), text.size(), "call");
  try {
    auto root = tao::pegtl::parse_tree::parse<grammar::whole<Rule>, TreeSelector>(in);
    if (root == nullptr || root->children.empty())
      return fail(Code::kInvalidArgument, "A4", "call: cannot read '{}'", text);
    return std::shared_ptr<Node>(std::move(root->children.front()));
  } catch (const tao::pegtl::parse_error& e) {
    const auto& at = e.positions().front();
    return fail(Code::kInvalidArgument, "A4", "call: cannot read line {}, column {} of '{}'", at.line, at.column,
                text.substr(0, 200));
  }
}

}  // namespace garner
