// A panel of any rank up to 4 as rows of two-dimensional blocks: [n, c, h, w] is n rows of c blocks of h by w cells.
#pragma once
#include "draw/picture.h"

namespace garner {

struct Block {
  std::string caption;  // "[0, 1, :, :]"; empty when there is only one
  Index first = 0;      // the row-major place of its cell (0, 0)
};

struct Blocks {
  Index rows = 1, columns = 1;                // of cells in a block
  std::vector<std::vector<Block>> arranged;   // rows of blocks
};

Blocks blocks_of(const Panel& panel);

/// Characters on a screen, which are not bytes.
Index characters(std::string_view utf8);

}  // namespace garner
