#pragma once

#include "app/table_map/palette.hpp"
#include "gpu/spatial/engine.hpp"

#include <array>
#include <string>

namespace slotscape {

/// What a voxel's status looks like.
struct StatusColors {
  std::array<Color, spatial::status_count> of;  ///< by VoxelStatus

  Color const& operator[](spatial::VoxelStatus status) const { return of[static_cast<std::size_t>(status)]; }

  /// `standard` is as in Alcantara et al. 2009: inside blue, intersection green, outside grey. `color_blind` has
  /// colours that colour-blind users can tell apart.
  static StatusColors const standard;
  static StatusColors const color_blind;
};
inline constexpr Color color_of(std::uint32_t rgb)
{
  return {static_cast<float>(rgb >> 16 & 0xff) / 255.0f, static_cast<float>(rgb >> 8 & 0xff) / 255.0f,
          static_cast<float>(rgb & 0xff) / 255.0f};
}
inline constexpr StatusColors StatusColors::standard{
    {color_of(0xb03a9a), color_of(0x2f6fe8), color_of(0xb4b7bc), color_of(0x35c94e)}};
inline constexpr StatusColors StatusColors::color_blind{
    {color_of(0x6a18c4), color_of(0x25aef3), color_of(0xd6d7d7), color_of(0xda6511)}};

/// Of the two models, when coloured by model; can be told apart with any kind of colour vision.
inline constexpr std::array<Color, spatial::model_count> model_colors{color_of(0xf0a03c), color_of(0x5aa8e8)};

/// Of points and voxels that lack the attribute that the others are coloured by.
inline constexpr Color neutral_color = color_of(0x5d636c);

struct ModelsViewSettings {
  spatial::InstanceKind kind = spatial::InstanceKind::voxels;
  spatial::PaintBy paint_by = spatial::PaintBy::status;
  std::string attribute = {};  ///< of the points, for PaintBy::attribute; empty: the first that the models have
  bool color_blind = false;    ///< StatusColors::color_blind
  Palette palette = Palette::viridis;
  bool log_scale = true;
  float point_size = 1.0f;     ///< diameter, in voxels of the grid
  float least_pixels = 1.5f;   ///< of a point
  float most_pixels = 24.0f;   ///< of a point
  bool ghosts = false;         ///< what the Boolean hides is drawn faintly
  bool show_box = true;        ///< the grid's edges and axes
  bool smooth_edges = true;    ///< multisampling on a GPU
  bool smooth_on_cpu = false;  ///< and on a CPU, which then takes twice as long

  /// Slot numbers are not amounts, and attributes may be below 0: their scale is linear.
  bool is_log_scale() const
  {
    return log_scale && paint_by != spatial::PaintBy::slot && paint_by != spatial::PaintBy::attribute;
  }
  friend bool operator==(ModelsViewSettings const&, ModelsViewSettings const&) = default;
};

inline StatusColors const& status_colors(ModelsViewSettings const& settings)
{
  return settings.color_blind ? StatusColors::color_blind : StatusColors::standard;
}

}  // namespace slotscape
