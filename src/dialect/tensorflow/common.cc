#include "dialect/tensorflow/common.h"

#include <algorithm>

#include "base/fail.h"

namespace garner::tensorflow {

Status check_dtype(const char* op, const Typed& input, std::initializer_list<DType> allowed) {
  if (std::ranges::find(allowed, input.dtype) != allowed.end()) return {};
  std::vector<std::string_view> names;
  for (const DType dtype : allowed) names.push_back(name(dtype));
  return fail(Code::kType, "TF4", "{}: dtype of {} is {}, allowed {}", op, input.name, name(input.dtype),
              fmt::join(names, " "));
}

Status check_same_dtype(const char* op, const Typed& input, DType allowed) { return check_dtype(op, input, {allowed}); }

Status check_number(const char* op, DType dtype, Numbers numbers) {
  const bool complex_too = numbers != Numbers::kReal, bool_too = numbers == Numbers::kBoolToo;
  const bool real = is_integer(dtype) || (kind(dtype) == Kind::kFloat && width(dtype) > 1);
  if (real || (complex_too && kind(dtype) == Kind::kComplex) || (bool_too && dtype == DType::kBool)) return {};
  return fail(Code::kType, "TF4", "{}: dtype is {}, allowed integers, f16 bf16 f32 f64{}{}", op, name(dtype),
              complex_too ? " c64 c128" : "", bool_too ? " bool" : "");
}

Status check_rank(const char* op, const char* name, const View& input, Index least) {
  if (input.rank() >= least) return {};
  return fail(Code::kInvalidArgument, "TF1", "{}: rank of {} is {}, allowed {} or more", op, name, input.rank(), least);
}

Status check_batch_extents(const char* op, const View& params, const View& indices, Index batch) {
  for (Index a = 0; a < batch; ++a)
    if (indices.extent(a) != params.extent(a))
      return fail(Code::kInvalidArgument, "TF3", "{}: extent of indices is {}, allowed {} on axis {}", op,
                  indices.extent(a), params.extent(a), a);
  return {};
}

Status check_tuples(const char* op, const View& indices, Index least, Index most) {
  const Index last = indices.rank() - 1, k = indices.extent(last);
  if (k >= least && k <= most) return {};
  return fail(Code::kInvalidArgument, "TF6", "{}: length of tuples is {}, allowed [{}, {}] on axis {}", op, k, least,
              most, last);
}

Result<BadIndices> bad_indices_named(const std::string& op, const std::string& word) {
  if (word == "DEFAULT") return BadIndices::kDefault;
  if (word == "ERROR") return BadIndices::kError;
  if (word == "IGNORE") return BadIndices::kIgnore;
  return fail(Code::kInvalidArgument, "TF8", "{}: bad_indices_policy is {}, allowed DEFAULT ERROR IGNORE", op, word);
}

Reading reading(BadIndices policy, OutOfRange ignored) {
  return {.outside = policy == BadIndices::kIgnore ? ignored : OutOfRange::kTrap, .rule = "TF5"};
}

}  // namespace garner::tensorflow
