#pragma once

#include "app/table_map/annotations.hpp"
#include "gpu/engine/parts.hpp"

#include <functional>
#include <span>
#include <string>

namespace slotscape {

/// Whether cells are wide enough for text: the same in every scale of the interface, because text shrinks with its
/// cell. Small tables show it down to narrower cells than large ones, of which colours are to give an overview.
bool shows_text(Camera const& camera);

/// The colour in which the map paints a slot.
using CellColor = std::function<Color(SlotInfo const&)>;

/// What is written in cells, beside the key.
struct CellWords {
  ViewSettings const& view;
  Measure const& measure;
  WidestCell const& widest;  ///< at least: of the tables beside this one, too
  SlotArrays arrays = {};    ///< in which slots are counted
  bool reserves = false;     ///< a slot without a key that is not empty is taken for a key on its way: no tombstone
};

/// Writes the slot's number, its key as large as it fits, and below, with their names, as many of home, displacement
/// and value as there is room for, in this order of weight. What was drawn before does not show through.
void write_cells(Annotator const& on, std::span<SlotInfo const> slots, CellColor const& color, CellWords const& words);

/// How cells of this size are read, for a legend: "corner: slot · large: key". Empty if they show no text.
std::string cell_legend(Look const& look, Camera const& camera, ViewSettings const& view);

/// Cells have a band at their top, with the slot's number on the left. Badges are at its right, and arrows to and from
/// a cell end in it: neither covers a key.
float band_height(Annotator const& on);
void draw_badge(Annotator const& on, Slot slot, std::string const& text, ImU32 color);

}  // namespace slotscape
