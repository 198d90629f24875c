// Lists of integers as arguments and results, for what takes Axes.
#pragma once
#include <nanobind/stl/detail/nb_list.h>

#include "garner/axes.h"

namespace nanobind::detail {

template <>
struct type_caster<garner::Axes> : list_caster<garner::Axes, garner::Index> {};

}  // namespace nanobind::detail
