// Scatters into a result of their own: what it starts from is brought by the kernel where it comes by every part of the
// target anyway (Buffers::start), else before. The same bits as the reference on any number of threads, whatever part
// of the target the updates reach.
#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "device/cpu/tuning.h"
#include "garner/error.h"
#include "garner/torch.h"

namespace garner {
namespace {

Tensor floats(std::mt19937& random, const Axes& shape) {
  Tensor out = value_or_throw(Tensor::empty(DType::kF32, shape));
  for (Index i = 0; i < out.elements(); ++i) out.as<float>()[i] = static_cast<float>(random() % 1000) * 0.37F;
  return out;
}

Tensor indices(std::mt19937& random, const Axes& shape, Index extent) {
  Tensor out = value_or_throw(Tensor::empty(DType::kI64, shape));
  for (Index i = 0; i < out.elements(); ++i) out.as<Index>()[i] = static_cast<Index>(random() % unsigned(extent));
  return out;
}

struct Shapes {
  Axes self, index;
  Index axis;
};

const Shapes kShapes[] = {
    {{40, 600}, {40, 600}, 0},  // packed panels that make up the target
    {{40, 600}, {90, 600}, 0},  //   more lines than rows
    {{40, 600}, {40, 590}, 0},  //   ten columns are in no panel
    {{30, 200}, {30, 200}, 1},  // lines that make up the target
    {{30, 200}, {30, 700}, 1},  //   longer than what they reach
    {{30, 200}, {29, 200}, 1},  //   the last row is in no line
    {{30, 200}, {30, 1}, 1},  //   one position each
    {{5, 6, 70}, {5, 6, 70}, 2},  // lines under two axes
    {{5, 40, 300}, {5, 40, 300}, 1},  // panels of each of five matrices
    {{5, 40, 300}, {5, 40, 300}, 0}, {{500}, {3000}, 0},  // one line
    {{30, 200}, {0, 200}, 0},  // nothing is updated
};

void expect_as_reference(const Job& job) {
  const auto found_by = [&](const RunOptions& options) { return value_or_throw(run_one(job, options)); };
  const Tensor wanted = found_by({.kernel = "reference"});
  for (const int threads : {1, 2, 7}) {
    const Tensor found = found_by({.threads = threads});
    EXPECT_EQ(std::memcmp(found.data(), wanted.data(), static_cast<std::size_t>(wanted.elements() * 4)), 0)
        << threads << " threads";
  }
}

TEST(StartedScatter, IsWhatTheReferenceGives) {
  const EagerTuning streams_small_ones;
  std::mt19937 random(11);
  for (const Shapes& s : kShapes) {
    SCOPED_TRACE(testing::PrintToString(s.index) + " along axis " + std::to_string(s.axis));
    const Tensor self = floats(random, s.self), src = floats(random, s.index);
    const Tensor index = indices(random, s.index, s.self[static_cast<std::size_t>(s.axis)]);
    expect_as_reference(value_or_throw(torch::lower_scatter_add(self, s.axis, index, src)));
    expect_as_reference(value_or_throw(torch::lower_scatter(self, s.axis, index, src)));
  }
}

/// Rows, whose start is brought before.
TEST(StartedScatter, MayBeOfRows) {
  const EagerTuning streams_small_ones;
  std::mt19937 random(12);
  for (const Index count : {0, 1, 50, 700}) {
    const Tensor self = floats(random, {50, 64}), src = floats(random, {count, 64});
    expect_as_reference(value_or_throw(torch::lower_index_add(self, 0, indices(random, {count}, 50), src)));
    expect_as_reference(value_or_throw(torch::lower_index_copy(self, 0, indices(random, {count}, 50), src)));
  }
}

/// A bad index is named; the result holds its start and all other updates.
TEST(StartedScatter, NamesABadIndexAndLosesNothing) {
  const EagerTuning streams_small_ones;
  std::mt19937 random(13);
  for (const Index axis : {0, 1}) {
    const Tensor self = floats(random, {40, 600}), src = floats(random, {40, 600});
    Tensor index = indices(random, {40, 600}, 40), without = floats(random, {40, 600});
    index.as<Index>()[7 * 600 + 5] = 600;
    const Job job = value_or_throw(torch::lower_scatter_add(self, axis, index, src));
    for (const char* kernel : {"reference", ""}) {
      Tensor out = value_or_throw(Tensor::empty(DType::kF32, self.shape()));
      const Status status = run_into(job, out.view(), {.threads = 2, .kernel = kernel});
      EXPECT_NE(status.message.find("600"), std::string::npos) << status.message;
      if (*kernel != '\0') without = std::move(out);
      else EXPECT_EQ(std::memcmp(out.data(), without.data(), 40 * 600 * sizeof(float)), 0) << "axis " << axis;
    }
  }
}

/// Neither where the target is its own start, nor where that lies otherwise.
TEST(StartedScatter, MayStartFromItselfOrFromAView) {
  const EagerTuning streams_small_ones;
  std::mt19937 random(14);
  const Tensor src = floats(random, {40, 600}), index = indices(random, {40, 600}, 40);
  const Tensor wide = floats(random, {40, 1200});
  const View odd(wide.as<float>(), {40, 600}, {1200, 2});
  const Job job = value_or_throw(torch::lower_scatter_add(odd, 0, index, src));
  expect_as_reference(job);
  const Tensor wanted = value_or_throw(run_one(job, {.kernel = "reference"}));
  Tensor own = value_or_throw(contiguous(odd));
  torch::scatter_add_(own.view(), 0, index, src);
  EXPECT_EQ(std::memcmp(own.data(), wanted.data(), 40 * 600 * sizeof(float)), 0);
}

}  // namespace
}  // namespace garner
