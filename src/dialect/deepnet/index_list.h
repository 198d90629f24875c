// What gather and scatter have in common: one optional index tensor per dimension of the indexed side.
#pragma once
#include "garner/deepnet.h"
#include "run/job_builder.h"

namespace garner::deepnet {

/// The two operations share their checks but not the numbers of their rules.
struct Rules {
  const char *op, *length, *broadcast, *none, *range;
};

/// Every rule about a list that addresses a tensor of shape `indexed` from each position of `domain`.
Status check_list(const Rules& rules, const IndexList& indices, const Axes& indexed, const Axes& domain);

/// Some: look the coordinate up. None: follow the domain.
void attach(JobBuilder& job, const Rules& rules, const IndexList& indices, const Axes& indexed);

}  // namespace garner::deepnet
