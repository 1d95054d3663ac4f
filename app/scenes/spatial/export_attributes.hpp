#pragma once

#include "app/clouds/write_ply.hpp"
#include "app/scenes/spatial/state.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace slotscape {

/// The attributes of the exported points or voxels of one model, in the order in which they were exported.
struct ExportedAttributes {
  std::size_t rows = 0;
  std::vector<clouds::Attribute> attributes;
};

/// Those of the points `added`, numbers of the cloud's points, which are the last rows of `ply`: their colours take the
/// place of those of the status, and need no columns of their own if they are bytes.
ExportedAttributes attributes_of_points(clouds::PointCloud const& cloud, std::span<std::uint64_t const> added,
                                        clouds::PlyPoints& ply);

inline constexpr std::size_t in_no_voxel = std::numeric_limits<std::size_t>::max();
/// The same for so many voxels, the last rows of `ply`. `voxel_of_point`: the number of each point's voxel, or
/// `in_no_voxel`. A voxel has the mean of its points or, as classes have none, the class of the first of them.
ExportedAttributes attributes_of_voxels(clouds::PointCloud const& cloud, std::span<std::size_t const> voxel_of_point,
                                        std::size_t voxels, clouds::PlyPoints& ply);

/// Adds what both models' files have as columns. Where one of them lacks an attribute, it is no number, or 0.
void add_attributes(spatial::PerModel<ExportedAttributes> const& exported, clouds::PlyPoints& ply);

}  // namespace slotscape
