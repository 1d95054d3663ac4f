#pragma once

#include "app/base/setting.hpp"
#include "app/table_map/settings.hpp"
#include "gpu/matching/engine.hpp"

#include <array>
#include <optional>
#include <string>

namespace slotscape {

/// The limits of the query's transformations.
inline constexpr double smallest_turned_scale = 0.1;
inline constexpr double largest_turned_scale = 10.0;
inline constexpr double max_shift = 16384.0;  ///< pixels
inline constexpr double max_occlusion = 0.9;

/// How the query is transformed before it is matched: turned and scaled about its middle, shifted, and disturbed. Its
/// width and height stay the same.
struct QueryPose {
  double turn = 0.0;  ///< degrees, counter-clockwise: -180 to 180
  double scale = 1.0;
  double shift_x = 0.0;    ///< pixels, to the right
  double shift_y = 0.0;    ///< pixels, downwards
  double noise = 0.0;      ///< share of the pixels, 0 to 1
  double occlusion = 0.0;  ///< share of the picture, 0 to `max_occlusion`
  friend bool operator==(QueryPose const&, QueryPose const&) = default;
};

struct MatchSceneSettings {
  std::array<std::string, 2> sources{"map-1", "map-1"};  ///< as in `PictureSource`; indexed by `matching::Side`
  std::uint32_t frame = 0;                               ///< frame number of a video
  bool playing = true;
  QueryPose pose;
  matching::MatchSettings matching;
  bool show_edges = true;
  bool show_points = true;
  bool show_overlay = true;  ///< draws the match on the reference
  bool show_map = true;
  bool show_votes = true;
  bool fill_votes = true;  ///< fills in the votes row by row after a match
  ViewSettings map{.color_by = ColorBy::probe_length};
  friend bool operator==(MatchSceneSettings const&, MatchSceneSettings const&) = default;
};

struct MatchSetup {
  MatchSceneSettings settings = {};
  std::optional<matching::Bin> cell = {};  ///< the chosen cell
};
template <>
std::span<Setting<QueryPose> const> settings_of();
template <>
std::span<Setting<matching::MatchSettings> const> settings_of();
template <>
std::span<Setting<MatchSceneSettings> const> settings_of();
template <>
std::span<Setting<MatchSetup> const> settings_of();
template <>
std::span<EnumName<matching::Method> const> enum_names();

/// The initial scene: a picture and a turned, smaller, noisy copy of it.
MatchSetup first_match();

/// An example set-up, shown when a key is pressed.
struct MatchExample {
  std::string_view name;
  std::array<std::string_view, 2> sources;
  QueryPose pose;
};
std::span<MatchExample const> match_examples();
void show_example(MatchExample const& example, MatchSceneSettings& settings);

}  // namespace slotscape
