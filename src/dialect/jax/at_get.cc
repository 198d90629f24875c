// jax.at_get(x, key, …): x.at[key].get(…)
//   As NumPy's x[key]; what an index outside reads is the mode's.
#include "base/fail.h"
#include "dialect/jax/at.h"
#include "garner/error.h"
#include "tensor/walk.h"

namespace garner::jax {
namespace {

constexpr const char* kName = "jax.at_get";

/// Not even a filled read may look into an axis that has no place.
Status check_readable(const numpy::Selection& selection, const Axes& result) {
  if (any_zero(result)) return {};
  for (const numpy::Lookup& l : selection.lookups)
    if (selection.extents[static_cast<std::size_t>(l.axis)] == 0)
      return fail(Code::kType, "JX46", "{}: extent of x is 0, allowed [1, inf) under an index array on axis {}", kName,
                  l.axis);
  return {};
}

}  // namespace

Result<Job> At::lower_get(const GetOptions& options) const {
  const Indexing indexing{kName, x_, key_, reading(options.mode), options.wrap_negative_indices};
  GARNER_ASSIGN(const numpy::Selection selection, select(indexing));
  const Axes shape = shape_of(selection);
  GARNER_TRY(check_readable(selection, shape));
  Job job = addressed(JobBuilder::gather(kName, x_, shape), indexing, selection);
  return with_fill(std::move(job), indexing.outside, options.fill_value);
}

Tensor At::get(const GetOptions& options) const { return value_or_throw(run_one(lower_get(options), options.run)); }

extern const Op op_at_get;
const Op op_at_get{"at_get",
                   "(x, key, *, indices_are_sorted=false, unique_indices=false, mode=None, fill_value=None, "
                   "wrap_negative_indices=true)",
                   [](Arguments& a) -> Result<Jobs> {
  const View x = a.tensor("x");
  GetOptions options{.fill_value = read_fill(a), .wrap_negative_indices = a.flag("wrap_negative_indices")};
  GARNER_TRY(a.status());
  GARNER_ASSIGN(options.mode, read_mode(a));
  GARNER_ASSIGN(const numpy::KeyArgument key, read_key(a));
  return one(keeping(at(x, key.key).lower_get(options), key.kept));
}};

}  // namespace garner::jax
