// .npy files: an array whose every element can be read, or a refusal; also for elements whose dtype only we know.
#include "fuzz/target.h"
#include "garner/format.h"

void garner::fuzz::test_one(std::string_view bytes) {
  const MemoryFile file(bytes);
  for (const std::optional<DType> dtype : {std::optional<DType>{}, std::optional(DType::kBF16)}) {
    const auto array = format::read_npy(file.path(), dtype);
    require_sound(array.status());
    if (array.ok()) touch(array->view);
  }
}
