#include "gpu/interop/presenter.hpp"

#include "gpu/base/error.hpp"
#include "gpu/interop/cuda_presenters.hpp"
#include "gpu/interop/shared_buffer.hpp"

#include <glad/gl.h>

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

namespace slotscape {

namespace {

/// The CPU backend writes to memory, from which OpenGL copies.
class HostPresenter final : public Presenter {
public:
  explicit HostPresenter(std::string reason) : reason_(std::move(reason)) {}
  PresentPath path() const override { return PresentPath::host; }
  std::string const& reason() const override { return reason_; }

  MappedMemory map(std::uint64_t bytes) override
  {
    Stopwatch const watch(map_seconds_);
    if (buffer_.fit(bytes) || memory_.size() != buffer_.capacity()) {
      memory_ = {};
      memory_.resize(buffer_.capacity());
    }
    return {memory_.data(), memory_.size()};
  }
  void unmap(std::uint64_t bytes) override
  {
    Stopwatch const watch(unmap_seconds_);
    buffer_.write(memory_.data(), bytes);
  }
  unsigned buffer() const override { return buffer_.name(); }
  double cpu_seconds() const override { return map_seconds_ + unmap_seconds_; }

private:
  std::string reason_;
  SharedBuffer buffer_;
  std::vector<std::byte> memory_;
  double map_seconds_ = 0.0;
  double unmap_seconds_ = 0.0;
};

/// Why interop is unavailable and what to do; empty if it is available.
std::string obstacle_to_interop()
{
  std::string const why = why_no_interop();
  if (why.empty()) { return {}; }
  char const* const offload = std::getenv("__NV_PRIME_RENDER_OFFLOAD");
  bool const requested = offload != nullptr && std::string_view(offload) == "1";
  std::string const advice = advice_on_two_gpus(reinterpret_cast<char const*>(glGetString(GL_RENDERER)), requested);
  return advice.empty() ? why : why + ".\n" + advice;
}

}  // namespace

std::string advice_on_two_gpus(std::string_view renderer, bool offload_requested)
{
  if (offload_requested || renderer.find("NVIDIA") != std::string_view::npos) { return {}; }
  return "On a computer with two GPUs, this moves the window to NVIDIA's: "
         "__NV_PRIME_RENDER_OFFLOAD=1 __GLX_VENDOR_LIBRARY_NAME=nvidia slotscape";
}

std::shared_ptr<InteropFrame> make_interop_frame()
{
  return std::make_shared<InteropFrame>();
}

std::unique_ptr<Presenter> make_presenter(Backend backend, PresentChoice choice, std::shared_ptr<InteropFrame> frame)
{
  if (backend == Backend::cpu) {
    if (choice == PresentChoice::automatic) {
      return std::make_unique<HostPresenter>("the table is in the CPU's memory: the picture is copied to OpenGL");
    }
    throw Error(std::string("--present ") + (choice == PresentChoice::interop ? "interop" : "staging") +
                " needs the CUDA backend, and the table is on the CPU. Use --present auto.");
  }
  if (choice == PresentChoice::staging) { return make_staging_presenter("staging was requested"); }
  std::string const obstacle = obstacle_to_interop();
  if (obstacle.empty()) {
    return make_interop_presenter("CUDA and OpenGL share the GPU: kernels write what OpenGL draws", std::move(frame));
  }
  if (choice == PresentChoice::interop) {
    throw Error("--present interop is unavailable: " + obstacle + "\nUse --present staging or auto.");
  }
  return make_staging_presenter(obstacle);
}

}  // namespace slotscape
