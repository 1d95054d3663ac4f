#pragma once

#include "app/clouds/point_cloud.hpp"

#include <string_view>

namespace slotscape::clouds {

/// The coordinate system that a LAS or LAZ file declares, in well-known text (ISO 19162, or OGC 01-009) or in GeoTIFF
/// keys: the EPSG codes, or names if the text has no codes, of the system of x and y and of that of z, and the unit of
/// each. A z without a system and a unit of its own has the unit of projected x and y. Missing or damaged entries are
/// empty.
CoordinateSystem las_coordinate_system(std::string_view bytes);

}  // namespace slotscape::clouds
