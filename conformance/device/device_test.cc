// Needs a CUDA device. Built with the others, run by scripts/device-test.
#include <cuda_runtime.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "conformance/case_file.h"
#include "conformance/device/device_harness.h"
#include "conformance/random_plan.h"
#include "device/cpu/tuning.h"
#include "garner/error.h"
#include "garner/torch.h"
#include "run/job_builder.h"
#include "tensor/cast.h"

namespace garner {

std::ostream& operator<<(std::ostream& os, const Job& job) { return os << "\n" << print(job.plan); }  // for rapidcheck

namespace conformance {
namespace {

/// Every plan that a case of any dialect becomes.
TEST(Device, EveryCase) {
  int jobs_run = 0, failures = 0;
  for (const Case& c : all_cases()) {
    const auto call = parse_call(c.call, c.names);
    if (!call.ok()) continue;
    const auto jobs = lower(*call);
    if (!jobs.ok()) continue;
    for (const Job& job : *jobs) {
      ++jobs_run;
      for (const std::string& finding : check_on_device(job))
        if (++failures <= 20) ADD_FAILURE() << c.file << ":" << c.line << " " << c.name << ": " << finding;
    }
  }
  fmt::print("{} jobs of {} cases, {} findings\n", jobs_run, all_cases().size(), failures);
}

/// The calls themselves, on arguments that lie on the device: same results and errors, or a refusal that says so.
Value there(const Value& value, std::vector<Tensor>& kept) {
  if (const auto memory = value.memory()) return Value{moved(*memory, kept)};
  const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
  if (list == nullptr) return value;
  auto out = std::make_shared<Values>();
  for (const Value& item : **list) out->push_back(there(item, kept));
  return Value{std::move(out)};
}

TEST(Device, EveryCall) {
  Tally tally("results");
  for (const Case& c : all_cases()) {
    auto call = parse_call(c.call, c.names);
    if (!call.ok()) continue;
    const auto expected = evaluate(*call);
    std::vector<Tensor> kept;
    for (CallArgument& argument : call->arguments) argument.value = there(argument.value, kept);
    const auto is = evaluate(*call, {.wait = true});
    if (tally.refused(*call, is.status())) continue;
    bool same = is.ok() == expected.ok() && is.status().message == expected.status().message;
    for (std::size_t i = 0; same && is.ok() && i < is->size(); ++i)
      same = same_values(value_or_throw(cuda::copy_to((*is)[i], {})), (*expected)[i], true);
    tally.compare(c, same, is.status(), expected.status());
  }
  tally.print();
}

/// A pool that was made large enough once does not grow.
TEST(Device, WorkspaceIsWhatACallTakes) {
  const auto reserved = [] {
    cudaMemPool_t pool = nullptr;
    std::uint64_t bytes = 0;
    EXPECT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &bytes), cudaSuccess);
    return bytes;
  };
  std::vector<Tensor> kept;
  const Index rows = 1 << 20, updates = 3 << 20;
  const View table = moved(value_or_throw(Tensor::zeros(DType::kF32, {rows, 8})), kept);
  const View ids = moved(value_or_throw(Tensor::zeros(DType::kI64, {updates})), kept);
  const View more = moved(value_or_throw(Tensor::zeros(DType::kF32, {updates, 8})), kept);
  const Job job = value_or_throw(torch::lower_index_add(table, 0, ids, more));
  const Index bytes = value_or_throw(cuda::workspace(job));
  EXPECT_GT(bytes, 4 * updates * 4);  // keys and places, before and after they are sorted
  EXPECT_EQ(value_or_throw(cuda::workspace(value_or_throw(torch::lower_index_select(table, 0, ids)))), 0);
  ASSERT_TRUE(cuda::reserve(bytes + rows * 8 * 4 + (8 << 20)).ok());
  const auto before = reserved();
  for (int i = 0; i < 3; ++i) value_or_throw(run_one(job, {.wait = true}));
  EXPECT_EQ(reserved(), before);
}

/// Plans whose result has another shape than they have (rank 0, flattened), or that are one step of several: the result
/// is made there, and written to memory that is given there.
TEST(Device, ResultsAreMadeWhereTheirArraysLie) {
  const Tensor x = tensor({{1.F, 2.F}, {3.F, 4.F}}), row = tensor({9.F, -4.F}), number = scalar(7.F);
  const Tensor places = tensor<Index>({1, 0}), rows = tensor<Index>({{1, 0}}), here = tensor<Index>({0});
  const Tensor updates = tensor({{5.F, 6.F}}), one = tensor({5.F});
  const Word amax{"amax"}, prod{"prod"};
  const std::pair<const char*, Values> calls[] = {
      {"scatter", {{x}, {Index{0}}, {rows}, {updates}}},
      {"scatter_add", {{number}, {Index{0}}, {here}, {one}}},
      {"index_select", {{number}, {Index{0}}, {here}}},
      {"index_add", {{x}, {Index{1}}, {places}, {x}}},
      {"index_copy", {{x}, {Index{0}}, {here}, {updates}}},
      {"index_fill", {{x}, {Index{0}}, {here}, {Index{8}}}},
      {"put", {{x}, {places}, {row}}},
      {"scatter_reduce", {{x}, {Index{0}}, {rows}, {updates}, {amax}}},
      {"scatter_reduce", {{x}, {Index{0}}, {rows}, {updates}, {prod}, {false}}},
      {"index_reduce", {{x}, {Index{0}}, {here}, {updates}, {prod}, {false}}}};
  for (const auto& [name, values] : calls) {
    SCOPED_TRACE(name);
    const Operation operation = value_or_throw(Operation::find("torch", name));
    const Tensor expected = value_or_throw(operation.call(values)).front();
    std::vector<Tensor> kept;
    Values moved_values;
    for (const Value& value : values) moved_values.push_back(there(value, kept));
    const auto is = operation.call(moved_values, {.wait = true});
    ASSERT_TRUE(is.ok()) << is.status().message;
    const Tensor result = is->front();
    EXPECT_FALSE(result.device().is_cpu());
    EXPECT_TRUE(same_values(value_or_throw(cuda::copy_to(result, {})), expected, true));
    const Tensor out = value_or_throw(cuda::empty(expected.dtype(), expected.shape(), result.device()));
    const auto into = operation.call_into(moved_values, out.view(), {.wait = true});
    ASSERT_TRUE(into.ok()) << into.status().message;
    EXPECT_TRUE(same_values(value_or_throw(cuda::copy_to(out, {})), expected, true));
  }
}

RC_GTEST_PROP(Device, RandomPlans, ()) {
  for (int i = 0; i < 10; ++i) {
    const auto findings = check_on_device(*random_job());
    if (!findings.empty()) RC_FAIL(findings.front());
  }
}

Tensor numbers(DType dtype, const Axes& shape, std::uint64_t seed) {
  Tensor t = value_or_throw(Tensor::empty(DType::kF32, shape));
  std::mt19937_64 random(seed);
  std::normal_distribution<float> normal;
  for (Index i = 0; i < t.elements(); ++i) t.as<float>()[i] = normal(random);
  return value_or_throw(cast(t, dtype));
}

Tensor indices(Index count, Index extent, double hot, std::uint64_t seed) {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, {count}));
  std::mt19937_64 random(seed);
  for (Index i = 0; i < count; ++i) {
    const bool is_hot = static_cast<double>(random() % 1000) < 1000 * hot;
    t.as<Index>()[i] = is_hot ? 7 : static_cast<Index>(random() % static_cast<std::uint64_t>(extent));
  }
  return t;
}

std::uint64_t hash(const Tensor& t) {
  std::uint64_t h = 1469598103934665603ULL;
  const auto* bytes = t.as<unsigned char>();
  for (Index i = 0; i < t.bytes(); ++i) h = (h ^ bytes[i]) * 1099511628211ULL;
  return h;
}

struct Sum {
  DType dtype;
  Index places, width, rows;
  double hot;  // the share of the rows that go to one place
};

/// At level exact: the bits on 1 and 16 threads and on the device.
void expect_same_bits(const Sum& s) {
  const Tensor into = numbers(s.dtype, {s.places, s.width}, 1), updates = numbers(s.dtype, {s.rows, s.width}, 2);
  const Tensor index = indices(s.rows, s.places, s.hot, 3);
  const auto sum = [&](const View& a, const View& i, const View& u, const RunOptions& options) {
    return value_or_throw(run_one(torch::lower_index_add(a, 0, i, u, torch::Scalar{1.0}), options));
  };
  const Tensor one = sum(into, index, updates, {.threads = 1}), many = sum(into, index, updates, {.threads = 16});
  const auto to = [](const Tensor& t) { return value_or_throw(cuda::copy_to(t, cuda::device())); };
  const Tensor a = to(into), i = to(index), u = to(updates);
  const Tensor device = value_or_throw(cuda::copy_to(sum(a, i, u, {.wait = true}), {}));
  fmt::print("{} x{} hot {}: {:016x} 1 thread, {:016x} 16 threads, {:016x} device\n", name(s.dtype), s.width, s.hot,
             hash(one), hash(many), hash(device));
  EXPECT_EQ(hash(one), hash(many));
  EXPECT_EQ(hash(one), hash(device));
}

TEST(Device, ExactSumsHaveTheSameBits) {
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kBF16, DType::kF16})
    for (const Index width : {Index{1}, Index{3}, Index{128}})
      for (const double hot : {0.0, 0.5}) expect_same_bits({dtype, 5000, width, width == 128 ? 100000 : 400000, hot});
}

/// Seventeen groups of lanes share a row, the last of which has less of it; beside them whole warps add a long place.
TEST(Device, ExactSumsOfWideRows) {
  for (const auto& [dtype, width] : {std::pair{DType::kBF16, 4104}, std::pair{DType::kF32, 2056}})
    for (const double hot : {0.0, 0.1}) expect_same_bits({dtype, 5000, width, 8000, hot});
}

Tensor random_indices(const Axes& shape, Index lo, Index hi, DType dtype, std::uint64_t seed) {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, shape));
  std::mt19937_64 random(seed);
  for (Index i = 0; i < t.elements(); ++i)
    t.as<Index>()[i] = lo + static_cast<Index>(random() % static_cast<std::uint64_t>(hi - lo));
  return value_or_throw(cast(t, dtype));
}

void expect_clean(const Job& job, const std::string& what) {
  for (const std::string& finding : check_on_device(job)) ADD_FAILURE() << what << ": " << finding.substr(0, 300);
}

/// What small cases do not reach: lines and rows of real sizes, several pieces a lane, all widths and bounds.
TEST(Device, RealSizes) {
  std::uint64_t seed = 11;
  for (const DType dtype : {DType::kU8, DType::kF16, DType::kF32, DType::kF64, DType::kC128}) {
    const Tensor x = numbers(dtype, {37, 4099}, ++seed);
    for (const OutOfRange policy : {OutOfRange::kTrap, OutOfRange::kFill, OutOfRange::kClamp}) {
      const Index beyond = policy == OutOfRange::kTrap ? 0 : 5;
      const Tensor index = random_indices({37, 5000}, -beyond, 4099 + beyond, DType::kI32, ++seed);
      auto b = JobBuilder::gather("test", x, {37, 5000});
      b.follow(0, 0).look_up(1, b.term(index, {0, 1}, {.hi = 4099, .policy = policy}, "index", "P16"));
      expect_clean(std::move(b).build(), fmt::format("lines of {}", name(dtype)));
      const Tensor codes = random_indices({100000}, -beyond, 4099 + beyond, DType::kI16, ++seed);
      auto dictionary = JobBuilder::gather("test", slice_at(x, 0, 3), {100000});
      dictionary.look_up(0, dictionary.term(codes, {0}, {.hi = 4099, .policy = policy}, "index", "P16"));
      expect_clean(std::move(dictionary).build(), fmt::format("codes of {}", name(dtype)));
    }
    for (const Index columns : {1, 2, 3, 5, 8, 16, 31, 64, 200, 1024, 3000}) {
      const Tensor table = numbers(dtype, {300, columns}, ++seed), updates = numbers(dtype, {1000, columns}, ++seed);
      const Tensor rows = random_indices({1000}, 0, 300, DType::kI64, ++seed);
      expect_clean(value_or_throw(torch::lower_index_select(table, 0, rows)), fmt::format("{} columns", columns));
      expect_clean(value_or_throw(torch::lower_index_copy(table, 0, rows, updates)),
                   fmt::format("{} columns", columns));
      expect_clean(value_or_throw(torch::lower_index_add(table, 0, rows, updates, torch::Scalar{1.0})),
                   fmt::format("{} columns", columns));
    }
    for (const Index lines : {100, 999}) {
      const Tensor tall = numbers(dtype, {lines, 50}, ++seed);
      const Tensor index = random_indices({700, 50}, -2, lines, DType::kI32, ++seed);
      auto b = JobBuilder::gather("test", tall, {700, 50});
      b.look_up(0, b.term(index, {0, 1}, {.hi = lines, .policy = OutOfRange::kFill}, "index", "P16")).follow(1, 1);
      expect_clean(std::move(b).build(), fmt::format("columns of {} {}", lines, name(dtype)));
    }
    const Tensor deep = numbers(dtype, {3, 700, 50}, ++seed);
    const Tensor into_deep = random_indices({3, 900, 50}, 0, 700, DType::kI64, ++seed);
    expect_clean(value_or_throw(torch::lower_gather(deep, 1, into_deep)), "gather along the middle axis");
    for (const Index dim : {0, 1}) {
      const Tensor index = random_indices({200, 300}, 0, dim == 0 ? 37 : 4099, DType::kI64, ++seed);
      const Tensor source = numbers(dtype, {200, 300}, ++seed),
                   into = numbers(dtype, {dim == 0 ? 37 : 200, 4099}, ++seed);
      expect_clean(value_or_throw(torch::lower_gather(into, dim, index)), fmt::format("gather along {}", dim));
      expect_clean(value_or_throw(torch::lower_scatter_add(into, dim, index, source)),
                   fmt::format("add along {}", dim));
    }
  }
}

/// Lists that one block sorts: of keys with one to three digits, some of them of no place, and some of many updates.
TEST(Device, ListsOfOneBlock) {
  std::uint64_t seed = 31;
  for (const Index count : {1025, 2047, 2048, 2049, 5000, 16383, 16384})
    for (const Index places : {Index{3}, Index{200}, Index{60000}, Index{1} << 25})
      for (const Index width : {1, 5}) {
        if (places > 100000 && (count != 5000 || width != 1)) continue;  // takes its time
        const Tensor into = numbers(DType::kF32, {places, width}, ++seed);
        const Tensor updates = numbers(DType::kF32, {count, width}, ++seed);
        const Tensor index = random_indices({count}, 0, places + places / 3, DType::kI64, ++seed);
        for (const Combine combine : {Combine::kAdd, Combine::kAssign, Combine::kMax}) {
          auto b = JobBuilder::scatter("test", into, updates, combine);
          b.look_up(0, b.term(index, {0}, {.hi = places, .policy = OutOfRange::kDrop}, "index", "P16")).follow(1, 1);
          expect_clean(std::move(b).build(), fmt::format("{} updates of {} places by {}", count, places, width));
        }
      }
}

/// Single elements by panels: updates all over the target, most of them in a few places or in one panel, which is then
/// split; of no place; fewer than a batch; the last panel not whole; sums of several blocks, hot and not.
TEST(Device, PanelsOfUpdates) {
  std::uint64_t seed = 61;
  for (const DType dtype : {DType::kI16, DType::kBF16, DType::kF32, DType::kI32})
    for (const auto& [places, count] :
         {std::pair<Index, Index>{200001, 90000}, {40000, 1500}, {8192, 16385}, {3000, 60000}})
      for (const Index reach : {places + places / 4, Index{500}, Index{3}}) {
        const Tensor into = numbers(dtype, {places}, ++seed), updates = numbers(dtype, {count}, ++seed);
        const Tensor index = random_indices({count}, -std::min<Index>(reach / 8, 2), reach, DType::kI64, ++seed);
        auto b = JobBuilder::scatter("test", into, updates, Combine::kAdd);
        b.look_up(0, b.term(index, {0}, {.hi = places, .policy = OutOfRange::kDrop}, "index", "P16"));
        expect_clean(std::move(b).build(),
                     fmt::format("{} updates of {} {}, {} of them", count, places, name(dtype), reach));
      }
  for (tuning_for_tests().sum_block = 1; tuning_for_tests().sum_block < 8; tuning_for_tests().sum_block += 2) {
    const Tensor into = numbers(DType::kF32, {3000}, ++seed), updates = numbers(DType::kF32, {20000}, ++seed);
    const Tensor index = random_indices({20000}, 0, 3000, DType::kI32, ++seed);
    auto b = JobBuilder::scatter("test", into, updates, Combine::kAdd);
    b.look_up(0, b.term(index, {0}, {.hi = 3000}, "index", "P16"));
    expect_clean(std::move(b).build(), fmt::format("blocks of {}", tuning_for_tests().sum_block));
  }
  tuning_for_tests() = {};
}

/// So many that the last call's sample decides how: even, half to one place, all in a few panels, and even again.
TEST(Device, ManySingleUpdates) {
  for (const auto& [places, hot] : {std::pair{Index{1} << 23, 0.0},
                                    {Index{1} << 23, 0.5},
                                    {Index{1} << 23, 0.5},
                                    {50000, 0.0},
                                    {Index{1} << 23, 0.0}}) {
    const Tensor into = numbers(DType::kF32, {Index{1} << 23}, 1), updates = numbers(DType::kF32, {5000000}, 2);
    const Tensor index = indices(5000000, places, hot, 3);
    const Tensor here = value_or_throw(run_one(torch::lower_index_add(into, 0, index, updates, torch::Scalar{1.0})));
    const auto to = [](const Tensor& t) { return value_or_throw(cuda::copy_to(t, cuda::device())); };
    const Tensor a = to(into), i = to(index), u = to(updates);
    for (const char* kernel : {"", "panel_scatter_cuda"}) {
      const auto there =
          run_one(torch::lower_index_add(a, 0, i, u, torch::Scalar{1.0}), {.kernel = kernel, .wait = true});
      ASSERT_TRUE(there.ok()) << there.status().message;
      EXPECT_EQ(hash(value_or_throw(cuda::copy_to(*there, {}))), hash(here))
          << places << " hot " << hot << " " << kernel;
    }
  }
}

/// Rows of all packed lengths and one more under two indices, from one tensor of pairs or two, both of them bad at
/// times.
TEST(Device, RowsUnderTwoIndices) {
  std::uint64_t seed = 21;
  for (const Index columns : {8, 16, 32, 64, 128, 40})
    for (const DType index_dtype : {DType::kI32, DType::kI64})
      for (const OutOfRange policy : {OutOfRange::kTrap, OutOfRange::kFill})
        for (const Index beyond : {0, 1}) {
          const Tensor x = numbers(DType::kF32, {30, 41, columns}, ++seed);
          const Tensor first = random_indices({999}, -beyond, 30 + beyond, index_dtype, ++seed);
          const Tensor second = random_indices({999, 2}, -41, 41 + beyond, index_dtype, ++seed);
          const auto gather = [&](const View& from, const char* way) {
            auto b = JobBuilder::gather("test", from, {999, columns});
            const auto i = b.term(first, {0}, {.hi = 30, .policy = policy}, "first", "P16");
            const auto j =
                b.term(slice_at(second, 1, 1), {0}, {.lo = 1, .hi = 41, .wrap = 41, .policy = policy}, "second", "P16");
            b.look_up(0, i).look_up(1, j).follow(2, 1);
            expect_clean(std::move(b).build(), fmt::format("{} columns {}, beyond by {}", columns, way, beyond));
          };
          gather(x, "forwards");
          gather(View(DType::kF32, x.as<float>() + 29 * 41 * columns, x.shape(), {-41 * columns, columns, 1}),
                 "backwards");
        }
}

/// Updates of lines that a block holds: along both axes, in groups of columns and not, few and very many to one place.
TEST(Device, LinesOfUpdates) {
  std::uint64_t seed = 31;
  for (const DType dtype : {DType::kU8, DType::kBF16, DType::kF32, DType::kI64, DType::kC64, DType::kC128})
    for (const DType index_dtype : {DType::kI32, DType::kI64})
      for (const Index columns : {1, 33, 64})
        for (const Index places : {600, 5000})
          for (const Index dim : {0, 1}) {
            const auto shape = [&](Index along) { return dim == 0 ? Axes{along, columns} : Axes{columns, along}; };
            const Index reach = columns == 33 ? 4 : places;  // nearly all meet
            const Tensor into = numbers(dtype, shape(places), ++seed), source = numbers(dtype, shape(2500), ++seed);
            const Tensor index = random_indices(shape(2500), 0, reach, index_dtype, ++seed);
            const auto what = fmt::format("{} of {} along {}", places, name(dtype), dim);
            for (const Combine combine : {Combine::kAdd, Combine::kAssign, Combine::kMul}) {
              auto b = JobBuilder::scatter("test", into, source, combine);
              const auto term = b.term(index, {0, 1}, {.hi = places}, "index", "P16");
              if (dim == 0) b.look_up(0, term).follow(1, 1);
              else b.follow(0, 0).look_up(1, term);
              expect_clean(std::move(b).build(), what);
            }
          }
}

/// Columns that a cluster's blocks own and exchange: all widths, edges of panels and of batches, bad indices.
TEST(Device, ColumnsExchanged) {
  std::uint64_t seed = 71;
  for (const DType dtype : {DType::kU8, DType::kBF16, DType::kF32, DType::kF64})
    for (const Index columns : {16, 64, 80})
      for (const Index rows : {8193, 16384})
        for (const Index lines : {5000, 16385}) {
          const DType index_dtype = lines % 2 == 0 ? DType::kI32 : DType::kI64;
          const auto what = fmt::format("{} of {} rows by {}, {} lines", name(dtype), rows, columns, lines);
          const Tensor x = numbers(dtype, {rows, columns}, ++seed);
          const Tensor good = random_indices({lines, columns}, -rows, rows, index_dtype, ++seed);
          const Tensor bad = random_indices({lines, columns}, -2, rows + 2, index_dtype, ++seed);
          const auto gather = [&](const Tensor& index, const Bounds& bounds) {
            auto b = JobBuilder::gather("test", x, {lines, columns});
            b.look_up(0, b.term(index, {0, 1}, bounds, "index", "P16")).follow(1, 1);
            expect_clean(std::move(b).build(), what);
          };
          gather(good, {.hi = rows, .wrap = rows});
          gather(bad, {.hi = rows, .policy = OutOfRange::kFill});
          gather(bad, {.hi = rows});
        }
  const Tensor deep = numbers(DType::kF32, {2, 9000, 32}, ++seed);
  const Tensor into_deep = random_indices({2, 9100, 32}, 0, 9000, DType::kI64, ++seed);
  expect_clean(value_or_throw(torch::lower_gather(deep, 1, into_deep)), "along the middle axis");
}

/// One of each, for compute-sanitizer, which takes its time.
TEST(Device, ColumnsExchangedOnce) {
  const Tensor x = numbers(DType::kF32, {8200, 20}, 1), index = random_indices({2100, 20}, 0, 8200, DType::kI64, 2);
  const auto to = [](const Tensor& t) { return value_or_throw(cuda::copy_to(t, cuda::device())); };
  const auto same = [](const Result<Tensor>& there, const Result<Tensor>& here) {
    return same_bits(value_or_throw(cuda::copy_to(value_or_throw(there), {})), value_or_throw(here));
  };
  const Tensor dx = to(x), di = to(index);
  EXPECT_TRUE(same(run_one(torch::lower_gather(dx, 0, di), {.wait = true}), run_one(torch::lower_gather(x, 0, index))));
  const Tensor updates = numbers(DType::kF32, {2100, 20}, 3), du = to(updates);
  EXPECT_TRUE(same(run_one(torch::lower_scatter_add(dx, 0, di, du), {.wait = true}),
                   run_one(torch::lower_scatter_add(x, 0, index, updates))));
}

TEST(Device, UpdatesOfColumnsExchanged) {
  std::uint64_t seed = 91;
  for (const DType dtype : {DType::kF16, DType::kF32, DType::kI64, DType::kC64})
    for (const Index columns : {16, 72})
      for (const Index places : {2048, 16384})
        for (const Index reach : {Index{1}, Index{50}, places + 1})
          for (const Index lines : {places / 8, Index{2049}}) {
            const DType index_dtype = lines % 2 == 0 ? DType::kI32 : DType::kI64;
            const auto what = fmt::format("{} lines, {} of {} places by {}", lines, name(dtype), places, columns);
            const Tensor into = numbers(dtype, {places, columns}, ++seed);
            const Tensor source = numbers(dtype, {lines, columns}, ++seed);
            const Tensor index = random_indices({lines, columns}, 0, reach, index_dtype, ++seed);
            for (const Combine combine : {Combine::kAdd, Combine::kAssign}) {
              auto b = JobBuilder::scatter("test", into, source, combine);
              b.look_up(0, b.term(index, {0, 1}, {.hi = places}, "index", "P16")).follow(1, 1);
              expect_clean(std::move(b).build(), what);
            }
          }
}

/// Sums at level fast: by atomics, of numbers whose sums are exact in any order.
TEST(Device, SumsInAnyOrder) {
  std::uint64_t seed = 51;
  for (const DType dtype : {DType::kF32, DType::kF64, DType::kI32, DType::kU64, DType::kBF16})
    for (const Index width : {1, 3, 16, 128, 200})
      for (const double hot : {0.0, 0.9}) {
        const auto whole = [&](const Axes& shape) {
          return value_or_throw(cast(random_indices(shape, 0, 3, DType::kI64, ++seed), dtype));
        };
        const Index rows = dtype == DType::kBF16 ? 60 : 20000;  // sums below 256 are exact there
        const Tensor into = whole({500, width}), updates = whole({rows, width}),
                     index = indices(rows, 500, hot, ++seed);
        const Job job = value_or_throw(torch::lower_index_add(into, 0, index, updates, torch::Scalar{1.0}));
        const auto fast = run_one(moved(job), {.determinism = Determinism::kFast, .wait = true});
        ASSERT_TRUE(fast.ok()) << fast.status().message;
        EXPECT_TRUE(same_bits(value_or_throw(cuda::copy_to(*fast, {})), value_or_throw(run_one(job))))
            << name(dtype) << " x" << width << " hot " << hot;
      }
}

/// Blocks of sums of a few contributions: all the ways of long sums on short ones.
RC_GTEST_PROP(Device, RandomSumsInShortBlocks, ()) {
  tuning_for_tests().sum_block = *rc::gen::inRange<Index>(1, 6);
  const auto findings = [&] {
    std::vector<std::string> all;
    for (int i = 0; i < 10 && all.empty(); ++i) {
      Job job = *random_job();
      if (job.plan.direction == Direction::kScatter) all = check_on_device(job);
    }
    return all;
  }();
  tuning_for_tests() = {};
  if (!findings.empty()) RC_FAIL(findings.front());
}

/// One bad index in each of 1,000 batches: every one is named, and the device lives on.
TEST(Device, AThousandBadBatches) {
  const Tensor table = numbers(DType::kF32, {1000, 16}, 1);
  const Tensor device_table = value_or_throw(cuda::copy_to(table, cuda::device()));
  std::mt19937_64 random(5);
  for (int batch = 0; batch < 1000; ++batch) {
    Tensor index = indices(512, 1000, 0, static_cast<std::uint64_t>(batch));
    const auto at = static_cast<Index>(random() % 512);
    index.as<Index>()[at] = batch % 2 == 0 ? 1000 + batch : -1 - batch;
    Index bad = 1;
    for (Index later = at + 100; later < 512; later += 100, ++bad) index.as<Index>()[later] = 5000;
    const Tensor device_index = value_or_throw(cuda::copy_to(index, cuda::device()));
    const auto there = run_one(torch::lower_index_select(device_table, 0, device_index), {});
    ASSERT_TRUE(there.ok()) << there.status().message;
    const Status found = cuda::check();
    const Status wanted = run_one(torch::lower_index_select(table, 0, index)).status();
    ASSERT_EQ(found.message, wanted.message);
    ASSERT_EQ(found.rule, wanted.rule);
    ASSERT_EQ(cuda::bad_indices(), bad);
  }
  EXPECT_TRUE(cuda::check().ok());
}

/// Tables past 2^32 bytes and past 2^31 elements.
TEST(DeviceLarge, PastThirtyTwoBits) {
  const Index rows = (Index{1} << 31) / 64 + 1000;  // of 64 bytes: past 2^31 elements
  const Tensor table = value_or_throw(cuda::empty(DType::kU8, {rows, 64}, cuda::device()));
  const Tensor pattern = value_or_throw(cast(numbers(DType::kF32, {4, 64}, 3), DType::kU8));
  const Tensor far = value_or_throw(cuda::copy_to(pattern, cuda::device()));
  const Tensor places = tensor<Index>({rows - 1, 0, rows - 500, 3});
  const Tensor at = value_or_throw(cuda::copy_to(places, cuda::device()));
  const Job put = value_or_throw(torch::lower_index_copy(table, 0, at, far));
  ASSERT_TRUE(run_in_place(put, table.view(), nullptr, {.wait = true}).ok());
  const Tensor back = value_or_throw(run_one(torch::lower_index_select(table, 0, at), {.wait = true}));
  EXPECT_TRUE(same_bits(value_or_throw(cuda::copy_to(back, {})), pattern));
  const Tensor wide = value_or_throw(cuda::empty(DType::kF32, {rows, 64}, cuda::device()));  // past 2^32 bytes
  const Tensor floats = numbers(DType::kF32, {4, 64}, 4);
  const Tensor updates = value_or_throw(cuda::copy_to(floats, cuda::device()));
  const Job store = value_or_throw(torch::lower_index_copy(wide, 0, at, updates));
  ASSERT_TRUE(run_in_place(store, wide.view(), nullptr, {.wait = true}).ok());
  const Tensor read = value_or_throw(run_one(torch::lower_index_select(wide, 0, at), {.wait = true}));
  EXPECT_TRUE(same_bits(value_or_throw(cuda::copy_to(read, {})), floats));
}

}  // namespace
}  // namespace conformance
}  // namespace garner
