// ct.print's text of a tile (CT22).
#include "tensor/print.h"

#include "garner/cutile.h"

namespace garner::cutile {

std::string to_string(const View& tile) {
  // A printer has no way to fail; the reason is the most useful thing to show.
  if (const Status status = validate(tile, "to_string"); !status.ok()) return '<' + status.message + '>';
  return nested(tile, scalar_text(tile.dtype()), {.separator = ", ", .rows = Rows::kSameLine});
}

}  // namespace garner::cutile
