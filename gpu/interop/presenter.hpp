#pragma once

#include "gpu/engine/inspected_table.hpp"

#include <memory>
#include <string>

namespace slotscape {

/// The ways of bringing pictures to OpenGL (DESIGN, 'How data flows in a frame').
enum class PresentPath : std::uint8_t { interop, staging, host };
enum class PresentChoice : std::uint8_t { automatic, interop, staging };

/// Of the picture's texels.
inline std::uint64_t bytes_of(PictureRequest const& request)
{
  return request.texels() * sizeof(Texel);
}

/// Memory of the device that an engine runs on (a CUDA pointer on the CUDA backend).
struct DeviceMemory {
  void* data = nullptr;
  std::uint64_t bytes = 0;

  TexelTarget texels() const { return {static_cast<Texel*>(data), bytes / sizeof(Texel)}; }
};

/// Owns an OpenGL buffer that shaders read, as shader storage (the slot map's texels) or as vertices (the instances of
/// models), and fills it from the engine's device. Needs the OpenGL context current at construction, in every call, and
/// at destruction.
class Presenter {
public:
  virtual ~Presenter() = default;
  virtual PresentPath path() const = 0;
  virtual std::string const& reason() const = 0;  ///< why this path, in words for people

  /// At least `bytes` of memory of the engine's device; reallocates (and registers) only to grow.
  virtual DeviceMemory map(std::uint64_t bytes) = 0;
  /// The first `bytes` written since `map` are in `buffer` for every OpenGL command that follows.
  virtual void unmap(std::uint64_t bytes) = 0;
  virtual unsigned buffer() const = 0;     ///< OpenGL name; another one after `map` had to grow
  virtual double cpu_seconds() const = 0;  ///< CPU time of the last map and unmap together
};

/// Throws Error where the path asked for cannot be: interop with an OpenGL context of another device, or either
/// without CUDA.
std::unique_ptr<Presenter> make_presenter(Backend backend, PresentChoice choice);

}  // namespace slotscape
