#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace slotscape::gl {

/// 8-bit RGBA, top row first.
struct Image {
  int width = 0;
  int height = 0;
  std::vector<std::uint8_t> pixels;
};

/// Reads a rectangle of a framebuffer (origin at its top left): the window's, or one made of renderbuffers.
Image read_pixels(unsigned framebuffer, int x, int y, int width, int height);
/// The content of a PNG file. Throws Error if there is not enough memory.
std::string png_of(Image const& image);
/// The content of a JPEG file; `quality`: 1 to 100. Throws Error if there is not enough memory.
std::string jpeg_of(Image const& image, int quality);
/// Throws Error if the file cannot be written.
void write_png(std::filesystem::path const& file, Image const& image);

}  // namespace slotscape::gl
