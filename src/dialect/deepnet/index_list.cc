#include "dialect/deepnet/index_list.h"

#include "base/fail.h"
#include "tensor/walk.h"

namespace garner::deepnet {
namespace {

Index rank_of(const Axes& shape) { return static_cast<Index>(shape.size()); }

Status check_dtypes(const Rules& rules, const IndexList& indices) {
  for (std::size_t d = 0; d < indices.size(); ++d)
    if (const auto& index = indices[d]; index && !is_integer(index->dtype()))
      return fail(Code::kType, "DN0", "{}: index is {}, allowed an integer dtype on axis {}", rules.op,
                  name(index->dtype()), d);
  return {};
}

Status check_length(const Rules& rules, const IndexList& indices, const Axes& indexed) {
  if (indices.size() == indexed.size()) return {};
  return fail(Code::kInvalidArgument, rules.length, "{}: number of indices is {}, allowed {} (one per dimension)",
              rules.op, indices.size(), indexed.size());
}

Status check_none(const Rules& rules, const IndexList& indices, const Axes& domain) {
  for (std::size_t d = domain.size(); d < indices.size(); ++d)
    if (!indices[d])
      return fail(Code::kInvalidArgument, rules.none, "{}: index is None, allowed an index tensor on axis {}", rules.op,
                  d);
  return {};
}

Status check_broadcast(const Rules& rules, const IndexList& indices, const Axes& domain) {
  for (std::size_t d = 0; d < indices.size(); ++d)
    if (const auto& index = indices[d]; index && !broadcast_to(*index, domain).ok())
      return fail(Code::kInvalidArgument, rules.broadcast,
                  "{}: index shape is {}, allowed one broadcastable to {} on axis {}", rules.op, list(index->shape()),
                  list(domain), d);
  return {};
}

/// An identity coordinate is an index like any other; that it runs too far is known before the first read.
Status check_identity(const Rules& rules, const IndexList& indices, const Axes& indexed, const Axes& domain) {
  if (any_zero(domain)) return {};
  for (std::size_t d = 0; d < indices.size(); ++d)
    if (!indices[d] && domain[d] > indexed[d])
      return fail(Code::kIndex, rules.range, "{}: identity index is {}, allowed [0, {}) on axis {}", rules.op,
                  indexed[d], indexed[d], d);
  return {};
}

}  // namespace

Status check_list(const Rules& rules, const IndexList& indices, const Axes& indexed, const Axes& domain) {
  GARNER_TRY(check_dtypes(rules, indices));
  GARNER_TRY(check_length(rules, indices, indexed));
  GARNER_TRY(check_none(rules, indices, domain));
  GARNER_TRY(check_broadcast(rules, indices, domain));
  return check_identity(rules, indices, indexed, domain);
}

void attach(JobBuilder& job, const Rules& rules, const IndexList& indices, const Axes& indexed) {
  const Index rank = rank_of(job.domain());
  for (Index d = 0; d < rank_of(indexed); ++d) {
    const auto& index = indices[static_cast<std::size_t>(d)];
    if (!index) {
      job.follow(d, d);
      continue;
    }
    const Axes along = axes_from(rank - index->rank(), index->rank());
    const Bounds bounds{.hi = indexed[static_cast<std::size_t>(d)]};
    job.look_up(d, job.term(*index, along, bounds, fmt::format("indices[{}]", d), rules.range));
  }
}

}  // namespace garner::deepnet
