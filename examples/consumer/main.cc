#include <garner/garner.h>

#include <iostream>

int main() {
  using namespace garner;
  const Tensor table = tensor({{10, 20, 30}, {40, 50, 60}});

  // lucid and PyTorch: one index per result element, along one axis.
  std::cout << to_string(lucid::gather(table, 1, tensor({{2, 1}, {0, 2}}))) << "\n";

  // TensorRT: whole rows; a negative index counts from the end, a place outside reads as 0.
  std::cout << to_string(tensorrt::gather(table, tensor({-1, 0, 5}))) << "\n";

  // DeepNet: scatter sums what meets in one place.
  std::cout << to_string(deepnet::scatter({tensor({1LL, 1LL, 3LL})}, {4}, tensor({1.5, 2.0, 4.0}))) << "\n";

  // A bad index is one exception with the place, the value, the range and the rule.
  try {
    lucid::gather(table, 1, tensor({{2, 1}, {0, 7}}));
  } catch (const IndexError& e) { std::cout << e.rule() << ": " << e.what() << "\n"; }
}
