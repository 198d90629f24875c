// Random valid plans: every kernel equals the reference, on any number of threads and in any layout.
// RapidCheck prints the seed of a failure; RC_PARAMS="seed=…" replays it.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <random>

#include "conformance/harness.h"
#include "conformance/random_plan.h"
#include "garner/error.h"
#include "run/job_builder.h"
#include "tensor/cast.h"

namespace garner {

std::ostream& operator<<(std::ostream& os, const Job& job) { return os << "\n" << print(job.plan); }  // for rapidcheck

namespace conformance {
namespace {

void expect_clean(const Job& job) {
  const Status verified = verify(job.plan);
  if (!verified.ok()) RC_FAIL("the generator made a plan that does not verify: " + verified.message);
  const Findings findings = check_job(job);
  if (!findings.empty()) RC_FAIL(findings.front());
}

RC_GTEST_PROP(RandomPlans, AllKernelsEqualTheReference, ()) {
  // Ten a time: rapidcheck's own count is a hundred.
  for (int i = 0; i < 10; ++i) expect_clean(*random_job());
}

Tensor random_values(DType dtype, const Axes& shape, Index lo, Index hi) {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, shape));
  std::mt19937 random(*rc::gen::arbitrary<unsigned>());
  for (Index i = 0; i < t.elements(); ++i) t.as<Index>()[i] = lo + static_cast<Index>(random()) % (hi - lo);
  return value_or_throw(cast(t, dtype));
}

// Long lines over few values, which the small random plans have not: the packed panels of gathers and of scatters.
RC_GTEST_PROP(RandomPlans, LongLinesAlongAnOuterAxis, ()) {
  const auto dtype = *rc::gen::element(DType::kF32, DType::kI16, DType::kF64, DType::kU8, DType::kBF16);
  const bool clamps = *rc::gen::arbitrary<bool>();
  const Index values = *rc::gen::inRange<Index>(1, 40), columns = *rc::gen::inRange<Index>(60, 300);
  const Index lines = *rc::gen::inRange<Index>(1, 30), beyond = *rc::gen::element<Index>(0, 3);
  const Tensor table = random_values(dtype, {values, columns}, 0, 100);
  const Tensor dense = random_values(dtype, {lines, columns}, 0, 100);
  const Tensor index = random_values(*rc::gen::element(DType::kI64, DType::kI32, DType::kI16), {lines, columns},
                                     -beyond, values + beyond);
  auto gather = JobBuilder::gather("test", table, {lines, columns});
  auto scatter = JobBuilder::scatter("test", table, dense, Combine::kAdd);
  const auto check = [&](JobBuilder& b, OutOfRange policy) {
    b.look_up(0, b.term(index, {0, 1}, {.hi = values, .policy = policy}, "index", "P16")).follow(1, 1);
    expect_clean(std::move(b).build());
  };
  check(gather, clamps ? OutOfRange::kClamp : OutOfRange::kFill);
  check(scatter, clamps ? OutOfRange::kClamp : OutOfRange::kDrop);
}

}  // namespace
}  // namespace conformance
}  // namespace garner
