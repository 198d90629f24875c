// What a call costs in C++ before any byte moves: operations found once, their calls prepared once, run on 16…1,024
// elements. Nanoseconds, the median of several batches of calls.
#include <numeric>

#include "bench/measure.h"
#include "garner/call.h"
#include "garner/error.h"

namespace garner::measure {
namespace {

Tensor floats(const Axes& shape) {
  Tensor t = value_or_throw(Tensor::empty(DType::kF32, shape));
  for (Index i = 0; i < t.elements(); ++i) t.as<float>()[i] = static_cast<float>(i % 97 + 1);
  return t;
}

Tensor rising(Index count) {
  Tensor t = value_or_throw(Tensor::empty(DType::kF32, {count}));
  std::iota(t.as<float>(), t.as<float>() + count, 0.F);
  return t;
}

Tensor places(const Axes& shape, Index extent) {
  Tensor t = value_or_throw(Tensor::empty(DType::kI64, shape));
  for (Index i = 0; i < t.elements(); ++i) t.as<Index>()[i] = i * 7 % extent;
  return t;
}

struct TinyCall {
  std::string dialect, op;
  Values values;
};

/// Every operation of the workloads, with `n` elements in its result or input.
std::vector<TinyCall> calls(Index n) {
  const Tensor x = floats({n}), matrix = floats({4, n / 4}), cube = floats({4, 4, n / 16});
  const Tensor index = places({n}, n), index2 = places({4, n / 4}, n / 4), pairs = places({16, 2}, 4);
  const Tensor rows = places({4}, 4), updates = floats({4, n / 4});
  return {{"torch", "index_select", {{matrix}, {Index{0}}, {rows}}},
          {"torch", "gather", {{matrix}, {Index{1}}, {index2}}},
          {"torch", "take", {{x}, {index}}},
          {"tensorflow", "gather_nd", {{cube}, {pairs}}},
          {"torch", "scatter_add", {{matrix}, {Index{1}}, {index2}, {updates}}},
          {"torch", "index_add", {{matrix}, {Index{0}}, {rows}, {updates}}},
          {"torch", "argmax", {{x}}},
          {"torch", "nonzero", {{x}}},
          {"torch", "searchsorted", {{rising(n)}, {x}}}};
}

/// Nanoseconds of one call of `work`.
double nanoseconds(const Options& o, const std::function<void()>& work) {
  const int batch = o.quick ? 500 : 5000;
  std::vector<double> found;
  for (int i = 0; i < 15; ++i)
    found.push_back(seconds_of([&] {
      for (int k = 0; k < batch; ++k) work();
    }) / batch * 1e9);
  return median(std::move(found));
}

/// prepared: nothing but ReadyCall::run. looked_up: prepare() finds the plan again. called: Operation::call(). given:
/// call_into().
Json measured(const Options& o, const TinyCall& c) {
  const Operation operation = value_or_throw(Operation::find(c.dialect, c.op));
  const auto ready = operation.prepare(c.values);
  const Tensor given = value_or_throw(operation.call(c.values)).front();
  Json out = {{"called_ns", nanoseconds(o, [&] { value_or_throw(operation.call(c.values)); })},
              {"given_ns", nanoseconds(o, [&] { value_or_throw(operation.call_into(c.values, given.view())); })}};
  if (!ready) return out;
  Tensor result = value_or_throw(Tensor::empty(ready->dtype(), ready->shape()));
  const auto run = [&](const ReadyCall& call) {
    if (!call.run(c.values, result.mutable_data())) throw std::runtime_error("tiny: an index is not allowed");
  };
  out["prepared_ns"] = nanoseconds(o, [&] { run(*ready); });
  out["looked_up_ns"] = nanoseconds(o, [&] { run(*operation.prepare(c.values)); });
  return out;
}

}  // namespace

Json tiny(const Options& options) {
  Json out = Json::array();
  for (const Index n : {16, 64, 256, 1024})
    for (const TinyCall& call : calls(n)) {
      Json row = {{"op", call.dialect + "." + call.op}, {"elements", n}};
      row.update(measured(options, call));
      out.push_back(std::move(row));
    }
  return {{"calls", out}};
}

}  // namespace garner::measure
