// numpy.ix_(args): one index array per sequence, for outer indexing. In the text form the sequences stand in one list.
#include "base/fail.h"
#include "dialect/numpy/indices.h"
#include "garner/error.h"
#include "garner/index.h"

namespace garner::numpy {
namespace {

constexpr const char* kName = "numpy.ix_";

/// The sequence along axis `axis` of `rank`.
Result<Tensor> along_axis(const View& sequence, Index axis, Index rank) {
  Axes shape(static_cast<std::size_t>(rank), 1), stride(static_cast<std::size_t>(rank), 0);
  shape[static_cast<std::size_t>(axis)] = sequence.extent(0);
  stride[static_cast<std::size_t>(axis)] = sequence.stride(0);
  return contiguous(sequence.seen_as(shape, stride));
}

Result<Tensor> index_of(const View& sequence, Index axis, Index rank, const RunOptions& run) {
  GARNER_TRY(validate_anywhere(sequence, fmt::format("{}: sequence {}", kName, axis)));
  if (sequence.rank() != 1)
    return fail(Code::kInvalidArgument, "NP19", "{}: sequence {} has rank {}, allowed 1", kName, axis, sequence.rank());
  if (sequence.dtype() != DType::kBool) return along_axis(sequence, axis, rank);
  GARNER_ASSIGN(const Tensor places, index::flatnonzero(sequence, {}, run));
  return along_axis(places, axis, rank);
}

Result<std::vector<Tensor>> indices_of(const std::vector<View>& sequences, const RunOptions& run) {
  std::vector<Tensor> out;
  const Index rank = static_cast<Index>(sequences.size());
  for (Index a = 0; a < rank; ++a) {
    GARNER_ASSIGN(Tensor index, index_of(sequences[static_cast<std::size_t>(a)], a, rank, run));
    out.push_back(std::move(index));
  }
  return out;
}

}  // namespace

std::vector<Tensor> ix_(const std::vector<View>& sequences, const RunOptions& run) {
  return value_or_throw(indices_of(sequences, run));
}

extern const Op op_ix_;
const Op op_ix_ =
    on_any_device({"ix_", "(args)", nullptr, [](Arguments& a, const RunOptions& run) -> Result<std::vector<Tensor>> {
  const std::vector<View> sequences = a.tensors("args");
  GARNER_TRY(a.status());
  return indices_of(sequences, run);
}, [](Arguments& a, const Leaves& leaves) -> Result<std::vector<grad::Var>> {
  const std::vector<View> sequences = a.tensors("args");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const std::vector<Tensor> shaped, indices_of(sequences, {}));
  std::vector<grad::Var> out;
  for (std::size_t i = 0; i < shaped.size(); ++i) {
    const bool mask = sequences[i].dtype() == DType::kBool;
    out.push_back(mask ? grad::Var(shaped[i]) : grad::reshape(leaves.of(sequences[i]), shaped[i].shape()));
  }
  return out;
}});

}  // namespace garner::numpy
