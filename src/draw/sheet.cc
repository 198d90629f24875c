#include "draw/sheet.h"

#include <algorithm>

#include "base/checked_math.h"
#include "base/fail.h"
#include "garner/draw.h"
#include "run/check.h"
#include "tensor/print.h"
#include "tensor/walk.h"

namespace garner {
namespace {

constexpr std::size_t kValueLength = 12;

View without_still_axes(const View& view) {
  Axes shape, stride;
  for (Index a = 0; a < view.rank(); ++a) {
    if (view.stride(a) == 0 && view.extent(a) > 1) continue;
    shape.push_back(view.extent(a));
    stride.push_back(view.stride(a));
  }
  return {view.dtype(), view.data(), shape, stride};
}

Axes position_of(const Axes& shape, Index place) {
  Axes position(shape.size());
  for (std::size_t a = shape.size(); a-- > 0; place /= shape[a]) position[a] = place % shape[a];
  return position;
}

}  // namespace

std::string coordinates_text(const Axes& shape, Index place) {
  return shape.empty() ? "" : fmt::format("[{}]", fmt::join(position_of(shape, place), ", "));
}

std::string element_text(DType dtype, const void* element) {
  std::string text = scalar_text(dtype)(static_cast<const std::byte*>(element));
  if (text.ends_with(".0")) text.resize(text.size() - 2);  // a cell is small; the panel names the dtype
  return text.size() <= kValueLength ? text : text.substr(0, kValueLength - 1) + "…";
}

Status check_drawable(const std::string& op, const std::string& name, const Axes& shape) {
  if (static_cast<Index>(shape.size()) > kDrawnAxes)
    return fail(Code::kUnsupported, "DR2", "{}: rank of {} is {}, allowed [0, {}] in a picture", op, name, shape.size(),
                kDrawnAxes);
  const auto elements = checked_product(shape);
  if (elements && *elements <= kDrawnElements) return {};
  return fail(Code::kUnsupported, "DR1", "{}: {} has shape {}, allowed [0, {}] elements in a picture", op, name,
              list(shape), kDrawnElements);
}

Sheet::Sheet(std::string name, const View& view) : view_(without_still_axes(view)) {
  panel_ = {.name = std::move(name), .dtype = view.dtype(), .shape = view_.shape(), .cells = {}};
  walk_bytes(view_, [&](const std::byte* element) {
    places_.emplace(element, static_cast<Index>(panel_.cells.size()));
    panel_.cells.push_back(
        {.value = element_text(view_.dtype(), element), .note = {}, .tip = {}, .colours = {}, .marks = {}});
  });
}

bool Sheet::is(const View& view) const { return same_place(view_, without_still_axes(view)); }

Index Sheet::place(const void* address) const {
  const auto at = places_.find(address);
  return at == places_.end() ? 0 : at->second;
}

std::string Sheet::short_name(Index place) const {
  const std::string at = fmt::format("{}", fmt::join(position_of(panel_.shape, place), ","));
  return at.empty() ? panel_.name : at;
}

void Sheet::paint(Index place, Rgb colour) {
  auto& colours = cell(place).colours;
  if (std::ranges::find(colours, colour) == colours.end()) colours.push_back(colour);
}

Panel Sheet::finish() && {
  for (const auto& [place, to] : links_) {
    cell(place).note = to.size() == 1 ? fmt::format("→{}", *to.begin()) : fmt::format("→{} places", to.size());
  }
  return std::move(panel_);
}

}  // namespace garner
