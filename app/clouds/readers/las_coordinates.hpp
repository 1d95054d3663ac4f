#pragma once

#include "app/clouds/point_cloud.hpp"

#include <string_view>

namespace slotscape::clouds {

/// What a LAS or LAZ file says of its coordinate system, in well-known text (ISO 19162, or OGC 01-009) or in GeoTIFF
/// keys: the EPSG codes, or names where the text has no codes, of the system of x and y and of that of z, and the unit
/// of each. A z without a system and a unit of its own has the unit of projected x and y. What is missing or damaged is
/// empty.
CoordinateSystem las_coordinate_system(std::string_view bytes);

}  // namespace slotscape::clouds
