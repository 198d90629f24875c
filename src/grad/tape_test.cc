#include "base/effort.h"
#include "grad/test_grad.h"
#include "tensor/pool.h"

namespace garner::grad {
namespace {

Var leaf(double value, std::string name = "x") { return Var(scalar(value), true, std::move(name)); }

// ---- leaves and passes ----

TEST(Tape, LeavesAndResults) {
  const Var x = leaf(3), c(scalar(2.0));
  EXPECT_TRUE(x.is_leaf() && x.requires_grad() && c.is_leaf() && !c.requires_grad());
  const Var y = x * c, z = c * c;
  EXPECT_TRUE(!y.is_leaf() && y.requires_grad() && z.is_leaf() && !z.requires_grad());
  EXPECT_EQ(x.name(), "x");
  EXPECT_EQ(y.name(), "mul");
  EXPECT_FALSE(x.grad());
  EXPECT_FALSE(Var());
  EXPECT_FALSE(Var().requires_grad());
}

TEST(Tape, GradientsAddUpInLeaves) {
  Var x = leaf(3);
  (x * x).backward();
  EXPECT_EQ(item(x.grad()), 6);
  (x * x * x).backward();
  EXPECT_EQ(item(x.grad()), 33);
  x.zero_grad();
  EXPECT_FALSE(x.grad());
  (x + x).backward();
  EXPECT_EQ(item(x.grad()), 2);
  x.backward();  // a leaf depends on itself
  EXPECT_EQ(item(x.grad()), 3);
}

TEST(Tape, WithoutASeedItIsOnes) {
  const Var x(tensor({{1.0, 2.0}, {3.0, 4.0}}), true);
  (x * x).backward();
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({{2.0, 4.0}, {6.0, 8.0}})));
}

TEST(Tape, SeedsWeigh) {
  const Var x(tensor({1.0, 2.0}), true);
  (x * x).backward(Var(tensor({10.0, 0.5})));
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({20.0, 2.0})));
}

TEST(Tape, GradientsOfSeveralOutputs) {
  const Var x = leaf(3), y = leaf(5), unused = leaf(7), constant_input(scalar(1.0));
  const Var a = x * y, b = x + x;
  const auto g = gradients({a, b}, {x, y, unused, constant_input, x}, {Var(scalar(2.0)), Var(scalar(10.0))});
  EXPECT_EQ(item(g[0]), 30);
  EXPECT_EQ(item(g[1]), 6);
  EXPECT_FALSE(g[2] || g[3]);
  EXPECT_EQ(item(g[4]), 30);
  EXPECT_FALSE(x.grad());
}

TEST(Tape, GradientsOfWhatIsNoLeaf) {
  const Var x = leaf(3), y = x * x, z = y * y;
  const auto g = gradients({z}, {y, z});
  EXPECT_EQ(item(g[0]), 18);
  EXPECT_EQ(item(g[1]), 1);
}

TEST(Tape, OnlyWhatLeadsToAnInputRuns) {
  const Var x = leaf(3), y = leaf(5);
  const Var side = exp(y), z = x * x + side;
  int hooks = 0;
  Var(side).on_gradient([&](const Var&) { return ++hooks, Var(); });
  EXPECT_EQ(item(gradients({z}, {x})[0]), 6);
  EXPECT_EQ(hooks, 0);
  EXPECT_EQ(item(gradients({side}, {y})[0]), std::exp(5.0));  // its graph was not freed
}

TEST(Tape, MemoryOfGradientsIsTheirOwn) {
  Var x = leaf(1), y = leaf(2), seed(scalar(4.0));
  (x + y).backward(seed);
  Var first = x.grad();
  *static_cast<double*>(first.mutate().mutable_data()) = 9;
  EXPECT_EQ(item(y.grad()), 4);
  EXPECT_EQ(item(seed), 4);
  const auto g = gradients({x + y}, {x, y}, {seed});
  EXPECT_NE(g[0].value().data(), g[1].value().data());
}

TEST(Tape, TwiceThroughOneGraph) {
  const Var x = leaf(3), y = x * x;
  y.backward({}, {.retain_graph = true});
  y.backward({}, {.retain_graph = true});
  EXPECT_EQ(item(x.grad()), 12);
  y.backward();
  EXPECT_EQ(item(x.grad()), 18);
  EXPECT_EQ(rule_of([&] { y.backward(); }), "G8");
  EXPECT_EQ(rule_of([&] { gradients({y + y}, {x}); }), "G8");
}

TEST(Tape, APassFreesWhatWasSaved) {
  constexpr Index kBytes = 8 << 20;
  const Var x(value_or_throw(Tensor::zeros(DType::kF64, {kBytes / 8})), true);
  const auto used = [] { return static_cast<Index>(pool_stats().used_bytes); };
  const Index before = used();
  const Var y = sum(exp(x));
  EXPECT_EQ(used() - before, kBytes);  // exp kept its result
  gradients({y}, {x});
  EXPECT_EQ(used(), before);
}

TEST(Tape, ThirdDerivatives) {
  const Var x = leaf(2);
  Var y = x * x * x * x;
  for (const double wanted : {32.0, 48.0, 48.0, 24.0}) {
    y = gradients({y}, {x}, {}, {.create_graph = true})[0];
    EXPECT_EQ(item(y), wanted);
  }
}

TEST(Tape, BackwardCanBeRecordedToo) {
  Var x = leaf(2);
  const NoGrad off;  // create_graph records all the same; the graph itself was not recorded
  EXPECT_FALSE((x * x).requires_grad());
  Var y;
  {
    const Recording on(true);
    y = x * x * x;
  }
  y.backward({}, {.create_graph = true});
  const Var first = x.grad();
  EXPECT_TRUE(first.requires_grad());
  x.zero_grad();
  first.backward();
  EXPECT_EQ(item(x.grad()), 12);
}

TEST(Tape, LucidDifferentiatesIntegers) {
  const Var x = lucid_leaf(tensor({{1, 2, 3}, {4, 5, 6}}), "x");
  sum(x * x).backward();
  EXPECT_TRUE(same_bits(x.grad().value(), tensor({{2, 4, 6}, {8, 10, 12}})));
}

// ---- modes and hooks ----

TEST(Tape, NoGradNests) {
  const Var x = leaf(3);
  EXPECT_TRUE(recording());
  {
    const NoGrad off;
    const NoGrad more;
    EXPECT_FALSE(recording() || (x * x).requires_grad());
  }
  EXPECT_TRUE(recording() && (x * x).requires_grad());
}

TEST(Tape, DetachCutsTheHistory) {
  const Var x = leaf(3), y = x * x, d = y.detach();
  EXPECT_FALSE(d.requires_grad());
  EXPECT_EQ(d.value().data(), y.value().data());
  (x * d).backward();
  EXPECT_EQ(item(x.grad()), 9);
}

TEST(Tape, HooksSeeTheCompleteGradientOnce) {
  Var x = leaf(3), y = x * x;
  std::vector<double> seen;
  y.on_gradient([&](const Var& g) { return seen.push_back(item(g)), Var(); });
  x.on_gradient([&](const Var& g) { return seen.push_back(item(g)), g * 10; });
  x.on_gradient([&](const Var& g) { return seen.push_back(item(g)), Var(); });
  (y + y * y).backward();
  EXPECT_EQ(seen, (std::vector<double>{19, 114, 1140}));
  EXPECT_EQ(item(x.grad()), 1140);
  x.on_gradient([](const Var&) { return Var(tensor({1.0})); });
  EXPECT_EQ(rule_of([&] { (x * x).backward(); }), "G3");
}

TEST(Tape, SavedTensorsCanGoElsewhere) {
  Var x = leaf(3, "x");
  std::vector<double> store;
  SavedHooks hooks;
  hooks.pack = [&](const Tensor& t) { return store.push_back(*t.as<double>()), std::any(store.size() - 1); };
  hooks.unpack = [&](const std::any& at) { return scalar(store[std::any_cast<std::size_t>(at)]); };
  Var y;
  {
    const SaveWith with(hooks);
    y = exp(x) * x;
    const NoGrad off;
    exp(x);
  }
  EXPECT_EQ(store, (std::vector<double>{std::exp(3.0), std::exp(3.0), 3}));  // exp's result; both sides of mul
  for (double& kept : store) kept *= 2;
  y.backward();
  EXPECT_EQ(item(x.grad()), std::exp(3.0) * 2 + 6 * (std::exp(3.0) * 2));
}

TEST(Tape, PackedTensorsAreLetGo) {
  constexpr Index kBytes = 4 << 20;
  const Var x(value_or_throw(Tensor::zeros(DType::kF64, {kBytes / 8})), true);
  const auto used = [] { return static_cast<Index>(pool_stats().used_bytes); };
  const Index before = used();
  Var y;
  {
    const SaveWith with({[](const Tensor&) { return std::any(); },
                         [](const std::any&) { return value_or_throw(Tensor::zeros(DType::kF64, {kBytes / 8})); }});
    y = sum(exp(x * x));
  }
  EXPECT_EQ(used(), before);
  y.backward();
  EXPECT_EQ(x.grad().elements(), kBytes / 8);
}

TEST(Tape, AnUnpackedTensorIsTheOneThatWasSaved) {
  const Var x = leaf(3);
  Var y;
  {
    const SaveWith with({[](const Tensor&) { return std::any(); }, [](const std::any&) { return tensor({1.0, 2.0}); }});
    y = x * x;
  }
  EXPECT_EQ(rule_of([&] { y.backward(); }), "G3");
}

TEST(Tape, G7_HoldsForPackedTensorsToo) {
  Var x = leaf(3), w(scalar(2.0));
  Var y;
  {
    const SaveWith with(
        {[](const Tensor& t) { return std::any(t); }, [](const std::any& t) { return std::any_cast<Tensor>(t); }});
    y = x * w;
  }
  w.mutate();
  EXPECT_EQ(rule_of([&] { y.backward(); }), "G7");
}

// ---- changes in place ----

std::string message_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) { return error.what(); }
  return "";
}

double& first(const MutableView& view) { return *static_cast<double*>(view.mutable_data()); }

TEST(Tape, G7_NamesTheVariableAndTheOperation) {
  Var x = leaf(3, "x"), w(scalar(2.0), false, "w");
  const Var y = x * w;
  first(w.mutate()) = 5;
  EXPECT_EQ(rule_of([&] { y.backward({}, {.retain_graph = true}); }), "G7");
  EXPECT_EQ(message_of([&] { y.backward(); }),
            "mul: variable 'w' is at version 1, allowed 0: it was changed in place after mul had saved it");
}

TEST(Tape, G7_OnlyWhatWasSavedBeforeTheChange) {
  Var x = leaf(3), w(scalar(2.0));
  first(w.mutate()) = 5;
  const Var y = x * w, z = x + w;
  y.backward();
  EXPECT_EQ(item(x.grad()), 5);
  first(w.mutate()) = 7;
  z.backward();  // add saves nothing
  EXPECT_EQ(item(x.grad()), 6);
}

TEST(Tape, G7_LeavesUnderNoGrad) {
  Var x = leaf(3);
  const Var y = x * x;
  {
    const NoGrad off;
    first(x.mutate()) -= 0.5;
  }
  EXPECT_EQ(item(x), 2.5);
  EXPECT_EQ(rule_of([&] { y.backward(); }), "G7");
}

TEST(Tape, G7_ThroughOtherLooksAtTheSameMemory) {
  const Var x = leaf(3);
  const Var y = exp(x), z = y * y;
  first(y.detach().mutate()) = 0;
  EXPECT_EQ(rule_of([&] { gradients({z}, {y}, {}, {.retain_graph = true}); }), "G7");
  EXPECT_EQ(rule_of([&] { y.backward(); }), "G7");  // the result that exp itself needs
  Var w(tensor({1.0, 2.0}));
  Var column = reshape(w, {2, 1});
  const Var v = sum(x * w);
  first(column.mutate()) = 4;
  EXPECT_EQ(item(w), 4);
  EXPECT_EQ(rule_of([&] { v.backward(); }), "G7");
}

TEST(Tape, G2_WhatMayNotBeChanged) {
  Var x = leaf(3), y = x * x;
  EXPECT_EQ(rule_of([&] { x.mutate(); }), "G2");
  EXPECT_EQ(rule_of([&] { y.mutate(); }), "G2");
  const NoGrad off;
  EXPECT_EQ(rule_of([&] { y.mutate(); }), "G2");
  EXPECT_EQ(rule_of([&] { x.mutate(); }), "");
}

// ---- refusals ----

Code code_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) { return error.code(); }
  return Code::kOk;
}

TEST(Tape, G1_DtypesThatRequireNoGradients) {
  for (const DTypeInfo& d : kDTypes) {
    const bool allowed = d.kind == Kind::kFloat || d.kind == Kind::kComplex;
    const auto make = [&] { Var(value_or_throw(Tensor::zeros(d.dtype, {2})), true); };
    EXPECT_EQ(rule_of(make), allowed ? "" : "G1") << d.name;
    EXPECT_EQ(code_of(make), allowed ? Code::kOk : Code::kType) << d.name;
    EXPECT_TRUE(lucid_leaf(value_or_throw(Tensor::zeros(d.dtype, {2}))).requires_grad());
  }
}

TEST(Tape, G3_Seeds) {
  const Var x(tensor({1.0, 2.0}), true), y = x * x;
  const auto shape = [&] { y.backward(Var(scalar(1.0))); };
  const auto dtype = [&] { y.backward(Var(tensor({1.0F, 2.0F}))); };
  EXPECT_EQ(rule_of(shape), "G3");
  EXPECT_EQ(code_of(shape), Code::kInvalidArgument);
  EXPECT_EQ(rule_of(dtype), "G3");
  EXPECT_EQ(code_of(dtype), Code::kType);
  EXPECT_EQ(rule_of([&] { gradients({y, y}, {x}, {Var(tensor({1.0, 2.0}))}); }), "G3");
}

TEST(Tape, G3_RulesThatGiveAnotherShape) {
  const Var x = leaf(3);
  const Var y = record("odd", scalar(1.0), {x}, [](const Var&) { return Inputs{Var(tensor({1.0}))}; });
  EXPECT_EQ(rule_of([&] { y.backward(); }), "G3");
}

TEST(Tape, G4_NoHistory) {
  const Var x(scalar(1.0));
  EXPECT_EQ(rule_of([&] { x.backward(); }), "G4");
  EXPECT_EQ(rule_of([&] { gradients({x}, {x}); }), "G4");
  EXPECT_EQ(rule_of([&] { Var(x).on_gradient([](const Var& g) { return g; }); }), "G4");
  EXPECT_EQ(rule_of([&] { Var().backward(); }), "G4");
  EXPECT_EQ(rule_of([&] { x + Var(); }), "G4");
}

// ---- size ----

/// x → x + 1 → …, a million times, forwards, back and gone.
TEST(Tape, AMillionNodes) {
  constexpr int kNodes = effort(1000000, 50000);
  const Alive alive;
  {
    const Var x = leaf(3), one(scalar(1.0));
    Var y = x;
    for (int i = 0; i < kNodes; ++i) y = i % 2 == 0 ? y * one : y + one;
    EXPECT_EQ(alive.more_nodes(), kNodes + 1);
    y.backward();
    EXPECT_EQ(item(x.grad()), 1);
  }
  EXPECT_EQ(alive.more_nodes(), 0);
  EXPECT_EQ(alive.more_states(), 0);
}

TEST(Tape, ManyNodesThatAreNotFreedByAPass) {
  const Alive alive;
  {
    const Var x = leaf(3);
    Var y = x;
    for (int i = 0; i < effort(200000, 50000); ++i) y = exp(y);
    gradients({y}, {x}, {}, {.retain_graph = true});
  }
  EXPECT_EQ(alive.more_nodes(), 0);
}

/// Fibonacci: paths grow exponentially, nodes do not.
TEST(Tape, EveryNodeRunsOnce) {
  const Var x = leaf(1);
  Var a = x, b = x;
  for (int i = 0; i < 60; ++i) std::tie(a, b) = std::pair(b, a + b);
  b.backward();
  EXPECT_EQ(item(x.grad()), item(b));
}

TEST(Tape, NothingLeaks) {
  const Alive alive;
  {
    Var x = leaf(3), y = exp(x) * tanh(x) / sqrt(x);
    y.backward({}, {.create_graph = true});  // the leaf's gradient leads back to the leaf
    const Var g = x.grad();
    gradients({g}, {x}, {}, {.create_graph = true})[0].backward();
  }
  EXPECT_EQ(alive.more_states(), 0);
  EXPECT_EQ(alive.more_nodes(), 0);
}

TEST(Tape, ALeafThatIsGoneGetsNothing) {
  const Var x = leaf(3);
  Var y;
  {
    const Var gone = leaf(5);
    y = x * gone;
  }
  y.backward();
  EXPECT_EQ(item(x.grad()), 5);
}

// Destroyed after every thread_local object of the main thread.
Var late;  // NOLINT(bugprone-throwing-static-initialization)
TEST(Tape, VariablesOfStaticStorage) {
  late = leaf(3);
  for (int i = 0; i < 1000; ++i) late = exp(late);
}

}  // namespace
}  // namespace garner::grad
