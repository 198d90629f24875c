// numpy.ix_(args): one index array per sequence, for outer indexing. In the text form the sequences stand in one list.
#include "base/fail.h"
#include "dialect/numpy/indices.h"
#include "garner/error.h"
#include "garner/index.h"

namespace garner::numpy {
namespace {

constexpr const char* kName = "numpy.ix_";

/// The places a sequence names; a mask's go into `kept`.
Result<View> places_of(const View& sequence, std::size_t axis, const RunOptions& run, std::vector<Tensor>& kept) {
  GARNER_TRY(validate_anywhere(sequence, fmt::format("{}: sequence {}", kName, axis)));
  if (sequence.rank() != 1)
    return fail(Code::kInvalidArgument, "NP19", "{}: sequence {} has rank {}, allowed 1", kName, axis, sequence.rank());
  if (sequence.dtype() != DType::kBool) return sequence;
  GARNER_ASSIGN(Tensor places, index::flatnonzero(sequence, {}, run));
  kept.push_back(std::move(places));
  return View(kept.back());
}

/// Memory for a sequence along axis `axis` of `rank`.
Status open(index::Output& out, const View& places, std::size_t axis, std::span<const View* const> all) {
  Axes shape(all.size(), 1);
  shape[axis] = places.extent(0);
  return out.open(kName, places.dtype(), shape, all);
}

Status indices_of(const std::vector<View>& sequences, const RunOptions& run, Results& results) {
  std::vector<Tensor> kept;
  std::vector<View> places;
  std::vector<const View*> all;
  for (std::size_t a = 0; a < sequences.size(); ++a) {
    GARNER_ASSIGN(View along, places_of(sequences[a], a, run, kept));
    places.push_back(std::move(along));
    all.push_back(&sequences[a]);
  }
  GARNER_ASSIGN(const std::span<index::Output> out, results.room(sequences.size()));
  for (std::size_t a = 0; a < places.size(); ++a) GARNER_TRY(open(out[a], places[a], a, all));
  for (std::size_t a = 0; a < places.size(); ++a) GARNER_TRY(out[a].put(places[a], run));
  return {};
}

Result<std::vector<Tensor>> fresh_indices(const std::vector<View>& sequences, const RunOptions& run) {
  Results results;
  GARNER_TRY(indices_of(sequences, run, results));
  return results.close(run);
}

}  // namespace

std::vector<Tensor> ix_(const std::vector<View>& sequences, const RunOptions& run) {
  return value_or_throw(fresh_indices(sequences, run));
}

extern const Op op_ix_;
const Op op_ix_ =
    on_any_device({"ix_", "(args)", nullptr, [](Arguments& a, const RunOptions& run, Results& results) -> Status {
  const std::vector<View> sequences = a.tensors("args");
  GARNER_TRY(a.status());
  return indices_of(sequences, run, results);
}, [](Arguments& a, const Leaves& leaves) -> Result<std::vector<grad::Var>> {
  const std::vector<View> sequences = a.tensors("args");
  GARNER_TRY(a.status());
  GARNER_ASSIGN(const std::vector<Tensor> shaped, fresh_indices(sequences, {}));
  std::vector<grad::Var> out;
  for (std::size_t i = 0; i < shaped.size(); ++i) {
    const bool mask = sequences[i].dtype() == DType::kBool;
    out.push_back(mask ? grad::Var(shaped[i]) : grad::reshape(leaves.of(sequences[i]), shaped[i].shape()));
  }
  return out;
}});

}  // namespace garner::numpy
