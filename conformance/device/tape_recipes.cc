#include "conformance/device/tape_recipes.h"

#include "garner/cuda.h"
#include "garner/torch.h"

namespace garner::conformance {
namespace {

using V = const std::vector<Var>&;

/// Tensors of a recipe that are no inputs, on the device of its inputs.
Tensor beside(V inputs, const Tensor& tensor) {
  return value_or_throw(cuda::copy_to(tensor, inputs[0].value().device()));
}

std::vector<Recipe> arithmetic() {
  return {
      {"add", {{3, 4}, {4}}, [](V v) { return v[0] + v[1]; }, 0, true},
      {"sub", {{3, 1, 4}, {2, 1}}, [](V v) { return v[0] - v[1]; }, 0, true},
      {"mul", {{3, 4}, {3, 1}}, [](V v) { return v[0] * v[1]; }, 0, true},
      {"div", {{3, 4}, {}}, [](V v) { return v[0] / v[1]; }, 0},
      {"complex div", {{3, 4}, {4}}, [](V v) { return v[0] / v[1]; }, 8, true},
      {"neg", {{5}}, [](V v) { return -v[0]; }, 0, true},
      {"number", {{5}}, [](V v) { return v[0] * 2.5 + 1; }, 0, true},
      {"square", {{5}}, [](V v) { return grad::pow(v[0], 2.0); }, 0},
      {"pow", {{5}}, [](V v) { return grad::pow(v[0], 2.7); }, 4, false, 0.1},
      {"pow both", {{5}, {3, 5}}, [](V v) { return grad::pow(v[0], v[1]); }, 8, false, 0.1},
      {"exp", {{5}}, [](V v) { return grad::exp(v[0]); }, 4, true},
      {"log", {{5}}, [](V v) { return grad::log(v[0]); }, 2, false, 0.1},
      {"sqrt", {{5}}, [](V v) { return grad::sqrt(v[0]); }, 0, false, 0.1},
      {"tanh", {{5}}, [](V v) { return grad::tanh(v[0]); }, 4},
      {"sigmoid", {{5}}, [](V v) { return grad::sigmoid(v[0]); }, 4},
      {"relu", {{7}}, [](V v) { return grad::relu(v[0]); }, 0},
  };
}

std::vector<Recipe> reductions_and_shapes() {
  return {
      {"sum", {{3, 4, 5}}, [](V v) { return grad::sum(v[0]); }, 0, true},
      {"sum of axes", {{3, 4, 5}}, [](V v) { return grad::sum(v[0], {.axes = Axes{0, 2}}); }, 0, true},
      {"mean", {{3, 4, 5}}, [](V v) { return grad::mean(v[0], {.axes = Axes{1}, .keepdims = true}); }, 0, true},
      {"max", {{3, 4, 5}}, [](V v) { return grad::max(v[0], {.axes = Axes{0, 2}}); }, 0},
      {"min", {{3, 4, 5}}, [](V v) { return grad::min(v[0]); }, 0},
      {"sort", {{3, 7}}, [](V v) { return grad::sort(v[0], 1, true).values; }, 0},
      {"top_k", {{3, 7}}, [](V v) { return grad::top_k(v[0], 3, 1).values; }, 0},
      {"transpose", {{3, 4, 5}}, [](V v) { return grad::transpose(v[0], {2, 0, 1}); }, 0, true},
      {"broadcast", {{3, 1}}, [](V v) { return grad::broadcast(v[0], {2, 3, 4}); }, 0, true},
      {"concatenate", {{2, 3}, {2, 1}, {2, 0}}, [](V v) { return grad::concatenate(v, 1); }, 0, true},
      {"matmul", {{2, 17, 33}, {33, 20}}, [](V v) { return grad::matmul(v[0], v[1]); }, 64, true},
      {"matmul many", {{2, 1, 5, 6}, {3, 6, 4}}, [](V v) { return grad::matmul(v[0], v[1]); }, 32, true},
      {"softmax", {{4, 37, 3}}, [](V v) { return grad::softmax(v[0], 1); }, 4},
      {"log_softmax", {{5, 1500}}, [](V v) { return grad::log_softmax(v[0], -1); }, 8},
  };
}

std::vector<Recipe> by_indices() {
  const Tensor ids = tensor<Index>({2, 0, 2, 1, 2}), along = tensor<Index>({{0, 3, 1}, {2, 2, 0}});
  const Tensor bags = tensor<Index>({0, 2, 2, 5}), mask = tensor({true, false, true, true});
  return {
      {"masked_select", {{3, 4}}, [mask](V v) { return grad::masked_select(v[0], beside(v, mask)); }, 0},
      {"cross_entropy", {{5, 9}}, [ids](V v) { return grad::cross_entropy(v[0], beside(v, ids)); }, 4},
      {"take_along", {{2, 4}}, [along](V v) { return grad::take_along(v[0], beside(v, along), 1); }, 0, true},
      {"where", {{4}, {4}}, [mask](V v) { return grad::where(beside(v, mask), v[0], v[1]); }, 0, true},
      {"segment_sum", {{5, 3}}, [ids](V v) { return grad::segment_sum(v[0], beside(v, ids), 4); }, 0, true},
      {"segment_mean", {{5, 3}}, [ids](V v) { return grad::segment_mean(v[0], beside(v, ids), 4); }, 0},
      {"segment_max", {{5, 3}}, [ids](V v) { return grad::segment_max(v[0], beside(v, ids), 4); }, 0},
      {"segment_prod", {{5, 3}}, [ids](V v) { return grad::segment_prod(v[0], beside(v, ids), 4); }, 0},
      {"bag sum",
       {{4, 3}},
       [=](V v) { return grad::embedding_bag_sum(v[0], {beside(v, ids), beside(v, bags), Index{1}}); },
       0},
      {"bag mean", {{4, 3}}, [=](V v) { return grad::embedding_bag_mean(v[0], {beside(v, ids), beside(v, bags)}); }, 0},
      {"bag max", {{4, 3}}, [=](V v) { return grad::embedding_bag_max(v[0], {beside(v, ids), beside(v, bags)}); }, 0},
  };
}

std::vector<Recipe> calls_and_models() {
  const Tensor ids = tensor<Index>({2, 0, 2, 1, 2});
  return {
      {"gather",
       {{3, 4}},
       [ids](V v) {
    const Tensor at = beside(v, ids);
    return grad::call({v[0]}, [&](const std::vector<View>& x) { return torch::lower_index_select(x[0], 0, at); });
  },
       0,
       true},
      {"model",
       {{3, 4}, {4, 5}, {5}},
       [ids](V v) {
    const Tensor at = beside(v, ids);
    const Var rows =
        grad::call({v[0]}, [&](const std::vector<View>& x) { return torch::lower_index_select(x[0], 0, at); });
    return grad::cross_entropy(grad::tanh(grad::matmul(rows, v[1]) + v[2]), at);
  },
       64},
  };
}

std::vector<Recipe> all_recipes() {
  std::vector<Recipe> all = arithmetic();
  for (const auto& more : {reductions_and_shapes(), by_indices(), calls_and_models()})
    all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

const std::vector<Recipe>& recipes() {
  static const std::vector<Recipe> all = all_recipes();
  return all;
}

}  // namespace garner::conformance
