#pragma once

#include "app/scenes/slots/view/annotations.hpp"
#include "app/widgets/theme.hpp"
#include "gpu/spatial/engine.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// A lookup of a voxel, as the map of the table that it reads shows it.
struct VoxelLookup {
  ProbePath path;
  std::string label;
  ImU32 color;
};

/// Of what lies across a face of the selected voxel: labelled and coloured by the axis (`spatial::face_step`).
VoxelLookup neighbour_lookup(int face, ProbePath path);
/// Of the selected voxel of `model` in the table of the other.
VoxelLookup voxel_lookup(spatial::Model model, ProbePath path);

/// "A" or "B".
char const* letter_of(spatial::Model model);

/// What ties a slot map to the models beside it.
struct MapLinks {
  std::optional<Slot> hovered;
  std::optional<Slot> selected;
  std::vector<VoxelLookup> lookups;
};

/// Marks the slots and draws the lookups from where each key belongs to where its lookup ended: a ring where it was
/// found, a cross where not. Marks are large enough to be seen however small the slots are; slots beside the canvas are
/// pointed to from its edge. Nothing is said of the slot `under_mouse`, which the map itself explains.
void draw_links(Annotator const& on, MapLinks const& links, std::optional<Slot> under_mouse);

inline constexpr float halo_radius = 10.0f;  ///< at scale 1
inline constexpr ImU32 selected_color = theme::text;
inline constexpr ImU32 hovered_color = IM_COL32(0xff, 0xd8, 0x4d, 0xff);

}  // namespace slotscape
