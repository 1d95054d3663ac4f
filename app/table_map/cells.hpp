#pragma once

#include "app/table_map/annotations.hpp"
#include "gpu/engine/parts.hpp"

#include <functional>
#include <span>
#include <string>

namespace slotscape {

/// Whether cells are wide enough for text. This does not depend on the interface's scale, because text shrinks with its
/// cell. Small tables show text in narrower cells than large ones, which should give an overview through colours.
bool shows_text(Camera const& camera);

/// The colour in which the map paints a slot.
using CellColor = std::function<Color(SlotInfo const&)>;

/// The text to write in cells besides the key.
struct CellWords {
  ViewSettings const& view;
  Measure const& measure;
  WidestCell const& widest;  ///< contents for which cells need room, also those of neighbouring tables
  SlotArrays arrays = {};    ///< needed to number slots
  bool reserves = false;     ///< a non-empty slot without a key is reserved for a key being inserted, not a tombstone
};

/// Writes the slot's number, its key as large as possible, and below, with their names, as many of home, displacement
/// and value as fit, in this order of priority. Covers what was drawn before.
void write_cells(Annotator const& on, std::span<SlotInfo const> slots, CellColor const& color, CellWords const& words);

/// A legend for cells of this size: "corner: slot · large: key". Empty if they show no text.
std::string cell_legend(Look const& look, Camera const& camera, ViewSettings const& view);

/// The height of the band at the top of a cell, with the slot's number on the left and badges on the right. Arrows from
/// and to a cell end in the band, so that they do not cover the key.
float band_height(Annotator const& on);
void draw_badge(Annotator const& on, Slot slot, std::string const& text, ImU32 color);

}  // namespace slotscape
