// Do two views share memory? Bounding boxes first, then the residues of a common stride.
#include <algorithm>
#include <cstdint>
#include <numeric>

#include "tensor/shape.h"

namespace garner {
namespace {

struct ByteRange {
  Index lo, hi;
};  // addresses [lo, hi)

ByteRange byte_range(const View& v) {
  const auto base = static_cast<Index>(reinterpret_cast<std::uintptr_t>(v.data()));
  ByteRange r{base, base + width(v.dtype())};
  for (Index a = 0; a < v.rank(); ++a) {
    const Index span = (v.extent(a) - 1) * v.stride(a) * width(v.dtype());
    (span < 0 ? r.lo : r.hi) += span;
  }
  return r;
}

/// Greatest common divisor of all byte steps that move; 0 when nothing does.
Index common_step(const View& v, Index so_far) {
  for (Index a = 0; a < v.rank(); ++a)
    if (v.extent(a) > 1) so_far = std::gcd(so_far, v.stride(a) * width(v.dtype()));
  return so_far;
}

}  // namespace

bool may_overlap(const View& a, const View& b) {
  if (a.elements() == 0 || b.elements() == 0) return false;
  const ByteRange ra = byte_range(a), rb = byte_range(b);
  if (ra.hi <= rb.lo || rb.hi <= ra.lo) return false;
  const Index step = common_step(b, common_step(a, 0));
  if (step == 0) return true;
  // Every address of a is ≡ ra.lo and every one of b ≡ rb.lo modulo step; do the elements at those residues touch?
  const Index ahead = ((rb.lo - ra.lo) % step + step) % step;
  return ahead < width(a.dtype()) || ahead + width(b.dtype()) > step;
}

bool overlaps_itself(const View& view) {
  if (view.elements() <= 1 || is_row_major(view)) return false;
  std::vector<std::pair<Index, Index>> axes;  // |stride|, extent
  for (Index a = 0; a < view.rank(); ++a)
    if (view.extent(a) > 1) axes.emplace_back(std::abs(view.stride(a)), view.extent(a));
  std::sort(axes.begin(), axes.end());
  Index reach = 0;  // largest offset the axes so far produce
  for (const auto& [stride, extent] : axes) {
    if (stride <= reach) return true;
    reach += stride * (extent - 1);
  }
  return false;
}

}  // namespace garner
