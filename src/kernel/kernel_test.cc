#include "kernel/kernel.h"

#include <fmt/format.h>
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

/// Which kernel a device would take can be asked without one.
std::string chosen_on_device(const IndexPlan& plan) {
  const Kernel* kernel = select(DeviceKind::kCuda, plan, analyze(plan));
  return kernel != nullptr ? kernel->name : "built without CUDA";
}

IndexPlan single_sums(Index updates, Index places) {
  return ready(fmt::format("scatter f32 add (i:{0})\n indexed [{1}] = (%0) stride (1)\n dense [{0}] = (i) stride (1)\n"
                           " %0 i64 [{0}] = (i) stride (1) in [0,{1}) trap",
                           updates, places)
                   .c_str());
}

TEST(Select, SingleSumsOnADevice) {
  constexpr Index kMany = 32 << 20, kLarge = 256 << 20;
  struct {
    const char* what;
    IndexPlan plan;
    DType dtype;
    Combine combine;
    const char* kernel;
  } cases[] = {
      {"many", single_sums(kMany, kLarge), DType::kF32, Combine::kAdd, "panel_scatter_cuda"},
      {"integers", single_sums(kMany, kLarge), DType::kI32, Combine::kAdd, "panel_scatter_cuda"},
      {"16 bits", single_sums(kMany, kLarge), DType::kBF16, Combine::kAdd, "panel_scatter_cuda"},
      {"64 bits", single_sums(kMany, kLarge), DType::kF64, Combine::kAdd, "scatter_cuda"},
      {"the largest", single_sums(kMany, kLarge), DType::kF32, Combine::kMax, "scatter_cuda"},
      {"fewer", single_sums(2 << 20, 4 << 20), DType::kF32, Combine::kAdd, "scatter_cuda"},
      {"fewer integers", single_sums(2 << 20, 4 << 20), DType::kI32, Combine::kAdd, "atomic_scatter_cuda"},
      {"into little", single_sums(kMany, 1000), DType::kF32, Combine::kAdd, "scatter_cuda"},
  };
  for (auto& c : cases) {
    c.plan.dtype = c.dtype, c.plan.combine = c.combine;
    EXPECT_EQ(chosen_on_device(c.plan), kernels(DeviceKind::kCuda).empty() ? "built without CUDA" : c.kernel) << c.what;
  }
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
