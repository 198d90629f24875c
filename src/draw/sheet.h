// A tensor as a panel that is still being drawn on: cells are found by the address of their element.
#pragma once
#include <map>

#include "draw/picture.h"

namespace garner {

/// "[0, 2]" of a row-major place; nothing for rank 0.
std::string coordinates_text(const Axes& shape, Index place);

/// The text of an element, cut to what a cell holds.
std::string element_text(DType dtype, const void* element);

/// Rules DR1 and DR2: what a picture has no room for.
Status check_drawable(const std::string& op, const std::string& name, const Axes& shape);

class Sheet {
 public:
  /// Axes along which the view stands still are left out. The view has been checked.
  Sheet(std::string name, const View& view);

  const std::string& name() const { return panel_.name; }
  const Axes& shape() const { return panel_.shape; }
  bool is(const View& view) const;

  /// The row-major place of an element, by its address.
  Index place(const void* address) const;
  Cell& cell(Index place) { return panel_.cells[static_cast<std::size_t>(place)]; }
  Rgb colour(Index place) const { return colour_at(panel_.shape, place); }
  /// "0,2", and "input[0, 2]".
  std::string short_name(Index place) const;
  std::string full_name(Index place) const { return panel_.name + coordinates_text(panel_.shape, place); }

  /// A line from this cell to another place. One is named; several are counted.
  void link(Index place, const std::string& to) { links_[place].insert(to); }
  /// Colours a cell once per colour.
  void paint(Index place, Rgb colour);

  /// Links become notes: "→ 1,0", or "→ 3 places".
  Panel finish() &&;

 private:
  View view_;
  Panel panel_;
  std::map<const void*, Index> places_;
  std::map<Index, std::set<std::string>> links_;
};

}  // namespace garner
