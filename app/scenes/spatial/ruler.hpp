#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/scenes/spatial/profile.hpp"
#include "app/scenes/spatial/shown_voxels.hpp"
#include "gpu/spatial/engine.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

struct SpatialState;
class OrbitCamera;

/// An end or a corner of a measurement: a point, or the centre of a voxel. It moves with its model.
struct RulerPoint {
  spatial::Model model;
  clouds::Position at;  ///< in the coordinates of the model's file or of the built-in shape
  std::string what;     ///< "point 17", "voxel 3 4 5"
};

enum class RulerKind : std::uint8_t { distance, angle, profile };
/// The number of points in a measurement of this kind.
inline std::size_t points_of(RulerKind kind)
{
  return kind == RulerKind::angle ? 3 : 2;
}

struct RulerMeasurement {
  RulerKind kind;
  std::vector<RulerPoint> points;
  std::shared_ptr<HeightProfile const> profile = nullptr;  ///< the profile, for `RulerKind::profile`
};

/// The state of the ruler, whose points are set by clicks.
struct Ruler {
  bool on = false;
  RulerKind kind = RulerKind::distance;
  std::vector<RulerPoint> pending;
  std::vector<RulerMeasurement> done;
  std::vector<ShownVoxels> bodies;  ///< the voxels of each model when they were measured

  bool has_measured() const { return !done.empty() || !bodies.empty(); }
  /// Adds a point; the last one completes the measurement.
  void take(RulerPoint point);
};

/// Converts the points measured on a model to another unit of its file, which is now loaded in that unit.
void convert_ruler(SpatialState& state, spatial::Model model, double factor);

/// The profile between the points of a measurement, for the present places of the models.
HeightProfile profile_between(SpatialState const& state, std::vector<RulerPoint> const& points);

/// The point for a click on a voxel: if points are shown, the voxel's point nearest to the line of sight, otherwise the
/// voxel's centre.
RulerPoint ruler_point(SpatialState const& state, spatial::VoxelInfo const& voxel, spatial::Ray const& sight);
/// The present position of the point in the scene.
clouds::Position place_in_scene(SpatialState const& state, RulerPoint const& point);

struct RulerValue {
  double value = 0.0;
  std::string unit;  ///< "degrees", "m", "file" if the file does not name its unit, or "scene"
};
/// A distance is in the units of a file if both points belong to it, or if both models are seen at one scale, and its
/// axes have the same unit; otherwise in those of the scene.
RulerValue ruler_value(SpatialState const& state, RulerMeasurement const& measurement);
/// "12.5 m", "43.21°", "0.25 in the scene".
std::string text_of(RulerValue const& measured);

/// One row per measurement, with its points in the coordinates used to export models; three rows for shown voxels.
std::string ruler_csv(SpatialState const& state);

}  // namespace slotscape
