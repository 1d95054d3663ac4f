#pragma once

#include "gpu/engine/engine.hpp"

#include <memory>
#include <string>

namespace slotscape {

/// The ways of bringing texels to OpenGL (DESIGN, 'How data flows in a frame').
enum class PresentPath : std::uint8_t { interop, staging, host };
enum class PresentChoice : std::uint8_t { automatic, interop, staging };

/// Owns the OpenGL shader storage buffer that the slot map's shader reads, and fills it from the engine's device. Needs
/// the OpenGL context current at construction, in every call, and at destruction.
class Presenter {
public:
  virtual ~Presenter() = default;
  virtual PresentPath path() const = 0;
  virtual std::string const& reason() const = 0;  ///< why this path, in words for people

  /// Memory of the engine's device for at least `texels` texels; reallocates (and registers) only to grow.
  virtual TexelTarget map(std::uint64_t texels) = 0;
  /// The first `texels` texels written since `map` are in `buffer` for every OpenGL command that follows.
  virtual void unmap(std::uint64_t texels) = 0;
  virtual unsigned buffer() const = 0;     ///< OpenGL name
  virtual double cpu_seconds() const = 0;  ///< CPU time of the last map and unmap together
};

/// Throws Error where the path asked for cannot be: interop with an OpenGL context of another device, or either
/// without CUDA.
std::unique_ptr<Presenter> make_presenter(Backend backend, PresentChoice choice);

}  // namespace slotscape
