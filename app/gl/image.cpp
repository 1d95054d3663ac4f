#include "app/gl/image.hpp"

#include "app/base/files.hpp"
#include "gpu/base/error.hpp"

#include <GLFW/glfw3.h>
#include <glad/gl.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include <algorithm>
#include <string>

namespace slotscape::gl {

namespace {

constexpr int channels = 4;

/// Pictures consist of text, lines and flat cells: without a filter, the file is smaller and written three times as
/// fast.
[[maybe_unused]] int const no_filter = stbi_write_force_png_filter = 0;

void flip_rows(Image& image)
{
  auto const row = static_cast<std::ptrdiff_t>(image.width) * channels;
  for (int y = 0; y < image.height / 2; ++y) {
    auto const top = image.pixels.begin() + y * row;
    std::swap_ranges(top, top + row, image.pixels.end() - (y + 1) * row);
  }
}

/// Callback for stb_image_write: `context` is the std::string to append to.
void append(void* context, void* data, int size)
{
  static_cast<std::string*>(context)->append(static_cast<char const*>(data), static_cast<std::size_t>(size));
}

/// The height of the window, or of the renderbuffer bound to the read framebuffer: needed to count rows from the top.
int framebuffer_height(GLuint framebuffer)
{
  int height = 0;
  if (framebuffer == 0) {
    glfwGetFramebufferSize(glfwGetCurrentContext(), nullptr, &height);
    return height;
  }
  GLint renderbuffer = 0;
  glGetFramebufferAttachmentParameteriv(GL_READ_FRAMEBUFFER, GL_COLOR_ATTACHMENT0,
                                        GL_FRAMEBUFFER_ATTACHMENT_OBJECT_NAME, &renderbuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, static_cast<GLuint>(renderbuffer));
  glGetRenderbufferParameteriv(GL_RENDERBUFFER, GL_RENDERBUFFER_HEIGHT, &height);
  return height;
}

}  // namespace

Image read_pixels(unsigned framebuffer, int x, int y, int width, int height)
{
  Image image{.width = width, .height = height, .pixels = {}};
  image.pixels.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * channels);
  GLint previous = 0;
  glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &previous);
  glBindFramebuffer(GL_READ_FRAMEBUFFER, framebuffer);
  glReadBuffer(framebuffer == 0 ? GL_BACK : GL_COLOR_ATTACHMENT0);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(x, framebuffer_height(framebuffer) - y - height, width, height, GL_RGBA, GL_UNSIGNED_BYTE,
               image.pixels.data());
  glBindFramebuffer(GL_READ_FRAMEBUFFER, static_cast<GLuint>(previous));
  flip_rows(image);
  return image;
}

std::string png_of(Image const& image)
{
  std::string content;
  int const done = stbi_write_png_to_func(append, &content, image.width, image.height, channels, image.pixels.data(),
                                          image.width * channels);
  if (!done) throw Error("Not enough memory to write a picture");
  return content;
}

std::string jpeg_of(Image const& image, int quality)
{
  std::string content;
  int const done =
      stbi_write_jpg_to_func(append, &content, image.width, image.height, channels, image.pixels.data(), quality);
  if (!done) throw Error("Not enough memory to compress a picture");
  return content;
}

void write_png(std::filesystem::path const& file, Image const& image)
{
  write_text_file(file, png_of(image));
}

}  // namespace slotscape::gl
