// .npz files: every array it lists can be read, or is refused.
#include "fuzz/target.h"
#include "garner/format.h"

void garner::fuzz::test_one(std::string_view bytes) {
  const MemoryFile file(bytes);
  const auto names = format::list_npz(file.path());
  require_sound(names.status());
  require_sound(format::read_npz(file.path()).status());
  if (!names.ok()) return;
  for (const std::string& name : *names) {
    const auto array = format::read_npz(file.path(), name);
    require_sound(array.status());
    if (array.ok()) touch(array->view);
  }
}
