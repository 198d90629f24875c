// .safetensors files: every tensor of a header that is accepted can be read, and is what the header says.
#include "fuzz/target.h"
#include "garner/format.h"

void garner::fuzz::test_one(std::string_view bytes) {
  const MemoryFile file(bytes);
  const auto list = format::list_safetensors(file.path());
  require_sound(list.status());
  require_sound(format::read_safetensors(file.path()).status());
  if (!list.ok()) return;
  for (const format::SafetensorsEntry& entry : list->tensors) {
    const auto tensor = format::read_safetensors(file.path(), entry.name);
    require_sound(tensor.status());
    if (!tensor.ok()) continue;
    require(tensor->view.dtype() == entry.dtype && tensor->view.shape() == entry.shape, "a tensor is as it is listed");
    touch(tensor->view);
  }
}
