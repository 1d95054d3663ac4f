#pragma once

#include <cstdint>
#include <string_view>

namespace slotscape::pictures {

/// --- what stb_image does not look at, in the bytes of a file

/// Whether a JPEG file has an end after its first scan, which stb_image fills up if it is cut off, and before it
/// nothing that stb_image trusts in vain.
bool is_whole_jpeg(std::string_view content);

/// Whether a BMP file of this size has all of its rows: stb_image takes missing ones for black.
bool is_whole_bmp(std::string_view content, std::uint64_t width, std::uint64_t height);

}  // namespace slotscape::pictures
