#pragma once

#include <string>
#include <string_view>

namespace slotscape::clouds {

/// The coordinate system that a LAS or LAZ file names: "EPSG:25832" if it has a code, from GeoTIFF keys or from
/// well-known text, or the name in that text. Empty if there is none, or if what names it is damaged.
std::string las_coordinate_system(std::string_view bytes);
/// The unit of its coordinates: "m", "ft", "US survey ft" or "degrees". Empty if neither the keys nor the text say it,
/// and the system is none of UTM either.
std::string las_unit(std::string_view bytes);

}  // namespace slotscape::clouds
