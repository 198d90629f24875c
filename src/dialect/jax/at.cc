#include "dialect/jax/at.h"

#include <cstring>
#include <utility>

#include "base/fail.h"
#include "dtype/dispatch.h"

namespace garner::jax {
namespace {

using numpy::Key;
using numpy::KeyPart;
using numpy::Lookup;
using numpy::Selection;

struct Renamed {
  const char *from, *to;
  Code code;
};
constexpr Renamed kRenamed[] = {
    {"NP3", "JX45", Code::kIndex},
    {"NP5", "JX42", Code::kType},
    {"NP8", "JX43", Code::kInvalidArgument},
    {"NP9", "JX41", Code::kIndex},
    {"NP10", "JX49", Code::kIndex},
    {"NP11", "JX44", Code::kIndex},
    {"NP12", "JX50", Code::kInvalidArgument},
    {"NP21", "JX48", Code::kType},
    {"NP23", "JX42", Code::kType},
};

/// Integers as tensors of rank 0: the numpy dialect refuses those outside, JAX does not.
Key without_integers(const Key& key, std::vector<Tensor>& kept) {
  Key out = key;
  for (KeyPart& part : out)
    if (const Index* position = std::get_if<Index>(&part)) {
      kept.push_back(scalar(*position));
      part = View(kept.back());
    }
  return out;
}

/// The same key with every index 0. The numpy dialect refuses an index outside even where the result has no element and
/// nothing is read; JAX does not look.
Key with_zeros(const Key& key) {
  static constexpr Index kZero = 0;
  Key out = key;
  for (KeyPart& part : out)
    if (View* index = std::get_if<View>(&part); index != nullptr && is_integer(index->dtype()))
      *index = View(DType::kI64, &kZero, index->shape(), Axes(index->shape().size(), 0));
  return out;
}

/// The position that an index tensor of rank 0 names, if it is inside.
std::optional<Index> position_of(const View& index, Index extent, bool wraps) {
  const auto read = [&]<class T>() -> std::optional<Index> {
    T value;
    std::memcpy(&value, index.data(), sizeof value);
    if (!std::in_range<Index>(value)) return std::nullopt;
    const Index at = static_cast<Index>(value) + (wraps && value < T{0} ? extent : 0);
    return at >= 0 && at < extent ? std::optional(at) : std::nullopt;
  };
  return dispatch_index(index.dtype(), read, [] { return std::optional<Index>(); });
}

Index extent_of(const Selection& selection, const Lookup& lookup) {
  return selection.extents[static_cast<std::size_t>(lookup.axis)];
}

Status check_not_empty(const Selection& selection) {
  for (const Lookup& l : selection.lookups)
    if (l.index.rank() == 0 && extent_of(selection, l) == 0)
      return fail(Code::kIndex, "JX45", "{}: extent of x is 0, allowed [1, inf) under an integer on axis {}",
                  selection.op, l.axis);
  return {};
}

/// One position inside needs no index tensor.
void settle_positions(Selection& selection, bool wraps) {
  std::vector<Lookup> rest;
  for (const Lookup& l : selection.lookups) {
    const bool is_number = l.index.rank() == 0 && l.index.device().is_cpu();
    const auto position = is_number ? position_of(l.index, extent_of(selection, l), wraps) : std::optional<Index>();
    if (position) selection.positions.push_back({l.axis, *position});
    else rest.push_back(l);
  }
  selection.lookups = std::move(rest);
}

}  // namespace

Status as_jax(Status status) {
  for (const Renamed& r : kRenamed)
    if (status.rule == r.from) return {r.code, r.to, status.message};
  return status;
}

Result<Selection> select(const Indexing& i) {
  std::vector<Tensor> integers;
  const Key key = without_integers(i.key, integers);
  auto selection = numpy::resolve(i.op, i.x, key);
  if (selection.status().rule == "NP3") selection = numpy::resolve(i.op, i.x, with_zeros(key));
  if (!selection.ok()) return as_jax(selection.status());
  GARNER_TRY(check_not_empty(*selection));
  settle_positions(*selection, i.wraps);
  selection->kept.insert(selection->kept.end(), integers.begin(), integers.end());
  return selection;
}

Job addressed(JobBuilder builder, const Indexing& i, const Selection& selection) {
  numpy::address(builder, selection);
  Job job = std::move(builder).build();
  for (std::size_t t = 0; t < selection.lookups.size(); ++t)
    job.plan.terms[t].bounds = within(extent_of(selection, selection.lookups[t]), i.wraps, i.outside);
  job.kept = selection.kept;
  return job;
}

Result<numpy::KeyArgument> read_key(Arguments& a) {
  auto key = numpy::key_argument(a, "key");
  if (!key.ok()) return as_jax(key.status());
  return key;
}

}  // namespace garner::jax
