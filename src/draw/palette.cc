#include "draw/palette.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace garner {
namespace {

constexpr std::array<Rgb, 8> kHues = {Rgb{0x77, 0xaa, 0xdd}, Rgb{0xee, 0x88, 0x66}, Rgb{0x44, 0xbb, 0x99},
                                      Rgb{0xff, 0xaa, 0xbb}, Rgb{0xbb, 0xcc, 0x33}, Rgb{0x99, 0xdd, 0xff},
                                      Rgb{0xee, 0xdd, 0x88}, Rgb{0xaa, 0xaa, 0x00}};

/// `share` of the way to white.
std::uint8_t lighter(std::uint8_t part, double share) {
  return static_cast<std::uint8_t>(std::lround(part + (255 - part) * share));
}

Rgb hue(Index number, double share) {
  const Rgb base = kHues[static_cast<std::size_t>(number) % kHues.size()];
  return {lighter(base.red, share), lighter(base.green, share), lighter(base.blue, share)};
}

}  // namespace

Rgb colour_at(const Axes& shape, Index place) {
  const Index columns = shape.empty() ? 1 : std::max<Index>(shape.back(), 1);
  Index all = 1;
  for (const Index extent : shape) all *= extent;
  if (all <= columns) return hue(place, 0);
  const double along = columns == 1 ? 0 : static_cast<double>(place % columns) / static_cast<double>(columns - 1);
  return hue(place / columns, 0.6 * along);
}

int terminal_colour(Rgb c) {
  // 16 + a cube of six levels a side: 0, 95, 135, 175, 215, 255.
  const auto level = [](std::uint8_t part) { return part < 48 ? 0 : part < 115 ? 1 : (part - 35) / 40; };
  return 16 + 36 * level(c.red) + 6 * level(c.green) + level(c.blue);
}

}  // namespace garner
