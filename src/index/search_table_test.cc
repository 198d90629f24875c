// searchsorted and bucketize where a table is made: against std::lower_bound, over sequences of every kind of spread.
#include "index/search_table.h"

#include "device/cpu/test_targets.h"
#include "index/test_views.h"

namespace garner::index {
namespace {

enum class Spread { kEven, kDoubling, kFew, kOne, kEnds };

template <class T>
T spread_value(Random& random, Spread spread) {
  const auto part = static_cast<double>(random.below(1 << 30)) / (1 << 30);
  const double wide =
      spread == Spread::kDoubling ? std::exp2(part * 60 - 30) : part * 2000 - (std::is_unsigned_v<T> ? 0 : 1000);
  if (spread == Spread::kOne) return T(7);
  if (spread == Spread::kFew) return static_cast<T>(random.below(5));
  if (spread == Spread::kEnds && random.one_in(4)) return random.value<T>();  // NaN, infinity, ends of the range
  return static_cast<T>(std::is_floating_point_v<T> ? wide : std::min(std::abs(wide) * 1000, 2e9));
}

template <class T>
Tensor spread_values(Random& random, Index n, Spread spread) {
  Tensor t = value_or_throw(Tensor::empty(dtype_of<T>, {n}));
  for (Index i = 0; i < n; ++i) t.as<T>()[i] = spread_value<T>(random, spread);
  return t;
}

template <class T>
std::vector<Index> plain_places(const Tensor& sequence, const Tensor& values, Side side) {
  const T* begin = sequence.as<T>();
  const T* end = begin + sequence.elements();
  std::vector<Index> out;
  for (Index i = 0; i < values.elements(); ++i) {
    const T v = values.as<T>()[i];
    out.push_back((side == Side::kLeft ? std::lower_bound(begin, end, v, strictly_less<T>)
                                       : std::upper_bound(begin, end, v, strictly_less<T>)) -
                  begin);
  }
  return out;
}

template <class T>
void compare(Index count, Index queries, Spread spread, unsigned seed) {
  SCOPED_TRACE(testing::Message() << name(dtype_of<T>) << " " << count << " spread " << static_cast<int>(spread));
  Random random(seed);
  Tensor sequence = spread_values<T>(random, count, spread);
  std::sort(sequence.as<T>(), sequence.as<T>() + count, strictly_less<T>);
  Tensor values = spread_values<T>(random, queries, random.one_in(2) ? spread : Spread::kEnds);
  for (Index i = 0; i < queries; i += 3) values.as<T>()[i] = sequence.as<T>()[random.below(count)];
  ASSERT_TRUE(worth_a_table(dtype_of<T>, count, queries));
  for (const Side side : {Side::kLeft, Side::kRight}) {
    const std::vector<Index> wanted = plain_places<T>(sequence, values, side);
    for (const int threads : {1, 2, 7})
      ASSERT_EQ(indices(garner::searchsorted(sequence, values, side, {.threads = threads})), wanted);
  }
}

template <class T>
void compare_all() {
  unsigned seed = 1;
  for (const Spread spread : {Spread::kEven, Spread::kDoubling, Spread::kFew, Spread::kOne, Spread::kEnds}) {
    for (const Index count : {16, 17, 64, 100, 1000, 5000})
      for (const Index more : {0, 1, 63, 64}) compare<T>(count, 9000 + more, spread, seed++);
    for (const Index count : {262144, 300007}) compare<T>(count, 42000, spread, seed++);
  }
}

TEST(SearchTable, F32EqualsThePlainLoop) { for_each_target(compare_all<float>); }
TEST(SearchTable, F64EqualsThePlainLoop) { compare_all<double>(); }
TEST(SearchTable, I32EqualsThePlainLoop) { compare_all<std::int32_t>(); }
TEST(SearchTable, U32EqualsThePlainLoop) { compare_all<std::uint32_t>(); }
TEST(SearchTable, I64EqualsThePlainLoop) { compare_all<std::int64_t>(); }
TEST(SearchTable, U64EqualsThePlainLoop) { compare_all<std::uint64_t>(); }

/// What comes out of a sequence that is not sorted is open, but it is a place in the sequence, and nothing else is
/// read.
TEST(SearchTable, AnUnsortedSequenceGivesSomePlace) {
  Random random(9);
  for (const Index count : {100, 300001}) {
    const Tensor sequence = spread_values<float>(random, count, Spread::kEnds),
                 values = spread_values<float>(random, 20000, Spread::kEnds);
    for (const Side side : {Side::kLeft, Side::kRight})
      for (const Index place : indices(garner::searchsorted(sequence, values, side)))
        ASSERT_TRUE(place >= 0 && place <= count);
  }
}

/// Large results are streamed past the caches.
TEST(SearchTable, LargeResultsAtAnyAddress) {
  const Index n = (1 << 20) + 77;
  Tensor sequence = value_or_throw(Tensor::empty(DType::kI32, {500})),
         values = value_or_throw(Tensor::empty(DType::kI32, {n}));
  for (Index i = 0; i < 500; ++i) sequence.as<std::int32_t>()[i] = static_cast<std::int32_t>(3 * i);
  for (Index i = 0; i < n; ++i) values.as<std::int32_t>()[i] = static_cast<std::int32_t>(i % 1600);
  std::vector<Index> memory(static_cast<std::size_t>(n + 8));
  for (const Index skip : {0, 3}) {
    garner::searchsorted_into(sequence, values, MutableView(memory.data() + skip, {n}), Side::kLeft, {.threads = 3});
    for (Index i = 0; i < n; ++i)
      ASSERT_EQ(memory[static_cast<std::size_t>(skip + i)], std::min<Index>((i % 1600 + 2) / 3, 500));
  }
}

}  // namespace
}  // namespace garner::index
