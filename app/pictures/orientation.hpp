#pragma once

#include "gpu/matching/engine.hpp"

#include <string_view>

namespace slotscape::pictures {

/// How to turn or mirror a picture for display: EXIF's orientation, 1 to 8, of a JPEG or PNG file. 1 (as stored) if the
/// file has none or an invalid one.
int orientation_in(std::string_view content);

/// The content of a chunk of a PNG file; empty if there is no chunk of this name.
std::string_view png_chunk(std::string_view content, std::string_view name);

/// Turns or mirrors the picture as its orientation requires.
matching::Picture upright(matching::Picture picture, int orientation);

}  // namespace slotscape::pictures
