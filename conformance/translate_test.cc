// Every case that is no error, as a program for every target, on its own and on random inputs that the call accepts:
// the interpreter gives the call's bits. How the libraries do: conformance/translations.
#include <gtest/gtest.h>

#include "base/effort.h"
#include "conformance/case_file.h"
#include "translate/garner.h"
#include "translate/onnx.h"
#include "translate/python.h"
#include "translate/samples.h"
#include "translate/stablehlo.h"
#include "translate/test_interpreter.h"

namespace garner::conformance {
namespace {

namespace td = translate_detail;

/// Those that are no errors; without optimisation, where all take minutes, one in nine.
std::vector<Case> some_cases() {
  std::vector<Case> all = all_cases(), out;
  std::erase_if(all, [](const Case& c) { return c.error.has_value(); });
  for (std::size_t i = 0; i < all.size(); i += effort<std::size_t>(1, 9)) out.push_back(std::move(all[i]));
  return out;
}

bool same_numbers(const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype() || a.shape() != b.shape()) return false;
  return dispatch(a.dtype(), [&]<class T>() {
    for (Index i = 0; i < a.elements(); ++i) {
      const auto x = to_compute(a.as<T>()[i]), y = to_compute(b.as<T>()[i]);
      const bool nan = x != x && y != y;
      if (!nan && std::memcmp(a.as<T>() + i, b.as<T>() + i, sizeof(T)) != 0) return false;
    }
    return true;
  });
}

void expect_refusal(const Case& c, const Status& status, const td::Context& context) {
  EXPECT_EQ(status.rule[0], 'T') << c.file << " " << c.name << ": " << status.message;
  EXPECT_FALSE(context.input.empty()) << status.message;
}

void check(const Case& c, const td::Subject& subject, const td::Target& target, const std::vector<Sample>& all) {
  td::Context context{.to = target.name, .input = {}};
  const auto program = td::lower(subject, target, context);
  if (!program.ok()) return expect_refusal(c, program.status(), context);
  for (const Sample& sample : all) {
    td::Interpreter interpreter(*program, sample.inputs);
    const auto results = interpreter.run();
    ASSERT_EQ(results.size(), sample.results.size()) << c.file << " " << c.name;
    EXPECT_TRUE(interpreter.checks_passed()) << c.file << " " << c.name << " to " << target.name;
    for (std::size_t i = 0; i < results.size(); ++i)
      ASSERT_TRUE(same_numbers(results[i], sample.results[i]))
          << c.file << " " << c.name << " to " << target.name << ": " << c.call << "\n"
          << to_string(results[i]) << "\nfor\n"
          << to_string(sample.results[i]);
  }
}

TEST(Translate, EveryCaseIsTheSameProgram) {
  constexpr unsigned kSeed = 7;
  SCOPED_TRACE(kSeed);
  for (const Case& c : some_cases()) {
    const auto call = parse_call(c.call, c.names);
    ASSERT_TRUE(call.ok()) << c.call;
    td::Context context{.to = "any", .input = {}};
    const auto subject = td::study(*call, context);
    if (!subject.ok()) {
      expect_refusal(c, subject.status(), context);
      continue;
    }
    const auto all = samples(*call, 3, kSeed);
    ASSERT_TRUE(all.ok()) << all.status().message;
    for (const td::Target* target : {&td::numpy_words().target, &td::torch_words().target, &td::jax_words().target,
                                     &td::tensorflow_words().target, &td::onnx_target(), &td::stablehlo_target()})
      check(c, *subject, *target, *all);
    if (HasFatalFailure()) return;
  }
}

/// What the C++ for Garner does, without a compiler: names bound to the inputs, and the call's own text.
TEST(Translate, EveryCaseIsItsOwnText) {
  for (const Case& c : some_cases()) {
    const auto call = parse_call(c.call, c.names);
    const auto inputs = td::inputs_of(*call);
    const auto values = td::copies_of(*call);
    Environment names;
    for (std::size_t i = 0; i < inputs->size(); ++i) names[(*inputs)[i].name] = {(*values)[i]};
    const auto again = parse_call(*td::call_text(*call), names);
    ASSERT_TRUE(again.ok()) << c.call << ": " << again.status().message;
    const auto expected = evaluate(*call), results = evaluate(*again);
    ASSERT_TRUE(results.ok()) << c.call << ": " << results.status().message;
    ASSERT_EQ(results->size(), expected->size());
    for (std::size_t i = 0; i < results->size(); ++i)
      ASSERT_TRUE(same_numbers((*results)[i], (*expected)[i])) << c.file << " " << c.name << ": " << c.call;
  }
}

}  // namespace
}  // namespace garner::conformance
