// Programs as StableHLO modules.
#pragma once
#include "translate/lower.h"

namespace garner::translate_detail {

const Target& stablehlo_target();
std::string stablehlo_module(const Program& program, const std::string& op);

}  // namespace garner::translate_detail
