// The lines the cookbook logs for every tensor of a network.
#include "base/fail.h"
#include "garner/tensorrt.h"

namespace garner::tensorrt {
namespace {

struct LoggedName {
  DType dtype;
  const char* name;
};
constexpr LoggedName kLogged[] = {{DType::kBool, "BOOL"}, {DType::kI8, "INT8"},    {DType::kI32, "INT32"},
                                  {DType::kI64, "INT64"}, {DType::kF8E4M3, "FP8"}, {DType::kF16, "HALF"},
                                  {DType::kF32, "FLOAT"}, {DType::kBF16, "BF16"}};

/// TensorRT has fewer dtypes than Garner; the others are logged by Garner's name.
std::string_view logged(DType dtype) {
  for (const LoggedName& entry : kLogged)
    if (entry.dtype == dtype) return entry.name;
  return name(dtype);
}

/// "(2, 3)", "(2,)", "()": a Python tuple.
std::string tuple(const Axes& shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace

std::string log_line(Role role, const View& tensor, const std::string& name, const std::optional<Axes>& built) {
  return fmt::format("{}->DataType.{}, {}, {}, {}", role == Role::kInput ? "Input " : "Output", logged(tensor.dtype()),
                     tuple(built.value_or(tensor.shape())), tuple(tensor.shape()), name);
}

std::string log_tensor(Role role, const View& tensor, const std::string& name, const std::optional<Axes>& built) {
  return log_line(role, tensor, name, built) + '\n' + to_string(tensor);
}

}  // namespace garner::tensorrt
