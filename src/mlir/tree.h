// Parsing MLIR text to a tree of the grammar's named parts, with our kind of error.
#pragma once
#include <tao/pegtl/contrib/limit_depth.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>

#include "mlir/fail_at.h"
#include "mlir/grammar.h"

namespace garner::mlir {

using Node = tao::pegtl::parse_tree::node;

template <class Rule>
using TreeSelector = tao::pegtl::parse_tree::selector<
    Rule, tao::pegtl::parse_tree::store_content::on<
              grammar::bare, grammar::quoted, grammar::symbol, grammar::hash_name, grammar::count, grammar::number,
              grammar::extent, grammar::element, grammar::tensor_type, grammar::other_type, grammar::some_types,
              grammar::inputs, grammar::outputs, grammar::function_type, grammar::type_list, grammar::signature,
              grammar::dense, grammar::dense_body, grammar::array, grammar::list, grammar::keyed_entry,
              grammar::flag_entry, grammar::dictionary, grammar::parameters, grammar::opaque, grammar::hashed,
              grammar::typed_attribute, grammar::value_name, grammar::definition, grammar::definitions, grammar::use,
              grammar::block_argument, grammar::block_label, grammar::region, grammar::generic, grammar::keyed_part,
              grammar::range, grammar::range_end, grammar::ranges, grammar::applied, grammar::sharding,
              grammar::typed_dense, grammar::word, grammar::binding, grammar::init, grammar::mesh,
              grammar::reducer_pair, grammar::reducer, grammar::named_region, grammar::custom, grammar::operation,
              grammar::visibility, grammar::function, grammar::alias, grammar::type_alias, grammar::module>>;

/// Brackets inside brackets. The parser recurses once for each, so that some thousands would overflow the stack.
inline constexpr std::size_t kMaxDepth = 64;
template <class Rule> struct DepthAction : tao::pegtl::nothing<Rule> {};
using Limited = tao::pegtl::limit_depth<kMaxDepth>;
template <> struct DepthAction<grammar::angle> : Limited {};
template <> struct DepthAction<grammar::paren> : Limited {};
template <> struct DepthAction<grammar::some_types> : Limited {};
template <> struct DepthAction<grammar::list> : Limited {};
template <> struct DepthAction<grammar::dictionary> : Limited {};
template <> struct DepthAction<grammar::parameters> : Limited {};
template <> struct DepthAction<grammar::region> : Limited {};
template <> struct DepthAction<grammar::group> : Limited {};
template <> struct DepthAction<grammar::module> : Limited {};
template <> struct DepthAction<grammar::row> : Limited {};

inline Place place_of(const Node& node) { return {node.m_begin.line, node.m_begin.column}; }

/// The tree of a file. Rule M1, or M2 where what cannot be read is an operation that is not offered.
Result<std::shared_ptr<Node>> parse_file(std::string_view text);

}  // namespace garner::mlir
