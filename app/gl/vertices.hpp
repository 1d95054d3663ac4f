#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotscape::gl {

/// A number of a vertex or of an instance, or a few of them, that shaders read.
struct Attribute {
  enum class As : std::uint8_t { floats, shares, integers };  ///< shares: 0 to 1, or -1 to 1, of the type's range
  GLenum type = GL_FLOAT;
  int count = 1;
  As as = As::floats;
  std::size_t at = 0;  ///< bytes from the start of its vertex or instance
};

/// How shaders read vertices, or instances, from buffers: the first attribute is at location 0, and so on. The OpenGL
/// context must be current as long as it lives.
class Vertices {
public:
  enum class Each : std::uint8_t { vertex, instance };
  /// `stride`: bytes of one.
  Vertices(Each each, std::size_t stride, std::vector<Attribute> attributes);
  /// For shaders that read none.
  Vertices() : Vertices(Each::vertex, 0, {}) {}
  ~Vertices();
  Vertices(Vertices const&) = delete;
  Vertices& operator=(Vertices const&) = delete;

  /// Until another one is bound; the buffer of elements is that of the Vertices that are bound.
  void bind() const;
  /// Reads from the buffer, where the first one lies at byte `first`.
  void bind(unsigned buffer, std::uint64_t first = 0) const;
  /// Other code's commands change none of them.
  static void unbind();

private:
  unsigned name_ = 0;
  std::size_t stride_;
  std::vector<Attribute> attributes_;
};

}  // namespace slotscape::gl
