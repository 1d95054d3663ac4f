#pragma once

#include "app/base/json.hpp"
#include "app/clouds/point_cloud.hpp"

#include <span>
#include <string>

namespace slotscape::clouds {

/// The step in which coordinates are stored along each axis: the largest number that divides all differences, if it can
/// be determined; otherwise 0. Large coordinates in single precision have steps of 0.5 and more; these follow from the
/// magnitude of the coordinates, however few distinct ones there are.
Position coordinate_steps(std::span<Position const> positions);

/// Half of the step in which coordinates from `low` to `high` are stored along an axis, if some of them lie on borders
/// of cells, which are multiples of `width`: this moves the borders halfway to the coordinates below. Otherwise, or if
/// the step is 0 (unknown), 0.
double half_step_below_borders(double step, double low, double high, double width);

/// How far a coordinate along any axis may be from the intended one: half a step of single precision for samples and
/// for single-precision files, as 0.1 is not a binary number; a few steps of double precision for other files.
double rounding_of(PointCloud const& cloud);
/// How far below multiples of `width` cells begin, so that a point on a border belongs to the cell above: as far as
/// `rounding` may move it, but at most a thousandth of a cell.
double margin_below_borders(double rounding, double width);

/// A note on voxels of side `voxel`, called "voxels of 0.25", that are narrower than these steps: "y is stored in steps
/// of 0.5 …". Empty if they are not.
std::string note_of_steps(PointCloud const& cloud, double voxel, std::string const& called);

/// "665187.25, 5648349.50, 241.75": with as many decimals as are needed to tell multiples of `step` apart, up to 9.
std::string text_of_position(Position const& position, double step);

/// Adds the units that a file names: `file_unit` and, if z has another unit, `file_unit_of_z`.
void add_units(Json& json, CoordinateSystem const& system);

/// "12.5", "5,428,000": four significant digits, formatted for people.
std::string text_of_length(double length);

}  // namespace slotscape::clouds
