#pragma once

#include "app/scenes/slots/settings.hpp"
#include "app/scenes/spatial/view3d/orbit_camera.hpp"
#include "app/scenes/spatial/view3d/view_settings.hpp"
#include "gpu/spatial/engine.hpp"

#include <optional>
#include <string>

namespace slotscape {

inline constexpr std::uint64_t default_points = 160000;

/// Where a model comes from, and where it stands while nothing is animated.
struct ModelSettings {
  std::string source;                     ///< name of a built-in shape, or path of a file
  std::uint64_t points = default_points;  ///< of a shape, or sampled of a mesh; a file of points has its own
  spatial::Pose place;
  friend bool operator==(ModelSettings const&, ModelSettings const&) = default;
};

inline constexpr double slowest_animation = 0.05;
inline constexpr double fastest_animation = 20.0;

/// How the models move by themselves.
enum class Motion : std::uint8_t { still, spin, orbit, wobble };

struct AnimationSettings {
  Motion motion = Motion::orbit;
  bool running = true;
  double speed = 1.0;
  double time = 0.0;  ///< seconds, at speed 1
  friend bool operator==(AnimationSettings const&, AnimationSettings const&) = default;
};

/// Everything the spatial scene is set to, saved and loaded as it is.
struct SpatialSceneSettings {
  spatial::PerModel<ModelSettings> models{{ModelSettings{"torus_knot", default_points, {{}, {}, 0.85f}},
                                           ModelSettings{"sphere", default_points, {{}, {}, 0.75f}}}};
  std::uint64_t seed = 1;  ///< of the points taken of shapes and meshes
  spatial::SpatialSettings hashing{.grid = {.side = 128, .extent = 2.4f}};
  spatial::Boolean boolean = spatial::Boolean::a_minus_b;  ///< which lets one see inside
  AnimationSettings animation;
  ModelsViewSettings view{.ghosts = true};
  ViewSettings maps{.color_by = ColorBy::probe_length};  ///< of the slots; without zoom and centre
  bool show_maps = true;
  bool turntable = false;
  std::optional<OrbitPlace> camera;  ///< none: where the models are seen well
};

/// From two-level cuckoo hashing to linear probing or back, with what the new one can have.
void exchange_table(spatial::SpatialSettings& hashing);

}  // namespace slotscape
