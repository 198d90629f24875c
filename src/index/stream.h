// Positions to memory past the caches, for results that leave them before anyone reads.
#pragma once
#include "garner/axes.h"

namespace garner::index {

/// Results of this many bytes and more.
inline constexpr Index kStreamBytes = 8 << 20;

/// to[0 … n) = from. flush_streams() ends a series of these, on the thread that did them.
void stream_out(const Index* from, Index n, Index* to);
void flush_streams();

}  // namespace garner::index
