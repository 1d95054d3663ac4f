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

/// The attributes of the points `added`, given by their indices in the cloud; they are the last rows of `ply`. The
/// file's colours replace the status colours, and need no extra columns if they are bytes.
ExportedAttributes attributes_of_points(clouds::PointCloud const& cloud, std::span<std::uint64_t const> added,
                                        clouds::PlyPoints& ply);

inline constexpr std::size_t in_no_voxel = std::numeric_limits<std::size_t>::max();
/// The attributes of `voxels` voxels, the last rows of `ply`. `voxel_of_point`: the index of each point's voxel, or
/// `in_no_voxel`. A voxel has the mean of its points or, because classes have no mean, the class of its first point.
ExportedAttributes attributes_of_voxels(clouds::PointCloud const& cloud, std::span<std::size_t const> voxel_of_point,
                                        std::size_t voxels, clouds::PlyPoints& ply);

/// Adds the attributes of both models' files as columns. If one model lacks an attribute, its values are NaN, or 0.
void add_attributes(spatial::PerModel<ExportedAttributes> const& exported, clouds::PlyPoints& ply);

}  // namespace slotscape
