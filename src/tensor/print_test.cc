// The expected texts are what NumPy 2.4 prints for the same arrays, except where a comment says otherwise.
#include "tensor/print.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <ostream>

#include "dtype/convert.h"
#include "garner/tensor.h"

namespace garner {
namespace {

using C64 = std::complex<float>;
using C128 = std::complex<double>;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr std::int64_t kLowest = std::numeric_limits<std::int64_t>::min();

template <class T>
Tensor of(const Axes& shape, const std::vector<T>& values) {
  return detail::copy_literal(dtype_of<T>, shape, values.data());
}

/// Elements of a type that has no literals.
template <class T>
Tensor from_floats(const Axes& shape, const std::vector<float>& values) {
  std::vector<T> converted;
  for (const float v : values) converted.push_back(convert<T>(v));
  return of(shape, converted);
}

Tensor halves(const Axes& shape, const std::vector<float>& values) { return from_floats<Eigen::half>(shape, values); }

/// start, start + step, ...
template <class T>
Tensor ramp(const Axes& shape, double step = 1, double start = 0) {
  std::vector<T> values(static_cast<std::size_t>(View(DType::kI8, nullptr, shape).elements()));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = convert<T>(start + static_cast<double>(i) * step);
  return of(shape, values);
}

struct Case {
  const char* name;
  Tensor (*make)();
  const char* text;
};

void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }  // else GoogleTest prints its bytes

std::string case_name(const testing::TestParamInfo<Case>& info) { return info.param.name; }

class PrintsLikeNumpy : public testing::TestWithParam<Case> {};

TEST_P(PrintsLikeNumpy, SameText) { EXPECT_EQ(to_string(GetParam().make()), GetParam().text); }

const Case kIntegers[] = {
    {"OneRow", [] { return of<std::int32_t>({4}, {30, 20, 40, 60}); }, "[30 20 40 60]"},
    {"MixedWidths", [] { return of<std::int64_t>({4}, {1, -20, 300, -4000}); }, "[    1   -20   300 -4000]"},
    {"I8Limits", [] { return of<std::int8_t>({3}, {-128, 127, 0}); }, "[-128  127    0]"},
    {"I16Limits", [] { return of<std::int16_t>({3}, {-32768, 32767, 5}); }, "[-32768  32767      5]"},
    {"I64Limits", [] { return of<std::int64_t>({3}, {kLowest, 9223372036854775807, 0}); },
     "[-9223372036854775808  9223372036854775807                    0]"},
    {"U8", [] { return of<std::uint8_t>({2, 2}, {1, 255, 0, 17}); },
     "[[  1 255]\n"
     " [  0  17]]"},
    {"U16", [] { return of<std::uint16_t>({2}, {65535, 1}); }, "[65535     1]"},
    {"U32", [] { return of<std::uint32_t>({2}, {4294967295, 0}); }, "[4294967295          0]"},
    {"U64Limit", [] { return of<std::uint64_t>({2}, {18446744073709551615U, 1}); },
     "[18446744073709551615                    1]"},
    {"Bools", [] { return of<Bool>({2, 2}, {true, false, false, true}); },
     "[[ True False]\n"
     " [False  True]]"},
    {"BoolsAllTrue", [] { return of<Bool>({2}, {true, true}); }, "[ True  True]"},
    {"Wraps", [] { return ramp<std::int64_t>({40}); },
     "[ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23\n"
     " 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39]"},
    {"WrapsInARow", [] { return ramp<std::int32_t>({2, 30}, 7, -100); },
     "[[-100  -93  -86  -79  -72  -65  -58  -51  -44  -37  -30  -23  -16   -9\n"
     "    -2    5   12   19   26   33   40   47   54   61   68   75   82   89\n"
     "    96  103]\n"
     " [ 110  117  124  131  138  145  152  159  166  173  180  187  194  201\n"
     "   208  215  222  229  236  243  250  257  264  271  278  285  292  299\n"
     "   306  313]]"},
    {"Deep", [] { return ramp<std::int64_t>({2, 2, 3}); },
     "[[[ 0  1  2]\n"
     "  [ 3  4  5]]\n"
     "\n"
     " [[ 6  7  8]\n"
     "  [ 9 10 11]]]"},
    {"FourAxes", [] { return ramp<std::int16_t>({2, 2, 2, 2}); },
     "[[[[ 0  1]\n"
     "   [ 2  3]]\n"
     "\n"
     "  [[ 4  5]\n"
     "   [ 6  7]]]\n"
     "\n"
     "\n"
     " [[[ 8  9]\n"
     "   [10 11]]\n"
     "\n"
     "  [[12 13]\n"
     "   [14 15]]]]"},
    {"FiveAxes", [] { return ramp<std::int8_t>({1, 2, 1, 2, 1}); },
     "[[[[[0]\n"
     "    [1]]]\n"
     "\n"
     "\n"
     "  [[[2]\n"
     "    [3]]]]]"},
    {"Summarised", [] { return ramp<std::int64_t>({1001}); }, "[   0    1    2 ...  998  999 1000]"},
    {"SummarisedRows", [] { return ramp<std::int32_t>({200, 8}); },
     "[[   0    1    2 ...    5    6    7]\n"
     " [   8    9   10 ...   13   14   15]\n"
     " [  16   17   18 ...   21   22   23]\n"
     " ...\n"
     " [1576 1577 1578 ... 1581 1582 1583]\n"
     " [1584 1585 1586 ... 1589 1590 1591]\n"
     " [1592 1593 1594 ... 1597 1598 1599]]"},
    {"SummarisedColumns", [] { return ramp<std::int64_t>({3, 400}, -1); },
     "[[    0    -1    -2 ...  -397  -398  -399]\n"
     " [ -400  -401  -402 ...  -797  -798  -799]\n"
     " [ -800  -801  -802 ... -1197 -1198 -1199]]"},
    {"SummarisedDeep", [] { return ramp<std::int64_t>({7, 1, 200}); },
     "[[[   0    1    2 ...  197  198  199]]\n"
     "\n"
     " [[ 200  201  202 ...  397  398  399]]\n"
     "\n"
     " [[ 400  401  402 ...  597  598  599]]\n"
     "\n"
     " ...\n"
     "\n"
     " [[ 800  801  802 ...  997  998  999]]\n"
     "\n"
     " [[1000 1001 1002 ... 1197 1198 1199]]\n"
     "\n"
     " [[1200 1201 1202 ... 1397 1398 1399]]]"},
};
INSTANTIATE_TEST_SUITE_P(Integers, PrintsLikeNumpy, testing::ValuesIn(kIntegers), case_name);

const Case kFloats[] = {
    {"Whole", [] { return of<double>({3}, {1.0, 2.0, 3.0}); }, "[1. 2. 3.]"},
    {"Trimmed", [] { return of<double>({3}, {1.0, 0.5, 0.25}); }, "[1.   0.5  0.25]"},
    {"Negative", [] { return of<double>({3}, {-1.5, 22.25, 3.0}); }, "[-1.5  22.25  3.  ]"},
    {"NegativeZero", [] { return of<double>({2}, {-0.0, 0.0}); }, "[-0.  0.]"},
    {"PrecisionCap", [] { return of<double>({3}, {0.3333333333333333, 0.6666666666666666, 100.125}); },
     "[  0.33333333   0.66666667 100.125     ]"},
    {"RoundsToFewer", [] { return of<double>({2}, {0.299999999999, 1.5}); }, "[0.3 1.5]"},
    {"TieAtTheCap", [] { return of<double>({2}, {0.001953125, 0.498046875}); }, "[0.00195312 0.49804688]"},
    {"Large", [] { return of<double>({2}, {100000000.0, 1.0}); }, "[1.e+08 1.e+00]"},
    {"BelowLarge", [] { return of<double>({2}, {99999999.0, 100000.0}); }, "[99999999.   100000.]"},
    {"Small", [] { return of<double>({2}, {0.0001, 0.05}); }, "[0.0001 0.05  ]"},
    {"Smaller", [] { return of<double>({2}, {9e-05, 0.05}); }, "[9.e-05 5.e-02]"},
    {"FarApart", [] { return of<double>({2}, {0.001, 1.001}); }, "[1.000e-03 1.001e+00]"},
    {"JustNear", [] { return of<double>({2}, {0.001, 1.0}); }, "[0.001 1.   ]"},
    {"LongMantissas", [] { return of<double>({3}, {1.23456789012e-07, -3.0, 12345.678}); },
     "[ 1.23456789e-07 -3.00000000e+00  1.23456780e+04]"},
    {"ThreeDigitExponents", [] { return of<double>({2}, {1e+100, 1e-05}); }, "[1.e+100 1.e-005]"},
    {"Extremes", [] { return of<double>({2}, {1.7976931348623157e+308, 5e-324}); },
     "[1.79769313e+308 4.94065646e-324]"},
    {"NanAndInf", [] { return of<double>({4}, {kNan, kInf, 1.5, -2.0}); }, "[ nan  inf  1.5 -2. ]"},
    {"OnlyNan", [] { return of<double>({2}, {kNan, kNan}); }, "[nan nan]"},
    {"NegativeInf", [] { return of<double>({2}, {-kInf, 1.0}); }, "[-inf   1.]"},
    {"NanInScientific", [] { return of<double>({3}, {kNan, 1e+20, -kInf}); }, "[   nan 1.e+20   -inf]"},
    {"F32Thirds", [] { return of<float>({2}, {0.3333333333333333, 0.6666666666666666}); }, "[0.33333334 0.6666667 ]"},
    {"F32Tenth", [] { return of<float>({3}, {0.1, 0.2, 0.7}); }, "[0.1 0.2 0.7]"},
    {"F32Million", [] { return of<float>({2}, {1000000.0, 1.0}); }, "[1.e+06 1.e+00]"},
    {"F32BelowMillion", [] { return of<float>({2}, {999999.0, 1000.0}); }, "[999999.   1000.]"},
    {"F32PowersOfTwo", [] { return of<float>({3}, {1.262177448353619e-29, 1e-29, 1.2345678e-29}); },
     "[1.2621775e-29 1.0000000e-29 1.2345678e-29]"},
    {"F16", [] { return halves({3}, {0.1, 1.5, 65.0}); }, "[ 0.1  1.5 65. ]"},
    {"F16Thousand", [] { return halves({2}, {1000.0, 1.0}); }, "[1.e+03 1.e+00]"},
    {"F16ExactDigits", [] { return halves({2}, {0.1, 1234.0}); }, "[9.998e-02 1.234e+03]"},
    {"F16Largest", [] { return halves({2}, {65504.0, -6e-08}); }, "[ 6.55e+04 -5.96e-08]"},
    {"F16PowerOfTwo", [] { return halves({2}, {0.015625, 0.25}); }, "[0.01563 0.25   ]"},
    {"Matrix", [] { return of<float>({2, 2}, {0.0, 0.5, -10.25, 100.0}); },
     "[[  0.     0.5 ]\n"
     " [-10.25 100.  ]]"},
    {"Wraps", [] { return ramp<double>({20}, 0.37); },
     "[0.   0.37 0.74 1.11 1.48 1.85 2.22 2.59 2.96 3.33 3.7  4.07 4.44 4.81\n"
     " 5.18 5.55 5.92 6.29 6.66 7.03]"},
    {"WrapTrimsPadding", [] { return ramp<double>({14}, 0.25, 1000); },
     "[1000.   1000.25 1000.5  1000.75 1001.   1001.25 1001.5  1001.75 1002.\n"
     " 1002.25 1002.5  1002.75 1003.   1003.25]"},
    {"Summarised", [] { return ramp<float>({1200}, 0.5); },
     "[0.000e+00 5.000e-01 1.000e+00 ... 5.985e+02 5.990e+02 5.995e+02]"},
    {"SummarisedMatrix", [] { return ramp<double>({40, 50}, 0.125, -3); },
     "[[ -3.     -2.875  -2.75  ...   2.875   3.      3.125]\n"
     " [  3.25    3.375   3.5   ...   9.125   9.25    9.375]\n"
     " [  9.5     9.625   9.75  ...  15.375  15.5    15.625]\n"
     " ...\n"
     " [228.25  228.375 228.5   ... 234.125 234.25  234.375]\n"
     " [234.5   234.625 234.75  ... 240.375 240.5   240.625]\n"
     " [240.75  240.875 241.    ... 246.625 246.75  246.875]]"},
    {"Cube", [] { return ramp<float>({2, 2, 2}, 0.5); },
     "[[[0.  0.5]\n"
     "  [1.  1.5]]\n"
     "\n"
     " [[2.  2.5]\n"
     "  [3.  3.5]]]"},
};
INSTANTIATE_TEST_SUITE_P(Floats, PrintsLikeNumpy, testing::ValuesIn(kFloats), case_name);

const Case kComplex[] = {
    {"Simple", [] { return of<C128>({2}, {{1.0, 2.0}, {3.5, -4.0}}); }, "[1. +2.j 3.5-4.j]"},
    {"Single", [] { return of<C64>({2}, {{0.1, 0.2}, {-0.0, -1.0}}); }, "[ 0.1+0.2j -0. -1.j ]"},
    {"Mixed", [] { return of<C128>({2}, {{10000000000.0, 1.0}, {-2.0, 0.125}}); }, "[ 1.e+10+1.j    -2.e+00+0.125j]"},
    {"NonFinite", [] { return of<C128>({3}, {{kNan, kInf}, {-kInf, kNan}, {1.0, 1.0}}); },
     "[ nan+infj -inf+nanj   1. +1.j]"},
    {"OnlyNan", [] { return of<C64>({1}, {{kNan, kNan}}); }, "[nan+nanj]"},
    {"Wraps", [] { return ramp<C64>({12}, 1.5); },
     "[ 0. +0.j  1.5+0.j  3. +0.j  4.5+0.j  6. +0.j  7.5+0.j  9. +0.j 10.5+0.j\n"
     " 12. +0.j 13.5+0.j 15. +0.j 16.5+0.j]"},
};
INSTANTIATE_TEST_SUITE_P(Complex, PrintsLikeNumpy, testing::ValuesIn(kComplex), case_name);

const Case kScalars[] = {
    {"Int", [] { return of<std::int64_t>({}, {-42}); }, "-42"},
    {"Byte", [] { return of<std::uint8_t>({}, {200}); }, "200"},
    {"True", [] { return of<Bool>({}, {true}); }, "True"},
    {"One", [] { return of<double>({}, {1.0}); }, "1.0"},
    {"Pi", [] { return of<double>({}, {3.141592653589793}); }, "3.141592653589793"},
    {"Large", [] { return of<double>({}, {1e+16}); }, "1e+16"},
    {"BelowLarge", [] { return of<double>({}, {123456789012345.0}); }, "123456789012345.0"},
    {"Small", [] { return of<double>({}, {1e-05}); }, "1e-05"},
    {"NegativeZero", [] { return of<double>({}, {-0.0}); }, "-0.0"},
    {"Nan", [] { return of<double>({}, {kNan}); }, "nan"},
    {"Inf", [] { return of<float>({}, {-kInf}); }, "-inf"},
    {"F32Tenth", [] { return of<float>({}, {0.1}); }, "0.1"},
    {"F32Large", [] { return of<float>({}, {1000000.0}); }, "1e+06"},
    {"F16Large", [] { return halves({}, {60000.0}); }, "6e+04"},
    {"F16", [] { return halves({}, {0.3}); }, "0.3"},
    {"Complex", [] { return of<C128>({}, {{1.0, 2.0}}); }, "(1+2j)"},
    {"Imaginary", [] { return of<C128>({}, {{0.0, 2.0}}); }, "2j"},
    {"NegativeZeroReal", [] { return of<C64>({}, {{-0.0, 1.0}}); }, "(-0+1j)"},
    {"ComplexNan", [] { return of<C128>({}, {{kNan, -kInf}}); }, "(nan-infj)"},
    {"ComplexLarge", [] { return of<C64>({}, {{1e+20, -0.5}}); }, "(1e+20-0.5j)"},
};
INSTANTIATE_TEST_SUITE_P(Scalars, PrintsLikeNumpy, testing::ValuesIn(kScalars), case_name);

const Case kEmpty[] = {
    {"Row", [] { return of<float>({0}, {}); }, "[]"},
    {"Rows", [] { return of<float>({0, 5}, {}); }, "[]"},
    {"Columns", [] { return of<float>({5, 0}, {}); }, "[]"},
    {"Deep", [] { return of<float>({2, 0, 3}, {}); }, "[]"},
};
INSTANTIATE_TEST_SUITE_P(Empty, PrintsLikeNumpy, testing::ValuesIn(kEmpty), case_name);

// ---- views ----

TEST(Print, Transposed) {
  const Tensor t = ramp<std::int32_t>({3, 4});
  const View turned(t.as<std::int32_t>(), {4, 3}, {1, 4});
  EXPECT_EQ(to_string(turned), "[[ 0  4  8]\n [ 1  5  9]\n [ 2  6 10]\n [ 3  7 11]]");
}

TEST(Print, NegativeStrides) {
  const Tensor t = ramp<std::int32_t>({3, 4});
  const View backwards(t.as<std::int32_t>() + 11, {3, 4}, {-4, -1});
  EXPECT_EQ(to_string(backwards), "[[11 10  9  8]\n [ 7  6  5  4]\n [ 3  2  1  0]]");
}

TEST(Print, EveryOtherColumn) {
  const Tensor t = ramp<std::int32_t>({3, 4});
  EXPECT_EQ(to_string(View(t.as<std::int32_t>(), {3, 2}, {4, 2})), "[[ 0  2]\n [ 4  6]\n [ 8 10]]");
}

TEST(Print, BroadcastRow) {
  const Tensor t = ramp<std::int32_t>({3});
  EXPECT_EQ(to_string(View(t.as<std::int32_t>(), {2, 3}, {0, 1})), "[[0 1 2]\n [0 1 2]]");
}

TEST(Print, HugeBroadcastReadsOnlyItsEdges) {
  const std::int32_t seven = 7;
  const Index huge = Index{1} << 40;
  EXPECT_EQ(to_string(View(&seven, {huge}, {0})), "[7 7 7 ... 7 7 7]");
}

TEST(Print, V8_UnalignedElements) {
  alignas(8) const unsigned char bytes[] = {0, 1, 0, 0, 0, 2, 0, 0, 0};
  EXPECT_EQ(to_string(View(DType::kI32, bytes + 1, {2})),
            "<to_string: data is at an address that is no multiple of 4>");
}

TEST(Print, AnyNonZeroByteIsTrue) {
  const unsigned char bytes[] = {0, 1, 255};
  EXPECT_EQ(to_string(View(DType::kBool, bytes, {3})), "[False  True  True]");
}

TEST(Print, InvalidViewSaysWhy) {
  EXPECT_EQ(to_string(View(DType::kF32, nullptr, {2})), "<to_string: data is null, shape is [2]>");
}

// ---- bfloat16 and the 8-bit floats: the layout of NumPy's float, the digits of their own type ----

const Case kSmallFloats[] = {
    {"BFloat16", [] { return from_floats<Eigen::bfloat16>({3}, {0.1F, 1.5F, 65}); }, "[ 0.1  1.5 65. ]"},
    {"BFloat16Far", [] { return from_floats<Eigen::bfloat16>({2}, {0.001F, 100}); }, "[1.e-03 1.e+02]"},
    {"BFloat16NonFinite", [] { return from_floats<Eigen::bfloat16>({3}, {kNan, -kInf, -0.0F}); }, "[ nan -inf  -0.]"},
    {"E4M3", [] { return from_floats<Float8E4M3>({4}, {0.1F, -1.5F, 448, kNan}); },
     "[ 1.015625e-01 -1.500000e+00  4.480000e+02           nan]"},
    {"E4M3Near", [] { return from_floats<Float8E4M3>({3}, {0.5F, 3.25F, -240}); }, "[   0.5     3.25 -240.  ]"},
    {"E5M2", [] { return from_floats<Float8E5M2>({3}, {0.25F, 3, kInf}); }, "[0.25 3.    inf]"},
    {"BFloat16Scalar", [] { return from_floats<Eigen::bfloat16>({}, {0.1F}); }, "0.1"},
    {"E5M2Scalar", [] { return from_floats<Float8E5M2>({}, {57344}); }, "57344.0"},
};
INSTANTIATE_TEST_SUITE_P(SmallFloats, PrintsLikeNumpy, testing::ValuesIn(kSmallFloats), case_name);

/// Every pattern of a type: its text, read as a float and rounded, must be the same number again.
template <class T>
void expect_all_read_back() {
  const ElementText text = scalar_text(dtype_of<T>);
  for (unsigned i = 0; i < 1U << (8 * sizeof(T)); ++i) {
    using Bits = std::conditional_t<sizeof(T) == 1, std::uint8_t, std::uint16_t>;
    const T value = std::bit_cast<T>(static_cast<Bits>(i));
    const float expected = to_compute(value);
    const std::string printed = text(reinterpret_cast<const std::byte*>(&value));
    const float read = to_compute(convert<T>(std::strtof(printed.c_str(), nullptr)));
    ASSERT_TRUE(std::isnan(expected) ? printed == "nan" : read == expected) << printed << " for " << expected;
  }
}

TEST(Print, EveryHalfReadsBack) { expect_all_read_back<Eigen::half>(); }
TEST(Print, EveryBFloat16ReadsBack) { expect_all_read_back<Eigen::bfloat16>(); }
TEST(Print, EveryE4M3ReadsBack) { expect_all_read_back<Float8E4M3>(); }
TEST(Print, EveryE5M2ReadsBack) { expect_all_read_back<Float8E5M2>(); }

// ---- the nesting other printers use ----

std::string nested_scalars(const Tensor& t, const Nesting& nesting) {
  return nested(t, scalar_text(t.dtype()), nesting);
}

TEST(Nested, RowsOnTheirOwnLines) {
  EXPECT_EQ(nested_scalars(ramp<std::int32_t>({2, 2, 3}), {}), "[[[0 1 2]\n  [3 4 5]]\n [[6 7 8]\n  [9 10 11]]]");
}

TEST(Nested, AllOnOneLine) {
  const Nesting one_line{.separator = ", ", .rows = Rows::kSameLine};
  EXPECT_EQ(nested_scalars(ramp<std::int32_t>({2, 2, 2}), one_line), "[[[0, 1], [2, 3]], [[4, 5], [6, 7]]]");
  EXPECT_EQ(nested_scalars(of<float>({2}, {1, 0.5}), one_line), "[1.0, 0.5]");
}

TEST(Nested, KeepsEmptyRows) {
  const Nesting one_line{.separator = ", ", .rows = Rows::kSameLine};
  EXPECT_EQ(nested_scalars(of<float>({2, 0}, {}), one_line), "[[], []]");
}

TEST(Nested, RankZeroHasNoBrackets) { EXPECT_EQ(nested_scalars(of<double>({}, {2.5}), {}), "2.5"); }

TEST(Nested, SeparatorLosesItsSpaceBeforeANewline) {
  EXPECT_EQ(nested_scalars(ramp<std::int8_t>({2, 2}), {.separator = ", "}), "[[0, 1],\n [2, 3]]");
}

TEST(Nested, CutsLongAxes) {
  const Nesting cut{.summarise_above = 4, .edge_items = 1};
  EXPECT_EQ(nested_scalars(ramp<std::int8_t>({3, 3}), cut), "[[0 ... 2]\n ...\n [6 ... 8]]");
}

}  // namespace
}  // namespace garner
