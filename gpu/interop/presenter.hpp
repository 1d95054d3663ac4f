#pragma once

#include "gpu/engine/inspected_table.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// How pictures reach OpenGL: written there by a kernel, copied through pinned memory, or copied from the host.
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
  virtual std::string const& reason() const = 0;  ///< why this path, in words for people; may be several lines

  /// At least `bytes` of memory of the engine's device; reallocates (and registers) only to grow.
  virtual DeviceMemory map(std::uint64_t bytes) = 0;
  /// The first `bytes` written since `map` are in `buffer` for every OpenGL command that follows.
  virtual void unmap(std::uint64_t bytes) = 0;
  virtual unsigned buffer() const = 0;     ///< OpenGL name; another one after `map` had to grow
  virtual double cpu_seconds() const = 0;  ///< CPU time of the last map and unmap together
};

/// What moves OpenGL to the GPU that CUDA runs on, where the two run on different devices: a sentence for the user, or
/// nothing if it would not help. `renderer`: OpenGL's; `offload_requested`: the advice was followed already.
std::string advice_on_two_gpus(std::string_view renderer, bool offload_requested);

/// Throws Error where the requested path is unavailable: interop with an OpenGL context of another device, or either
/// without CUDA.
std::unique_ptr<Presenter> make_presenter(Backend backend, PresentChoice choice);

/// Presenters of one kind, one for each picture of a frame. The first is there from the start, the others as they are
/// first asked for.
class Presenters {
public:
  /// Throws Error where the way to present cannot be.
  Presenters(Backend backend, PresentChoice choice) : backend_(backend), choice_(choice) { (*this)[0]; }

  Presenter& operator[](std::size_t picture)
  {
    while (presenters_.size() <= picture) { presenters_.push_back(make_presenter(backend_, choice_)); }
    return *presenters_[picture];
  }

private:
  Backend backend_;
  PresentChoice choice_;
  std::vector<std::unique_ptr<Presenter>> presenters_;
};

}  // namespace slotscape
