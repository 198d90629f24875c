// Built without liburing.
#include "table/block_reader.h"

namespace garner {

Result<std::unique_ptr<BlockReader>> make_uring_reader(std::shared_ptr<const RowFile> file, int) {
  return fail(Code::kUnsupported, "TB8", "open_table: io_uring for {}: this Garner was built without liburing",
              file->path());
}

}  // namespace garner
