#include "dialect/stablehlo/promote.h"

namespace garner::stablehlo {

bool is_promotable(DType from, DType to) {
  return from == to || (kind(from) == kind(to) && info(from).bits < info(to).bits);
}

}  // namespace garner::stablehlo
