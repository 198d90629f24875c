#include "kernel/kernel.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "garner/error.h"

namespace garner {
namespace {

IndexPlan ready(const char* text) { return simplify(value_or_throw(parse_plan(text))); }
std::string chosen(const IndexPlan& plan) { return select(DeviceKind::kCpu, plan, analyze(plan))->name; }

constexpr const char* kRows =
    "gather f32 (i:10, j:64)\n indexed [1000,64] = (%0, j) stride (64,1)\n dense [10,64] = (i, j) stride (64,1)\n"
    " %0 i64 [10] = (i) stride (1) in [0,1000) trap";
constexpr const char* kElements =
    "gather f32 (i:10)\n indexed [9] = (%0) stride (1)\n dense [10] = (i) stride (1)\n"
    " %0 i64 [10] = (i) stride (1) in [0,9) trap";
constexpr const char* kScattered =
    "scatter f32 assign (i:10)\n indexed [9] = (%0) stride (1)\n dense [10] = (i) stride (1)\n"
    " %0 i64 [10] = (i) stride (1) in [0,9) trap";
constexpr const char* kMasked =
    "scatter f32 assign (i:10, j:64)\n indexed [10,64] = (i, j) stride (70,1)\n dense [10,64] = (i, j) stride (64,1)\n"
    " mask [10,64] = (i, j) stride (1,0)";
constexpr const char* kRankZero = "gather f32 ()\n indexed [] = () stride ()\n dense [] = () stride ()";
constexpr const char* kPadded =
    "gather f32 (i:10)\n indexed [9] = (%0) stride (1)\n dense [10] = (i) stride (2)\n"
    " %0 i64 [10] = (i) stride (1) in [0,9) trap";

struct Choice {
  const char* what;
  const char* text;
  void (*change)(IndexPlan&);
  const char* kernel;
};

TEST(Select, TheCheapestThatAccepts) {
  const Choice cases[] = {
      {"rows", kRows, [](IndexPlan&) {}, "row_copy"},
      {"elements", kElements, [](IndexPlan&) {}, "element_gather"},
      {"one element", kRankZero, [](IndexPlan&) {}, "element_gather"},
      {"a padded result", kPadded, [](IndexPlan&) {}, "generic"},
      {"a fill tensor", kElements, [](IndexPlan& p) { p.fill_stride = Axes{1}; }, "generic"},
      {"a mask", kElements, [](IndexPlan& p) { p.mask_stride = Axes{1}; }, "element_gather"},
      {"assign", kScattered, [](IndexPlan&) {}, "scatter_assign"},
      {"assign under a mask", kMasked, [](IndexPlan&) {}, "masked_store"},
      {"add under a mask", kMasked, [](IndexPlan& p) { p.combine = Combine::kAdd; }, "scatter_combine"},
      {"add", kScattered, [](IndexPlan& p) { p.combine = Combine::kAdd; }, "scatter_combine"},
      {"fetch", kScattered, [](IndexPlan& p) { p.fetch_stride = Axes{1}; }, "generic"},
      {"user", kScattered, [](IndexPlan& p) { p.combine = Combine::kUser; }, "generic"},
      {"compare", kScattered, [](IndexPlan& p) { p.combine = Combine::kCompareExchange, p.fill_stride = Axes{0}; },
       "generic"},
  };
  for (const Choice& c : cases) {
    IndexPlan plan = ready(c.text);
    c.change(plan);
    EXPECT_EQ(chosen(plan), c.kernel) << c.what;
  }
}

std::vector<IndexPlan> all_plans() {
  std::vector<IndexPlan> out;
  for (const char* text : {kRows, kElements, kScattered, kMasked, kRankZero, kPadded}) out.push_back(ready(text));
  for (int c = 0; c <= static_cast<int>(Combine::kUser); ++c) {
    out.push_back(ready(kScattered));
    out.back().combine = static_cast<Combine>(c);
  }
  return out;
}

TEST(Kernels, NamesAreUnique) {
  std::set<std::string> names;
  for (const Kernel* k : kernels()) EXPECT_TRUE(names.insert(k->name).second) << k->name;
  EXPECT_TRUE(names.contains("reference"));
  EXPECT_TRUE(names.contains("generic"));
}

const Kernel& named(const std::string& name) {
  for (const Kernel* k : kernels())
    if (k->name == name) return *k;
  throw std::logic_error(name);
}

TEST(Kernels, ReferenceAndGenericAcceptAll) {
  for (const IndexPlan& plan : all_plans()) {
    EXPECT_TRUE(named("reference").accepts(plan, analyze(plan))) << print(plan);
    EXPECT_TRUE(named("generic").accepts(plan, analyze(plan))) << print(plan);
  }
}

TEST(Kernels, ReferenceIsNeverChosen) {
  for (const IndexPlan& plan : all_plans()) EXPECT_NE(chosen(plan), "reference") << print(plan);
}

TEST(Kernels, DirectionsDoNotMix) {
  for (const char* name : {"row_copy", "element_gather"})
    EXPECT_FALSE(named(name).accepts(ready(kScattered), analyze(ready(kScattered))));
  for (const char* name : {"scatter_assign", "scatter_combine"})
    EXPECT_FALSE(named(name).accepts(ready(kRows), analyze(ready(kRows))));
}

/// One kernel on a plan of ten i64 indices into nine f32; gives whether it noted a fault.
bool faults(const Kernel& kernel, const IndexPlan& plan, std::vector<Index> index, std::vector<std::uint8_t> mask) {
  std::vector<float> indexed(9, 1), dense(10, 2);
  Buffers b;
  b.indexed = {indexed.data()};
  b.dense = {dense.data()};
  b.widths = {4};
  b.indices = {index.data()};
  b.mask = mask.data();
  FaultLedger ledger;
  const PlanFacts facts = analyze(plan);
  kernel.run({plan, facts, b, 2, ledger});
  return ledger.fault;
}

const std::vector<Index> kGood{0, 8, 1, 7, 2, 6, 3, 5, 4, 4}, kBad{0, 8, 1, 7, 2, 9, 3, 5, 4, -1};

void expect_ledger(const Kernel& kernel, const char* text, OutOfRange skip) {
  IndexPlan plan = ready(text);
  const std::vector<std::uint8_t> all(10, 1), masked{1, 1, 1, 1, 1, 0, 1, 1, 1, 0};
  if (!kernel.accepts(plan, analyze(plan))) return;
  EXPECT_FALSE(faults(kernel, plan, kGood, all)) << kernel.name;
  EXPECT_TRUE(faults(kernel, plan, kBad, all)) << kernel.name;
  plan.mask_stride = Axes{1};
  EXPECT_FALSE(faults(kernel, plan, kBad, masked)) << kernel.name << ": masked positions have no index";
  plan.mask_stride.reset();
  plan.terms[0].bounds.policy = skip;
  EXPECT_FALSE(faults(kernel, plan, kBad, all)) << kernel.name << ": only trap is a fault";
}

TEST(FaultLedger, OnlyTrapsThatAreNotMasked) {
  for (const Kernel* kernel : kernels()) {
    expect_ledger(*kernel, kElements, OutOfRange::kFill);
    expect_ledger(*kernel, kScattered, OutOfRange::kDrop);
  }
}

}  // namespace
}  // namespace garner
