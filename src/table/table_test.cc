// One gather, wherever the rows lie: every placement against rows copied one by one.
#include "garner/table.h"

#include "table/test_tables.h"
#include "tensor/cast.h"

namespace garner {
namespace {

using testing::HasSubstr;

constexpr DType kIndexTypes[] = {DType::kI8, DType::kI16, DType::kI32, DType::kI64,
                                 DType::kU8, DType::kU16, DType::kU32, DType::kU64};

class Tables : public testing::Test {
 protected:
  /// f(table, name of the place) for the same rows in every place.
  template <class F>
  void everywhere(const Tensor& rows, F&& f) {
    value_or_throw(format::write_npy(folder / "t.npy", rows));
    for (const Placement& p : placements()) {
      SCOPED_TRACE(p.name);
      f(open_table(folder / "t.npy", p.options));
    }
    SCOPED_TRACE("memory of the caller's");
    f(table_of(rows));
  }
  DiskFolder folder;
};

TEST_F(Tables, EveryDtype) {
  const Tensor ids = random_ids(57, 20, 1).reshaped({3, 19});
  for (const DTypeInfo& d : kDTypes) {
    SCOPED_TRACE(d.name);
    const Tensor rows = format::random_tensor(d.dtype, {20, 3, 5}, 7);
    value_or_throw(format::write_npy(folder / "t.npy", rows));
    for (const Placement& p : placements()) {
      TableOptions options = p.options;
      options.dtype = d.dtype;
      const Table table = open_table(folder / "t.npy", options);
      EXPECT_EQ(table.dtype(), d.dtype);
      EXPECT_EQ(table.shape(), (Axes{20, 3, 5}));
      EXPECT_TRUE(same_bits(gather(table, ids), selected(rows, ids))) << p.name;
    }
  }
}

TEST_F(Tables, EveryIndexDtype) {
  const Tensor rows = format::random_tensor(DType::kF32, {100, 9}, 7), ids = random_ids(300, 100, 1);
  everywhere(rows, [&](const Table& table) {
    for (const DType t : kIndexTypes)
      EXPECT_TRUE(same_bits(gather(table, value_or_throw(cast(ids, t))), selected(rows, ids))) << name(t);
  });
}

TEST_F(Tables, AnyShapeAndStrides) {
  const Tensor rows = format::random_tensor(DType::kF64, {50, 4}, 7), ids = random_ids(60, 50, 3);
  everywhere(rows, [&](const Table& table) {
    const View turned(DType::kI64, ids.data(), {5, 12}, {1, 5});
    const View backwards(DType::kI64, ids.as<Index>() + 59, {60}, {-1});
    const View same(DType::kI64, ids.data(), {7}, {0});
    for (const View& v : {turned, backwards, same})
      EXPECT_TRUE(same_bits(gather(table, v), selected(rows, value_or_throw(contiguous(v)))));
    EXPECT_TRUE(same_bits(gather(table, scalar(Index{7})), selected(rows, scalar(Index{7}))));
    EXPECT_EQ(gather(table, value_or_throw(Tensor::zeros(DType::kI64, {2, 0, 3}))).shape(), (Axes{2, 0, 3, 4}));
  });
}

TEST_F(Tables, RowsOfOneNumberAndOfNone) {
  const Tensor numbers = format::random_tensor(DType::kI16, {300}, 7), ids = random_ids(500, 300, 3);
  everywhere(numbers, [&](const Table& table) { EXPECT_TRUE(same_bits(gather(table, ids), selected(numbers, ids))); });
  everywhere(value_or_throw(Tensor::zeros(DType::kF32, {9, 0})),
             [&](const Table& table) { EXPECT_EQ(gather(table, tensor<Index>({8, 0})).shape(), (Axes{2, 0})); });
  everywhere(value_or_throw(Tensor::zeros(DType::kF32, {0, 4})), [&](const Table& table) {
    EXPECT_EQ(gather(table, value_or_throw(Tensor::zeros(DType::kI8, {0}))).shape(), (Axes{0, 4}));
    EXPECT_THROW(gather(table, tensor<Index>({0})), IndexError);
  });
}

TEST_F(Tables, Policies) {
  const Tensor rows = tensor<float>({{0, 1}, {10, 11}, {20, 21}});
  const Tensor ids = tensor<Index>({2, 3, -1, -4, 100, INT64_MIN, INT64_MAX});
  struct Case {
    LookupOptions lookup;
    Axes means;  // -1: filled
  };
  const Case cases[] = {
      {{.out_of_range = OutOfRange::kClamp}, {2, 2, 0, 0, 2, 0, 2}},
      {{.out_of_range = OutOfRange::kClamp, .negative = true}, {2, 2, 2, 0, 2, 0, 2}},
      {{.out_of_range = OutOfRange::kModulo}, {2, 0, 2, 2, 1, 1, 1}},
      {{.out_of_range = OutOfRange::kFill, .fill = 7}, {2, -1, -1, -1, -1, -1, -1}},
      {{.out_of_range = OutOfRange::kFill, .negative = true, .fill = -0.5}, {2, -1, 2, -1, -1, -1, -1}},
  };
  everywhere(rows, [&](const Table& table) {
    for (const Case& c : cases) {
      const Tensor got = gather(table, ids, c.lookup);
      for (std::size_t i = 0; i < c.means.size(); ++i)
        for (Index k = 0; k < 2; ++k) {
          const auto wanted = c.means[i] < 0 ? static_cast<float>(c.lookup.fill) : rows.as<float>()[2 * c.means[i] + k];
          EXPECT_EQ(got.as<float>()[2 * static_cast<Index>(i) + k], wanted) << name(c.lookup.out_of_range) << " " << i;
        }
    }
  });
}

TEST_F(Tables, TB1_TheSameWordsEverywhere) {
  everywhere(format::random_tensor(DType::kF32, {16, 4}, 7), [&](const Table& table) {
    const auto status = [&](const View& ids, const LookupOptions& lookup = {}) {
      return tables::gather(table, ids, lookup).status();
    };
    const Status s = status(tensor<Index>({{1, 2}, {3, 17}, {18, 1}}));
    EXPECT_EQ(s.code, Code::kIndex);
    EXPECT_EQ(s.rule, "TB1");
    EXPECT_EQ(s.message, "gather: index[1,1] is 17, allowed [0, 16) on axis 0 of operand [16,4]");
    EXPECT_THAT(status(tensor<Index>({-1})).message, HasSubstr("index[0] is -1, allowed [0, 16)"));
    EXPECT_THAT(status(tensor<Index>({-17}), {.negative = true}).message, HasSubstr("is -17, allowed [-16, 16)"));
    EXPECT_THAT(status(tensor<std::uint64_t>({UINT64_MAX})).message, HasSubstr("is 18446744073709551615"));
    EXPECT_THAT(status(scalar(Index{16})).message, HasSubstr("index[] is 16"));
  });
}

TEST_F(Tables, TB2_TB3_P7_WhatIsNoLookup) {
  everywhere(format::random_tensor(DType::kF32, {16, 4}, 7), [&](const Table& table) {
    EXPECT_EQ(tables::gather(table, tensor({1.0F})).status().rule, "TB3");
    EXPECT_EQ(tables::gather(table, tensor({true})).status().code, Code::kType);
    for (const OutOfRange policy : {OutOfRange::kDrop, OutOfRange::kPromise})
      EXPECT_EQ(tables::gather(table, tensor({1}), {.out_of_range = policy}).status().rule, "TB2");
    EXPECT_EQ(tables::gather(table, View(DType::kI64, nullptr, {3})).status().rule, "V4");
  });
  everywhere(value_or_throw(Tensor::zeros(DType::kF32, {0, 4})), [&](const Table& table) {
    EXPECT_EQ(tables::gather(table, tensor({1}), {.out_of_range = OutOfRange::kClamp}).status().rule, "P7");
  });
}

TEST_F(Tables, IntoMemoryOfTheCallers) {
  const Tensor rows = format::random_tensor(DType::kF32, {40, 6}, 7), ids = random_ids(30, 40, 2);
  everywhere(rows, [&](const Table& table) {
    const Tensor plain = value_or_throw(Tensor::zeros(DType::kF32, {30, 6}));
    gather_into(table, ids, plain.view());
    EXPECT_TRUE(same_bits(plain, selected(rows, ids)));
    const Tensor wide = value_or_throw(Tensor::zeros(DType::kF32, {30, 12}));
    const MutableView every_second(DType::kF32, wide.view().mutable_data(), {30, 6}, {12, 2});
    gather_into(table, ids, every_second);
    EXPECT_TRUE(same_bits(value_or_throw(contiguous(every_second)), selected(rows, ids)));
    EXPECT_EQ(wide.as<float>()[1], 0.0F);
  });
}

TEST_F(Tables, P10_P11_P12_P13_OutIsChecked) {
  everywhere(format::random_tensor(DType::kF32, {40, 6}, 7), [&](const Table& table) {
    const Tensor ids = tensor<Index>({1, 2}), out = value_or_throw(Tensor::zeros(DType::kF32, {2, 6}));
    const auto rule = [&](const MutableView& v) { return tables::gather_into(table, ids, v).rule; };
    EXPECT_EQ(rule(MutableView(DType::kF32, out.view().mutable_data(), {2, 6}, {0, 1})), "P10");
    EXPECT_EQ(rule(MutableView(DType::kF32, const_cast<void*>(ids.data()), {2, 6})), "P11");
    EXPECT_EQ(rule(out.reshaped({6, 2}).view()), "P12");
    EXPECT_EQ(rule(MutableView(DType::kI32, out.view().mutable_data(), {2, 6})), "P13");
  });
}

TEST_F(Tables, ABadIndexLeavesOutAloneOnDisk) {
  const Tensor rows = format::random_tensor(DType::kU8, {4, 4}, 7);
  value_or_throw(format::write_npy(folder / "t.npy", rows));
  const Table table = open_table(folder / "t.npy", {.place = Place::kDisk});
  const Tensor out = value_or_throw(Tensor::zeros(DType::kU8, {2, 4}));
  EXPECT_EQ(tables::gather_into(table, tensor({1, 9}), out.view()).rule, "TB1");
  EXPECT_TRUE(same_bits(out, value_or_throw(Tensor::zeros(DType::kU8, {2, 4}))));
}

TEST_F(Tables, RowsThatAreNotRowMajorAreCopied) {
  const Tensor rows = format::random_tensor(DType::kF32, {8, 5}, 7);
  const Table table = table_of(View(DType::kF32, rows.data(), {5, 8}, {1, 5}));
  const Tensor turned = value_or_throw(contiguous(View(DType::kF32, rows.data(), {5, 8}, {1, 5})));
  EXPECT_TRUE(same_bits(gather(table, tensor({4, 0})), selected(turned, tensor({4, 0}))));
}

TEST_F(Tables, PlacesAndStats) {
  value_or_throw(format::write_npy(folder / "t.npy", format::random_tensor(DType::kF32, {40, 6}, 7)));
  EXPECT_EQ(open_table(folder / "t.npy").place(), Place::kMapped);
  for (const Place place : {Place::kMemory, Place::kMapped, Place::kDisk}) {
    const Table table = open_table(folder / "t.npy", {.place = place});
    EXPECT_EQ(table.place(), place);
    gather(table, tensor({1, 2, 1}));
    EXPECT_EQ(table.stats().lookups, 3);
    EXPECT_EQ(table.stats().hits, place == Place::kDisk ? 0 : 3);
    EXPECT_EQ(table.stats().unique, place == Place::kDisk ? 2 : 3);
  }
}

}  // namespace
}  // namespace garner
