#include <fstream>
#include <functional>
#include <map>

#include "garner/row_gradient.h"
#include "grad/row_test.h"

namespace garner {
namespace {

using index::elements;
using index::Random;

// ---- the formulas written out, on plain vectors ----

using Numbers = std::vector<double>;

struct Plain {
  Numbers w, first, second;
  Index step = 0;
  explicit Plain(const Numbers& table, double initial = 0)
      : w(table), first(table.size(), initial), second(table.size()) {}
};

/// One step; `g` has an entry where the element is in the gradient.
using PlainStep = std::function<void(Plain&, const std::map<std::size_t, double>& g)>;

PlainStep plain(const SgdOptions& o) {
  return [o](Plain& p, const auto& gradient) {
    for (const auto& [i, given] : gradient) {
      const double g = given + o.weight_decay * p.w[i];
      p.first[i] = o.momentum * p.first[i] + g;
      p.w[i] = p.w[i] - o.lr * p.first[i];
    }
  };
}

PlainStep plain(const AdagradOptions& o) {
  return [o](Plain& p, const auto& gradient) {
    const double lr = o.lr / (1 + static_cast<double>(p.step) * o.lr_decay);
    for (const auto& [i, given] : gradient) {
      const double g = given + o.weight_decay * p.w[i];
      p.first[i] = p.first[i] + g * g;
      p.w[i] = p.w[i] - lr * g / (std::sqrt(p.first[i]) + o.eps);
    }
    ++p.step;
  };
}

PlainStep plain(const AdamOptions& o) {
  return [o](Plain& p, const auto& gradient) {
    ++p.step;
    const double n = static_cast<double>(p.step), c1 = 1 - std::pow(o.beta1, n), c2 = 1 - std::pow(o.beta2, n);
    for (const auto& [i, given] : gradient) {
      const double g = given + o.weight_decay * p.w[i];
      p.first[i] = o.beta1 * p.first[i] + (1 - o.beta1) * g;
      p.second[i] = o.beta2 * p.second[i] + (1 - o.beta2) * g * g;
      p.w[i] = p.w[i] - o.lr * (p.first[i] / c1) / (std::sqrt(p.second[i] / c2) + o.eps);
    }
  };
}

// ---- the same by the library ----

template <class T>
Tensor typed(const Numbers& values, const Axes& shape) {
  Tensor t = value_or_throw(Tensor::empty(dtype_of<T>, shape));
  for (std::size_t i = 0; i < values.size(); ++i) t.as<T>()[i] = T(static_cast<Compute<T>>(values[i]));
  return t;
}

template <class T>
Numbers numbers(const View& view) {
  Numbers out;
  for (const T v : elements<T>(view)) out.push_back(static_cast<double>(to_compute(v)));
  return out;
}

Numbers random_numbers(Random& random, Index n) {
  Numbers out;
  for (Index i = 0; i < n; ++i) out.push_back(static_cast<double>(random.below(129) - 64) / 32);
  return out;
}

/// How far `steps` roundings to T can lead; 16-bit tables are rounded every step, state never is.
template <class T>
double tolerance() {
  return static_cast<double>(to_compute(Eigen::NumTraits<T>::epsilon())) * 40;
}

template <class T>
void expect_near(const View& got, const Numbers& wanted) {
  const Numbers have = numbers<T>(got);
  for (std::size_t i = 0; i < have.size(); ++i)
    EXPECT_NEAR(have[i], wanted[i], tolerance<T>() * (1 + std::abs(wanted[i]))) << "element " << i;
}

/// What comes back to each element of a table, whose rows have n elements.
std::map<std::size_t, double> summed(const std::vector<int>& at, const Numbers& back, std::size_t n) {
  std::map<std::size_t, double> out;
  for (std::size_t i = 0; i < back.size(); ++i) out[static_cast<std::size_t>(at[i / n]) * n + i % n] += back[i];
  return out;
}

/// Some steps by rows on a [rows, row…] table, with duplicates, against the formulas.
template <class T, class O, class Options>
void check_rows(const Options& options, double initial, const Axes& row) {
  const Index rows = 9, length = View(DType::kF32, nullptr, row).elements();
  Random random(3);
  Axes shape{rows}, back_shape{6};
  shape.insert(shape.end(), row.begin(), row.end());
  back_shape.insert(back_shape.end(), row.begin(), row.end());
  Tensor table = typed<T>(random_numbers(random, rows * length), shape);
  O optimiser(options);
  Plain wanted(numbers<T>(table), initial);
  for (int step = 0; step < 8; ++step) {
    const Tensor back = typed<T>(random_numbers(random, 6 * length), back_shape);
    std::vector<int> at(6);
    for (int& i : at) i = static_cast<int>(random.below(rows));
    const std::map<std::size_t, double> g = summed(at, numbers<T>(back), static_cast<std::size_t>(length));
    plain(options)(wanted, g);
    optimiser.step(table.view(), row_gradient(at, back, shape));
    expect_near<T>(table, wanted.w);
    wanted.w = numbers<T>(table);  // a 16-bit table is rounded, and where a sum is nearly 0 its sign decides the step
  }
  EXPECT_EQ(optimiser.memory().steps, 8);
}

TEST(Optimiser, StepsByRowsFollowTheFormulas) {
  for_each_table_dtype(1, []<class T>(Random&) {
    for (const Axes& row : {Axes{}, Axes{5}, Axes{3, 11}, Axes{700}}) {
      check_rows<T, Sgd>(SgdOptions{.lr = 0.1}, 0, row);
      check_rows<T, Adagrad>(AdagradOptions{.lr = 0.1}, 0, row);
      check_rows<T, Adagrad>(AdagradOptions{.lr = 0.1, .eps = 0.01, .initial_accumulator = 0.5, .lr_decay = 0.2}, 0.5,
                             row);
      check_rows<T, Adam>(AdamOptions{.lr = 0.1}, 0, row);
      check_rows<T, Adam>(AdamOptions{.lr = 0.1, .beta1 = 0.5, .beta2 = 0.7, .eps = 0.1}, 0, row);
    }
  });
}

std::map<std::size_t, double> everywhere(const Numbers& values) {
  std::map<std::size_t, double> out;
  for (std::size_t i = 0; i < values.size(); ++i) out[i] = values[i];
  return out;
}

// Weight decay is a power of two: where it cancels the gradient, the sum is 0 in every dtype, and Adam divides by it.
template <class T, class O, class Options>
void check_dense(const Options& options, double initial, const Axes& shape) {
  Random random(4);
  const Index n = View(DType::kF32, nullptr, shape).elements();
  Tensor table = typed<T>(random_numbers(random, n), shape);
  O optimiser(options);
  Plain wanted(numbers<T>(table), initial);
  for (int step = 0; step < 6; ++step) {
    const Tensor gradient = typed<T>(random_numbers(random, n), shape);
    plain(options)(wanted, everywhere(numbers<T>(gradient)));
    optimiser.step(table.view(), gradient);
    expect_near<T>(table, wanted.w);
    wanted.w = numbers<T>(table);  // a 16-bit table is rounded, and where a sum is nearly 0 its sign decides the step
  }
}

TEST(Optimiser, DenseStepsFollowTheFormulas) {
  for_each_table_dtype(1, []<class T>(Random&) {
    for (const Axes& shape : {Axes{}, Axes{7}, Axes{3, 5}, Axes{2, 3, 1500}}) {
      check_dense<T, Sgd>(SgdOptions{.lr = 0.1}, 0, shape);
      check_dense<T, Sgd>(SgdOptions{.lr = 0.1, .weight_decay = 0.125}, 0, shape);
      check_dense<T, Sgd>(SgdOptions{.lr = 0.1, .momentum = 0.9, .weight_decay = 0.125}, 0, shape);
      check_dense<T, Adagrad>(
          AdagradOptions{.lr = 0.1, .initial_accumulator = 1, .weight_decay = 0.125, .lr_decay = 0.1}, 1, shape);
      check_dense<T, Adam>(AdamOptions{.lr = 0.1, .weight_decay = 0.125}, 0, shape);
    }
  });
}

// ---- PyTorch 2.15.0+cu132 on the CPU, f64: three steps of an embedding of [4, 2], sum(y * back) as the loss ----

const Numbers kTable{0.5, -1.0, 2.0, 0.25, -0.75, 1.5, 1.0, -0.125};
const std::vector<std::vector<int>> kIds{{2, 0, 2}, {3, 2, 3}, {0, 0, 1}};
const std::vector<Numbers> kBack{
    {1, -2, 0.5, 0.25, -3, 4}, {0.125, 1, 2, -0.5, 1.5, 0.75}, {-1, 0.5, 0.25, -0.25, 4, 3}};

void expect_golden(Optimiser& optimiser, bool by_rows, const Numbers& wanted, double tolerance = 1e-14) {
  Tensor table = typed<double>(kTable, {4, 2});
  for (std::size_t i = 0; i < kIds.size(); ++i) {
    const RowGradient g = row_gradient(kIds[i], typed<double>(kBack[i], {3, 2}), {4, 2});
    if (by_rows) optimiser.step(table.view(), g);
    else optimiser.step(table.view(), dense(g));
  }
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(table.as<double>()[i], wanted[i], tolerance) << i;
}

TEST(Optimiser, SgdEqualsTorch) {
  Sgd rows({.lr = 0.1}), whole({.lr = 0.1, .momentum = 0.9, .weight_decay = 0.01});
  expect_golden(rows, true,
                {0.52500000000000002, -1.05, 1.6000000000000001, -0.050000000000000017, -0.75, 1.3499999999999999,
                 0.83750000000000002, -0.29999999999999999});
  expect_golden(whole, false,
                {0.43688734950000002, -1.0870498239999999, 1.588789598, -0.051401300250000011, -0.58435589924999998,
                 1.0453019985000001, 0.68580729900000004, -0.456624349875});
}

TEST(Optimiser, AdagradEqualsTorch) {
  Adagrad rows({.lr = 0.1, .initial_accumulator = 0.5, .lr_decay = 0.1}),
      whole({.lr = 0.1, .initial_accumulator = 0.5, .weight_decay = 0.01, .lr_decay = 0.1});
  expect_golden(rows, true,
                {0.49681944564194025, -1.0596856471602922, 1.9179390060157984, 0.16888928943725029, -0.7180822177141023,
                 1.4265750716516958, 0.91664097267596034, -0.20928842271785525});
  expect_golden(whole, false,
                {0.49568527910312055, -1.0563508222698257, 1.9125357529874552, 0.16821129413401001,
                 -0.71761939630559135, 1.4252702319463713, 0.91471918581059541, -0.20901080413617731});
}

/// SparseAdam adds eps before the bias correction, Adam and we behind it: without eps both are one.
TEST(Optimiser, AdamEqualsTorch) {
  Adam rows({.lr = 0.1, .eps = 1e-30}), default_eps({.lr = 0.1}), whole({.lr = 0.1, .weight_decay = 0.01});
  expect_golden(rows, true,
                {0.42126427341462824, -1.1858462555765472, 1.9361186400601484, 0.18611864006014844,
                 -0.65526315789473688, 1.3530531828792112, 0.92558631764330179, -0.19941368235669821});
  expect_golden(default_eps, true,
                {0.42126432919899542, -1.185846052283241, 1.9361186451104131, 0.18611864679383433, -0.65526317311753657,
                 1.3530532058953002, 0.92558633212432828, -0.19941366891003059},
                3e-7);
  expect_golden(whole, false,
                {0.35608547875806462, -1.2433846510517974, 1.7357573130573245, -0.0097013706534441885,
                 -0.65856316224329892, 1.3150462603328905, 0.76701819566418428, -0.15681530677000011});
}

// ---- what must agree, and what must not move ----

/// body(make) for each optimiser with its defaults.
template <class Body>
void for_each_optimiser(Body&& body) {
  body([](OptimiserMemory m) { return std::make_unique<Sgd>(SgdOptions{.lr = 0.1}, std::move(m)); });
  body([](OptimiserMemory m) { return std::make_unique<Adagrad>(AdagradOptions{.lr = 0.1}, std::move(m)); });
  body([](OptimiserMemory m) { return std::make_unique<Adam>(AdamOptions{.lr = 0.1}, std::move(m)); });
}

/// State on the test's own memory, so that it can be looked at and handed on.
struct Kept {
  Tensor first, second;
  Kept(DType dtype, const Axes& shape)
      : first(value_or_throw(Tensor::zeros(dtype, shape))), second(value_or_throw(Tensor::zeros(dtype, shape))) {}
  OptimiserMemory memory(Index steps = 0) { return {{first.view(), second.view()}, steps}; }
};

template <class T>
DType state_of() {
  return dtype_of<Compute<T>>;
}

template <class T>
void check_untouched(const auto& make) {
  Random random(6);
  const Axes shape{50, 6};
  Tensor table = typed<T>(random_numbers(random, 300), shape), whole = value_or_throw(table.clone());
  const Tensor before = value_or_throw(table.clone());
  Kept a(state_of<T>(), shape), b(state_of<T>(), shape);
  const RowGradient g = row_gradient(tensor({7, 30, 7}), typed<T>(random_numbers(random, 18), {3, 6}), shape);
  make(a.memory())->step(table.view(), g);
  make(b.memory())->step(whole.view(), dense(g));
  EXPECT_TRUE(same_bits(a.first, b.first) && same_bits(a.second, b.second));
  EXPECT_TRUE(same_bits(table, whole));
  for (Index row = 0; row < 50; ++row)
    EXPECT_EQ(same_bits(slice_at(table, 0, row), slice_at(before, 0, row)), row != 7 && row != 30) << row;
}

TEST(Optimiser, TheFirstStepByRowsEqualsTheDenseOneAndLeavesOtherRowsAlone) {
  for_each_optimiser(
      [](const auto& make) { for_each_table_dtype(1, [&]<class T>(Random&) { check_untouched<T>(make); }); });
}

TEST(Optimiser, ByRowsWithEveryRowIsTheDenseStep) {
  for_each_optimiser([](const auto& make) {
    Random random(7);
    std::vector<int> all(40);
    for (int i = 0; i < 40; ++i) all[static_cast<std::size_t>(i)] = 39 - i;
    Tensor table = typed<float>(random_numbers(random, 40 * 3), {40, 3}), whole = value_or_throw(table.clone());
    Kept a(DType::kF32, {40, 3}), b(DType::kF32, {40, 3});
    const auto rows = make(a.memory()), full = make(b.memory());
    for (int step = 0; step < 4; ++step) {
      const RowGradient g = row_gradient(all, typed<float>(random_numbers(random, 120), {40, 3}), {40, 3});
      rows->step(table.view(), g);
      full->step(whole.view(), dense(g));
      EXPECT_TRUE(same_bits(table, whole) && same_bits(a.first, b.first) && same_bits(a.second, b.second));
    }
  });
}

/// The lazy one: a row that was in an earlier gradient does not move when it is not in this one; densely it would.
TEST(Optimiser, AdamByRowsIsLazy) {
  Adam lazy({.lr = 0.1}), dense_one({.lr = 0.1});
  Tensor table = tensor({1.0, 1.0}), whole = tensor({1.0, 1.0});
  const RowGradient first = row_gradient(tensor({0}), tensor({1.0}), {2}),
                    second = row_gradient(tensor({1}), tensor({1.0}), {2});
  lazy.step(table.view(), first), dense_one.step(whole.view(), dense(first));
  const double after_one = table.as<double>()[0];
  lazy.step(table.view(), second), dense_one.step(whole.view(), dense(second));
  EXPECT_EQ(table.as<double>()[0], after_one);
  EXPECT_LT(whole.as<double>()[0], after_one);
  EXPECT_EQ(static_cast<const double*>(lazy.memory().state[0].data())[0], 1 - 0.9);
}

TEST(Optimiser, AnyNumberOfThreadsGivesTheSameBits) {
  for_each_optimiser([](const auto& make) {
    for_each_table_dtype(1, [&]<class T>(Random&) {
      Random random(8);
      std::vector<Index> at(5000);
      for (Index& i : at) i = random.below(20000);
      const RowGradient g =
          row_gradient(at, typed<T>(random_numbers(random, 5000 * 20), {5000, 20}), {20000, 20}, {}, {.threads = 1});
      const Tensor start = typed<T>(random_numbers(random, 400000), {20000, 20}), full = dense(g);
      std::vector<Tensor> results;
      for (const int threads : {1, 2, 7}) {
        Tensor table = value_or_throw(start.clone());
        Kept kept(state_of<T>(), start.shape());
        const auto optimiser = make(kept.memory());
        optimiser->step(table.view(), g, {.threads = threads});
        optimiser->step(table.view(), full, {.threads = threads});
        results.push_back(table), results.push_back(kept.first), results.push_back(kept.second);
      }
      for (std::size_t i = 3; i < results.size(); ++i) EXPECT_TRUE(same_bits(results[i], results[i % 3])) << i;
    });
  });
}

TEST(Optimiser, RowsOfTheTableMayLieApartOrBackwards) {
  for_each_optimiser([](const auto& make) {
    Random random(9);
    const Tensor start = typed<float>(random_numbers(random, 24), {6, 4});
    const RowGradient g = row_gradient(tensor({5, 1}), typed<float>(random_numbers(random, 8), {2, 4}), {6, 4});
    for (const Index stride : {Index{4}, Index{7}, Index{-7}}) {
      std::vector<float> memory(64, -9.F);
      const MutableView table(memory.data() + (stride < 0 ? 40 : 0), Axes{6, 4}, Axes{stride, 1});
      for (Index i = 0; i < 24; ++i)
        static_cast<float*>(table.mutable_data())[i / 4 * stride + i % 4] = start.as<float>()[i];
      Tensor packed = value_or_throw(start.clone());
      Kept a(DType::kF32, {6, 4}), b(DType::kF32, {6, 4});
      const auto apart = make(a.memory()), together = make(b.memory());
      apart->step(table, g), together->step(packed.view(), g);
      apart->step(table, dense(g)), together->step(packed.view(), dense(g));
      EXPECT_TRUE(same_bits(table, packed)) << stride;
      EXPECT_EQ(std::count(memory.begin(), memory.end(), -9.F), 40) << stride;
    }
  });
}

TEST(Optimiser, ADenseGradientMayHaveAnyStrides) {
  Random random(10);
  const Tensor gradient = typed<float>(random_numbers(random, 12), {3, 4});
  const View turned(DType::kF32, gradient.data(), {4, 3}, {1, 4});
  Tensor a = typed<float>(random_numbers(random, 12), {4, 3}), b = value_or_throw(a.clone());
  Adam().step(a.view(), turned);
  Adam().step(b.view(), value_or_throw(contiguous(turned)));
  EXPECT_TRUE(same_bits(a, b));
}

TEST(Optimiser, GoesOnWhereAnotherStopped) {
  for_each_optimiser([](const auto& make) {
    Random random(11);
    Tensor table = typed<double>(random_numbers(random, 6), {3, 2}), other = value_or_throw(table.clone());
    Kept a(DType::kF64, {3, 2}), b(DType::kF64, {3, 2});
    const auto one = make(a.memory());
    for (Index step = 0; step < 4; ++step) {
      const Tensor g = typed<double>(random_numbers(random, 6), {3, 2});
      one->step(table.view(), g);
      make(b.memory(step))->step(other.view(), g);
      EXPECT_TRUE(same_bits(table, other)) << step;
    }
  });
}

TEST(Optimiser, NanStaysInItsPlaceAndEmptyGradientsCountAsSteps) {
  Adagrad optimiser;
  Tensor table = tensor({1.F, 1.F, 1.F});
  optimiser.step(table.view(), row_gradient(tensor({1, 2}), tensor({NAN, 1.F}), {3}));
  EXPECT_EQ(table.as<float>()[0], 1.F);
  EXPECT_TRUE(std::isnan(table.as<float>()[1]));
  EXPECT_FLOAT_EQ(table.as<float>()[2], 0.99F);
  const Tensor none = value_or_throw(Tensor::empty(DType::kI64, {0}));
  const Tensor nothing = value_or_throw(Tensor::empty(DType::kF32, {0}));
  optimiser.step(table.view(), row_gradient(none, nothing, {3}));
  EXPECT_EQ(optimiser.memory().steps, 2);
  Tensor empty = value_or_throw(Tensor::empty(DType::kF32, {0, 5}));
  Adam().step(empty.view(), empty);
}

/// 0 * infinity would be NaN: options that are 0 leave their term out.
TEST(Optimiser, WithoutWeightDecayTheTableDoesNotEnterTheGradient) {
  for_each_table_dtype(1, []<class T>(Random&) {
    Tensor table = typed<T>({INFINITY, 1}, {2});
    Adagrad().step(table.view(), typed<T>({1, 1}, {2}));
    EXPECT_EQ(numbers<T>(table)[0], INFINITY);
  });
}

// ---- errors ----

struct Steps {
  Tensor table = tensor({{1.F, 2.F}, {3.F, 4.F}}), gradient = tensor({{1.F, 1.F}, {1.F, 1.F}});
  RowGradient rows = row_gradient(tensor({1}), tensor({{1.F, 1.F}}), {2, 2});

  std::string by_rows(Optimiser&& o) {
    return refused(o, [&] { return o.try_step(table.view(), rows); });
  }
  std::string whole(Optimiser&& o) {
    return refused(o, [&] { return o.try_step(table.view(), gradient); });
  }
  /// A refused step changes nothing and does not count.
  std::string refused(Optimiser& o, const std::function<Status()>& step) {
    const Tensor before = value_or_throw(table.clone());
    const std::string error = error_of(step());
    EXPECT_TRUE(same_bits(before, table));
    EXPECT_EQ(o.memory().steps, 0);
    return error;
  }
};

TEST(Optimiser, RefusesByRowsWhatWouldMoveOtherRows) {
  Steps s;
  EXPECT_EQ(s.by_rows(Sgd({.momentum = 0.5})), "R4 sgd: momentum is 0.5, allowed 0 in a step by rows");
  EXPECT_EQ(s.by_rows(Sgd({.weight_decay = 0.5})), "R4 sgd: weight_decay is 0.5, allowed 0 in a step by rows");
  EXPECT_EQ(s.by_rows(Adagrad({.weight_decay = 0.5})), "R4 adagrad: weight_decay is 0.5, allowed 0 in a step by rows");
  EXPECT_EQ(s.by_rows(Adam({.weight_decay = 0.5})), "R4 adam: weight_decay is 0.5, allowed 0 in a step by rows");
  EXPECT_THROW(Sgd({.momentum = 0.5}).step(s.table.view(), s.rows), UnsupportedError);
}

TEST(Optimiser, RefusesOptionsOutsideTheirRange) {
  Steps s;
  EXPECT_EQ(s.whole(Sgd({.lr = -1})), "R5 sgd: lr is -1, allowed [0, inf)");
  EXPECT_EQ(s.whole(Sgd({.lr = NAN})), "R5 sgd: lr is nan, allowed [0, inf)");
  EXPECT_EQ(s.whole(Sgd({.momentum = -1})), "R5 sgd: momentum is -1, allowed [0, inf)");
  EXPECT_EQ(s.whole(Adagrad({.lr_decay = -1})), "R5 adagrad: lr_decay is -1, allowed [0, inf)");
  EXPECT_EQ(s.whole(Adam({.beta1 = 1})), "R5 adam: beta1 is 1, allowed [0, 1)");
  EXPECT_EQ(s.by_rows(Adam({.beta2 = -0.1})), "R5 adam: beta2 is -0.1, allowed [0, 1)");
}

TEST(Optimiser, RefusesWhatDoesNotFitTheTable) {
  Steps s;
  s.gradient = tensor({1.F, 2.F});
  EXPECT_EQ(s.whole(Adam()), "R2 adam: gradient has shape [2], allowed [2,2]");
  s.gradient = tensor({{1.0, 2.0}, {1.0, 2.0}});
  EXPECT_EQ(s.whole(Adam()), "R3 adam: gradient is f64, allowed f32");
  s.rows.shape = {3, 2};
  EXPECT_EQ(s.by_rows(Adam()), "R2 adam: table has shape [2,2], allowed [3,2]");
  s.rows = row_gradient(tensor({1}), tensor({{1.0, 1.0}}), {2, 2});
  EXPECT_EQ(s.by_rows(Adam()), "R3 adam: table is f32, allowed f64");
  s.rows.rows = tensor({2L});
  EXPECT_EQ(s.by_rows(Adam()), "R1 adam: rows[0] is 2, allowed [0, 2) as rows rise");
  s.table = tensor({{1, 2}, {3, 4}}), s.gradient = s.table;
  EXPECT_EQ(s.whole(Adam()), "R3 adam: table is i32, allowed f16, bf16, f32 or f64");
}

TEST(Optimiser, ServesOneTable) {
  Adam optimiser;
  Tensor a = tensor({1.F, 2.F}), b = tensor({1.F, 2.F, 3.F}), c = tensor({1.0, 2.0});
  optimiser.step(a.view(), tensor({1.F, 1.F}));
  EXPECT_EQ(error_of(optimiser.try_step(b.view(), tensor({1.F, 1.F, 1.F}))),
            "R2 adam: state has shape [2], allowed [3]");
  EXPECT_EQ(error_of(optimiser.try_step(c.view(), tensor({1.0, 1.0}))), "R3 adam: state is f32, allowed f64");
  EXPECT_EQ(optimiser.memory().steps, 1);
}

TEST(Optimiser, ChecksTheMemoryItIsGiven) {
  Steps s;
  Tensor one = value_or_throw(Tensor::zeros(DType::kF32, {2, 2})),
         wrong = value_or_throw(Tensor::zeros(DType::kF32, {4}));
  EXPECT_EQ(s.whole(Adam({}, {.state = {one.view()}})), "R2 adam: number of states is 1, allowed 2");
  EXPECT_EQ(s.whole(Adagrad({}, {.state = {wrong.view()}})), "R2 adagrad: state has shape [4], allowed [2,2]");
  const MutableView turned(DType::kF32, one.mutable_data(), {2, 2}, {1, 2});
  EXPECT_EQ(s.whole(Adagrad({}, {.state = {turned}})), "R4 adagrad: state has strides [1,2], allowed row-major");
  const std::string apart = "table, gradient and state overlap, allowed separate memory";
  EXPECT_EQ(s.whole(Adagrad({}, {.state = {s.table.view()}})), "R2 adagrad: " + apart);
  EXPECT_EQ(s.whole(Adam({}, {.state = {one.view(), one.view()}})), "R2 adam: " + apart);
  s.gradient = s.table;
  EXPECT_EQ(s.whole(Sgd()), "R2 sgd: " + apart);
}

TEST(Optimiser, RefusesTablesItCannotWalk) {
  float memory[16] = {};
  const Tensor g = tensor({{1.F, 1.F}, {1.F, 1.F}});
  const auto error = [&](const MutableView& table) { return error_of(Sgd().try_step(table, g)); };
  EXPECT_EQ(error(MutableView(memory, Axes{2, 2}, Axes{1, 4})),
            "R4 sgd: table has strides [1,4], allowed rows without gaps");
  EXPECT_EQ(error(MutableView(memory, Axes{2, 2}, Axes{0, 1})),
            "R2 sgd: table has strides [0,1], allowed rows apart from each other");
  EXPECT_EQ(error(MutableView(DType::kF32, nullptr, {2, 2})).substr(0, 2), "V4");
  EXPECT_EQ(error(MutableView(memory, Axes{2, 2}, Axes{2})).substr(0, 2), "V3");
}

// ---- a table nobody could afford to walk ----

Index resident_bytes() {
  Index total = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return resident * 4096;
}

/// 10,000,000 rows of 64 floats: three rows touched cost three rows' pages, in the table and in what is remembered.
TEST(LargeOptimiser, AStepByRowsTouchesTheMemoryOfItsRowsOnly) {
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
  GTEST_SKIP() << "ThreadSanitizer keeps several bytes for each of ours, which count as resident";
#endif
#endif
  Tensor table = value_or_throw(Tensor::empty(DType::kF32, {10'000'000, 64}));
  const Tensor back = value_or_throw(Tensor::zeros(DType::kF32, {3, 64}));
  const Index before = resident_bytes();
  Adagrad optimiser;
  optimiser.step(table.view(), row_gradient(tensor({9'999'999, 0, 5'000'000}), back, table.shape()));
  EXPECT_LT(resident_bytes() - before, table.bytes() / 4);  // the sanitizers' own books are an eighth
}

}  // namespace
}  // namespace garner
