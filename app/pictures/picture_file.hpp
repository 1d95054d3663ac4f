#pragma once

#include "app/base/findings.hpp"
#include "gpu/matching/engine.hpp"

#include <filesystem>
#include <string_view>
#include <vector>

namespace slotscape::pictures {

/// How the names of pictures end that `read_picture` reads, in lower case: ".png".
std::vector<std::string_view> picture_file_extensions();

/// A picture as it is shown, and what was done for that; the findings do not name the file.
struct OpenedPicture {
  matching::Picture picture;
  Findings findings;
};

/// The grey values of a PNG, JPEG, BMP, PGM or PPM file, over white where it is transparent, and upright as EXIF says.
/// Samples of 16 bits that use fewer have the white of those. The content decides the format, not the name. Throws
/// Error that names the file and says what to do if it is no such picture, is damaged or incomplete, or if its size is
/// not one that pictures can have.
OpenedPicture read_picture(std::filesystem::path const& file);

/// The pictures in a folder, by the endings of their names, in natural order: a video's frames. Throws Error if there
/// are none.
std::vector<std::filesystem::path> frames_in(std::filesystem::path const& folder);

/// Whether `a` comes before `b` where numbers count as such: "frame 9" before "frame 10".
bool naturally_before(std::string_view a, std::string_view b);

}  // namespace slotscape::pictures
