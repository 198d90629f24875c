// tensorrt.scatter(data, indices, updates, mode=ELEMENT, axis=0)
//   ELEMENT  result[j with j[axis] replaced by indices[j]] = updates[j]
//   ND       result[indices[i…, :], rest] = updates[i…, rest]
// The rest of result is a copy of data.
#include "base/fail.h"
#include "dialect/tensorrt/layer.h"
#include "garner/error.h"

namespace garner::tensorrt {
namespace {

constexpr Rules kRules{"tensorrt.scatter", "TRS1", "TRS2", "TRS3", "TRS4", "TRS6", "TRS7"};
constexpr DType kDataDTypes[] = {DType::kI32, DType::kI64, DType::kBool, DType::kF16, DType::kF32, DType::kBF16};

Status check_dtypes(const TensorType& data, const TensorType& indices, const TensorType& updates) {
  GARNER_TRY(check_dtype(kRules, {"data", data.dtype}, kDataDTypes));
  GARNER_TRY(check_index_dtype(kRules, indices));
  return check_dtype(kRules, {"updates", updates.dtype}, std::span(&data.dtype, 1));
}

Status check_shapes(const TensorType& data, const TensorType& indices, const TensorType& updates) {
  GARNER_TRY(check_shape(kRules, "data", data.shape, 1));
  GARNER_TRY(check_shape(kRules, "indices", indices.shape, 1));
  return check_shape(kRules, "updates", updates.shape, 0);
}

Status check_updates(const char* rule, const TensorType& updates, const Axes& allowed) {
  if (may_equal(updates.shape, allowed)) return {};
  return fail(Code::kInvalidArgument, rule, "{}: shape of updates is {}, allowed {}", kRules.op, list(updates.shape),
              list(allowed));
}

Status check_element_mode(const TensorType& data, const TensorType& indices, const TensorType& updates, Index axis) {
  GARNER_TRY(check_axis(kRules, axis, rank_of(data)));
  GARNER_TRY(check_element(kRules, data, indices, axis));
  return check_updates("TRS5", updates, indices.shape);
}

Status check_nd_mode(const TensorType& data, const TensorType& indices, const TensorType& updates) {
  GARNER_ASSIGN(const Index k, tuple_length(kRules, indices, rank_of(data)));
  Axes allowed = part(indices.shape, 0, rank_of(indices) - 1);
  allowed.insert(allowed.end(), data.shape.begin() + k, data.shape.end());
  return check_updates("TRS8", updates, allowed);
}

void address(JobBuilder& job, const View& data, const View& indices, const ScatterLayer& layer) {
  switch (layer.mode) {
    case ScatterMode::kElement: return address_elements(job, data, indices, layer.axis, OutOfRange::kDrop);
    case ScatterMode::kNd: return address_tuples(job, data, indices, 0, OutOfRange::kDrop);
  }
}

Result<ScatterMode> mode_named(const std::string& word) {
  if (word == "ELEMENT") return ScatterMode::kElement;
  if (word == "ND") return ScatterMode::kNd;
  return fail(Code::kInvalidArgument, "TRS9", "{}: mode is {}, allowed ELEMENT ND", kRules.op, word);
}

}  // namespace

Result<Axes> infer_scatter(const TensorType& data, const TensorType& indices, const TensorType& updates,
                           const ScatterLayer& layer) {
  GARNER_TRY(check_dtypes(data, indices, updates));
  GARNER_TRY(check_shapes(data, indices, updates));
  if (layer.mode == ScatterMode::kNd) GARNER_TRY(check_nd_mode(data, indices, updates));
  else GARNER_TRY(check_element_mode(data, indices, updates, layer.axis));
  return data.shape;
}

Result<Job> lower_scatter(const View& data, const View& indices, const View& updates, const ScatterLayer& layer) {
  GARNER_TRY(infer_scatter(type_of(data), type_of(indices), type_of(updates), layer));
  auto job = JobBuilder::scatter(kRules.op, data, updates, Combine::kAssign);
  address(job, data, indices, layer);
  return std::move(job).build();
}

Tensor scatter(const View& data, const View& indices, const View& updates, const ScatterLayer& layer,
               const RunOptions& options) {
  return value_or_throw(run_one(lower_scatter(data, indices, updates, layer), options));
}

extern const Op op_scatter;
const Op op_scatter{"scatter", "(data, indices, updates, mode=ELEMENT, axis=0)", [](Arguments& a) -> Result<Jobs> {
  const View data = a.tensor("data"), indices = a.tensor("indices"), updates = a.tensor("updates");
  const std::string word = a.word("mode");
  ScatterLayer layer{.axis = a.integer("axis")};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(layer.mode, mode_named(word));
  return one(lower_scatter(data, indices, updates, layer));
}};

}  // namespace garner::tensorrt
