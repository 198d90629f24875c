// tensorflow.scatter_nd(indices, updates, shape, bad_indices_policy=DEFAULT, name=None)
// tensorflow.tensor_scatter_nd_{update,add,sub,min,max}(tensor, indices, updates, …)
//   result = zeros or tensor; result[indices[i…, :], rest] = f(that, updates[i…, rest])
#include <algorithm>

#include "base/fail.h"
#include "dialect/tensorflow/common.h"
#include "dtype/convert.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::tensorflow {
namespace {

/// Indices and updates, and the words of the call they belong to.
struct Write {
  const char* op;
  const View &indices, &updates;
};

Status check_updates(const Write& write, const Axes& target) {
  const Axes allowed = tuples_shape(target, write.indices.shape(), 0);
  if (write.updates.shape() == allowed) return {};
  return fail(Code::kInvalidArgument, "TF7", "{}: shape of updates is {}, allowed {}", write.op,
              list(write.updates.shape()), list(allowed));
}

/// The source takes no updates for a tensor without elements.
Status check_not_empty(const Write& write, const Axes& target) {
  if (!any_zero(target) || write.indices.elements() == 0) return {};
  return fail(Code::kInvalidArgument, "TF9", "{}: shape of the result is {}, allowed one with elements", write.op,
              list(target));
}

Status check(const Write& write, const Axes& target) {
  GARNER_TRY(check_dtype(write.op, {"indices", write.indices.dtype()}, {DType::kI32, DType::kI64}));
  GARNER_TRY(check_rank(write.op, "indices", write.indices, 1));
  GARNER_TRY(check_tuples(write.op, write.indices, 1, static_cast<Index>(target.size())));
  GARNER_TRY(check_updates(write, target));
  return check_not_empty(write, target);
}

Status check_shape(const char* op, const Axes& shape) {
  const auto negative = std::ranges::find_if(shape, [](Index n) { return n < 0; });
  if (negative == shape.end()) return {};
  return fail(Code::kInvalidArgument, "TF10", "{}: extent of shape is {}, allowed [0, 2^63) on axis {}", op, *negative,
              negative - shape.begin());
}

Result<Job> lower_onto(const Write& write, const View& tensor, Combine combine, BadIndices policy) {
  GARNER_TRY(check_same_dtype(write.op, {"updates", write.updates.dtype()}, tensor.dtype()));
  GARNER_TRY(check(write, tensor.shape()));
  auto job = JobBuilder::scatter(write.op, tensor, write.updates, combine);
  address_tuples(job, tensor, write.indices, 0, reading(policy, OutOfRange::kDrop));
  return std::move(job).build();
}

Result<Tensor> negated(const View& view) {
  GARNER_ASSIGN(Tensor out, Tensor::empty(view.dtype(), view.shape()));
  dispatch(view.dtype(), [&]<class T>() {
    auto* to = out.as<T>();
    walk_bytes(view, [&](const std::byte* at) {
      const auto value = to_compute(*reinterpret_cast<const T*>(at));
      // 0 - x is exact for integers, signed ones included, and keeps clear of their overflow; -x keeps the sign of 0.
      if constexpr (is_index_v<T>) *to++ = static_cast<T>(std::uint64_t{0} - static_cast<std::uint64_t>(value));
      else *to++ = static_cast<T>(-value);
    });
  });
  return out;
}

}  // namespace

Result<Job> lower_scatter_nd(const View& indices, const View& updates, const Axes& shape, BadIndices policy) {
  const Write write{"tensorflow.scatter_nd", indices, updates};
  GARNER_TRY(check_number(write.op, updates.dtype(), Numbers::kBoolToo));
  GARNER_TRY(check_shape(write.op, shape));
  GARNER_TRY(check(write, shape));
  auto job = JobBuilder::scatter_zeros(write.op, shape, updates, Combine::kAdd);
  address_tuples(job, View(updates.dtype(), nullptr, shape), indices, 0, reading(policy, OutOfRange::kDrop));
  return std::move(job).build();
}

Result<Job> lower_tensor_scatter_nd_update(const View& tensor, const View& indices, const View& updates) {
  const Write write{"tensorflow.tensor_scatter_nd_update", indices, updates};
  GARNER_TRY(check_number(write.op, tensor.dtype(), Numbers::kBoolToo));
  return lower_onto(write, tensor, Combine::kAssign, BadIndices::kError);
}

Result<Job> lower_tensor_scatter_nd_add(const View& tensor, const View& indices, const View& updates,
                                        BadIndices policy) {
  const Write write{"tensorflow.tensor_scatter_nd_add", indices, updates};
  GARNER_TRY(check_number(write.op, tensor.dtype(), Numbers::kComplexToo));
  return lower_onto(write, tensor, Combine::kAdd, policy);
}

Result<Job> lower_tensor_scatter_nd_sub(const View& tensor, const View& indices, const View& updates,
                                        BadIndices policy) {
  const char* op = "tensorflow.tensor_scatter_nd_sub";
  GARNER_TRY(check_number(op, tensor.dtype(), Numbers::kComplexToo));
  GARNER_TRY(check_same_dtype(op, {"updates", updates.dtype()}, tensor.dtype()));
  GARNER_TRY(validate(updates, op));
  // a - b is a + (-b) in every dtype, so that one kernel does both.
  GARNER_ASSIGN(Tensor minus, negated(updates));
  const View minus_view = minus;
  GARNER_ASSIGN(Job job, lower_onto({op, indices, minus_view}, tensor, Combine::kAdd, policy));
  job.kept.push_back(std::move(minus));
  return job;
}

Result<Job> lower_tensor_scatter_nd_min(const View& tensor, const View& indices, const View& updates,
                                        BadIndices policy) {
  const Write write{"tensorflow.tensor_scatter_nd_min", indices, updates};
  GARNER_TRY(check_number(write.op, tensor.dtype(), Numbers::kReal));
  return lower_onto(write, tensor, Combine::kMin, policy);
}

Result<Job> lower_tensor_scatter_nd_max(const View& tensor, const View& indices, const View& updates,
                                        BadIndices policy) {
  const Write write{"tensorflow.tensor_scatter_nd_max", indices, updates};
  GARNER_TRY(check_number(write.op, tensor.dtype(), Numbers::kReal));
  return lower_onto(write, tensor, Combine::kMax, policy);
}

Tensor scatter_nd(const View& indices, const View& updates, const Axes& shape, BadIndices policy,
                  const RunOptions& options) {
  return value_or_throw(run_one(lower_scatter_nd(indices, updates, shape, policy), options));
}

Tensor tensor_scatter_nd_update(const View& tensor, const View& indices, const View& updates,
                                const RunOptions& options) {
  return value_or_throw(run_one(lower_tensor_scatter_nd_update(tensor, indices, updates), options));
}

namespace {

using Lower = Result<Job> (*)(const View&, const View&, const View&, BadIndices);

/// The four that combine have one signature.
template <Lower lower>
Result<Jobs> lower_call(Arguments& a) {
  const View tensor = a.tensor("tensor"), indices = a.tensor("indices"), updates = a.tensor("updates");
  const std::string word = a.word("bad_indices_policy");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const BadIndices policy, bad_indices_named(a.op(), word));
  return one(lower(tensor, indices, updates, policy));
}

/// The updates of a subtraction are negated before they are written.
Result<std::vector<grad::Var>> record_sub(Arguments& a, const Leaves& leaves) {
  GARNER_TRY(lower_call<lower_tensor_scatter_nd_sub>(a));  // refuses what the call refuses
  const View tensor = a.tensor("tensor"), indices = a.tensor("indices"), updates = a.tensor("updates");
  GARNER_ASSIGN(const BadIndices policy, bad_indices_named(a.op(), a.word("bad_indices_policy")));
  const std::vector<grad::Var> inputs{leaves.of(tensor), grad::neg(leaves.of(updates))};
  return std::vector<grad::Var>{grad::call(inputs, [&](const std::vector<View>& v) {
    return lower_onto({"tensorflow.tensor_scatter_nd_sub", indices, v[1]}, v[0], Combine::kAdd, policy);
  })};
}

constexpr const char* kSignature = "(tensor, indices, updates, bad_indices_policy=DEFAULT, name=None)";

}  // namespace

extern const Op op_scatter_nd;
const Op op_scatter_nd{"scatter_nd", "(indices, updates, shape, bad_indices_policy=DEFAULT, name=None)",
                       [](Arguments& a) -> Result<Jobs> {
  const View indices = a.tensor("indices"), updates = a.tensor("updates");
  const Axes shape = a.integers("shape");
  const std::string word = a.word("bad_indices_policy");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const BadIndices policy, bad_indices_named(a.op(), word));
  return one(lower_scatter_nd(indices, updates, shape, policy));
}};

extern const Op op_tensor_scatter_nd_update;
const Op op_tensor_scatter_nd_update{"tensor_scatter_nd_update", "(tensor, indices, updates, name=None)",
                                     [](Arguments& a) -> Result<Jobs> {
  const View tensor = a.tensor("tensor"), indices = a.tensor("indices"), updates = a.tensor("updates");
  GARNER_TRY(a.status());
  return one(lower_tensor_scatter_nd_update(tensor, indices, updates));
}};

#define GARNER_TENSOR_SCATTER(name, record)                                                    \
  Tensor name(const View& tensor, const View& indices, const View& updates, BadIndices policy, \
              const RunOptions& options) {                                                     \
    return value_or_throw(run_one(lower_##name(tensor, indices, updates, policy), options));   \
  }                                                                                            \
  extern const Op op_##name;                                                                   \
  const Op op_##name{#name, kSignature, lower_call<lower_##name>, nullptr, record};
GARNER_TENSOR_SCATTER(tensor_scatter_nd_add, nullptr)
GARNER_TENSOR_SCATTER(tensor_scatter_nd_sub, record_sub)
GARNER_TENSOR_SCATTER(tensor_scatter_nd_min, nullptr)
GARNER_TENSOR_SCATTER(tensor_scatter_nd_max, nullptr)
#undef GARNER_TENSOR_SCATTER

}  // namespace garner::tensorflow
