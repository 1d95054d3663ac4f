#pragma once

#include <optional>
#include <string>

namespace slotscape::pictures {

/// Whether this is a BMP file whose pixels are run-length encoded, which stb_image does not read.
bool is_packed_bmp(std::string const& content);

/// The same file with plain pixels of 8 bits; nothing if it is damaged or incomplete. Its size must have been checked.
std::optional<std::string> unpacked_bmp(std::string const& content);

}  // namespace slotscape::pictures
