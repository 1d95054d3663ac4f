#pragma once

#include "app/base/findings.hpp"
#include "gpu/matching/engine.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

namespace slotscape::pictures {

/// The file extensions that `read_picture` supports, in lower case: ".png".
std::vector<std::string_view> picture_file_extensions();

/// A picture as shown, and findings about its conversion, which do not name the file.
struct OpenedPicture {
  matching::Picture picture;
  Findings findings;
};

/// The grey values of a PNG, JPEG, BMP, PGM or PPM file, blended over white where transparent, and turned upright
/// according to EXIF. If 16-bit samples use fewer bits, white is the largest value of those bits. The content decides
/// the format, not the name. Throws Error that names the file and says what to do if it is not such a picture, is
/// damaged or incomplete, or has an unsupported size.
OpenedPicture read_picture(std::filesystem::path const& file);

/// The pictures in a folder, recognised by extension, in natural order: the frames of a video. Throws Error if there
/// are none.
std::vector<std::filesystem::path> frames_in(std::filesystem::path const& folder);

/// Whether `a` comes before `b` in natural order: "frame 9" before "frame 10".
bool naturally_before(std::string_view a, std::string_view b);

}  // namespace slotscape::pictures
