#include "app/shell/run.hpp"

#include "app/gl/context.hpp"
#include "app/simulation/names.hpp"
#include "gpu/base/error.hpp"
#include "gpu/execution/backend.hpp"
#include "gpu/interop/presenter.hpp"

#include <fmt/format.h>

namespace slotscape {

namespace {

std::string describe_compute()
{
  std::string text = "Devices\n";
  int number = 0;
  for (DeviceInfo const& device : list_devices()) {
    constexpr double gibibyte = 1024.0 * 1024.0 * 1024.0;
    std::string name(to_label(device.backend));
    if (device.backend == Backend::cuda) { name += fmt::format(" {}", number++); }
    text +=
        fmt::format("  {:<6} {}, {:.1f} GiB", name, device.name, static_cast<double>(device.memory_bytes) / gibibyte);
    text += device.detail.empty() ? "\n" : fmt::format(", {}\n", device.detail);
  }
  if (std::string const why = why_no_cuda(); !why.empty()) { text += fmt::format("  no CUDA device: {}\n", why); }
  return text;
}

std::string describe_presenting(Backend backend)
{
  try {
    auto const presenter = make_presenter(backend, PresentChoice::automatic);
    std::string reason = presenter->reason();
    if (auto const end = reason.find('\n'); end != std::string::npos) { reason.replace(end, 1, "\n    "); }
    return fmt::format("  --present auto: {}\n    {}\n", to_text(presenter->path()), reason);
  } catch (Error const& error) {
    return fmt::format("  --present auto: none ({})\n", error.what());
  }
}

std::string describe_opengl(Backend backend)
{
  try {
    auto const context = gl::open_offscreen({320, 240});
    return fmt::format("OpenGL (offscreen)\n  {}\n", gl::renderer_name()) + describe_presenting(backend);
  } catch (Error const& error) {
    return fmt::format("OpenGL (offscreen)\n  unavailable: {}\n", error.what());
  }
}

}  // namespace

std::string describe_devices()
{
  BackendDecision const decision = decide_backend(BackendChoice::automatic);
  std::string const picked = fmt::format("  --backend auto: {} ({})\n", to_text(decision.backend), decision.reason);
  return describe_compute() + picked + describe_opengl(decision.backend);
}

}  // namespace slotscape
