#pragma once

#include "app/table_map/palette.hpp"
#include "app/widgets/theme.hpp"
#include "gpu/spatial/engine.hpp"

#include <array>
#include <string>

namespace slotscape {

/// The colours of voxel statuses.
struct StatusColors {
  std::array<theme::Role, spatial::status_count> of;  ///< colours indexed by `VoxelStatus`

  theme::Role operator[](spatial::VoxelStatus status) const { return of[static_cast<std::size_t>(status)]; }

  /// `standard` is as in Alcantara et al. 2009: inside blue, intersection green, outside grey. `color_blind` has
  /// colours that colour-blind users can distinguish.
  static StatusColors const standard;
  static StatusColors const color_blind;
  /// For changes between two surveys: voxels only in A or only in B have its colour.
  static StatusColors const changes;
};
inline constexpr StatusColors StatusColors::standard{{theme::Role{0xb03a9a, 0xa8348f}, theme::Role{0x2f6fe8, 0x2a63d8},
                                                      theme::Role{0xb4b7bc, 0x9aa0a8},
                                                      theme::Role{0x35c94e, 0x2bb545}}};
inline constexpr StatusColors StatusColors::color_blind{
    {theme::Role{0x6a18c4, 0x4b0a92}, theme::Role{0x25aef3, 0x1f9fe2}, theme::Role{0xd6d7d7, 0xb3b7bb},
     theme::Role{0xda6511, 0xc4560a}}};

/// The colours of the two models, when coloured by model; distinguishable with any kind of colour vision.
inline constexpr std::array<theme::Role, spatial::model_count> model_colors{theme::Role{0xf0a03c, 0xa85600},
                                                                            theme::Role{0x5aa8e8, 0x1a6ac4}};

inline constexpr StatusColors StatusColors::changes{
    {theme::Role{0x5d636c, 0xa3a9b1}, model_colors[0], model_colors[1], theme::Role{0xb4b7bc, 0x9aa0a8}}};

/// The colour of points and voxels that lack the attribute by which others are coloured.
inline constexpr theme::Role neutral_color{0x5d636c, 0xa3a9b1};

/// A scale that ends below this is linear, and has marks only at whole numbers.
inline constexpr double few_values = 8.0;

struct ModelsViewSettings {
  spatial::InstanceKind kind = spatial::InstanceKind::voxels;
  spatial::PaintBy paint_by = spatial::PaintBy::status;
  std::string attribute = {};  ///< of the points, for PaintBy::attribute; empty: the models' first attribute
  bool color_blind = false;    ///< StatusColors::color_blind
  Palette palette = Palette::viridis;
  bool log_scale = true;
  float point_size = 1.0f;     ///< diameter, in voxels of the grid
  float min_pixels = 1.5f;     ///< minimum size of a point
  float max_pixels = 24.0f;    ///< maximum size of a point
  bool ghosts = false;         ///< draws hidden instances faintly
  bool eye_dome = false;       ///< darkens pixels that are behind their neighbours
  bool show_box = true;        ///< the grid's edges and axes
  bool smooth_edges = true;    ///< multisampling on a GPU
  bool smooth_on_cpu = false;  ///< multisampling on a CPU, which then takes twice as long

  /// Slot numbers are not amounts, and attributes may be negative: their scale is linear. So is a scale with a small
  /// maximum, such as 2 sub-tables.
  bool is_log_scale(double scale_end) const
  {
    return log_scale && scale_end >= few_values && paint_by != spatial::PaintBy::slot &&
           paint_by != spatial::PaintBy::attribute;
  }
  friend bool operator==(ModelsViewSettings const&, ModelsViewSettings const&) = default;
};

inline StatusColors const& status_colors(ModelsViewSettings const& settings, bool of_changes = false)
{
  if (of_changes) { return StatusColors::changes; }
  return settings.color_blind ? StatusColors::color_blind : StatusColors::standard;
}

}  // namespace slotscape
