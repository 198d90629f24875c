// The grammar of values and calls, for PEGTL.
#pragma once
#include <tao/pegtl.hpp>

namespace garner::grammar {
namespace peg = tao::pegtl;

struct blank : peg::star<peg::space> {};
template <char C> struct mark : peg::seq<blank, peg::one<C>, blank> {};
template <class Item> struct items : peg::opt<peg::list<Item, mark<','>>, peg::opt<mark<','>>> {};

struct name : peg::seq<peg::sor<peg::alpha, peg::one<'_'>>, peg::star<peg::sor<peg::alnum, peg::one<'_'>>>> {};
struct sign : peg::one<'+', '-'> {};
struct digits : peg::plus<peg::digit> {};
struct exponent : peg::seq<peg::one<'e', 'E'>, peg::opt<sign>, digits> {};
struct decimal
    : peg::seq<
          peg::sor<peg::seq<digits, peg::opt<peg::one<'.'>, peg::star<peg::digit>>>, peg::seq<peg::one<'.'>, digits>>,
          peg::opt<exponent>> {};
struct not_finite : peg::seq<peg::sor<TAO_PEGTL_STRING("inf"), TAO_PEGTL_STRING("nan")>,
                             peg::not_at<peg::opt<peg::one<'j'>>, peg::sor<peg::alnum, peg::one<'_'>>>> {};
struct real : peg::sor<decimal, not_finite> {};
/// 3, -0.5, 1e-3, inf, 1+2j, 3j
struct number : peg::seq<peg::opt<sign>, real, peg::opt<peg::sor<peg::one<'j'>, peg::seq<sign, real, peg::one<'j'>>>>> {
};

struct value;
struct list : peg::seq<peg::one<'['>, blank, items<value>, blank, peg::must<peg::one<']'>>> {};
struct tuple : peg::seq<peg::one<'('>, blank, items<value>, blank, peg::must<peg::one<')'>>> {};
/// f32[[1, 2], [3, 4]]
struct typed_list : peg::seq<name, peg::at<peg::one<'['>>, list> {};
/// f32{0, 5}: a shape with no elements
struct no_elements : peg::seq<name, peg::one<'{'>, blank, items<number>, blank, peg::must<peg::one<'}'>>> {};
/// iota(f32, 2, 3), zeros(…), full(…), f32(7)
struct maker : peg::seq<name, tuple> {};

/// Up to what may follow a value; anything else is written in quotes, with \" and \\ for those two.
struct bare_text : peg::plus<peg::not_one<' ', '\t', '\r', '\n', ',', ':', '(', ')', '[', ']', '{', '}', '"', '\0'>> {};
struct quoted_text
    : peg::seq<peg::one<'"'>,
               peg::star<peg::sor<peg::seq<peg::one<'\\'>, peg::one<'"', '\\'>>, peg::not_one<'"', '\\', '\0'>>>,
               peg::must<peg::one<'"'>>> {};
struct path : peg::sor<quoted_text, bare_text> {};
struct member : peg::sor<quoted_text, bare_text> {};
/// @d.npy, @"my file.npy", @d.safetensors:layer.0, bf16@d.npy
struct file : peg::seq<peg::opt<name>, peg::one<'@'>, path, peg::opt<peg::one<':'>, peg::must<member>>> {};

struct value : peg::sor<number, list, tuple, file, typed_list, no_elements, maker, name> {};

struct keyword : peg::seq<name, mark<'='>, peg::must<value>> {};
struct argument : peg::sor<keyword, value> {};
struct call
    : peg::seq<name, peg::one<'.'>, peg::must<name>, peg::must<mark<'('>>, items<argument>, peg::must<mark<')'>>> {};

/// (array, indices, /, *, mask=None)
struct slash : peg::one<'/'> {};
struct star_mark : peg::one<'*'> {};
struct parameter : peg::sor<slash, star_mark, keyword, name> {};
struct signature : peg::seq<mark<'('>, items<parameter>, peg::must<mark<')'>>> {};

template <class Rule> struct whole : peg::must<blank, Rule, blank, peg::eof> {};

}  // namespace garner::grammar
