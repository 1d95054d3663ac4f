#pragma once

#include "app/base/json.hpp"
#include "app/clouds/point_cloud.hpp"

#include <span>
#include <string>

namespace slotscape::clouds {

/// The steps in which coordinates are stored along each axis: the largest number of which all differences are
/// multiples, where that can be told; else 0. Large coordinates in single precision have steps of 0.5 and more; these
/// follow from the coordinates' size, however few different ones there are.
Position coordinate_steps(std::span<Position const> positions);

/// Half of the step in which coordinates from `low` to `high` are stored along an axis, if borders of cells, which
/// begin at multiples of `width`, are among them: halfway between these and the coordinates below. Else, or if the step
/// is 0, which is none that is known, 0.
double half_step_below_borders(double step, double low, double high, double width);

/// How far a coordinate along any axis may be from the one that is meant: half a step of single precision for samples
/// and for files that have it, as 0.1 is no binary number; a few steps of double precision for others.
double rounding_of(PointCloud const& cloud);
/// How much lower than multiples of `width` cells begin, so that a point on a border belongs to the cell above: as far
/// as `rounding` moves it, but no more than a thousandth of a cell.
double margin_below_borders(double rounding, double width);

/// What to say of voxels so wide, called "voxels of 0.25", that are narrower than these steps: "y is stored in steps of
/// 0.5 …". Empty if they are not.
std::string note_of_steps(PointCloud const& cloud, double voxel, std::string const& called);

/// "665187.25, 5648349.50, 241.75": with as many decimals as it takes to tell multiples of `step` apart, up to 9.
std::string text_of_position(Position const& position, double step);

/// Adds the units that a file names: `file_unit` and, where z has another one, `file_unit_of_z`.
void add_units(Json& json, CoordinateSystem const& system);

/// "12.5", "5,428,000": four digits, as people read them.
std::string text_of_length(double length);

}  // namespace slotscape::clouds
