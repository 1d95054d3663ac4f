#pragma once

// Reads and writes pictures, for tests: the functions belong to the source that includes this.

#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#include <stb_image.h>

#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_WRITE_IMPLEMENTATION
#include <stb_image_write.h>

#include <string>

namespace slotscape::test {

/// Where `stbi_write_…_to_func` puts a picture: behind a std::string.
inline void append(void* text, void* data, int size)
{
  static_cast<std::string*>(text)->append(static_cast<char const*>(data), static_cast<std::size_t>(size));
}

}  // namespace slotscape::test
