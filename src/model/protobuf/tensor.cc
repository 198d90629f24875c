// A tensor's elements: little-endian bytes, or numbers in one of five lists, depending on the dtype.
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/checked_math.h"
#include "base/fail.h"
#include "dtype/dispatch.h"
#include "model/program.h"
#include "model/protobuf/schema.h"

namespace garner::model {
namespace {

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian");

using Message = ::onnx::TensorProto;

/// NumPy stops there as well.
constexpr int kMostAxes = 64;

template <class... Args>
Status lie(const std::string& what, fmt::format_string<Args...> text, Args&&... args) {
  return fail(Code::kInvalidArgument, "OM5", "model: {} {}", what, fmt::format(text, std::forward<Args>(args)...));
}

Status check_place(const Message& message, const std::string& what) {
  if (message.data_location() == Message::EXTERNAL || message.external_data_size() > 0)
    return fail(Code::kUnsupported, "OM6", "model: {} has its data in another file, allowed in the model's own", what);
  if (message.has_segment()) return fail(Code::kUnsupported, "OM6", "model: {} is one segment of a tensor", what);
  return {};
}

Result<Axes> shape_of(const Message& message, const std::string& what) {
  if (message.dims_size() > kMostAxes) return lie(what, "has rank {}, allowed [0, {}]", message.dims_size(), kMostAxes);
  Axes shape(message.dims().begin(), message.dims().end());
  for (const Index extent : shape)
    if (extent < 0) return lie(what, "has shape {}, allowed no negative extent", list(shape));
  return shape;
}

// ---- where the elements are ----

/// The list of numbers ONNX keeps this element type in: floats and complex numbers, wide integers, and all the rest,
/// also the bits of small floats, in int32_data.
template <class T>
const auto& numbers_for(const Message& m) {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, std::complex<float>>) return m.float_data();
  else if constexpr (std::is_same_v<T, double> || std::is_same_v<T, std::complex<double>>) return m.double_data();
  else if constexpr (std::is_same_v<T, std::int64_t>) return m.int64_data();
  else if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>) return m.uint64_data();
  else return m.int32_data();
}

int lists_in_use(const Message& m) {
  const int sizes[] = {m.float_data_size(),  m.int32_data_size(),  m.string_data_size(),    m.int64_data_size(),
                       m.double_data_size(), m.uint64_data_size(), m.has_raw_data() ? 1 : 0};
  return static_cast<int>(std::ranges::count_if(sizes, [](int size) { return size > 0; }));
}

template <std::size_t Bytes> struct Bits;
template <> struct Bits<1> {
  using type = std::uint8_t;
};
template <> struct Bits<2> {
  using type = std::uint16_t;
};

/// The element a number stands for; nothing when the dtype has no such element.
template <class T, class Number>
std::optional<T> element_of(Number number) {
  if constexpr (std::is_same_v<T, Bool>) {
    return Bool(number != 0);
  } else if constexpr (is_index_v<T>) {
    return std::in_range<T>(number) ? std::optional(static_cast<T>(number)) : std::nullopt;
  } else {
    using Pattern = typename Bits<sizeof(T)>::type;
    return std::in_range<Pattern>(number) ? std::optional(std::bit_cast<T>(static_cast<Pattern>(number)))
                                          : std::nullopt;
  }
}

template <class T, class Numbers>
Status fill(Tensor& out, const Numbers& numbers, const std::string& what) {
  using Number = std::remove_cvref_t<decltype(numbers[0])>;
  if constexpr (std::is_floating_point_v<Number>) {
    if (out.bytes() > 0) std::memcpy(out.mutable_data(), numbers.data(), static_cast<std::size_t>(out.bytes()));
  } else {
    for (int i = 0; i < numbers.size(); ++i) {
      const auto element = element_of<T>(numbers[i]);
      if (!element) return lie(what, "has element {}, which {} has not", numbers[i], name(out.dtype()));
      out.as<T>()[i] = *element;
    }
  }
  return {};
}

Status check_count(Index found, Index wanted, const char* unit, const Axes& shape, const std::string& what) {
  if (found == wanted) return {};
  return lie(what, "has {} {} of data, allowed {} for shape {}", found, unit, wanted, list(shape));
}

// ---- both ways ----

Result<Tensor> from_bytes(const Message& message, DType dtype, const Axes& shape, Index elements,
                          const std::string& what) {
  const auto bytes = static_cast<Index>(message.raw_data().size());
  // 2^62 elements would be more bytes than can be counted, and than a file can have.
  const Index wanted = checked_mul(elements, width(dtype)).value_or(-1);
  GARNER_TRY(check_count(bytes, wanted, "bytes", shape, what));
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype, shape));
  if (bytes > 0) std::memcpy(out.mutable_data(), message.raw_data().data(), static_cast<std::size_t>(bytes));
  return out;
}

template <class T>
Result<Tensor> from_numbers(const Message& message, const Axes& shape, Index elements, const std::string& what) {
  const auto& numbers = numbers_for<T>(message);
  const Index wanted = checked_mul(elements, is_complex_v<T> ? 2 : 1).value_or(-1);
  GARNER_TRY(check_count(numbers.size(), wanted, "numbers", shape, what));
  GARNER_ASSIGN(Tensor out, Tensor::empty(dtype_of<T>, shape));
  GARNER_TRY(fill<T>(out, numbers, what));
  return out;
}

}  // namespace

Result<DType> dtype_numbered(int number, const std::string& what) {
  for (const OnnxType& type : kOnnxTypes)
    if (type.number == number) return type.dtype;
  std::vector<std::string> allowed;
  for (const OnnxType& type : kOnnxTypes) allowed.push_back(fmt::format("{}={}", type.number, type.name));
  return fail(Code::kType, "OM4", "model: element type of {} is {}, allowed {}", what, number, fmt::join(allowed, " "));
}

Result<Tensor> tensor_of(const Message& message, const std::string& what) {
  GARNER_TRY(check_place(message, what));
  GARNER_ASSIGN(const DType dtype, dtype_numbered(message.data_type(), what));
  GARNER_ASSIGN(const Axes shape, shape_of(message, what));
  const auto elements = checked_product(shape);
  if (!elements) return lie(what, "has shape {}, which no file can hold", list(shape));
  if (lists_in_use(message) > 1) return lie(what, "has its data twice");
  if (message.has_raw_data()) return from_bytes(message, dtype, shape, *elements, what);
  return dispatch(dtype, [&]<class T>() { return from_numbers<T>(message, shape, *elements, what); });
}

}  // namespace garner::model
