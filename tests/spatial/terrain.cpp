#include "tests/spatial/terrain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace slotscape::spatial {

Vector Terrain::normal_at(float x, float y) const
{
  constexpr float step = 1e-3f;
  float const along_x = (height(x + step, y) - height(x - step, y)) / (2.0f * step);
  float const along_y = (height(x, y + step) - height(x, y - step)) / (2.0f * step);
  return normalized({-along_x, -along_y, 1.0f});
}

std::vector<Sample> Terrain::samples(std::size_t count, std::mt19937& random) const
{
  std::normal_distribution<float> jitter(0.0f, 1.0f);
  std::vector<Sample> samples;
  while (samples.size() < count) {
    float const x = uniform(random, -half, half);
    float const y = uniform(random, -half, half);
    if (hole(x, y)) { continue; }
    float const z = height(x, y) + noise * jitter(random);
    samples.push_back({pose.point({x, y, z}), pose.direction(normal_at(x, y))});
  }
  return samples;
}

float Terrain::distance(Vector world) const
{
  Vector const place = own(world);
  return (place.z - height(place.x, place.y)) * normal_at(place.x, place.y).z;
}

bool Terrain::covers(Vector world, float margin) const
{
  Vector const place = own(world);
  for (float const dx : {-margin, 0.0f, margin}) {
    for (float const dy : {-margin, 0.0f, margin}) {
      float const x = place.x + dx;
      float const y = place.y + dy;
      if (std::max(std::abs(x), std::abs(y)) > half || hole(x, y)) { return false; }
    }
  }
  return true;
}

double Sides::wrong_share() const
{
  return static_cast<double>(wrong + wrong_at_edges) /
         static_cast<double>(std::max<std::uint64_t>(voxels + at_edges, 1));
}

double Sides::unknown_share() const
{
  return static_cast<double>(unknown) / static_cast<double>(std::max<std::uint64_t>(voxels, 1));
}

std::string Sides::text() const
{
  return fmt::format("{} voxels: {} wrong, {} unknown; at edges {}: {} wrong, {} unknown", voxels, wrong, unknown,
                     at_edges, wrong_at_edges, unknown_at_edges);
}

Sides sides_of(VoxelScene const& scene, Classified const& found, Terrain const& terrain)
{
  Sides sides;
  HostVoxels const& voxels = scene.of[1];
  for (std::size_t i = 0; i < voxels.keys.size(); ++i) {
    Vector const place = scene.grid.to_world(voxels.surfels[i].position);
    if (voxels.status[i] == VoxelStatus::intersection || !terrain.covers(place, 0.0f)) { continue; }
    VoxelStatus const status = found.of[1].status[i];
    VoxelStatus const truth = terrain.distance(place) < 0.0f ? VoxelStatus::inside : VoxelStatus::outside;
    bool const at_edge = !terrain.covers(place, 3.0f * scene.grid.voxel());
    bool const unknown = status == VoxelStatus::unknown;
    ++(at_edge ? sides.at_edges : sides.voxels);
    (at_edge ? sides.unknown_at_edges : sides.unknown) += unknown ? 1 : 0;
    (at_edge ? sides.wrong_at_edges : sides.wrong) += !unknown && status != truth ? 1 : 0;
  }
  return sides;
}

}  // namespace slotscape::spatial
