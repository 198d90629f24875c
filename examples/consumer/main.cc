// A program outside the tree: public headers and garner::garner, nothing else.
#include <garner/tensor.h>

#include <iostream>

int main() {
  const garner::Tensor table = garner::tensor({{10, 20, 30}, {40, 50, 60}});
  std::cout << garner::to_string(table) << '\n';
}
