#pragma once

#include "gpu/engine/inspected_table.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// How pictures reach OpenGL: a kernel writes to the buffer directly, or they are copied through pinned memory, or
/// copied from the host.
enum class PresentPath : std::uint8_t { interop, staging, host };
enum class PresentChoice : std::uint8_t { automatic, interop, staging };

/// The size of the picture's texels in bytes.
inline std::uint64_t bytes_of(PictureRequest const& request)
{
  return request.texels() * sizeof(Texel);
}

/// Memory on the engine's device (a CUDA pointer on the CUDA backend).
struct MappedMemory {
  void* data = nullptr;
  std::uint64_t bytes = 0;

  TexelTarget texels() const { return {static_cast<Texel*>(data), bytes / sizeof(Texel)}; }
};

/// Owns an OpenGL buffer and fills it from the engine's device. Shaders read the buffer through a texture that is
/// copied from it (the slot map's texels), or as vertices (the instances of models). The OpenGL context must be current
/// during construction, every call, and destruction.
class Presenter {
public:
  virtual ~Presenter() = default;
  virtual PresentPath path() const = 0;
  virtual std::string const& reason() const = 0;  ///< why this path was chosen, for display; may be several lines

  /// Returns at least `bytes` of memory on the engine's device. Reallocates (and registers) to grow, or to shrink if a
  /// small part of the buffer suffices.
  virtual MappedMemory map(std::uint64_t bytes) = 0;
  /// Ends writing: hands the first `bytes` written since `map` to OpenGL.
  virtual void unmap(std::uint64_t bytes) = 0;
  /// The buffer's OpenGL name, for commands that follow this call; changes when `map` reallocates. Call this once the
  /// whole frame is written: all buffers then go to OpenGL together.
  virtual unsigned buffer() const = 0;
  virtual double cpu_seconds() const = 0;  ///< CPU time of the last `map` and `unmap` together
};

/// If OpenGL and CUDA run on different GPUs: a sentence that tells the user how to move OpenGL to CUDA's GPU; empty if
/// it would not help. `renderer`: OpenGL's; `offload_requested`: the advice has already been followed.
std::string advice_on_two_gpus(std::string_view renderer, bool offload_requested);

class InteropFrame;
std::shared_ptr<InteropFrame> make_interop_frame();

/// Throws Error if the requested path is unavailable: interop if OpenGL runs on another device, interop and staging
/// without CUDA. `frame`: shared by presenters whose pictures appear together.
std::unique_ptr<Presenter> make_presenter(Backend backend, PresentChoice choice,
                                          std::shared_ptr<InteropFrame> frame = make_interop_frame());

/// Presenters of one kind, one for each picture of a frame. The first is made at once, the others on first use.
class Presenters {
public:
  /// Throws Error if the requested path is unavailable.
  Presenters(Backend backend, PresentChoice choice) : backend_(backend), choice_(choice) { (*this)[0]; }

  Presenter& operator[](std::size_t picture)
  {
    while (presenters_.size() <= picture) { presenters_.push_back(make_presenter(backend_, choice_, frame_)); }
    return *presenters_[picture];
  }

private:
  Backend backend_;
  PresentChoice choice_;
  std::shared_ptr<InteropFrame> frame_ = make_interop_frame();
  std::vector<std::unique_ptr<Presenter>> presenters_;
};

}  // namespace slotscape
