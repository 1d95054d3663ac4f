#pragma once

#include "gpu/matching/engine.hpp"

#include <string_view>

namespace slotscape::pictures {

/// How a picture is to be turned or mirrored before it is shown: EXIF's number, 1 to 8, of a JPEG or PNG file. 1, which
/// is as it is stored, where the file has none or an invalid one.
int orientation_in(std::string_view content);

/// What a chunk of a PNG file holds; empty if there is none of this name.
std::string_view png_chunk(std::string_view content, std::string_view name);

/// The picture as this orientation wants it shown.
matching::Picture upright(matching::Picture picture, int orientation);

}  // namespace slotscape::pictures
