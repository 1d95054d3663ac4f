#pragma once

#include <string>
#include <string_view>

namespace slotscape::clouds {

/// The coordinate system that a LAS or LAZ file names: "EPSG:25832" if it has a code, from GeoTIFF keys or from
/// well-known text, or the name in that text. Empty if there is none, or if what names it is damaged.
std::string las_coordinate_system(std::string_view bytes);

}  // namespace slotscape::clouds
