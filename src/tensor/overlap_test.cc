#include <gtest/gtest.h>

#include <array>
#include <set>

#include "garner/view.h"
#include "tensor/walk.h"

namespace garner {
namespace {

std::array<std::uint8_t, 4096> memory{};
constexpr Index kMiddle = 2048;

View u8(Index at, Axes shape, Axes stride) {
  return {DType::kU8, memory.data() + at, std::move(shape), std::move(stride)};
}
View f32(Index byte, Axes shape, Axes stride) {
  return {DType::kF32, memory.data() + byte, std::move(shape), std::move(stride)};
}

struct Case {
  const char* what;
  View a, b;
  bool overlap;
};

TEST(MayOverlap, Table) {
  const Case cases[] = {
      {"identical", f32(0, {4}, {1}), f32(0, {4}, {1}), true},
      {"side by side", f32(0, {4}, {1}), f32(16, {4}, {1}), false},
      {"one element shared", f32(0, {4}, {1}), f32(12, {4}, {1}), true},
      {"one byte shared", f32(0, {4}, {1}), f32(15, {4}, {1}), true},
      {"even and odd", f32(0, {4}, {2}), f32(4, {4}, {2}), false},
      {"even and even", f32(0, {4}, {2}), f32(8, {4}, {2}), true},
      {"even and a byte of odd", f32(0, {4}, {2}), f32(5, {4}, {2}), true},
      {"columns of a matrix", u8(0, {5, 1}, {3, 1}), u8(1, {5, 1}, {3, 1}), false},
      {"wider columns: errs on the side of yes", u8(0, {5, 1}, {3, 1}), u8(1, {5, 2}, {3, 1}), true},
      {"columns that share one", u8(0, {5, 2}, {3, 1}), u8(1, {5, 2}, {3, 1}), true},
      {"reversed on itself", f32(12, {4}, {-1}), f32(0, {4}, {1}), true},
      {"reversed, below", f32(12, {4}, {-1}), f32(16, {4}, {1}), false},
      {"reversed, interleaved", u8(6, {4}, {-2}), u8(1, {4}, {2}), false},
      {"one place repeated, hit", f32(8, {9}, {0}), f32(0, {4}, {1}), true},
      {"one place repeated, missed", f32(16, {9}, {0}), f32(0, {4}, {1}), false},
      {"two single elements", f32(0, {}, {}), f32(0, {}, {}), true},
      {"two single elements apart", f32(0, {}, {}), f32(4, {}, {}), false},
      {"empty inside", f32(0, {0}, {1}), f32(0, {4}, {1}), false},
      {"unit axis with a wild stride", u8(0, {1, 2}, {999, 2}), u8(1, {1, 2}, {7, 2}), false},
      {"different widths, apart", u8(4, {3}, {8}), f32(0, {3}, {2}), false},
      {"different widths, touching", u8(3, {3}, {8}), f32(0, {3}, {2}), true},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(may_overlap(c.a, c.b), c.overlap) << c.what;
    EXPECT_EQ(may_overlap(c.b, c.a), c.overlap) << c.what << ", the other way";
  }
}

std::set<const void*> bytes_of(const View& v) {
  std::set<const void*> out;
  walk_bytes(v, [&](const std::byte* at) {
    for (int i = 0; i < width(v.dtype()); ++i) out.insert(at + i);
  });
  return out;
}

bool share_a_byte(const View& a, const View& b) {
  for (const void* at : bytes_of(b))
    if (bytes_of(a).contains(at)) return true;
  return false;
}

/// Every pair of small strided views: "no" must be true, and on a line with one common stride "yes" must be too.
TEST(MayOverlap, NeverMissesOne) {
  for (Index sa = -3; sa <= 3; ++sa)
    for (Index sb = -3; sb <= 3; ++sb)
      for (Index shift = -9; shift <= 9; ++shift) {
        const View a = u8(kMiddle, {4}, {sa}), b = u8(kMiddle + shift, {3}, {sb});
        const bool share = share_a_byte(a, b), exact = sa == sb && sa != 0 && shift % sa != 0;
        if (share || exact) { EXPECT_EQ(may_overlap(a, b), share) << sa << ' ' << sb << ' ' << shift; }
      }
}

TEST(OverlapsItself, Table) {
  struct Self {
    const char* what;
    View view;
    bool overlaps;
  };
  const Self cases[] = {
      {"row-major", u8(0, {3, 4}, {4, 1}), false},     {"column-major", u8(0, {3, 4}, {1, 3}), false},
      {"padded", u8(0, {3, 4}, {10, 2}), false},       {"reversed", u8(kMiddle, {3, 4}, {-4, 1}), false},
      {"stride 0", u8(0, {2, 4}, {0, 1}), true},       {"stride 0 on a unit axis", u8(0, {1, 4}, {0, 1}), false},
      {"sliding window", u8(0, {3, 2}, {1, 1}), true}, {"rows that run into each other", u8(0, {3, 4}, {3, 1}), true},
      {"one element", u8(0, {}, {}), false},           {"empty", u8(0, {0, 5}, {0, 0}), false},
  };
  for (const Self& c : cases) EXPECT_EQ(overlaps_itself(c.view), c.overlaps) << c.what;
}

TEST(OverlapsItself, NeverMissesOne) {
  for (Index s0 = -4; s0 <= 4; ++s0)
    for (Index s1 = -4; s1 <= 4; ++s1) {
      const View v = u8(kMiddle, {3, 2}, {s0, s1});
      if (bytes_of(v).size() < 6U) { EXPECT_TRUE(overlaps_itself(v)) << s0 << ' ' << s1; }
    }
}

}  // namespace
}  // namespace garner
