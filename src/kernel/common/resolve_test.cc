// The fast form of index resolution against the exact one, on every SIMD target this machine has.
#include "kernel/common/resolve.h"

#include <gtest/gtest.h>

#include <cstring>
#include <ostream>
#include <set>

#include "device/cpu/test_targets.h"
#include "kernel/common/scalar_resolve.h"

namespace garner {
namespace {

constexpr Index kMax = std::numeric_limits<Index>::max();
constexpr Index kBig = Index{1} << 62;

struct Values {
  Wide lo, hi;
};
Values range_of(DType t) {
  const int bits = info(t).bits;
  if (kind(t) == Kind::kUInt) return {0, (Wide{1} << bits) - 1};
  return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

/// The edges of the dtype, of the bounds, of wrapping and of a few turns of a modulus, as far as the dtype holds them.
std::vector<Wide> interesting(DType t, const Bounds& b) {
  const Values range = range_of(t);
  const Wide n = Wide{b.hi} - b.lo, edge = Wide{1} << 63;
  std::vector<Wide> out;
  for (const Wide base :
       {Wide{0}, Wide{b.lo}, Wide{b.hi}, -Wide{b.wrap}, Wide{b.lo} - b.wrap, range.lo, range.hi, edge, 3 * n, -3 * n})
    for (int d = -2; d <= 2; ++d)
      if (base + d >= range.lo && base + d <= range.hi) out.push_back(base + d);
  return out;
}

/// Under promise the caller vouches that the value fits an Index.
std::vector<Wide> allowed_values(DType t, const Bounds& b) {
  std::vector<Wide> values = interesting(t, b);
  if (b.policy == OutOfRange::kPromise) std::erase_if(values, [](Wide v) { return v > kMax; });
  return values;
}

/// Repeats the values up to `count`, laid out so that value j stands at j * step.
class IndexMemory {
 public:
  IndexMemory(DType t, const std::vector<Wide>& values, Index step, Index count)
      : dtype_(t),
        first_(step < 0 ? (count - 1) * -step : 0),
        bytes_(static_cast<std::size_t>((count * std::abs(step) + 1) * 8)) {
    for (Index j = 0; j < count; ++j) store(first_ + j * step, values[static_cast<std::size_t>(j) % values.size()]);
  }
  const void* start() const { return bytes_.data() + first_ * width(dtype_); }

 private:
  void store(Index at, Wide v) {
    std::memcpy(bytes_.data() + at * width(dtype_), &v, static_cast<std::size_t>(width(dtype_)));  // little-endian
  }
  DType dtype_;
  Index first_;
  std::vector<std::byte> bytes_;
};

struct Setup {
  DType dtype = DType::kI64;
  Bounds bounds;
  Index step = 1, count = 0, window = 0, window_step = 0;
};

std::ostream& operator<<(std::ostream& out, const Setup& s) {
  return out << simd_target() << ' ' << name(s.dtype) << " in [" << s.bounds.lo << ',' << s.bounds.hi << ") wrap "
             << s.bounds.wrap << ' ' << name(s.bounds.policy)
             << (s.bounds.scope == Scope::kPosition ? " at position" : "") << ", step " << s.step << ", window "
             << s.window << " + " << s.window_step << "*j";
}

struct Outcome {
  std::vector<Index> offset;
  std::vector<std::uint8_t> valid;
  Index lost = 0;
};

constexpr Index kScale = 3;

Outcome before(Index count) {
  Outcome o;
  for (Index j = 0; j < count; ++j) {
    o.offset.push_back(1000 * j);
    o.valid.push_back(j % 5 != 4 ? 1 : 0);
  }
  return o;
}

Outcome exactly(const Setup& s, const void* index) {
  Outcome o = before(s.count);
  for (std::size_t j = 0; j < o.offset.size(); ++j) {
    const auto at = static_cast<Index>(j);
    const auto value = resolve_index(load_index(s.dtype, index, at * s.step), s.bounds, s.window + at * s.window_step);
    if (value)
      o.offset[j] =
          static_cast<Index>(static_cast<std::uint64_t>(o.offset[j]) + static_cast<std::uint64_t>(*value) * kScale);
    else if (o.valid[j] != 0) o.valid[j] = 0, ++o.lost;
  }
  return o;
}

Outcome fast(const Setup& s, const void* index) {
  Outcome o = before(s.count);
  o.lost = resolve_segment({.dtype = s.dtype,
                            .index = index,
                            .index_step = s.step,
                            .count = s.count,
                            .bounds = &s.bounds,
                            .scale = kScale,
                            .window = s.window,
                            .window_step = s.window_step,
                            .offset = o.offset.data(),
                            .valid = o.valid.data()});
  return o;
}

bool places(OutOfRange policy) {
  return policy == OutOfRange::kClamp || policy == OutOfRange::kModulo || policy == OutOfRange::kPromise;
}

void expect_same(const Setup& s) {
  const IndexMemory memory(s.dtype, allowed_values(s.dtype, s.bounds), s.step, s.count);
  const Outcome a = exactly(s, memory.start()), b = fast(s, memory.start());
  EXPECT_EQ(a.offset, b.offset) << s;
  EXPECT_EQ(a.valid, b.valid) << s;
  EXPECT_EQ(a.lost, b.lost) << s;
  if (places(s.bounds.policy)) { EXPECT_EQ(b.lost, 0) << s; }
}

constexpr Bounds kBounds[] = {{0, 16, 0},          {0, 16, 16},     {3, 9, 12},      {0, 1, 1},    {0, 0, 0},
                              {5, 2, 0},           {0, 127, 127},   {0, 256, 0},     {0, kMax, 0}, {0, kMax, kMax},
                              {kBig, kBig + 7, 0}, {1, kMax, kMax}, {0, kBig + 3, 5}};

constexpr OutOfRange kPolicies[] = {OutOfRange::kTrap, OutOfRange::kClamp, OutOfRange::kModulo,
                                    OutOfRange::kFill, OutOfRange::kDrop,  OutOfRange::kPromise};

std::vector<Bounds> bounds_of(OutOfRange policy) {
  std::vector<Bounds> out;
  for (Bounds b : kBounds) {
    b.policy = policy;
    if (b.hi > b.lo || !places(policy)) out.push_back(b);
  }
  return out;
}

class Resolve : public testing::TestWithParam<DType> {};

TEST_P(Resolve, EveryPolicyAndStride) {
  for_each_target([] {
    for (const OutOfRange policy : kPolicies)
      for (const Bounds& b : bounds_of(policy))
        for (const Index step : {1, 2, -1, 0, -3}) expect_same({GetParam(), b, step, 67});
  });
}

TEST_P(Resolve, EveryCountRoundTheLanes) {
  for_each_target([] {
    for (const OutOfRange policy : kPolicies)
      for (Index count = 0; count < 36; ++count) expect_same({GetParam(), {0, 16, 16, policy}, 1, count});
  });
}

TEST_P(Resolve, BoundsBelowZero) {
  for_each_target([] {
    for (const OutOfRange policy : {OutOfRange::kTrap, OutOfRange::kClamp, OutOfRange::kDrop})
      for (const Bounds& b : {Bounds{-5, 3, 0, policy}, Bounds{-5, 0, 0, policy}, Bounds{-kBig, kBig, 0, policy}})
        expect_same({GetParam(), b, 1, 67});
  });
}

TEST_P(Resolve, BoundsAtPosition) {
  constexpr Index kFar = Index{1} << 59;  // the furthest a verified plan reaches
  for_each_target([] {
    for (const OutOfRange policy : {OutOfRange::kTrap, OutOfRange::kFill, OutOfRange::kDrop})
      for (const Index window : {Index{0}, Index{5}, Index{-3}, Index{16}, kFar, -kFar})
        for (const Index window_step : {0, 1, -2})
          expect_same({GetParam(), {0, 16, 16, policy, Scope::kPosition}, 1, 67, window, window_step});
  });
}

INSTANTIATE_TEST_SUITE_P(Dtypes, Resolve,
                         testing::Values(DType::kI8, DType::kI16, DType::kI32, DType::kI64, DType::kU8, DType::kU16,
                                         DType::kU32, DType::kU64),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST(Resolve, PlacingNeedsNoValidity) {
  const std::vector<std::int32_t> index{-5, 3, 99};
  for (const OutOfRange policy : {OutOfRange::kClamp, OutOfRange::kModulo}) {
    const Bounds b{0, 10, 0, policy};
    std::vector<Index> offset{0, 0, 0};
    EXPECT_EQ(resolve_segment({.dtype = DType::kI32,
                               .index = index.data(),
                               .index_step = 1,
                               .count = 3,
                               .bounds = &b,
                               .scale = 1,
                               .window = 0,
                               .window_step = 0,
                               .offset = offset.data(),
                               .valid = nullptr}),
              0);
    EXPECT_EQ(offset, policy == OutOfRange::kClamp ? (std::vector<Index>{0, 3, 9}) : (std::vector<Index>{5, 3, 9}));
  }
}

/// 2^64 - 1 ends in 5: right only when the value is never squeezed into an Index.
TEST(ScalarResolve, ModuloOfLargeUnsigned) {
  const std::uint64_t largest = ~std::uint64_t{0};
  EXPECT_EQ(resolve_index(load_index(DType::kU64, &largest, 0), {0, 10, 0, OutOfRange::kModulo}, 0), 5);
  EXPECT_EQ(resolve_index(load_index(DType::kU64, &largest, 0), {0, kMax, 0, OutOfRange::kModulo}, 0), 1);
}

struct Resolved {
  Wide raw;
  Bounds bounds;
  Index window;
  std::optional<Index> value;
};

TEST(ScalarResolve, ByHand) {
  const Resolved cases[] = {
      {5, {0, 5}, 0, std::nullopt},
      {4, {0, 5}, 0, 4},
      {-1, {0, 5}, 0, std::nullopt},
      {-1, {0, 5, 5}, 0, 4},
      {-6, {0, 5, 5}, 0, std::nullopt},
      {-6, {0, 5, 5, OutOfRange::kClamp}, 0, 0},
      {9, {2, 5, 0, OutOfRange::kClamp}, 0, 4},
      {9, {2, 5, 0, OutOfRange::kModulo}, 0, 3},
      {-1, {2, 5, 0, OutOfRange::kModulo}, 0, 2},
      {3, {0, 5, 0, OutOfRange::kFill, Scope::kPosition}, 2, std::nullopt},
      {3, {0, 5, 0, OutOfRange::kFill, Scope::kPosition}, 1, 3},  // the value, not the position
      {-2, {0, 5, 0, OutOfRange::kDrop, Scope::kPosition}, 2, -2},
      {77, {0, 5, 0, OutOfRange::kPromise}, 0, 77},
  };
  for (const Resolved& c : cases)
    EXPECT_EQ(resolve_index(c.raw, c.bounds, c.window), c.value) << static_cast<Index>(c.raw);
}

TEST(SimdTarget, HasAName) { EXPECT_STRNE(simd_target(), ""); }

}  // namespace
}  // namespace garner
