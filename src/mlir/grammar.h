// The grammar of MLIR text, for PEGTL. Generic operations are read as the language defines them. The shorter forms that
// operations print themselves in are read by one grammar for all: operands, words, key = value and brackets in any
// order; which of them an operation takes is decided later.
#pragma once
#include <tao/pegtl.hpp>

namespace garner::mlir::grammar {
namespace peg = tao::pegtl;

// ---- words ----

struct comment : peg::seq<peg::two<'/'>, peg::until<peg::eolf>> {};
struct blank : peg::star<peg::sor<peg::space, comment>> {};
template <char C> struct mark : peg::seq<blank, peg::one<C>, blank> {};
template <class Item> struct items : peg::opt<peg::list<Item, mark<','>>> {};
struct arrow : peg::seq<blank, TAO_PEGTL_STRING("->"), blank> {};

struct bare_char : peg::sor<peg::alnum, peg::one<'_', '$', '.'>> {};
struct name_char : peg::sor<bare_char, peg::one<'-'>> {};
template <class Text> struct whole_word : peg::seq<Text, peg::not_at<bare_char>> {};

/// stablehlo.add, dims, tensor
struct bare : peg::seq<peg::sor<peg::alpha, peg::one<'_'>>, peg::star<bare_char>> {};
struct quoted : peg::seq<peg::one<'"'>,
                         peg::until<peg::one<'"'>, peg::sor<peg::seq<peg::one<'\\'>, peg::any>, peg::not_one<'\n'>>>> {
};
/// @main
struct symbol : peg::seq<peg::one<'@'>, peg::sor<quoted, peg::plus<name_char>>> {};
/// #loc1, #stablehlo.gather
struct hash_name : peg::seq<peg::one<'#'>, peg::plus<name_char>> {};
struct digits : peg::plus<peg::digit> {};
struct count : digits {};

// ---- numbers, also those inside dense<…> ----

struct sign : peg::one<'+', '-'> {};
struct hexadecimal : peg::seq<peg::one<'0'>, peg::one<'x', 'X'>, peg::plus<peg::xdigit>> {};
struct exponent : peg::seq<peg::one<'e', 'E'>, peg::opt<sign>, digits> {};
struct decimal : peg::seq<digits, peg::opt<peg::one<'.'>, peg::star<peg::digit>>, peg::opt<exponent>> {};
struct not_finite : whole_word<peg::sor<TAO_PEGTL_STRING("inf"), TAO_PEGTL_STRING("nan")>> {};
struct number : peg::seq<peg::opt<sign>, peg::sor<hexadecimal, decimal, not_finite>> {};

// ---- what is skipped: brackets with anything between them ----

struct angle;
struct angle
    : peg::seq<peg::one<'<'>, peg::star<peg::sor<quoted, angle, TAO_PEGTL_STRING("->"), peg::not_one<'<', '>', '"'>>>,
               peg::one<'>'>> {};
struct paren;
struct paren : peg::seq<peg::one<'('>, peg::star<peg::sor<quoted, paren, peg::not_one<'(', ')', '"'>>>, peg::one<')'>> {
};
struct location : peg::seq<blank, TAO_PEGTL_STRING("loc"), blank, paren> {};
struct may_have_location : peg::opt<location> {};

// ---- types ----

struct extent : peg::sor<digits, peg::one<'?', '*'>> {};
struct element : peg::seq<peg::opt<peg::one<'!'>>, bare, peg::opt<angle>> {};
struct encoding : peg::seq<mark<','>, peg::plus<peg::sor<quoted, angle, peg::not_one<'<', '>', '"'>>>> {};
struct tensor_type : peg::seq<TAO_PEGTL_STRING("tensor"), mark<'<'>, peg::star<extent, peg::one<'x'>>, element,
                              peg::opt<encoding>, blank, peg::one<'>'>> {};
struct other_type : peg::seq<peg::opt<peg::one<'!'>>, bare, peg::opt<angle>> {};
struct function_type;
struct type : peg::sor<tensor_type, function_type, other_type> {};
struct dictionary;
struct may_have_attributes : peg::opt<blank, dictionary> {};
struct some_types
    : peg::seq<mark<'('>, items<peg::seq<type, may_have_attributes, may_have_location>>, blank, peg::one<')'>> {};
struct inputs : peg::sor<some_types, tensor_type> {};
struct outputs : peg::sor<some_types, type> {};
/// (tensor<f32>) -> tensor<f32>
struct function_type : peg::seq<inputs, arrow, outputs> {};
struct type_list : peg::list<type, mark<','>> {};
struct signature : peg::seq<mark<':'>, peg::sor<function_type, type_list>> {};

// ---- attributes ----

struct dense_body : peg::seq<blank, peg::sor<peg::seq<quoted, blank>, peg::star<peg::not_one<'>', '"'>>>> {};
struct dense : peg::seq<TAO_PEGTL_STRING("dense<"), dense_body, peg::one<'>'>> {};
struct typed_attribute;
/// array<i64: 1, 2>
struct array : peg::seq<TAO_PEGTL_STRING("array<"), blank, bare, peg::opt<mark<':'>, items<peg::sor<number, bare>>>,
                        blank, peg::one<'>'>> {};
struct list : peg::seq<peg::one<'['>, blank, items<typed_attribute>, blank, peg::one<']'>> {};
struct keyed_entry : peg::seq<peg::sor<bare, quoted>, mark<'='>, typed_attribute> {};
struct flag_entry : peg::sor<bare, quoted> {};
struct dictionary : peg::seq<peg::one<'{'>, blank, items<peg::sor<keyed_entry, flag_entry>>, blank, peg::one<'}'>> {};
/// #stablehlo.gather<offset_dims = [1], …>
struct parameters : peg::seq<peg::one<'<'>, blank, items<keyed_entry>, peg::opt<mark<','>>, blank, peg::one<'>'>> {};
/// #stablehlo<comparison_direction LT>
struct opaque : angle {};
struct hashed : peg::seq<hash_name, peg::opt<peg::sor<parameters, opaque>>> {};
struct attribute : peg::sor<dense, array, hashed, number, quoted, list, dictionary, symbol, type> {};
struct typed_attribute : peg::seq<attribute, peg::opt<mark<':'>, type>> {};

// ---- values and regions ----

struct value_name : peg::seq<peg::one<'%'>, peg::plus<name_char>> {};
/// %0:2
struct definition : peg::seq<value_name, peg::opt<peg::one<':'>, count>> {};
struct definitions : peg::seq<peg::list<definition, mark<','>>, mark<'='>> {};
/// %0#1
struct use : peg::seq<value_name, peg::opt<peg::one<'#'>, count>> {};

struct block_argument : peg::seq<value_name, mark<':'>, type, may_have_attributes, may_have_location> {};
struct block_label : peg::seq<peg::one<'^'>, peg::plus<name_char>, blank,
                              peg::opt<peg::one<'('>, blank, items<block_argument>, blank, peg::one<')'>>, mark<':'>> {
};
struct operation;
struct region
    : peg::seq<peg::one<'{'>, blank, peg::star<peg::sor<block_label, operation>, blank>, peg::must<peg::one<'}'>>> {};

// ---- operations ----

struct properties : peg::seq<peg::one<'<'>, blank, dictionary, blank, peg::one<'>'>> {};
struct regions : peg::seq<peg::one<'('>, blank, peg::list<region, mark<','>>, blank, peg::one<')'>> {};
/// "stablehlo.gather"(%0, %1) <{…}> ({…}) {…} : (…) -> …
struct generic : peg::seq<quoted, mark<'('>, items<use>, mark<')'>, peg::opt<properties>, blank, peg::opt<regions>,
                          blank, peg::opt<dictionary>, blank, mark<':'>, function_type> {};

struct operand : peg::seq<peg::not_at<definitions>, use> {};
struct keyed_part : peg::seq<bare, mark<'='>, attribute> {};
/// [0:3, 1:8:2]
struct range_end : digits {};
struct range : peg::list<range_end, mark<':'>> {};
struct ranges : peg::seq<peg::one<'['>, blank, peg::list<range, mark<','>>, blank, peg::one<']'>> {};
/// applies stablehlo.add
struct applied : peg::seq<whole_word<TAO_PEGTL_STRING("applies")>, blank, bare> {};
struct ends_words : peg::sor<whole_word<peg::sor<TAO_PEGTL_STRING("return"), TAO_PEGTL_STRING("call")>>, location> {};
/// LT: no dot, or it would be the next operation's name
struct word : peg::seq<peg::not_at<ends_words>, peg::sor<peg::alpha, peg::one<'_'>>,
                       peg::star<peg::sor<peg::alnum, peg::one<'_'>>>, peg::not_at<bare_char>> {};
/// %iterArg = %arg0
struct binding : peg::seq<value_name, mark<'='>, use> {};
struct init : peg::seq<TAO_PEGTL_STRING("init"), mark<':'>> {};
/// <@mesh, [{"x"}]>: on which machines a value lies
struct sharding : peg::seq<peg::at<TAO_PEGTL_STRING("<@")>, angle> {};
struct group;
struct part : peg::sor<peg::one<','>, applied, operand, keyed_part, ranges, group, dictionary, dense, quoted, symbol,
                       list, sharding, word> {};
/// Between round brackets no type of the operation can follow, so that it is the constant's own.
struct typed_dense : peg::seq<dense, mark<':'>, type> {};
struct group_item : peg::sor<init, binding, typed_dense, number, part> {};
struct group : peg::seq<peg::one<'('>, blank, peg::star<group_item, blank>, peg::one<')'>> {};

struct reducer_pair : peg::seq<mark<'('>, items<block_argument>, mark<')'>> {};
struct reducer : peg::seq<TAO_PEGTL_STRING("reducer"), peg::plus<reducer_pair>, region> {};
struct named_region : peg::seq<whole_word<peg::sor<TAO_PEGTL_STRING("cond"), TAO_PEGTL_STRING("do")>>, blank, region> {
};
struct with_attributes : peg::seq<whole_word<TAO_PEGTL_STRING("attributes")>, blank, dictionary> {};
struct tail : peg::sor<with_attributes, reducer, named_region, dictionary> {};
struct custom : peg::seq<bare, peg::star<blank, part>, peg::opt<signature>, peg::star<blank, tail>> {};
/// What may stand behind an operation. Anything else is a part of it that could not be read, and the error is its own.
struct next_begins
    : peg::seq<blank, peg::sor<peg::eof, peg::alpha, peg::one<'}', '%', '^', '"', '#', '!'>, TAO_PEGTL_STRING("{-#")>> {
};
struct operation : peg::seq<peg::opt<definitions>, peg::sor<generic, custom>, may_have_location, peg::at<next_begins>> {
};

// ---- functions and modules ----

struct visibility
    : whole_word<peg::sor<TAO_PEGTL_STRING("public"), TAO_PEGTL_STRING("private"), TAO_PEGTL_STRING("nested")>> {};
struct parameter : peg::sor<block_argument, peg::seq<type, may_have_attributes>> {};
struct function_word : whole_word<peg::sor<TAO_PEGTL_STRING("func.func"), TAO_PEGTL_STRING("func")>> {};
struct function : peg::seq<function_word, blank, peg::opt<visibility>, blank, peg::must<symbol>, peg::must<mark<'('>>,
                           items<parameter>, peg::must<mark<')'>>, peg::opt<arrow, outputs>, blank,
                           peg::opt<with_attributes>, blank, peg::opt<region>, may_have_location> {};

struct alias
    : peg::seq<hash_name, mark<'='>, peg::sor<peg::seq<TAO_PEGTL_STRING("loc"), blank, paren>, typed_attribute>> {};
struct type_alias : peg::seq<peg::one<'!'>, bare, mark<'='>, type> {};
struct resources : peg::seq<TAO_PEGTL_STRING("{-#"), peg::until<TAO_PEGTL_STRING("#-}")>> {};
/// sdy.mesh @mesh = <["x"=2]>: the machines there are
struct mesh : peg::seq<whole_word<TAO_PEGTL_STRING("sdy.mesh")>, blank, symbol, mark<'='>, angle, may_have_location> {};
struct module;
struct item : peg::sor<alias, type_alias, resources, mesh, module, function, operation> {};
struct module_word : whole_word<peg::sor<TAO_PEGTL_STRING("builtin.module"), TAO_PEGTL_STRING("module")>> {};
struct module
    : peg::seq<module_word, blank, peg::opt<symbol>, blank, peg::opt<with_attributes>, blank, peg::must<peg::one<'{'>>,
               blank, peg::star<item, blank>, peg::must<peg::one<'}'>>, may_have_location> {};
struct file : peg::seq<blank, peg::star<item, blank>, peg::must<peg::eof>> {};

/// What stands where a text cannot be read: the name of the operation there, if it is one.
struct operation_start : peg::seq<peg::opt<definitions>, peg::opt<peg::one<'"'>>, bare> {};

// ---- inside dense<…> ----

struct true_or_false : whole_word<peg::sor<TAO_PEGTL_STRING("true"), TAO_PEGTL_STRING("false")>> {};
struct part_of_complex : number {};
struct complex_number
    : peg::seq<peg::one<'('>, blank, part_of_complex, mark<','>, part_of_complex, blank, peg::one<')'>> {};
struct literal : peg::sor<number, true_or_false, complex_number> {};
struct open_row : peg::one<'['> {};
struct close_row : peg::one<']'> {};
struct row;
struct row_item : peg::sor<row, literal> {};
struct row : peg::seq<open_row, blank, items<row_item>, blank, close_row> {};
struct bytes : peg::seq<peg::one<'"'>, peg::one<'0'>, peg::one<'x', 'X'>, peg::star<peg::xdigit>, peg::one<'"'>> {};
struct dense_text : peg::seq<blank, peg::opt<peg::sor<bytes, row_item>>, blank, peg::eof> {};

// ---- files of several modules ----

struct divider : peg::seq<TAO_PEGTL_STRING("// -----"), peg::until<peg::eolf>> {};
struct piece : peg::plus<peg::not_at<peg::sor<divider, peg::eof>>, peg::until<peg::eolf>> {};
struct divided : peg::until<peg::eof, peg::sor<divider, piece>> {};

}  // namespace garner::mlir::grammar
