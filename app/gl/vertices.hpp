#pragma once

#include <glad/gl.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace slotscape::gl {

/// One or several numbers of a vertex or an instance, as a shader input.
struct Attribute {
  enum class As : std::uint8_t { floats, shares, integers };  ///< shares: the type's range mapped to 0 to 1, or -1 to 1
  GLenum type = GL_FLOAT;
  int count = 1;
  As as = As::floats;
  std::size_t at = 0;  ///< offset in bytes within its vertex or instance
};

/// The layout of vertices or instances in buffers: the first attribute is at location 0, and so on. The OpenGL context
/// must be current during its lifetime.
class Vertices {
public:
  enum class Each : std::uint8_t { vertex, instance };
  /// `stride`: bytes per vertex or instance.
  Vertices(Each each, std::size_t stride, std::vector<Attribute> attributes);
  /// For shaders without inputs.
  Vertices() : Vertices(Each::vertex, 0, {}) {}
  ~Vertices();
  Vertices(Vertices const&) = delete;
  Vertices& operator=(Vertices const&) = delete;

  /// Binds these vertices until others are bound; the element buffer belongs to the bound Vertices.
  void bind() const;
  /// Reads from the buffer; the first vertex or instance is at byte `first`.
  void bind(unsigned buffer, std::uint64_t first = 0) const;
  /// Prevents other code from changing the bound Vertices.
  static void unbind();

private:
  unsigned name_ = 0;
  std::size_t stride_;
  std::vector<Attribute> attributes_;
};

}  // namespace slotscape::gl
