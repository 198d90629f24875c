// Programs without what nobody asks for.
#pragma once
#include "translate/program.h"

namespace garner::translate_detail {

/// The same program without nodes that no result and no check needs. Inputs stay.
Program prune(const Program& program);

}  // namespace garner::translate_detail
