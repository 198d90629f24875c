// A call that is kept ready equals a call made from nothing, whatever the tensors hold: for every case of every
// operation, with other values in tensors of the same shapes. So no lowering that is repeated looked at values.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "call/call.h"
#include "conformance/case_file.h"
#include "dtype/dispatch.h"
#include "garner/error.h"

namespace garner::conformance {
namespace {

/// Small integers, some of them no index; other numbers in another order.
struct Changer {
  std::mt19937_64 random;

  Tensor changed(const Tensor& tensor) {
    Tensor out = value_or_throw(tensor.clone());
    dispatch(out.dtype(), [&]<class T>() {
      T* values = out.as<T>();
      if (is_integer(out.dtype()))
        for (Index i = 0; i < out.elements(); ++i)
          values[i] = static_cast<T>(static_cast<int>(random() % 6) - (random() % 4 == 0 ? 3 : 0));
      else std::shuffle(values, values + out.elements(), random);
    });
    return out;
  }

  Value changed(const Value& value) {
    if (const auto* tensor = std::get_if<Tensor>(&value.held)) return {changed(*tensor)};
    const auto* list = std::get_if<std::shared_ptr<Values>>(&value.held);
    if (list == nullptr) return value;
    auto out = std::make_shared<Values>();
    for (const Value& item : **list) out->push_back(changed(item));
    return {out};
  }
};

Values in_order(const Operation& operation, const Call& call) {
  Values values;
  for (const Parameter& p : operation.parameters()) values.push_back(p.fallback.value_or(Value{}));
  for (std::size_t i = 0; i < call.arguments.size(); ++i) {
    std::size_t place = i;
    for (std::size_t k = 0; k < values.size(); ++k)
      if (operation.parameters()[k].name == call.arguments[i].name) place = k;
    values[place] = call.arguments[i].value;
  }
  return values;
}

/// Then indices that are out of range are nobody's business.
bool promises(const Call& call) {
  const auto jobs = lower(call);
  if (!jobs.ok()) return false;
  for (const Job& job : *jobs)
    for (const IndexTerm& term : job.plan.terms)
      if (term.bounds.policy == OutOfRange::kPromise) return true;
  return false;
}

void expect_same(const Result<std::vector<Tensor>>& ready, const Result<std::vector<Tensor>>& fresh) {
  ASSERT_EQ(ready.status().message, fresh.status().message);
  if (!fresh.ok()) return;
  ASSERT_EQ(ready->size(), fresh->size());
  for (std::size_t i = 0; i < fresh->size(); ++i) EXPECT_TRUE(same_bits((*ready)[i], (*fresh)[i])) << "result " << i;
}

TEST(Ready, EqualsACallFromNothingWhateverTheValues) {
  std::set<std::string> repeated;
  for (const Case& c : all_cases()) {
    const auto call = parse_call(c.call, c.names);
    if (!call.ok() || c.error || promises(*call)) continue;
    SCOPED_TRACE(fmt::format("{}:{}: case {}", c.file, c.line, c.name));
    const auto operation = Operation::find(call->dialect, call->op);
    ASSERT_TRUE(operation.ok());
    const Values values = in_order(*operation, *call);
    if (operation->prepare(values) != nullptr) repeated.insert(operation->name());
    Changer changer{std::mt19937_64(static_cast<std::uint64_t>(c.line))};
    for (int round = 0; round < 4; ++round) {
      Values others;
      for (const Value& value : values) others.push_back(changer.changed(value));
      // A number of threads is asked for: that call is made from nothing.
      expect_same(operation->call(others), operation->call(others, {.threads = 1}));
    }
  }
  for (const char* name : {"lucid.gather", "stablehlo.gather", "tensorrt.gather"})
    EXPECT_TRUE(repeated.contains(name)) << name;
}

TEST(Ready, MemoryMayLieElsewhereAndHaveOtherStrides) {
  const Operation gather = value_or_throw(Operation::find("lucid", "gather"));
  const Tensor index = tensor<Index>({{1, 0}, {0, 0}});
  for (int round = 0; round < 3; ++round) {
    const std::vector<float> table{1.F + round, 2, 3, 4};
    const View rows(table.data(), {2, 2}), columns(table.data(), {2, 2}, {1, 2});
    EXPECT_EQ(to_string(value_or_throw(gather.call({{rows}, {Index{1}}, {index}})).front()),
              fmt::format("[[2. {0}.]\n [3. 3.]]", 1 + round));
    EXPECT_EQ(to_string(value_or_throw(gather.call({{columns}, {Index{1}}, {index}})).front()),
              fmt::format("[[3. {0}.]\n [2. 2.]]", 1 + round));
  }
}

TEST(Ready, ABadAddressIsStillRefused) {
  const Operation gather = value_or_throw(Operation::find("lucid", "gather"));
  alignas(8) const char bytes[24] = {};
  const Tensor index = tensor<Index>({0});
  const auto* floats = reinterpret_cast<const float*>(bytes);
  const auto* askew = reinterpret_cast<const float*>(bytes + 1);
  EXPECT_TRUE(gather.call({{View(floats, {2})}, {Index{0}}, {index}}).ok());
  EXPECT_EQ(gather.call({{View(askew, {2})}, {Index{0}}, {index}}).status().rule, "V8");
  EXPECT_EQ(gather.call({{View(static_cast<const float*>(nullptr), {2})}, {Index{0}}, {index}}).status().rule, "V4");
}

}  // namespace
}  // namespace garner::conformance
