// Strided looks at row-major arrays, said with slices where that is possible.
#pragma once
#include "translate/program.h"

namespace garner::translate_detail {

/// A walk over a domain through row-major memory: element offset + sum stride[k] * d[k].
struct Walk {
  Index offset = 0;
  Axes domain, stride;
};

/// offset + sum stride[k] * d[k] as an i64 array that broadcasts to the domain.
int affine(Builder& b, const Walk& walk);

/// The elements of `a` along the walk: of the domain's rank, with extent 1 where the walk stands still.
int walk_over(Builder& b, int a, const Walk& walk);

}  // namespace garner::translate_detail
