// A case's call told again with its data in another dtype.
#pragma once
#include "conformance/case_file.h"
#include "dialect/op.h"

namespace garner::conformance {

/// The dtype that is the data's: that of the plan (unless no argument has it: a common dtype of several), or of the
/// result, or of the first tensor.
std::optional<DType> data_dtype(const Call& call, const Result<Jobs>& jobs, const Case& c);

/// An index tensor of the data's dtype would be retold with the data, which makes another call of it.
bool indices_have(DType dtype, const Result<Jobs>& jobs);

Call retold(Call call, DType from, DType to);

/// "trap", "fill", … as the plan's index tensors say; "none" where no index is read.
std::string policy_of(const Result<Jobs>& jobs);

/// f(tensor) for every tensor of the call, which may change it; lists are copied first.
void for_each_tensor(Call& call, const std::function<void(Tensor&)>& f);

/// Every operation of every dialect: "torch.gather".
std::vector<std::string> operations();

}  // namespace garner::conformance
