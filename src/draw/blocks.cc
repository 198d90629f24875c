#include "draw/blocks.h"

#include <fmt/format.h>

#include <algorithm>

namespace garner {

Blocks blocks_of(const Panel& panel) {
  const Axes& shape = panel.shape;
  const auto from_end = [&](std::size_t back) { return back <= shape.size() ? shape[shape.size() - back] : 1; };
  Blocks out{.rows = from_end(2), .columns = from_end(1), .arranged = {}};
  if (panel.cells.empty()) return out;
  const Index across = from_end(3), down = from_end(4), cells = out.rows * out.columns;
  for (Index n = 0; n < down; ++n) {
    auto& row = out.arranged.emplace_back();
    for (Index c = 0; c < across; ++c) {
      std::string caption;
      if (shape.size() == 3) caption = fmt::format("[{}, :, :]", c);
      if (shape.size() == 4) caption = fmt::format("[{}, {}, :, :]", n, c);
      row.push_back({std::move(caption), (n * across + c) * cells});
    }
  }
  return out;
}

Index characters(std::string_view utf8) {
  return std::ranges::count_if(utf8, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
}

}  // namespace garner
