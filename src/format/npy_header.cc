#include "format/npy_header.h"

#include <charconv>
#include <tao/pegtl.hpp>

#include "base/checked_math.h"

namespace garner::format {
namespace {

// ---- the dict ----

namespace peg = tao::pegtl;

struct blank : peg::star<peg::space> {};
template <char C> struct mark : peg::seq<blank, peg::one<C>, blank> {};
template <class Text, char Quote> struct between : peg::seq<peg::one<Quote>, Text, peg::one<Quote>> {};
template <class Text> struct quoted : peg::sor<between<Text, '\''>, between<Text, '"'>> {};

struct descr : peg::star<peg::not_one<'\'', '"'>> {};
struct yes : TAO_PEGTL_STRING("True") {};
struct no : TAO_PEGTL_STRING("False") {};
struct extent : peg::seq<peg::opt<peg::one<'-'>>, peg::plus<peg::digit>> {};
struct extents : peg::opt<peg::list<peg::seq<extent, peg::opt<peg::one<'L'>>>, mark<','>>, peg::opt<mark<','>>> {};

template <class Key, class Value> struct entry : peg::seq<quoted<Key>, peg::must<mark<':'>, Value>> {};
struct descr_entry : entry<TAO_PEGTL_STRING("descr"), quoted<descr>> {};
struct order_entry : entry<TAO_PEGTL_STRING("fortran_order"), peg::sor<yes, no>> {};
struct shape_entry : entry<TAO_PEGTL_STRING("shape"), peg::seq<peg::one<'('>, blank, extents, blank, peg::one<')'>>> {};
struct entries : peg::list<peg::sor<descr_entry, order_entry, shape_entry>, mark<','>> {};
struct dict : peg::must<mark<'{'>, peg::opt<entries>, peg::opt<mark<','>>, mark<'}'>, peg::eof> {};

struct Dict {
  std::string descr;
  bool fortran = false, fits = true;
  Axes shape;
  int descrs = 0, orders = 0, shapes = 0;  // how often each was given
};

template <class Rule> struct action : peg::nothing<Rule> {};
template <> struct action<descr> {
  static void apply(const auto& in, Dict& out) { out.descr = in.string(); }
};
template <> struct action<yes> {
  static void apply0(Dict& out) { out.fortran = true; }
};
template <> struct action<extent> {
  static void apply(const auto& in, Dict& out) {
    Index n = 0;
    out.fits = out.fits && std::from_chars(in.begin(), in.end(), n).ec == std::errc();
    out.shape.push_back(n);
  }
};
template <> struct action<descr_entry> {
  static void apply0(Dict& out) { ++out.descrs; }
};
template <> struct action<order_entry> {
  static void apply0(Dict& out) { ++out.orders; }
};
template <> struct action<shape_entry> {
  static void apply0(Dict& out) { ++out.shapes; }
};

Result<Dict> parse_dict(const std::string& path, std::string_view text, Index offset) {
  Dict out;
  peg::memory_input in(text.data(), text.size(), "npy");
  try {
    peg::parse<dict, action>(in, out);
  } catch (const peg::parse_error& e) {
    const std::size_t at = e.positions().front().byte;
    if (text.substr(at).starts_with('['))
      return fail_in(path, Code::kType, "F5", "the dtype at offset {} is a record, allowed one number an element",
                     offset + static_cast<Index>(at));
    return fail_in(path, Code::kInvalidArgument, "F4", "the header cannot be read at offset {}",
                   offset + static_cast<Index>(at));
  }
  if (out.descrs != 1 || out.orders != 1 || out.shapes != 1)
    return fail_in(path, Code::kInvalidArgument, "F4",
                   "the header at offset {} has not each of descr, fortran_order and shape once", offset);
  if (!out.fits)
    return fail_in(path, Code::kInvalidArgument, "F6", "the shape at offset {} has an extent past 2^63", offset);
  return out;
}

// ---- dtypes ----

/// NumPy has no name for these: it sees so many bytes.
bool is_raw(DType dtype) {
  return kind(dtype) == Kind::kFloat && info(dtype).dlpack_code != info(DType::kF32).dlpack_code;
}

char letter_of(DType dtype) {
  if (is_raw(dtype)) return 'V';
  switch (kind(dtype)) {
    case Kind::kBool: return 'b';
    case Kind::kInt: return 'i';
    case Kind::kUInt: return 'u';
    case Kind::kFloat: return 'f';
    case Kind::kComplex: return 'c';
  }
  return 'V';
}

std::string descr_of(DType dtype) {
  return fmt::format("{}{}{}", width(dtype) == 1 ? '|' : '<', letter_of(dtype), width(dtype));
}

std::optional<DType> dtype_with(std::string_view letter_and_width) {
  for (const DTypeInfo& d : kDTypes)
    if (!is_raw(d.dtype) && descr_of(d.dtype).substr(1) == letter_and_width) return d.dtype;
  return std::nullopt;
}

/// ml_dtypes writes V2, V1, and f1 for one of the 8-bit floats.
std::optional<int> raw_width(std::string_view letter_and_width) {
  if (letter_and_width == "V2") return 2;
  if (letter_and_width == "V1" || letter_and_width == "f1") return 1;
  return std::nullopt;
}

Result<DType> raw_dtype(const std::string& path, const std::string& descr, int bytes, std::optional<DType> stated) {
  if (stated && is_raw(*stated) && width(*stated) == bytes) return *stated;
  return fail_in(path, Code::kType, "F5", "descr is '{}', which says no more than {} bytes; state the dtype: {}@FILE{}",
                 descr, bytes, bytes == 2 ? "bf16" : "f8e4m3fn", stated ? fmt::format(", not {}", name(*stated)) : "");
}

Result<DType> dtype_of_descr(const std::string& path, const std::string& descr, std::optional<DType> stated) {
  const std::string_view rest = std::string_view(descr).substr(descr.empty() ? 0 : 1);
  const bool ordered = !descr.empty() && std::string_view("<>|=").find(descr[0]) != std::string_view::npos;
  if (const auto bytes = raw_width(rest); ordered && bytes) return raw_dtype(path, descr, *bytes, stated);
  const auto dtype = ordered ? dtype_with(rest) : std::nullopt;
  if (!dtype)
    return fail_in(path, Code::kType, "F5", "descr is '{}', allowed b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16 V1 V2",
                   descr);
  if (stated && *stated != *dtype)
    return fail_in(path, Code::kType, "F5", "dtype is {}, stated {}", name(*dtype), name(*stated));
  return *dtype;
}

// ---- what stands before it ----

constexpr std::string_view kMagic = "\x93NUMPY";
/// NumPy itself reads 10,000 unless told otherwise.
constexpr Index kMaxHeader = Index{1} << 20;

Index little_endian(Bytes bytes) {
  std::uint64_t out = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) out = out << 8 | static_cast<std::uint64_t>(bytes[i]);
  return static_cast<Index>(out);
}

/// Where the dict lies.
struct Place {
  Index offset, bytes;
};

Result<Place> find_dict(const Source& source) {
  const Bytes bytes = source.bytes;
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic))
    return fail_in(source.path, Code::kInvalidArgument, "F3", "does not begin with \\x93NUMPY at offset 0");
  const auto version = bytes.size() > 7 ? static_cast<int>(bytes[6]) : 0;
  if (version < 1 || version > 3 || static_cast<int>(bytes[7]) != 0)
    return fail_in(source.path, Code::kInvalidArgument, "F3", "version at offset 6 is {}, allowed 1.0 2.0 3.0",
                   version);
  const std::size_t field = version == 1 ? 2 : 4;
  const auto offset = static_cast<Index>(8 + field);
  if (bytes.size() < 8 + field)
    return fail_in(source.path, Code::kInvalidArgument, "F4", "ends at offset {}, inside the header", bytes.size());
  const Index size = little_endian(bytes.subspan(8, field));
  const Index most = std::min(kMaxHeader, static_cast<Index>(bytes.size()) - offset);
  if (size > most)
    return fail_in(source.path, Code::kInvalidArgument, "F4", "header at offset {} is {} bytes, allowed [0, {}]",
                   offset, size, most);
  return Place{offset, size};
}

/// "(3,)", "(3, 4)": a tuple as Python prints it.
std::string tuple_text(const Axes& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

Result<NpyHeader> parse_npy_header(const Source& source, std::optional<DType> dtype) {
  GARNER_ASSIGN(const Place place, find_dict(source));
  const std::string_view text(reinterpret_cast<const char*>(source.bytes.data()) + place.offset,
                              static_cast<std::size_t>(place.bytes));
  GARNER_ASSIGN(const Dict dict, parse_dict(source.path, text, place.offset));
  NpyHeader out{{DType::kF32, dict.shape, dict.fortran, dict.descr.starts_with('>')}, place.offset + place.bytes};
  GARNER_ASSIGN(out.layout.dtype, dtype_of_descr(source.path, dict.descr, dtype));
  return out;
}

Result<std::string> npy_header(const std::string& path, DType dtype, const Axes& shape) {
  if (shape.size() > kMaxRank)
    return fail_in(path, Code::kInvalidArgument, "F10", "rank is {}, allowed [0, {}]", shape.size(), kMaxRank);
  static constexpr char kSomewhere[16] = {};
  GARNER_TRY(validate(View(dtype, kSomewhere, shape, Axes(shape.size(), 0)), "write"));
  std::string text =
      fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr_of(dtype), tuple_text(shape));
  // As NumPy does, room for the first extent to grow to 21 digits.
  if (!shape.empty()) text.append(21 - fmt::to_string(shape[0]).size(), ' ');
  constexpr std::size_t kLead = 10, kUnit = 64;
  text.append(kUnit - 1 - (kLead + text.size()) % kUnit, ' ');
  text += '\n';
  const std::size_t size = text.size();
  return fmt::format("{}{}{}{}{}{}", kMagic, '\x01', '\0', static_cast<char>(size & 255), static_cast<char>(size >> 8),
                     text);
}

}  // namespace garner::format
