#include "garner/dtype.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "dtype/dispatch.h"

namespace garner {
namespace {

TEST(DType, TableIsInEnumeratorOrder) {
  for (std::size_t i = 0; i < std::size(kDTypes); ++i) EXPECT_EQ(static_cast<std::size_t>(kDTypes[i].dtype), i);
}

TEST(DType, NamesAreUniqueAndFound) {
  std::set<std::string_view> names;
  for (const DTypeInfo& d : kDTypes) {
    EXPECT_TRUE(names.insert(d.name).second) << d.name;
    EXPECT_EQ(dtype_named(d.name), d.dtype);
    EXPECT_EQ(name(d.dtype), d.name);
  }
}

TEST(DType, UnknownNames) {
  for (const char* text : {"", "f", "F32", "f32 ", "float32", "f8e4m3", "i128"})
    EXPECT_FALSE(dtype_named(text)) << text;
}

TEST(DType, DlpackCodesTellDtypesApart) {
  std::set<std::pair<int, int>> codes;
  for (const DTypeInfo& d : kDTypes) EXPECT_TRUE(codes.insert({d.dlpack_code, d.bits}).second) << d.name;
}

TEST(DType, WidthsAreThoseOfTheirTypes) {
  for (const DTypeInfo& d : kDTypes) {
    const auto size = dispatch(d.dtype, []<class T>() { return sizeof(T); });
    EXPECT_EQ(static_cast<std::size_t>(width(d.dtype)), size) << d.name;
  }
}

TEST(DType, DispatchAndDtypeOfAreInverse) {
  for (const DTypeInfo& d : kDTypes)
    EXPECT_EQ(dispatch(d.dtype, []<class T>() { return dtype_of<T>; }), d.dtype) << d.name;
}

TEST(DType, Kinds) {
  const std::map<std::string_view, Kind> kinds = {
      {"bool", Kind::kBool},  {"i8", Kind::kInt},      {"u64", Kind::kUInt},      {"f16", Kind::kFloat},
      {"bf16", Kind::kFloat}, {"c64", Kind::kComplex}, {"f8e4m3fn", Kind::kFloat}};
  for (const auto& [text, expected] : kinds) EXPECT_EQ(kind(dtype_named(text).value()), expected) << text;
}

TEST(DType, EightIntegerDtypes) {
  std::set<std::string> integers;
  for (const DTypeInfo& d : kDTypes)
    if (is_integer(d.dtype)) integers.emplace(d.name);
  EXPECT_EQ(integers, (std::set<std::string>{"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"}));
}

TEST(DType, DispatchIndexTakesIntegersOnly) {
  for (const DTypeInfo& d : kDTypes) {
    const bool index = dispatch_index(d.dtype, []<class T>() { return true; }, [] { return false; });
    EXPECT_EQ(index, is_integer(d.dtype)) << d.name;
  }
}

TEST(DType, ConstAndLongLong) {
  EXPECT_EQ(dtype_of<const float>, DType::kF32);
  EXPECT_EQ(dtype_of<long long>, DType::kI64);
  EXPECT_EQ(dtype_of<unsigned long long>, DType::kU64);
  EXPECT_EQ(dtype_of<bool>, dtype_of<Bool>);
}

}  // namespace
}  // namespace garner
