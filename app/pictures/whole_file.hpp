#pragma once

#include <cstdint>
#include <string_view>

namespace slotscape::pictures {

/// --- checks of a file's bytes that stb_image does not make

/// Whether a JPEG file has an end marker after its first scan (stb_image fills in missing pixels), and no invalid data
/// before it that stb_image would trust.
bool is_whole_jpeg(std::string_view content);

/// Whether a BMP file of this size has all of its rows: stb_image shows missing rows as black.
bool is_whole_bmp(std::string_view content, std::uint64_t width, std::uint64_t height);

}  // namespace slotscape::pictures
