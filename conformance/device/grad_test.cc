// Gradients on a device against the CPU's: the vjp of every case, the tape's operations with their rules, row gradients
// and optimisers. Needs a CUDA device.
#include <cuda_runtime.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "conformance/case_file.h"
#include "conformance/device/device_harness.h"
#include "conformance/device/tape_recipes.h"
#include "dtype/convert.h"
#include "garner/grad.h"
#include "garner/row_gradient.h"
#include "garner/torch.h"

namespace garner::conformance {
namespace {

using grad::Var;

Tensor there(const Tensor& tensor) { return value_or_throw(cuda::copy_to(tensor, cuda::device())); }
Tensor here(const Tensor& tensor) { return value_or_throw(cuda::copy_to(tensor, {})); }

Tensor random(DType dtype, const Axes& shape, unsigned seed, double low = -2, double high = 2) {
  std::mt19937 engine(seed);
  std::uniform_real_distribution<double> draw(low, high);
  Tensor out = value_or_throw(Tensor::empty(dtype, shape));
  dispatch(dtype, [&]<class T>() {
    for (Index i = 0; i < out.elements(); ++i)
      if constexpr (is_complex_v<T>) out.as<T>()[i] = convert<T>(std::complex<double>(draw(engine), draw(engine)));
      else out.as<T>()[i] = convert<T>(draw(engine));
  });
  return out;
}

/// The distance between neighbours, relative.
double epsilon(DType dtype) {
  if (dtype == DType::kF64 || dtype == DType::kC128) return 0x1p-52;
  if (dtype == DType::kF32 || dtype == DType::kC64) return 0x1p-23;
  return dtype == DType::kF16 ? 0x1p-10 : dtype == DType::kBF16 ? 0x1p-7 : 0x1p-2;
}

/// Within so many places of the last bit; 0: the same bits.
bool is_close(const Tensor& a, const Tensor& b, double places) {
  if (places == 0 || kind(a.dtype()) == Kind::kInt) return same_values(a, b, true);
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  bool close = true;
  dispatch(a.dtype(), [&]<class T>() {
    for (Index i = 0; i < a.elements(); ++i) {
      const auto x = convert<std::complex<double>>(a.as<T>()[i]), y = convert<std::complex<double>>(b.as<T>()[i]);
      const bool both_nan = x != x && y != y;
      close = close && (both_nan || x == y || std::abs(x - y) <= places * epsilon(a.dtype()) * (1 + std::abs(y)));
    }
  });
  return close;
}

// ---- every case ----

Value moved_value(const Value& value) {
  if (const auto memory = value.memory()) return Value{there(value_or_throw(contiguous(*memory)))};
  const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
  if (list == nullptr) return value;
  auto out = std::make_shared<Values>();
  for (const Value& item : **list) out->push_back(moved_value(item));
  return Value{std::move(out)};
}

/// Views as tensors, as vjp() wants them.
Value owned(const Value& value) {
  if (const auto memory = value.memory()) return Value{value_or_throw(contiguous(*memory))};
  const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
  if (list == nullptr) return value;
  auto out = std::make_shared<Values>();
  for (const Value& item : **list) out->push_back(owned(item));
  return Value{std::move(out)};
}

void collect(const Value& value, std::vector<std::optional<Tensor>>& out) {
  if (const auto* tensor = std::get_if<Tensor>(&value.held)) out.emplace_back(*tensor);
  else if (const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held))
    for (const Value& item : **list) collect(item, out);
  else out.emplace_back();
}

bool same_gradients(const std::vector<CallArgument>& device, const std::vector<CallArgument>& cpu) {
  std::vector<std::optional<Tensor>> a, b;
  for (const CallArgument& g : device) collect(g.value, a);
  for (const CallArgument& g : cpu) collect(g.value, b);
  bool same = a.size() == b.size();
  for (std::size_t i = 0; same && i < a.size(); ++i) {
    same = a[i].has_value() == b[i].has_value();
    // Quotients of complex numbers may differ in the last bits.
    if (same && a[i]) same = is_close(here(*a[i]), *b[i], kind(b[i]->dtype()) == Kind::kComplex ? 8 : 0);
  }
  return same;
}

TEST(DeviceGrad, EveryCase) {
  Tally tally("gradients");
  for (const Case& c : all_cases()) {
    const auto call = parse_call(c.call, c.names);
    if (!call.ok()) continue;
    const auto results = evaluate(*call);
    if (!results.ok()) continue;
    std::vector<Tensor> seeds, seeds_there;
    for (const Tensor& r : *results)
      seeds.push_back(random(r.dtype(), r.shape(), 5)), seeds_there.push_back(there(seeds.back()));
    Call cpu = *call, device = *call;
    for (CallArgument& argument : cpu.arguments) argument.value = owned(argument.value);
    for (CallArgument& argument : device.arguments) argument.value = moved_value(argument.value);
    const auto wanted = vjp(cpu, seeds);
    const auto is = vjp(device, seeds_there);
    if (tally.refused(*call, is.status())) continue;
    const bool same = is.ok() == wanted.ok() && is.status().message == wanted.status().message &&
                      (!is.ok() || same_gradients(*is, *wanted));
    tally.compare(c, same, is.status(), wanted.status());
  }
  tally.print();
}

// ---- the tape ----

/// The value and the gradients of all inputs, as one list.
std::vector<Tensor> outcome(const Recipe& recipe, DType dtype, bool on_device) {
  std::vector<Var> inputs;
  for (std::size_t i = 0; i < recipe.shapes.size(); ++i) {
    const Tensor value = random(dtype, recipe.shapes[i], static_cast<unsigned>(i), recipe.low);
    inputs.emplace_back(on_device ? there(value) : value, true);
  }
  const Var out = recipe.f(inputs);
  const Tensor seed = random(dtype, out.shape(), 77);
  out.backward(Var(on_device ? there(seed) : seed));
  std::vector<Tensor> found{out.value()};
  for (const Var& input : inputs)
    if (input.grad()) found.push_back(input.grad().value());
  if (on_device)
    for (Tensor& tensor : found) {
      EXPECT_FALSE(tensor.device().is_cpu()) << recipe.name;
      tensor = here(tensor);
    }
  return found;
}

void check(const Recipe& recipe, DType dtype) {
  SCOPED_TRACE(fmt::format("{} {}", recipe.name, name(dtype)));
  const auto wanted = outcome(recipe, dtype, false);
  const auto found = outcome(recipe, dtype, true);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < found.size(); ++i)
    EXPECT_TRUE(is_close(found[i], wanted[i], recipe.places)) << (i == 0 ? "value" : "gradient") << "\n"
                                                              << to_string(found[i]) << "\nCPU\n"
                                                              << to_string(wanted[i]);
}

class DeviceTape : public testing::TestWithParam<std::size_t> {};

TEST_P(DeviceTape, Recipe) {
  const Recipe recipe = recipes()[GetParam()];
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kF16, DType::kBF16}) check(recipe, dtype);
  if (recipe.of_complex)
    for (const DType dtype : {DType::kC64, DType::kC128}) check(recipe, dtype);
}

INSTANTIATE_TEST_SUITE_P(All, DeviceTape, testing::Range<std::size_t>(0, recipes().size()), [](const auto& info) {
  std::string name = recipes()[info.param].name;
  std::ranges::replace(name, ' ', '_');
  return name;
});

TEST(DeviceGrad, OnAnotherStream) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), cudaSuccess);
  {
    const OnStream on(stream);
    for (const Recipe& recipe : recipes()) check(recipe, DType::kF32);
  }
  cudaStreamDestroy(stream);
}

TEST(DeviceGrad, SecondDerivatives) {
  const auto twice = [](bool on_device) {
    const Tensor value = random(DType::kF64, {3, 4}, 3, 0.5);
    const Var x(on_device ? there(value) : value, true);
    const Var y = grad::sum(x * x * x);
    const Var first = grad::gradients({y}, {x}, {}, {.create_graph = true})[0];
    return here(grad::gradients({grad::sum(first * first)}, {x})[0].value());
  };
  EXPECT_TRUE(same_bits(twice(true), twice(false)));
}

// ---- sums in the CPU's order ----

TEST(DeviceGrad, SumsHaveTheCpusBits) {
  const std::vector<std::pair<Axes, std::vector<Axes>>> shapes = {
      {{}, {{}}},
      {{0, 3}, {{0}, {1}}},
      {{1000003}, {{0}}},
      {{7, 70001}, {{0}, {1}, {0, 1}}},
      {{70001, 7}, {{0}, {1}, {0, 1}}},
      {{300, 257, 9}, {{0}, {1}, {2}, {0, 2}, {1, 2}, {0, 1}, {0, 1, 2}}},
      {{40, 1, 20, 3, 50}, {{0, 2, 4}, {1, 3}, {2}, {3, 4}}},
      {{20000, 257}, {{0}, {1}}},
  };
  for (const auto& [shape, choices] : shapes)
    for (const Axes& axes : choices)
      for (const DType dtype : {DType::kF32, DType::kF64, DType::kBF16, DType::kI32, DType::kC64}) {
        SCOPED_TRACE(fmt::format("{} over {} of {}", name(dtype), fmt::join(axes, ","), fmt::join(shape, ",")));
        const Tensor a = random(dtype, shape, 9, -1e4, 1e4);
        const grad::Over over{.axes = axes};
        EXPECT_TRUE(same_values(here(grad::sum(Var(there(a)), over).value()), grad::sum(Var(a), over).value(), true));
        if (kind(dtype) == Kind::kInt) continue;
        EXPECT_TRUE(same_values(here(grad::mean(Var(there(a)), over).value()), grad::mean(Var(a), over).value(), true));
      }
}

TEST(DeviceGrad, NumbersOfTheCpuGoAlongLargerOnesDoNot) {
  const Var x(there(tensor({1.F, 2.F})), true);
  EXPECT_TRUE(same_bits(here((x * Var(scalar(3.F))).value()), tensor({3.F, 6.F})));
  try {
    x + Var(tensor({1.F, 2.F}));
    ADD_FAILURE() << "no error";
  } catch (const Error& error) { EXPECT_EQ(error.rule(), "P23"); }
}

TEST(DeviceGrad, BadTarget) {
  const Tensor logits = random(DType::kF32, {2, 3}, 1), target = tensor<Index>({0, 3});
  const auto message = [](const Tensor& l, const Tensor& t) -> std::string {
    try {
      grad::cross_entropy(Var(l), t);
    } catch (const Error& error) { return error.what(); }
    return "";
  };
  EXPECT_EQ(message(there(logits), there(target)), message(logits, target));
}

// ---- row gradients and optimisers ----

Tensor random_ids(DType dtype, const Axes& shape, Index rows, unsigned seed) {
  std::mt19937 engine(seed);
  std::uniform_int_distribution<Index> draw(0, rows - 1);
  Tensor out = value_or_throw(Tensor::empty(dtype, shape));
  dispatch_index(dtype, [&]<class T>() {
    for (Index i = 0; i < out.elements(); ++i) out.as<T>()[i] = static_cast<T>(draw(engine));
  }, [] {});
  return out;
}

void expect_same(const RowGradient& device, const RowGradient& cpu) {
  EXPECT_TRUE(same_values(here(device.rows), cpu.rows, false));
  EXPECT_TRUE(same_values(here(device.values), cpu.values, true));
  EXPECT_EQ(device.shape, cpu.shape);
}

TEST(DeviceRows, Gradient) {
  for (const DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64})
    for (const DType index : {DType::kI64, DType::kI32, DType::kU8, DType::kU64})
      for (const Axes& shape : {Axes{0}, Axes{1}, Axes{40, 7}, Axes{20000}}) {
        const Tensor ids = random_ids(index, shape, 100, 3);
        Axes wide = shape;
        wide.push_back(5);
        const Tensor back = random(dtype, wide, 4);
        const RowGradientOptions options{.padding = shape.size() == 2 ? std::optional<Index>(7) : std::nullopt};
        expect_same(row_gradient(there(ids), there(back), {100, 5}, options),
                    row_gradient(ids, back, {100, 5}, options));
      }
}

TEST(DeviceRows, MergeAndDense) {
  const auto of = [](unsigned seed, bool on_device) {
    const Tensor ids = random_ids(DType::kI64, {50}, 30, seed), back = random(DType::kF32, {50, 3}, seed);
    return on_device ? row_gradient(there(ids), there(back), {30, 3}) : row_gradient(ids, back, {30, 3});
  };
  expect_same(merge(of(1, true), of(2, true)), merge(of(1, false), of(2, false)));
  EXPECT_TRUE(same_values(here(dense(of(1, true))), dense(of(1, false)), true));
}

TEST(DeviceRows, BadIndex) {
  const Tensor back = random(DType::kF32, {2, 2, 3}, 1);
  const auto error = [&](const Tensor& ids, bool on_device, std::optional<Index> padding = {}) {
    const Tensor cotangent = on_device ? there(back) : back;
    return rows::row_gradient(on_device ? there(ids) : ids, cotangent, {5, 3}, {padding}).status().message;
  };
  for (const Tensor& ids : {tensor<Index>({{0, 4}, {5, -1}}), tensor<Index>({{0, -1}, {1, 2}})})
    EXPECT_EQ(error(ids, true), error(ids, false));
  EXPECT_EQ(error(tensor<Index>({{0, -1}, {1, 2}}), true, -1), "");
  const Tensor huge = tensor<std::uint64_t>({{0, ~std::uint64_t{0}}, {1, 2}});
  EXPECT_EQ(error(huge, true, -1), error(huge, false, -1));
}

/// Steps by rows and dense steps over several batches: the same bits in the table and in what is remembered.
template <class O>
void check_steps(const typename std::remove_cvref_t<decltype(O().options)>& options, DType dtype, bool by_rows) {
  const Axes shape{64, 12};
  Tensor table = random(dtype, shape, 1);
  const Tensor table_there = there(table);
  O cpu(options), device(options);
  for (unsigned batch = 0; batch < 5; ++batch) {
    if (by_rows) {
      const Tensor ids = random_ids(DType::kI32, {40}, 64, batch), back = random(dtype, {40, 12}, batch + 9);
      cpu.step(table.view(), row_gradient(ids, back, shape));
      device.step(table_there.view(), row_gradient(there(ids), there(back), shape));
    } else {
      const Tensor gradient = random(dtype, shape, batch + 9);
      cpu.step(table.view(), View(gradient));
      device.step(table_there.view(), View(there(gradient)));
    }
  }
  EXPECT_TRUE(same_values(here(table_there), table, true));
  for (std::size_t i = 0; i < cpu.memory().state.size(); ++i)
    EXPECT_TRUE(same_values(value_or_throw(cuda::copy_to(device.memory().state[i], {})), cpu.memory().state[i], true));
}

TEST(DeviceRows, Optimisers) {
  for (const DType dtype : {DType::kF16, DType::kBF16, DType::kF32, DType::kF64}) {
    SCOPED_TRACE(name(dtype));
    for (const bool by_rows : {true, false}) {
      check_steps<Sgd>({.lr = 0.1}, dtype, by_rows);
      check_steps<Adagrad>({.lr = 0.1, .initial_accumulator = 0.5, .lr_decay = 0.01}, dtype, by_rows);
      check_steps<Adam>({.lr = 0.01}, dtype, by_rows);
    }
    check_steps<Sgd>({.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01}, dtype, false);
    check_steps<Adam>({.lr = 0.01, .weight_decay = 0.1}, dtype, false);
  }
}

TEST(DeviceRows, RefusedStepsChangeNothing) {
  const Tensor table = there(random(DType::kF32, {4, 2}, 1)), before = here(table);
  Sgd sgd({.lr = 0.1});
  const RowGradient wrong{there(tensor<Index>({1, 7})), there(random(DType::kF32, {2, 2}, 2)), {4, 2}};
  EXPECT_EQ(sgd.try_step(table.view(), wrong).rule, "R1");
  const Tensor mine = random(DType::kF32, {4, 2}, 3);
  EXPECT_EQ(sgd.try_step(table.view(), View(mine)).rule, "P23");
  EXPECT_TRUE(same_bits(here(table), before));
  EXPECT_EQ(sgd.memory().steps, 0);
}

}  // namespace
}  // namespace garner::conformance
