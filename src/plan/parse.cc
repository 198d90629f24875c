// The plan text back to a plan: print.cc's inverse.
#include <charconv>
#include <span>
#include <tao/pegtl.hpp>
#include <tao/pegtl/contrib/parse_tree.hpp>

#include "base/fail.h"
#include "plan/names.h"

namespace garner {
namespace {
namespace grammar {
using namespace tao::pegtl;  // NOLINT(google-build-using-namespace)

struct gap : star<space> {};
template <char C> struct mark : seq<gap, one<C>, gap> {};
template <class Item> struct items : opt<tao::pegtl::list<Item, mark<','>>> {};

struct integer : seq<opt<one<'-'>>, plus<digit>> {};
struct word : seq<alpha, star<sor<alnum, one<'_'>>>> {};
struct term : seq<one<'%'>, integer> {};
struct plus_sign : one<'+'> {};
struct minus_sign : one<'-'> {};
struct natural : plus<digit> {};
struct scaled : seq<natural, one<'*'>, word> {};
struct part : sor<term, scaled, word, natural> {};
/// %0 + 2*i - 1
struct position : seq<opt<minus_sign>, part, star<gap, sor<plus_sign, minus_sign>, gap, part>> {};

struct domain_axis : seq<word, one<':'>, integer> {};
struct domain : seq<mark<'('>, items<domain_axis>, mark<')'>> {};
struct extents : seq<mark<'['>, items<integer>, mark<']'>> {};
struct positions : seq<mark<'('>, items<position>, mark<')'>> {};
struct axes : seq<mark<'('>, items<word>, mark<')'>> {};
struct strides : seq<mark<'('>, items<integer>, mark<')'>> {};
template <class Names>
struct side : seq<extents, mark<'='>, Names, TAO_PEGTL_STRING("stride"), strides> {};

struct base : seq<gap, TAO_PEGTL_STRING("base"), gap, integer> {};
struct indexed : seq<gap, TAO_PEGTL_STRING("indexed"), gap, side<positions>, opt<base>> {};
struct dense : seq<gap, TAO_PEGTL_STRING("dense"), gap, side<axes>> {};
struct wrap : seq<TAO_PEGTL_STRING("wrap"), gap, integer, gap> {};
struct policy : word {};
struct at_position : seq<plus<space>, TAO_PEGTL_STRING("at position")> {};
struct bounds : seq<gap, TAO_PEGTL_STRING("in"), mark<'['>, integer, mark<','>, integer, mark<')'>, opt<wrap>, policy,
                    opt<at_position>> {};
struct index : seq<gap, term, plus<space>, word, gap, side<axes>, bounds> {};
struct mask : seq<gap, TAO_PEGTL_STRING("mask"), gap, side<axes>> {};
struct fill : seq<gap, TAO_PEGTL_STRING("fill"), gap, side<axes>> {};
struct fetch : seq<gap, TAO_PEGTL_STRING("fetch"), gap, side<axes>> {};
struct head : seq<word, plus<space>, word, opt<plus<space>, word>> {};
struct plan : must<gap, head, domain, indexed, dense, star<index>, opt<mask>, opt<fill>, opt<fetch>, gap, eof> {};

template <class Rule>
using selector = parse_tree::selector<
    Rule, parse_tree::store_content::on<integer, natural, word, term, plus_sign, minus_sign, scaled, position,
                                        domain_axis, domain, extents, positions, axes, strides, base, indexed, dense,
                                        wrap, policy, at_position, bounds, index, mask, fill, fetch, head>>;
}  // namespace grammar

using Node = tao::pegtl::parse_tree::node;

Status bad(const Node& node, const char* what) {
  const auto at = node.begin();
  return fail(Code::kInvalidArgument, "P21", "plan text: line {}, column {}: '{}' is no {}", at.line, at.column,
              node.string_view(), what);
}

Result<Index> integer_of(const Node& node) {
  const std::string_view text = node.string_view();
  Index out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return bad(node, "64-bit integer");
  return out;
}

/// A part's number with the sign before it, so that the smallest Index has a spelling.
Result<Index> signed_of(const Node& node, Index sign) {
  const std::string text = fmt::format("{}{}", sign < 0 ? "-" : "", node.string_view());
  Index out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return bad(node, "64-bit integer");
  return out;
}

Result<Axes> integers_of(const Node& node) {
  Axes out;
  for (const auto& child : node.children) {
    GARNER_ASSIGN(const Index i, integer_of(*child));
    out.push_back(i);
  }
  return out;
}

template <std::size_t N>
Result<std::size_t> place_of(const Node& node, const std::array<std::string_view, N>& names, const char* what) {
  const auto at = std::find(names.begin(), names.end(), node.string_view());
  if (at == names.end()) return bad(node, what);
  return static_cast<std::size_t>(at - names.begin());
}

Result<DType> dtype_of_node(const Node& node) {
  const auto dtype = dtype_named(node.string_view());
  if (!dtype) return bad(node, "dtype");
  return *dtype;
}

class Reader {
 public:
  Result<IndexPlan> read(const Node& root) {
    for (const auto& child : root.children) GARNER_TRY(read_part(*child));
    return std::move(plan_);
  }

 private:
  Status read_part(const Node& node) {
    if (node.is_type<grammar::head>()) return read_head(node);
    if (node.is_type<grammar::domain>()) return read_domain(node);
    if (node.is_type<grammar::indexed>()) return read_indexed(node);
    if (node.is_type<grammar::dense>()) return read_side(node, 0, plan_.dense_stride);
    if (node.is_type<grammar::index>()) return read_index(node);
    if (node.is_type<grammar::mask>()) return read_side(node, 0, plan_.mask_stride.emplace());
    if (node.is_type<grammar::fill>()) return read_side(node, 0, plan_.fill_stride.emplace());
    return read_side(node, 0, plan_.fetch_stride.emplace());
  }

  Status read_head(const Node& node) {
    const bool gather = node.children[0]->string_view() == "gather";
    if (!gather && node.children[0]->string_view() != "scatter") return bad(*node.children[0], "direction");
    plan_.direction = gather ? Direction::kGather : Direction::kScatter;
    GARNER_ASSIGN(plan_.dtype, dtype_of_node(*node.children[1]));
    if (gather != (node.children.size() == 2)) return bad(node, "gather or scatter head");
    if (gather) return {};
    GARNER_ASSIGN(const std::size_t at, place_of(*node.children[2], kCombineNames, "combine"));
    plan_.combine = static_cast<Combine>(at);
    return {};
  }

  Status read_domain(const Node& node) {
    for (std::size_t k = 0; k < node.children.size(); ++k) {
      const Node& axis = *node.children[k];
      if (axis.children[0]->string_view() != axis_name(k)) return bad(*axis.children[0], "name for this axis");
      GARNER_ASSIGN(const Index extent, integer_of(*axis.children[1]));
      plan_.domain.push_back(extent);
    }
    return {};
  }

  Result<std::size_t> axis_of(const Node& word) {
    for (std::size_t k = 0; k < plan_.domain.size(); ++k)
      if (word.string_view() == axis_name(k)) return k;
    return bad(word, "domain axis");
  }

  Result<AxisMap> read_position(const Node& node) {
    AxisMap map{.step = Axes(plan_.domain.size(), 0)};
    Index sign = 1;
    for (const auto& child : node.children) {
      if (child->is_type<grammar::minus_sign>()) sign = -1;
      else if (child->is_type<grammar::plus_sign>()) sign = 1;
      else GARNER_TRY(add_part(*child, std::exchange(sign, 1), map));
    }
    return map;
  }

  Status add_part(const Node& node, Index sign, AxisMap& map) {
    if (node.is_type<grammar::term>()) {
      GARNER_ASSIGN(const Index term, integer_of(*node.children[0]));
      if (sign < 0 || map.term >= 0 || term < 0 || term > 1 << 20) return bad(node, "term for this axis");
      map.term = static_cast<int>(term);
    } else if (node.is_type<grammar::natural>()) {
      GARNER_ASSIGN(const Index offset, signed_of(node, sign));
      if (map.offset != 0) return bad(node, "number for this axis, which has one");
      map.offset = offset;
    } else {
      const bool scaled = node.is_type<grammar::scaled>();
      GARNER_ASSIGN(const std::size_t k, axis_of(scaled ? *node.children[1] : node));
      if (map.step[k] != 0) return bad(node, "part for this axis, which has that one");
      map.step[k] = sign;
      if (scaled) { GARNER_ASSIGN(map.step[k], signed_of(*node.children[0], sign)); }
    }
    return {};
  }

  Status read_indexed(const Node& node) {
    GARNER_ASSIGN(const Axes extents, integers_of(*node.children[0]));
    GARNER_ASSIGN(const Axes strides, integers_of(*node.children[2]));
    const auto& positions = node.children[1]->children;
    if (extents.size() != positions.size() || strides.size() != positions.size())
      return bad(node, "side with one entry per axis");
    for (std::size_t a = 0; a < positions.size(); ++a) {
      GARNER_ASSIGN(AxisMap map, read_position(*positions[a]));
      map.extent = extents[a];
      map.stride = strides[a];
      plan_.indexed.push_back(std::move(map));
    }
    if (node.children.size() == 4) { GARNER_ASSIGN(plan_.indexed_base, integer_of(*node.children[3]->children[0])); }
    return {};
  }

  /// extents, axes, strides from child `first` on.
  Status read_side(const Node& node, std::size_t first, Axes& out) {
    GARNER_ASSIGN(const Axes extents, integers_of(*node.children[first]));
    GARNER_ASSIGN(const Axes strides, integers_of(*node.children[first + 2]));
    const auto& words = node.children[first + 1]->children;
    if (extents.size() != words.size() || strides.size() != words.size())
      return bad(node, "side with one entry per axis");
    out.assign(plan_.domain.size(), 0);
    for (std::size_t j = 0; j < words.size(); ++j) {
      GARNER_ASSIGN(const std::size_t k, axis_of(*words[j]));
      if (out[k] != 0) return bad(*words[j], "axis for this side, which has it");
      if (extents[j] != plan_.domain[k]) return bad(node, "side with the domain's extents");
      out[k] = strides[j];
    }
    return {};
  }

  Status read_index(const Node& node) {
    GARNER_ASSIGN(const Index number, integer_of(*node.children[0]->children[0]));
    if (number != static_cast<Index>(plan_.terms.size())) return bad(*node.children[0], "next term");
    IndexTerm term;
    GARNER_ASSIGN(term.dtype, dtype_of_node(*node.children[1]));
    GARNER_TRY(read_side(node, 2, term.stride));
    GARNER_ASSIGN(term.bounds, read_bounds(*node.children[5]));
    plan_.terms.push_back(std::move(term));
    return {};
  }

  Result<Bounds> read_bounds(const Node& node) {
    Bounds b;
    GARNER_ASSIGN(b.lo, integer_of(*node.children[0]));
    GARNER_ASSIGN(b.hi, integer_of(*node.children[1]));
    for (const auto& child : std::span(node.children).subspan(2)) {
      if (child->is_type<grammar::wrap>()) {
        GARNER_ASSIGN(b.wrap, integer_of(*child->children[0]));
      } else if (child->is_type<grammar::policy>()) {
        GARNER_ASSIGN(const std::size_t at, place_of(*child, kPolicyNames, "policy"));
        b.policy = static_cast<OutOfRange>(at);
      } else {
        b.scope = Scope::kPosition;
      }
    }
    return b;
  }

  IndexPlan plan_;
};

}  // namespace

Result<IndexPlan> parse_plan(std::string_view text) {
  tao::pegtl::memory_input in(text.data(), text.size(), "plan");
  try {
    const auto root = tao::pegtl::parse_tree::parse<grammar::plan, grammar::selector>(in);
    return Reader().read(*root);
  } catch (const tao::pegtl::parse_error& e) {
    const auto& at = e.positions().front();
    return fail(Code::kInvalidArgument, "P21", "plan text: cannot read line {}, column {}", at.line, at.column);
  }
}

}  // namespace garner
