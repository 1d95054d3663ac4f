#pragma once

#include "tests/spatial/voxel_scene.hpp"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace slotscape::spatial {

/// A height field over a square, somewhere in the world: an open surface of which it is known what is above and what is
/// below.
struct Terrain {
  std::string name;
  std::function<float(float, float)> height;  ///< in its own coordinates
  Pose pose{};
  float half = 0.6f;   ///< of the square's side
  float noise = 0.0f;  ///< standard deviation of the heights
  std::function<bool(float, float)> hole = [](float, float) { return false; };

  std::vector<Sample> samples(std::size_t count, std::mt19937& random) const;
  /// Roughly the distance from the surface, negative below.
  float distance(Vector world) const;
  /// Whether there is surface at this place and `margin` around it, as seen from above.
  bool covers(Vector world, float margin) const;

private:
  Vector own(Vector world) const { return turned_back(pose.rotation, world - pose.translation); }
  Vector normal_at(float x, float y) const;
};

/// How the sides that were found for the voxels of model B compare with the truth, A being a terrain. Of the voxels
/// right above or below it; `at_edges` are those no farther than three voxels from a rim or a hole.
struct Sides {
  std::uint64_t voxels = 0;
  std::uint64_t wrong = 0;
  std::uint64_t unknown = 0;
  std::uint64_t at_edges = 0;
  std::uint64_t wrong_at_edges = 0;
  std::uint64_t unknown_at_edges = 0;

  double wrong_share() const;    ///< of all
  double unknown_share() const;  ///< of those that are not at edges
  std::string text() const;
};

Sides sides_of(VoxelScene const& scene, Classified const& found, Terrain const& terrain);

}  // namespace slotscape::spatial
