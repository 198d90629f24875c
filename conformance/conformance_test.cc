// Every case of conformance/cases, by name: Conformance/Cases.Hold/<dialect>_<file>_<case>.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "conformance/case_file.h"
#include "conformance/harness.h"

namespace garner::conformance {
namespace {

std::string_view word(Code code) {
  switch (code) {
    case Code::kOk: return "ok";
    case Code::kInvalidArgument: return "argument";
    case Code::kType: return "type";
    case Code::kIndex: return "index";
    case Code::kUnsupported: return "unsupported";
    case Code::kMemory: return "memory";
    case Code::kSystem: return "system";
  }
  return "";
}

void expect_error(const Case& c, const Status& status) {
  EXPECT_EQ(status.rule, c.error->rule) << status.message;
  EXPECT_EQ(word(status.code), c.error->code) << status.message;
  EXPECT_FALSE(status.message.empty());
  EXPECT_EQ(status.message.find('\n'), std::string::npos) << "an error is one line: " << status.message;
}

void expect_results(const Case& c, const std::vector<Tensor>& results) {
  ASSERT_EQ(results.size(), c.results.size());
  for (std::size_t i = 0; i < results.size(); ++i) {
    const auto* wanted = std::get_if<Tensor>(&c.results[i].held);
    ASSERT_NE(wanted, nullptr) << "result " << i << " of the case is no tensor";
    EXPECT_TRUE(same_bits(results[i], *wanted))
        << "result " << i << " is " << name(results[i].dtype()) << "\n"
        << to_string(results[i]) << "\nthe case says " << name(wanted->dtype()) << "\n"
        << to_string(*wanted);
  }
}

std::vector<Tensor> tensors_of(const Value& list) {
  std::vector<Tensor> out;
  for (const Value& item : *std::get<std::shared_ptr<Values>>(list.held)) out.push_back(std::get<Tensor>(item.held));
  return out;
}

/// Gradients of the call's tensors, in the order they stand in it; None where nothing flows.
void expect_gradients(const Case& c, const Call& call) {
  const auto is = vjp(call, tensors_of(c.cotangents));
  ASSERT_TRUE(is.ok()) << is.status().rule << " " << is.status().message;
  const Values& wanted = *std::get<std::shared_ptr<Values>>(c.gradients.held);
  std::vector<Value> found;
  for (std::size_t i = 0; i < call.arguments.size(); ++i)
    if (std::holds_alternative<Tensor>(call.arguments[i].value.held)) found.push_back((*is)[i].value);
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    ASSERT_EQ(found[i].is_none(), wanted[i].is_none()) << "gradient " << i;
    if (wanted[i].is_none()) continue;
    EXPECT_TRUE(same_bits(std::get<Tensor>(found[i].held), std::get<Tensor>(wanted[i].held)))
        << "gradient " << i << " is\n"
        << to_string(std::get<Tensor>(found[i].held));
  }
}

/// The caller's memory, full of one byte: elements `gap` apart on the last axis.
struct Given {
  Given(DType dtype, const Axes& shape, Index gap) {
    Axes stride = row_major(shape);
    for (Index& s : stride) s *= gap;
    const Index elements = std::max<Index>(View(dtype, nullptr, shape).elements(), 1);
    bytes.assign(static_cast<std::size_t>(elements * gap * width(dtype)), kUntouched);
    view = MutableView(dtype, bytes.data(), shape, stride);
  }
  bool untouched() const {
    return std::ranges::all_of(bytes, [](std::byte b) { return b == kUntouched; });
  }

  static constexpr std::byte kUntouched{0xA5};
  std::vector<std::byte> bytes;
  MutableView view;
};

std::vector<MutableView> views_of(std::vector<Given>& given) {
  std::vector<MutableView> views;
  for (const Given& one : given) views.push_back(one.view);
  return views;
}

/// Row-major memory and memory with gaps get the same bits as fresh results.
void expect_written(const Operation& operation, const Values& values, const std::vector<Tensor>& results) {
  for (const Index gap : {1, 3}) {
    std::vector<Given> given;
    for (const Tensor& result : results) given.emplace_back(result.dtype(), result.shape(), gap);
    const auto into = operation.call_into(values, views_of(given));
    ASSERT_TRUE(into.ok()) << into.status().message;
    EXPECT_TRUE(into->empty());
    for (std::size_t i = 0; i < results.size(); ++i)
      EXPECT_TRUE(same_bits(given[i].view, results[i])) << "into the caller's memory:\n" << to_string(given[i].view);
  }
}

/// Rule A6 for memory of another shape, dtype or number; nothing is written.
void expect_refused(const Operation& operation, const Values& values, const std::vector<Tensor>& results) {
  const auto expect_a6 = [&](std::vector<Given> given) {
    EXPECT_EQ(operation.call_into(values, views_of(given)).status().rule, "A6");
    for (const Given& one : given) EXPECT_TRUE(one.untouched());
  };
  std::vector<Given> longer, other, more;
  for (const Tensor& result : results) {
    const bool last = &result == &results.back();  // those before it fit
    Axes shape = result.shape();
    if (last) shape.push_back(3);
    const DType dtype = !last ? result.dtype() : result.dtype() == DType::kI16 ? DType::kI32 : DType::kI16;
    longer.emplace_back(result.dtype(), shape, 1);
    other.emplace_back(dtype, result.shape(), 1);
    more.emplace_back(result.dtype(), result.shape(), 1);
  }
  more.emplace_back(DType::kI64, Axes{1}, 1);
  expect_a6(std::move(longer));
  expect_a6(std::move(other));
  expect_a6(std::move(more));
}

/// The call as a binding makes it: an operation that is found once, values in the order of its parameters, and the
/// results in memory the caller has.
void expect_into(const Call& call, const std::vector<Tensor>& results) {
  const Operation operation = value_or_throw(Operation::find(call.dialect, call.op));
  Values values;
  for (const Parameter& p : operation.parameters()) values.push_back(p.fallback.value_or(Value{}));
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    const CallArgument& a = call.arguments[i];
    std::size_t place = i;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (operation.parameters()[k].name == a.name) place = k;
    const auto memory = a.value.memory();
    values[place] = memory ? Value{*memory} : a.value;  // a View where the case has a tensor
  }
  const auto again = operation.call(values);
  ASSERT_TRUE(again.ok()) << again.status().message;
  ASSERT_EQ(again->size(), results.size());
  for (std::size_t i = 0; i < results.size(); ++i) EXPECT_TRUE(same_bits((*again)[i], results[i]));
  const bool several = results.size() != 1 && value_or_throw(find_op(call.dialect, call.op))->evaluate == nullptr;
  if (several) return;  // plans of several results, or with fetched values
  expect_written(operation, values, results);
  expect_refused(operation, values, results);
}

class Cases : public testing::TestWithParam<Case> {};

TEST_P(Cases, Hold) {
  const Case& c = GetParam();
  SCOPED_TRACE(fmt::format("{}:{}: case {}", c.file, c.line, c.name));
  const auto call = parse_call(c.call, c.names);
  ASSERT_TRUE(call.ok()) << call.status().message << "\n" << c.call;
  const auto jobs = lower(*call);
  const auto results = evaluate(*call, {.threads = 1, .kernel = "reference"});
  if (c.error) {
    expect_error(c, results.status());
  } else {
    ASSERT_TRUE(results.ok()) << results.status().rule << " " << results.status().message;
    expect_results(c, *results);
    expect_into(*call, *results);
  }
  if (!c.gradients.is_none()) expect_gradients(c, *call);
  if (!jobs.ok()) return;
  if (!c.plan.empty()) { EXPECT_EQ(print(jobs->front().plan), c.plan); }
  for (const Job& job : *jobs)
    for (const std::string& finding : check_job(job)) ADD_FAILURE() << finding;
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
  const std::filesystem::path path(info.param.file);
  std::string text =
      fmt::format("{}_{}_{}", path.parent_path().filename().string(), path.stem().string(), info.param.name);
  for (char& ch : text)
    if (!std::isalnum(static_cast<unsigned char>(ch))) ch = '_';
  return text;
}

INSTANTIATE_TEST_SUITE_P(Conformance, Cases, testing::ValuesIn(all_cases()), test_name);

TEST(Signatures, AllParse) {
  for (const Dialect& dialect : dialects())
    for (const Op* op : dialect.ops) {
      // Binding no arguments names a missing one (A2) or, when all have defaults, nothing; a bad signature is A4.
      const auto bound = bind(*op, {dialect.name, op->name, {}});
      EXPECT_NE(bound.status().rule, "A4") << dialect.name << "." << op->name << op->signature;
    }
}

}  // namespace
}  // namespace garner::conformance
