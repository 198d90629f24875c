// Needs a CUDA device. Functions that return indices: on the device they give what they give on the CPU, or the same
// error.
#include <cuda_runtime.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <limits>
#include <random>

#include "conformance/device/device_harness.h"
#include "garner/error.h"
#include "garner/index.h"
#include "index/order.h"
#include "tensor/cast.h"

namespace garner::conformance {
namespace {

using Results = Result<std::vector<Tensor>>;
using Place = std::function<View(const View&)>;

constexpr DType kDTypes[] = {
#define GARNER_DTYPE(name, ...) DType::k##name,
#include "garner/dtypes.def"
#undef GARNER_DTYPE
};

Results listed(const Result<Tensor>& result) {
  if (!result.ok()) return result.status();
  return std::vector<Tensor>{*result};
}

std::string outcome(const Results& result) {
  if (!result.ok()) return "error " + result.status().rule + ": " + result.status().message;
  std::string out;
  for (const Tensor& t : *result) out += (t.elements() < 40 ? to_string(t) : fmt::format("{}", t.shape())) + " ";
  return out;
}

/// What the device gives, brought home, or the error that the check after it finds.
Results run_there(const std::function<Results(const Place&)>& call) {
  std::vector<Tensor> kept;
  const Results there = call([&](const View& view) { return moved(view, kept); });
  if (!there.ok()) return there.status();
  std::vector<Tensor> home;
  for (const Tensor& t : *there) {
    EXPECT_FALSE(t.device().is_cpu());
    home.push_back(value_or_throw(cuda::copy_to(t, {})));
  }
  const Status status = cuda::check();
  return status.ok() ? Results(home) : status;
}

/// How many calls were compared; failures say which one.
int compared = 0;

void expect_same(const std::string& what, const std::function<Results(const Place&)>& call, bool sums = false) {
  ++compared;
  const Results here = call([](const View& view) { return view; }), there = run_there(call);
  bool same = here.ok() == there.ok() && here.status().message == there.status().message &&
              here.status().rule == there.status().rule;
  for (std::size_t i = 0; same && here.ok() && i < here->size(); ++i) same = same_values((*here)[i], (*there)[i], sums);
  EXPECT_TRUE(same) << what << ": the device gives " << outcome(there) << ", the CPU " << outcome(here);
}

/// Few values, so that many are equal; with NaN, infinities and both zeros where there are such.
Tensor few_values(DType dtype, const Axes& shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Tensor t = value_or_throw(Tensor::empty(DType::kF32, shape));
  constexpr float kInf = std::numeric_limits<float>::infinity(), kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> odd{kInf, -kInf, kNan, -kNan, -0.0F, 0.0F};
  const bool nans = random() % 2 == 0, flags = dtype == DType::kBool;
  for (Index i = 0; i < t.elements(); ++i) {
    const auto value = static_cast<float>(static_cast<int>(random() % 7) - (kind(dtype) == Kind::kUInt ? 0 : 3));
    const bool is_odd = index::has_nan(dtype) && random() % 16 == 0;
    t.as<float>()[i] = is_odd ? odd[random() % (nans ? 6 : 2)] : flags ? static_cast<float>(random() % 2) : value;
  }
  return value_or_throw(cast(t, dtype));
}

/// Any bits at all. Bools are 0 or 1.
Tensor any_bits(DType dtype, const Axes& shape, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Tensor t = value_or_throw(Tensor::empty(dtype, shape));
  for (Index i = 0; i < t.bytes(); ++i)
    t.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(dtype == DType::kBool ? random() & 1 : random());
  return t;
}

/// Mostly zeros.
Tensor sparse(DType dtype, const Axes& shape, int one_in, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Tensor t = few_values(dtype, shape, seed);
  const auto width_bytes = static_cast<std::size_t>(width(dtype));
  for (Index i = 0; i < t.elements(); ++i)
    if (random() % static_cast<std::uint64_t>(one_in) != 0)
      std::memset(t.as<std::uint8_t>() + i * width(dtype), 0, width_bytes);
  return t;
}

Tensor integers(DType dtype, const Axes& shape, Index lo, Index hi, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, shape));
  for (Index i = 0; i < t.elements(); ++i)
    t.as<Index>()[i] = lo + static_cast<Index>(random() % static_cast<std::uint64_t>(hi - lo));
  return value_or_throw(cast(t, dtype));
}

/// The same elements in the same order, through memory that is not row-major: reversed, every second, or transposed.
struct Strided {
  Tensor memory;
  View view;
};
Strided strided(const Tensor& t) {
  Axes stride = row_major(t.shape());
  Index last = 0;
  for (std::size_t a = 0; a < stride.size(); ++a) {
    stride[a] *= -2;
    last += std::max<Index>(t.shape()[a] - 1, 0) * -stride[a];
  }
  Strided s{value_or_throw(Tensor::zeros(t.dtype(), {last + 1})), {}};
  const MutableView view = s.memory.view().seen_as(t.shape(), stride, last);
  for (Index i = 0; i < t.elements(); ++i) {
    Index at = 0, rest = i;
    for (std::size_t a = stride.size(); a-- > 0; rest /= t.shape()[a]) at += rest % t.shape()[a] * stride[a];
    std::memcpy(static_cast<char*>(view.mutable_data()) + at * width(t.dtype()), t.as<char>() + i * width(t.dtype()),
                static_cast<std::size_t>(width(t.dtype())));
  }
  s.view = view;
  return s;
}

/// Sizes around loads, tiles and the ways the kernels take; some do not begin rows at multiples of 16 bytes.
const std::vector<Axes> kShapes{{},         {0},        {1},        {31},       {33},        {4099},
                                {300001},   {7, 5},     {33, 64},   {3, 70001}, {0, 4},      {4, 0},
                                {2, 3, 4},  {1000, 3},  {64, 1024}, {5000, 16}, {17, 4, 31}, {2, 2000, 48},
                                {1, 40000}, {40000, 1}, {9, 1, 257}};

std::vector<std::optional<Index>> axes_of(const Axes& shape) {
  std::vector<std::optional<Index>> axes{std::nullopt};
  for (std::size_t a = 0; a < shape.size(); ++a) axes.emplace_back(static_cast<Index>(a));
  return axes;
}

TEST(DeviceIndex, Argmax) {
  std::uint64_t seed = 1;
  compared = 0;
  for (const DType dtype : kDTypes)
    for (const Axes& shape : kShapes)
      for (const bool few : {true, false}) {
        const Tensor x = few ? few_values(dtype, shape, ++seed) : any_bits(dtype, shape, ++seed);
        const Strided s = strided(x);
        for (const auto& axis : axes_of(shape))
          for (const Tie tie : {Tie::kFirst, Tie::kLast})
            for (const NanRule nan : {NanRule::kPropagate, NanRule::kIgnore}) {
              const ArgOptions options{.axis = axis, .keepdims = seed % 2 == 0, .tie = tie, .nan = nan};
              const std::string what = fmt::format("{} {} axis {} tie {} nan {}", name(dtype), shape, axis.value_or(-1),
                                                   static_cast<int>(tie), static_cast<int>(nan));
              const View& given = seed % 5 == 0 ? s.view : View(x);
              expect_same("argmax " + what, [&](const Place& at) { return listed(index::argmax(at(given), options)); });
              expect_same("argmin " + what, [&](const Place& at) { return listed(index::argmin(at(given), options)); });
            }
      }
  fmt::print("{} calls\n", compared);
}

/// Rows that begin anywhere in 16 bytes.
TEST(DeviceIndex, ArgmaxAtOddAddresses) {
  for (const DType dtype : {DType::kU8, DType::kF16, DType::kF32, DType::kF64, DType::kC64, DType::kC128})
    for (Index first = 0; first < 16; ++first)
      for (const Index count : {1, 15, 16, 17, 1000, 9000}) {
        const Tensor x = few_values(dtype, {first + 3 * count}, static_cast<std::uint64_t>(first + 100 * count));
        const auto rows = [&](const Place& at, std::optional<Index> axis) {
          return listed(index::argmax(at(x).seen_as({3, count}, {count, 1}, first), {.axis = axis}));
        };
        const std::string what = fmt::format("{} from {} count {}", name(dtype), first, count);
        expect_same(what + " rows", [&](const Place& at) { return rows(at, 1); });
        expect_same(what + " columns", [&](const Place& at) { return rows(at, 0); });
        expect_same(what + " flat", [&](const Place& at) { return rows(at, std::nullopt); });
        expect_same(what + " nonzero", [&](const Place& at) {
          return listed(index::flatnonzero(at(x).seen_as({3 * count}, {1}, first)));
        });
      }
}

TEST(DeviceIndex, Nonzero) {
  std::uint64_t seed = 1;
  compared = 0;
  for (const DType dtype : kDTypes)
    for (const Axes& shape : kShapes)
      for (const int one_in : {1, 2, 100, 1000000}) {
        const Tensor x = sparse(dtype, shape, one_in, ++seed);
        const Strided s = strided(x);
        const View& given = seed % 5 == 0 ? s.view : View(x);
        const std::string what = fmt::format("{} {} one in {}", name(dtype), shape, one_in);
        for (const Layout layout : {Layout::kRows, Layout::kColumns})
          for (const auto& capacity :
               {std::optional<Index>{}, std::optional<Index>{0}, std::optional<Index>{7}, std::optional<Index>{20000}})
            expect_same("nonzero " + what, [&](const Place& at) {
              return listed(index::nonzero(at(given), {.layout = layout, .capacity = capacity, .fill = -7}));
            });
        expect_same("flatnonzero " + what, [&](const Place& at) { return listed(index::flatnonzero(at(given))); });
        for (const auto& axis : axes_of(shape))
          expect_same("count_nonzero " + what,
                      [&](const Place& at) { return listed(index::count_nonzero(at(given), {.axis = axis})); });
      }
  fmt::print("{} calls\n", compared);
}

TEST(DeviceIndex, IntoGivenMemory) {
  const Tensor x = sparse(DType::kF32, {500, 60}, 3, 5);
  std::vector<Tensor> kept;
  const View there = moved(x, kept);
  const Tensor wide = value_or_throw(cuda::empty(DType::kI64, {40, 4}, cuda::device()));
  const MutableView out = wide.view().seen_as({40, 2}, {4, -2}, 2);  // with gaps, backwards
  const Tensor here = value_or_throw(Tensor::empty(DType::kI64, {40, 2}));
  const Index count = value_or_throw(index::nonzero_into(there, out, {}, {.wait = true}));
  EXPECT_EQ(value_or_throw(index::nonzero_into(there, out)), -1);  // nobody has waited
  EXPECT_EQ(count, value_or_throw(index::nonzero_into(x, here.view())));
  EXPECT_TRUE(same_bits(value_or_throw(cuda::copy_to(out, {})), here));
  const Tensor best = value_or_throw(cuda::empty(DType::kI64, {60}, cuda::device()));
  ASSERT_TRUE(index::argmax_into(there, best.view(), {.axis = 0}).ok());
  EXPECT_TRUE(same_bits(value_or_throw(cuda::copy_to(best, {})), argmax(x, {.axis = 0})));
  EXPECT_EQ(index::argmax_into(there, here.view(), {.axis = 0}).rule, "V9");
  EXPECT_EQ(index::argmax_into(there, best.view(), {.axis = 1}).rule, "IX2");
}

TEST(DeviceIndex, Searchsorted) {
  std::uint64_t seed = 1;
  compared = 0;
  for (const DType dtype : kDTypes)
    for (const Index count : {0, 1, 2, 3, 1000, 4095, 4096, 4097, 8193, 100003})
      for (const bool few : {true, false})
        for (const Side side : {Side::kLeft, Side::kRight}) {
          const Tensor x = few ? few_values(dtype, {count}, ++seed) : any_bits(dtype, {count}, ++seed);
          const Tensor sorted = sort(x),
                       values = few ? few_values(dtype, {37, 11}, ++seed) : any_bits(dtype, {37, 11}, ++seed);
          const std::string what = fmt::format("{} {} few {}", name(dtype), count, few);
          expect_same("searchsorted " + what,
                      [&](const Place& at) { return listed(index::searchsorted(at(sorted), at(values), side)); });
          const Strided s = strided(values);
          expect_same("bucketize " + what,
                      [&](const Place& at) { return listed(index::bucketize(at(s.view), at(sorted), side)); });
        }
  fmt::print("{} calls\n", compared);
}

/// So many values that every lane has copies of the keys to itself.
TEST(DeviceIndex, SearchsortedOfManyValues) {
  std::uint64_t seed = 1;
  for (const DType dtype : {DType::kU8, DType::kBF16, DType::kF32, DType::kI64, DType::kC64, DType::kC128})
    for (const Index count : {0, 1, 2, 1000, 1600, 1601})
      for (const Side side : {Side::kLeft, Side::kRight}) {
        const Tensor sorted = sort(any_bits(dtype, {count}, ++seed)),
                     values = any_bits(dtype, {(1 << 20) + 37}, ++seed);
        expect_same(fmt::format("{} {}", name(dtype), count),
                    [&](const Place& at) { return listed(index::searchsorted(at(sorted), at(values), side)); });
      }
}

/// Long sequences with many values: where keys lie on a line, where they do not at all, and where all are the same.
TEST(DeviceIndex, SearchsortedInLongSequences) {
  std::uint64_t seed = 1;
  for (const DType dtype : {DType::kU8, DType::kI16, DType::kBF16, DType::kF32, DType::kI32, DType::kF64, DType::kI64,
                            DType::kC64, DType::kC128})
    for (const Index count : {300007, 1 << 21})
      for (const bool few : {true, false})
        for (const Side side : {Side::kLeft, Side::kRight}) {
          const auto make = [&](Index n) {
            return few ? few_values(dtype, {n}, ++seed) : any_bits(dtype, {n}, ++seed);
          };
          const Tensor sorted = sort(make(count)), values = make(10007);
          expect_same(fmt::format("{} {} few {}", name(dtype), count, few),
                      [&](const Place& at) { return listed(index::searchsorted(at(sorted), at(values), side)); });
        }
}

TEST(DeviceIndex, SearchsortedOnALine) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> draw(-1, 2);
  Tensor sequence = value_or_throw(Tensor::empty(DType::kF64, {1 << 20}));
  Tensor values = value_or_throw(Tensor::empty(DType::kF64, {100003}));
  for (Tensor* t : {&sequence, &values})
    for (Index i = 0; i < t->elements(); ++i) t->as<double>()[i] = draw(random);
  for (const DType dtype : {DType::kF16, DType::kF32, DType::kF64})
    for (const Side side : {Side::kLeft, Side::kRight}) {
      const Tensor sorted = sort(value_or_throw(cast(sequence, dtype))), wanted = value_or_throw(cast(values, dtype));
      expect_same(std::string(name(dtype)),
                  [&](const Place& at) { return listed(index::searchsorted(at(sorted), at(wanted), side)); });
      // Not sorted: any places, but places.
      std::vector<Tensor> kept;
      const Tensor places = value_or_throw(index::searchsorted(moved(wanted, kept), moved(wanted, kept), side));
      const Tensor back = value_or_throw(cuda::copy_to(places, {}));
      for (Index i = 0; i < back.elements(); ++i)
        ASSERT_TRUE(back.as<Index>()[i] >= 0 && back.as<Index>()[i] <= 100003);
    }
}

TEST(DeviceIndex, Sort) {
  std::uint64_t seed = 1;
  compared = 0;
  for (const DType dtype : kDTypes)
    for (const Axes& shape : kShapes)
      for (const bool few : {true, false})
        for (Index axis = 0; axis < static_cast<Index>(shape.size()); ++axis) {
          const Tensor x = few ? few_values(dtype, shape, ++seed) : any_bits(dtype, shape, ++seed);
          const std::string what = fmt::format("{} {} axis {}", name(dtype), shape, axis);
          for (const bool down : {false, true}) {
            const SortOptions options{.axis = axis, .descending = down};
            expect_same("sort " + what, [&](const Place& at) { return listed(index::sort(at(x), options)); });
            expect_same("argsort " + what, [&](const Place& at) { return listed(index::argsort(at(x), options)); });
            const Index extent = shape[static_cast<std::size_t>(axis)];
            for (const Index k : {Index{0}, Index{1}, std::min<Index>(5, extent), extent, extent + 1})
              expect_same(fmt::format("top_k {} of {}", k, what), [&](const Place& at) -> Results {
                auto top = index::top_k(at(x), k, {.axis = axis, .largest = down, .sorted = seed % 3 != 0});
                if (!top.ok()) return top.status();
                return std::vector<Tensor>{top->values, top->indices};
              });
          }
        }
  fmt::print("{} calls\n", compared);
}

TEST(DeviceIndex, Unique) {
  std::uint64_t seed = 1;
  for (const DType dtype : kDTypes)
    for (const Axes& shape : kShapes)
      for (const bool few : {true, false}) {
        const Tensor x = few ? few_values(dtype, shape, ++seed) : any_bits(dtype, shape, ++seed);
        expect_same(fmt::format("unique {} {}", name(dtype), shape), [&](const Place& at) -> Results {
          const auto u = index::unique(at(x));
          if (!u.ok()) return u.status();
          return std::vector<Tensor>{u->values, u->index, u->inverse, u->counts};
        });
      }
}

TEST(DeviceIndex, ChoosingByMasks) {
  std::uint64_t seed = 1;
  for (const DType dtype : {DType::kU8, DType::kBF16, DType::kF32, DType::kI64, DType::kC128})
    for (const Axes& shape : {Axes{0}, Axes{5}, Axes{7, 30}, Axes{100, 3, 9}}) {
      const Tensor x = few_values(dtype, shape, ++seed), y = few_values(dtype, shape, ++seed);
      const Tensor mask = sparse(DType::kBool, shape, 2, ++seed), along = sparse(DType::kF32, {shape[0]}, 3, ++seed);
      const std::string what = fmt::format("{} {}", name(dtype), shape);
      const auto with = [&](const char* op, auto&& f) {
        expect_same(op + what, [&](const Place& at) { return listed(f(at)); });
      };
      with("where ", [&](const Place& at) { return index::where(at(mask), at(x), at(y)); });
      with("masked_fill ", [&](const Place& at) { return index::masked_fill(at(x), at(mask), scalar(Index{3})); });
      with("masked_select ", [&](const Place& at) { return index::masked_select(at(x), at(mask)); });
      with("masked_scatter ", [&](const Place& at) { return index::masked_scatter(at(x), at(mask), at(y)); });
      with("masked_scatter short ",
           [&](const Place& at) { return index::masked_scatter(at(x), at(mask), at(y).seen_as({0})); });
      with("compress ", [&](const Place& at) { return index::compress(at(x), at(along), {.axis = 0}); });
      with("compress flat ", [&](const Place& at) { return index::compress(at(x), at(along)); });
      with("compress 4 ",
           [&](const Place& at) { return index::compress(at(x), at(along), {.axis = 0, .capacity = 4}); });
    }
}

TEST(DeviceIndex, Counting) {
  std::uint64_t seed = 1;
  for (const DType dtype : {DType::kU8, DType::kI8, DType::kI16, DType::kI32, DType::kU32, DType::kI64, DType::kU64})
    for (const Index n : {0, 1, 1000, 70000}) {
      const Tensor ids = integers(dtype, {n}, 0, 100, ++seed),
                   bad = integers(dtype, {n}, n == 1000 && kind(dtype) == Kind::kInt ? -1 : 0, 50, ++seed);
      const Tensor weights = few_values(DType::kF32, {n}, ++seed), data = few_values(DType::kF64, {n, 3}, ++seed);
      const std::string what = fmt::format("{} {}", name(dtype), n);
      const auto with = [&](const char* op, auto&& f) {
        expect_same(op + what, [&](const Place& at) { return listed(f(at)); }, true);
      };
      with("bincount ", [&](const Place& at) { return index::bincount(at(ids)); });
      with("bincount of bad ", [&](const Place& at) { return index::bincount(at(bad)); });
      with("bincount 300 ", [&](const Place& at) { return index::bincount(at(ids), {.min_length = 300}); });
      with("bincount weights ", [&](const Place& at) { return index::bincount(at(ids), {.weights = at(weights)}); });
      with("one_hot ", [&](const Place& at) { return index::one_hot(at(ids), 40); });
      with("one_hot axis 0 ", [&](const Place& at) { return index::one_hot(at(ids), 110, {.axis = 0}); });
      const Tensor sorted = sort(ids);
      for (const SegmentOp op : {SegmentOp::kSum, SegmentOp::kMin, SegmentOp::kMax, SegmentOp::kProd}) {
        with("segment ", [&](const Place& at) { return index::segment(op, at(data), at(ids)); });
        with("segment 200 ",
             [&](const Place& at) { return index::segment(op, at(data), at(ids), {.num_segments = 200}); });
        with("segment 20 ",
             [&](const Place& at) { return index::segment(op, at(data), at(ids), {.num_segments = 20}); });
        with("segment drop ", [&](const Place& at) {
          return index::segment(op, at(data), at(ids), {.num_segments = 20, .out_of_range = OutOfRange::kDrop});
        });
        with("segment sorted ",
             [&](const Place& at) { return index::segment(op, at(data), at(sorted), {.sorted = true}); });
        with("segment unsorted ",
             [&](const Place& at) { return index::segment(op, at(data), at(ids), {.sorted = true}); });
      }
    }
}

TEST(DeviceIndex, Means) {
  std::uint64_t seed = 1;
  for (const DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64, DType::kF8E4M3, DType::kF8E5M2,
                            DType::kC64, DType::kC128}) {
    const Tensor data = few_values(dtype, {3000, 7}, ++seed), ids = integers(DType::kI32, {3000}, 0, 90, ++seed);
    expect_same(fmt::format("segment_mean {}", name(dtype)), [&](const Place& at) {
      return listed(index::segment(SegmentOp::kMean, at(data), at(ids), {.num_segments = 100}));
    }, true);
  }
}

TEST(DeviceIndex, EmbeddingBag) {
  std::uint64_t seed = 1;
  for (const DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64, DType::kF8E4M3, DType::kF8E5M2})
    for (const BagMode mode : {BagMode::kSum, BagMode::kMean, BagMode::kMax})
      for (const DType of_index : {DType::kU8, DType::kI32, DType::kI64})
        for (const auto& padding : {std::optional<Index>{}, std::optional<Index>{3}}) {
          const Tensor table = few_values(dtype, {50, 33}, ++seed), weights = few_values(dtype, {400}, ++seed);
          const Tensor names = integers(of_index, {400}, 0, 50, ++seed), bad = integers(of_index, {400}, 0, 60, ++seed);
          const Tensor begins = tensor<Index>({0, 0, 7, 100, 100, 399, 400}), wrong = tensor<Index>({0, 5, 4, 500});
          const std::string what = fmt::format("{} {} {}", name(dtype), static_cast<int>(mode), name(of_index));
          const auto with = [&](const char* how, const Tensor& indices, const Axes& shape, const Tensor* offsets,
                                bool weighted) {
            for (const bool ends : {false, true})
              expect_same(how + what, [&](const Place& at) {
                BagOptions options{.mode = mode, .padding = padding, .last_offset_is_end = ends};
                if (offsets != nullptr) options.offsets = at(*offsets);
                if (weighted) options.weights = at(weights).seen_as(shape);
                return listed(index::embedding_bag(at(table), at(indices).seen_as(shape), options));
              }, true);
          };
          with("rows ", names, {20, 20}, nullptr, false);
          with("offsets ", names, {400}, &begins, false);
          with("weights ", names, {400}, &begins, true);
          with("bad offsets ", names, {400}, &wrong, false);
          with("bad indices ", bad, {400}, &begins, false);
        }
}

TEST(DeviceIndex, Ravel) {
  std::uint64_t seed = 1;
  for (const DType dtype : {DType::kU8, DType::kI32, DType::kI64, DType::kU64})
    for (const Index n : {0, 1, 5000}) {
      const Axes shape{20, 30, 40};
      const Tensor rows = integers(dtype, {n, 3}, 0, 20, ++seed), bad = integers(dtype, {n, 3}, 0, 25, ++seed);
      const Tensor flat = integers(dtype, {n}, 0, 120, ++seed), far = integers(DType::kI64, {n}, -1, 30000, ++seed);
      const auto with = [&](const char* op, auto&& f) {
        expect_same(fmt::format("{}{} {}", op, name(dtype), n), [&](const Place& at) { return listed(f(at)); });
      };
      with("ravel ", [&](const Place& at) { return index::ravel_multi_index(at(rows), shape); });
      with("ravel bad ", [&](const Place& at) { return index::ravel_multi_index(at(bad), shape); });
      with("ravel columns ", [&](const Place& at) {
        return index::ravel_multi_index(at(rows).seen_as({3, n}), shape, Layout::kColumns);
      });
      for (const Layout layout : {Layout::kRows, Layout::kColumns}) {
        with("unravel ", [&](const Place& at) { return index::unravel_index(at(flat), shape, layout); });
        with("unravel bad ", [&](const Place& at) { return index::unravel_index(at(far), shape, layout); });
      }
    }
}

// ---- graphs ----

/// What never waits can be captured; a replay works on what the memory then holds.
TEST(DeviceIndex, Graph) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  const RunOptions run{.stream = stream};
  const auto make = [&](DType dtype, const Axes& shape) {
    return value_or_throw(cuda::empty(dtype, shape, cuda::device(), stream));
  };
  const Axes shape{300, 400};
  const Tensor first = sparse(DType::kF32, shape, 20, 1), second = sparse(DType::kF32, shape, 30, 2);
  Tensor x = value_or_throw(cuda::copy_to(first, cuda::device(), stream));
  const Tensor edges = value_or_throw(cuda::copy_to(tensor({-2.0F, 0.0F, 1.0F, 2.5F}), cuda::device(), stream));
  const std::vector<Tensor> out{make(DType::kI64, {9000, 2}), make(DType::kI64, {300}), make(DType::kI64, {400}),
                                make(DType::kI64, {}),        make(DType::kI64, shape), make(DType::kF32, shape),
                                make(DType::kI64, {400})};
  const auto call = [&](const View& input, const View& bins, const std::vector<MutableView>& to, const RunOptions& o) {
    EXPECT_TRUE(index::nonzero_into(input, to[0], {}, o).ok());
    EXPECT_TRUE(index::argmax_into(input, to[1], {.axis = 1}, o).ok());
    EXPECT_TRUE(index::argmin_into(input, to[2], {.axis = 0, .tie = Tie::kLast}, o).ok());
    EXPECT_TRUE(index::argmax_into(input, to[3], {}, o).ok());
    EXPECT_TRUE(index::searchsorted_into(bins, input, to[4], Side::kRight, o).ok());
    EXPECT_TRUE(index::sort_into(input, to[5], {.axis = 0}, o).ok());
    EXPECT_TRUE(index::count_nonzero_into(input, to[6], {.axis = 0}, o).ok());
  };
  std::vector<MutableView> to;
  for (const Tensor& t : out) to.push_back(t.view());
  call(x, edges, to, run);  // once to warm up
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t replay = nullptr;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
  call(x, edges, to, run);
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  ASSERT_EQ(cudaGraphInstantiate(&replay, graph, 0), cudaSuccess);
  ASSERT_EQ(cudaMemcpyAsync(x.mutable_data(), second.data(), static_cast<std::size_t>(second.bytes()),
                            cudaMemcpyDefault, stream),
            cudaSuccess);
  for (int i = 0; i < 2; ++i) ASSERT_EQ(cudaGraphLaunch(replay, stream), cudaSuccess);
  std::vector<Tensor> expected;
  std::vector<MutableView> here;
  for (const Tensor& t : out) expected.push_back(value_or_throw(Tensor::empty(t.dtype(), t.shape())));
  for (const Tensor& t : expected) here.push_back(t.view());
  call(second, tensor({-2.0F, 0.0F, 1.0F, 2.5F}), here, {});
  for (std::size_t i = 0; i < out.size(); ++i)
    EXPECT_TRUE(same_bits(value_or_throw(cuda::copy_to(out[i], {}, stream)), expected[i])) << "result " << i;
  EXPECT_TRUE(cuda::check(stream).ok());
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
}

// ---- past 2^31 elements ----

void put_byte(Tensor& t, Index at, std::uint8_t value) {
  ASSERT_EQ(cudaMemcpy(t.as<std::uint8_t>() + at, &value, 1, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST(DeviceLarge, IndicesPast32Bits) {
  const Index n = (Index{1} << 32) + 12345;
  Tensor x = value_or_throw(cuda::empty(DType::kU8, {n}, cuda::device()));
  ASSERT_EQ(cudaMemset(x.mutable_data(), 0, static_cast<std::size_t>(n)), cudaSuccess);
  const std::vector<Index> places{5, Index{1} << 31, (Index{1} << 32) - 1, (Index{1} << 32) + 1, n - 2, n - 1};
  for (const Index at : places) put_byte(x, at, at == n - 2 ? 2 : 1);
  const auto one = [](const Result<Tensor>& t) {
    return *value_or_throw(cuda::copy_to(value_or_throw(t), {})).as<Index>();
  };
  EXPECT_EQ(one(index::argmax(x)), n - 2);
  EXPECT_EQ(one(index::argmin(x)), 0);
  EXPECT_EQ(one(index::argmin(x, {.tie = Tie::kLast})), n - 3);
  EXPECT_EQ(one(index::count_nonzero(x)), static_cast<Index>(places.size()));
  const Tensor found = value_or_throw(cuda::copy_to(value_or_throw(index::flatnonzero(x)), {}));
  EXPECT_TRUE(same_bits(found, View(places)));
  const Tensor table =
      value_or_throw(cuda::copy_to(value_or_throw(index::nonzero(View(x).seen_as({n / 5, 5}), {.capacity = 7})), {}));
  for (std::size_t k = 0; k < places.size(); ++k) {
    const bool inside = places[k] < n / 5 * 5;
    EXPECT_EQ(table.as<Index>()[2 * k], inside ? places[k] / 5 : -1);
    EXPECT_EQ(table.as<Index>()[2 * k + 1], inside ? places[k] % 5 : -1);
  }
}

TEST(DeviceLarge, LanesPast31Bits) {
  const Index rows = 70000, columns = 40000;  // 2.8 G elements
  Tensor x = value_or_throw(cuda::empty(DType::kU8, {rows, columns}, cuda::device()));
  ASSERT_EQ(cudaMemset(x.mutable_data(), 0, static_cast<std::size_t>(x.bytes())), cudaSuccess);
  put_byte(x, 69999 * columns + 39999, 9);
  put_byte(x, 69998 * columns + 39998, 9);
  const Tensor across = value_or_throw(cuda::copy_to(value_or_throw(index::argmax(x, {.axis = 1})), {}));
  const Tensor down = value_or_throw(cuda::copy_to(value_or_throw(index::argmax(x, {.axis = 0})), {}));
  EXPECT_EQ(across.as<Index>()[69999], 39999);
  EXPECT_EQ(across.as<Index>()[69998], 39998);
  EXPECT_EQ(across.as<Index>()[0], 0);
  EXPECT_EQ(down.as<Index>()[39999], 69999);
  EXPECT_EQ(down.as<Index>()[39998], 69998);
  EXPECT_EQ(down.as<Index>()[0], 0);
}

}  // namespace
}  // namespace garner::conformance
