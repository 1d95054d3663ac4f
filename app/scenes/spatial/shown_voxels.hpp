#pragma once

#include "gpu/spatial/engine.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace slotscape {

struct SpatialState;

/// The shown voxels of a model, measured as a body made of cubes.
struct ShownVoxels {
  spatial::Model model = spatial::Model::a;
  std::uint64_t voxels = 0;
  std::uint64_t faces = 0;    ///< faces without a shown voxel of the model beyond them
  std::uint64_t columns = 0;  ///< vertical columns of the grid that have a voxel
  double width = 0.0;         ///< width of a voxel
  std::string unit = {};      ///< of the width, as in `LengthUnit`

  double volume() const { return static_cast<double>(voxels) * width * width * width; }
  double surface() const { return static_cast<double>(faces) * width * width; }
  double footprint() const { return static_cast<double>(columns) * width * width; }
};

/// Counts the faces and columns of these distinct cells.
ShownVoxels body_of(std::vector<spatial::Cell> const& cells);
/// The shown voxels of a model. The engine must have results.
ShownVoxels shown_voxels(spatial::SpatialEngine& engine, SpatialState const& state, spatial::Model model);

/// "1.5 m³", "1.5 cubic units" of a file that does not name its unit.
std::string volume_text(double volume, std::string const& unit);
/// "1.5 m²", "1.5 square units" of a file that does not name its unit.
std::string area_text(double area, std::string const& unit);

/// Rows of the ruler's table: the volume, the surface and the footprint.
std::string csv_rows(ShownVoxels const& body);

}  // namespace slotscape
