// Tensors in messages: every dtype both ways, and every way to lie about one.
#include <bit>

#include "base/fail.h"
#include "dtype/convert.h"
#include "model/protobuf/test_model.h"

namespace garner::model {
namespace {

using Message = ::onnx::TensorProto;

Message message(DType dtype, const Axes& shape) {
  Message m;
  m.set_data_type(onnx_number(dtype));
  for (const Index extent : shape) m.add_dims(extent);
  return m;
}

std::string rule_of(const Message& m) { return tensor_of(m, "t").status().rule; }

TEST(ModelTensor, EveryDtypeAsBytes) {
  for (const DTypeInfo& d : kDTypes) {
    Tensor want = value_or_throw(Tensor::zeros(d.dtype, {2, 3}));
    auto* bytes = static_cast<unsigned char*>(want.mutable_data());
    for (Index i = 0; i < want.bytes(); ++i) bytes[i] = static_cast<unsigned char>(d.dtype == DType::kBool ? i % 2 : i);
    Message m;
    TestModel::fill(m, want);
    const auto got = tensor_of(m, "t");
    ASSERT_TRUE(got.ok()) << d.name << got.status().message;
    EXPECT_TRUE(same_bits(*got, want)) << d.name;
  }
}

/// The numbers 0 1 2 in the list ONNX keeps the dtype in.
template <class T>
Message numbers() {
  Message m = message(dtype_of<T>, {3});
  for (int i = 0; i < 3; ++i) {
    const T element = convert<T>(static_cast<float>(i));
    if constexpr (std::is_same_v<T, float>) m.add_float_data(element);
    else if constexpr (std::is_same_v<T, double>) m.add_double_data(element);
    else if constexpr (std::is_same_v<T, std::complex<float>>) m.add_float_data(element.real()), m.add_float_data(0);
    else if constexpr (std::is_same_v<T, std::complex<double>>) m.add_double_data(element.real()), m.add_double_data(0);
    else if constexpr (std::is_same_v<T, std::int64_t>) m.add_int64_data(element);
    else if constexpr (std::is_same_v<T, std::uint32_t> || std::is_same_v<T, std::uint64_t>) m.add_uint64_data(element);
    else if constexpr (is_half_v<T>) m.add_int32_data(std::bit_cast<std::uint16_t>(element));
    else if constexpr (is_float8_v<T>) m.add_int32_data(std::bit_cast<std::uint8_t>(element));
    else m.add_int32_data(static_cast<std::int32_t>(element));
  }
  return m;
}

TEST(ModelTensor, EveryDtypeAsNumbers) {
  for (const DTypeInfo& d : kDTypes)
    dispatch(d.dtype, [&]<class T>() {
      const auto got = tensor_of(numbers<T>(), "t");
      ASSERT_TRUE(got.ok()) << d.name << got.status().message;
      const T want[] = {convert<T>(0.0F), convert<T>(1.0F), convert<T>(2.0F)};
      EXPECT_TRUE(same_bits(*got, View(want, {3}))) << d.name;
    });
}

TEST(ModelTensor, EmptyAndRankZero) {
  EXPECT_EQ(value_or_throw(tensor_of(message(DType::kI8, {0, 7}), "t")).shape(), (Axes{0, 7}));
  Message zero = message(DType::kI64, {});
  zero.add_int64_data(-5);
  EXPECT_EQ(*value_or_throw(tensor_of(zero, "t")).as<Index>(), -5);
}

TEST(ModelTensor, OM4_Dtypes) {
  for (const int number : {0, 8, 18, 20, 21, 22, 23, 99, -1}) {  // undefined, string, float8 of other kinds, int4, …
    Message m = message(DType::kF32, {0});
    m.set_data_type(number);
    EXPECT_EQ(rule_of(m), "OM4") << number;
  }
}

TEST(ModelTensor, OM5_WrongCounts) {
  for (const std::size_t bytes : {0U, 1U, 11U, 13U, 16U}) {
    Message m = message(DType::kF32, {3});
    m.set_raw_data(std::string(bytes, 'x'));
    EXPECT_EQ(rule_of(m), "OM5") << bytes;
  }
  for (const int count : {0, 1, 4}) {
    Message m = message(DType::kF32, {3});
    for (int i = 0; i < count; ++i) m.add_float_data(1);
    EXPECT_EQ(rule_of(m), "OM5") << count;
  }
  Message other = message(DType::kF32, {1});
  other.add_double_data(1);  // in the list of another dtype
  EXPECT_EQ(rule_of(other), "OM5");
}

TEST(ModelTensor, OM5_Shapes) {
  const Index huge = Index{1} << 62;
  for (const Axes& shape : {Axes{-1}, Axes{3, -4}, Axes{std::numeric_limits<Index>::min()}, Axes{huge},
                            Axes{huge, huge}, Axes{1000000, 1000000}, Axes(65, 1)}) {
    Message bytes = message(DType::kC128, shape), numbers = bytes;
    bytes.set_raw_data("0123456789abcdef");
    numbers.add_double_data(1);
    EXPECT_EQ(rule_of(bytes), "OM5") << list(shape);
    EXPECT_EQ(rule_of(numbers), "OM5") << list(shape);
  }
}

TEST(ModelTensor, OM5_DataTwice) {
  Message m = message(DType::kF32, {1});
  m.add_float_data(1);
  m.set_raw_data("abcd");
  EXPECT_EQ(rule_of(m), "OM5");
}

TEST(ModelTensor, OM5_NumbersTheDtypeHasNot) {
  const std::pair<DType, int> cases[] = {{DType::kI8, 128},    {DType::kI8, -129},   {DType::kU8, -1},
                                         {DType::kU8, 256},    {DType::kI16, 40000}, {DType::kU16, 65536},
                                         {DType::kF16, 65536}, {DType::kBF16, -1},   {DType::kF8E4M3, 256}};
  for (const auto& [dtype, number] : cases) {
    Message m = message(dtype, {1});
    m.add_int32_data(number);
    EXPECT_EQ(rule_of(m), "OM5") << name(dtype) << ' ' << number;
  }
  Message wide = message(DType::kU32, {1});
  wide.add_uint64_data(std::uint64_t{1} << 32);
  EXPECT_EQ(rule_of(wide), "OM5");
}

TEST(ModelTensor, OM6_DataElsewhere) {
  Message external = message(DType::kF32, {1});
  external.set_data_location(Message::EXTERNAL);
  EXPECT_EQ(rule_of(external), "OM6");
  Message entry = message(DType::kF32, {1});
  entry.add_external_data()->set_key("location");
  EXPECT_EQ(rule_of(entry), "OM6");
  Message segment = message(DType::kF32, {0});
  segment.mutable_segment()->set_begin(0);
  EXPECT_EQ(rule_of(segment), "OM6");
}

}  // namespace
}  // namespace garner::model
