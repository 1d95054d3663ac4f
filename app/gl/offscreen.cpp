#include "app/gl/context.hpp"
#include "app/gl/framebuffer.hpp"
#include "app/gl/program.hpp"
#include "gpu/base/error.hpp"

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace slotscape::gl {

namespace {

bool contains(char const* extensions, std::string_view name)
{
  std::string const all = fmt::format(" {} ", extensions ? extensions : "");
  return all.find(fmt::format(" {} ", name)) != std::string::npos;
}

template <class Function>
Function egl_function(char const* name)
{
  return reinterpret_cast<Function>(eglGetProcAddress(name));
}

/// A platform through which EGL may provide OpenGL without a window system.
struct Platform {
  std::string name;
  EGLenum platform;  ///< EGL platform; EGL_NONE: the default display
  void* native;
};

/// The GPUs: those that CUDA can use, in CUDA's order, and the others.
struct Devices {
  std::vector<Platform> cuda;
  std::vector<Platform> other;
};

/// CUDA's number for a GPU in this process; the largest number if CUDA does not see it.
EGLAttrib cuda_number(EGLDeviceEXT device)
{
  auto const query = egl_function<PFNEGLQUERYDEVICEATTRIBEXTPROC>("eglQueryDeviceAttribEXT");
  EGLAttrib number = -1;
  bool const is_seen = query && query(device, EGL_CUDA_DEVICE_NV, &number) && number >= 0;
  return is_seen ? number : std::numeric_limits<EGLAttrib>::max();
}

Devices list_egl_devices(char const* client_extensions)
{
  Devices devices;
  auto const query_devices = egl_function<PFNEGLQUERYDEVICESEXTPROC>("eglQueryDevicesEXT");
  auto const query_string = egl_function<PFNEGLQUERYDEVICESTRINGEXTPROC>("eglQueryDeviceStringEXT");
  if (!contains(client_extensions, "EGL_EXT_platform_device") || !query_devices || !query_string) return devices;

  std::array<EGLDeviceEXT, 32> handles{};
  EGLint count = 0;
  if (!query_devices(static_cast<EGLint>(handles.size()), handles.data(), &count)) return devices;
  std::multimap<EGLAttrib, Platform> cuda;
  for (int i = 0; i < count; ++i) {
    auto* const handle = handles[static_cast<std::size_t>(i)];
    Platform const platform{fmt::format("EGL device {}", i), EGL_PLATFORM_DEVICE_EXT, handle};
    if (contains(query_string(handle, EGL_EXTENSIONS), "EGL_NV_device_cuda")) {
      cuda.emplace(cuda_number(handle), platform);
    } else {
      devices.other.push_back(platform);
    }
  }
  for (auto const& [number, platform] : cuda) { devices.cuda.push_back(platform); }
  return devices;
}

/// The platforms in order of preference. CUDA can write to OpenGL's memory only on the GPU that CUDA uses, so that
/// comes first; of the rest, Mesa's surfaceless platform chooses well.
std::vector<Platform> list_platforms()
{
  char const* const extensions = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  Devices devices = list_egl_devices(extensions);
  std::vector<Platform> platforms = std::move(devices.cuda);
  if (contains(extensions, "EGL_MESA_platform_surfaceless")) {
    platforms.push_back({"the surfaceless platform", EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY});
  }
  std::ranges::move(devices.other, std::back_inserter(platforms));
  platforms.push_back({"the default display", EGL_NONE, nullptr});
  return platforms;
}

EGLDisplay open_display(Platform const& platform)
{
  if (platform.platform == EGL_NONE) return eglGetDisplay(EGL_DEFAULT_DISPLAY);
  auto const get = egl_function<PFNEGLGETPLATFORMDISPLAYEXTPROC>("eglGetPlatformDisplayEXT");
  return get ? get(platform.platform, platform.native, nullptr) : EGL_NO_DISPLAY;
}

EGLContext create_context(EGLDisplay display, Dialect dialect)
{
  bool const is_es = dialect == Dialect::es;
  std::array const config_attributes{EGL_SURFACE_TYPE, EGL_DONT_CARE, EGL_RENDERABLE_TYPE,
                                     is_es ? EGL_OPENGL_ES3_BIT : EGL_OPENGL_BIT, EGL_NONE};
  EGLConfig config = nullptr;
  EGLint count = 0;
  if (!eglChooseConfig(display, config_attributes.data(), &config, 1, &count) || count == 0) return EGL_NO_CONTEXT;
  std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, is_es ? 0 : 3};
  if (!is_es) {
    std::ranges::copy(std::array{EGL_CONTEXT_OPENGL_PROFILE_MASK, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                 EGL_CONTEXT_OPENGL_DEBUG, debug_context ? EGL_TRUE : EGL_FALSE},
                      std::back_inserter(attributes));
  }
  attributes.push_back(EGL_NONE);
  return eglCreateContext(display, config, EGL_NO_CONTEXT, attributes.data());
}

std::string_view name_of(Dialect dialect)
{
  return dialect == Dialect::es ? "OpenGL ES 3.0" : "OpenGL 3.3";
}

/// An EGL context, current from construction to destruction. The display stays initialised because all contexts of the
/// process share it.
class EglContext {
public:
  /// Returns a reason, and stays empty, if the platform lacks the OpenGL required.
  std::optional<std::string> open(Platform const& platform, Dialect dialect)
  {
    display_ = open_display(platform);
    if (display_ == EGL_NO_DISPLAY) return "no display";
    if (!eglInitialize(display_, nullptr, nullptr)) return failure("eglInitialize");
    if (!eglBindAPI(dialect == Dialect::es ? EGL_OPENGL_ES_API : EGL_OPENGL_API)) return failure("eglBindAPI");
    context_ = create_context(display_, dialect);
    if (context_ == EGL_NO_CONTEXT) return failure(fmt::format("creating an {} context", name_of(dialect)));
    if (eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_)) return std::nullopt;
    auto const reason = failure("eglMakeCurrent");
    close();
    return reason;
  }

  EglContext() = default;
  ~EglContext() { close(); }
  EglContext(EglContext const&) = delete;
  EglContext& operator=(EglContext const&) = delete;

private:
  static std::string failure(std::string_view call) { return fmt::format("{}: error {:#x}", call, eglGetError()); }

  void close()
  {
    if (context_ == EGL_NO_CONTEXT) return;
    eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(display_, context_);
    context_ = EGL_NO_CONTEXT;
  }

  EGLDisplay display_ = EGL_NO_DISPLAY;
  EGLContext context_ = EGL_NO_CONTEXT;
};

void open_first_usable(EglContext& context, Dialect dialect)
{
  std::string reasons;
  for (Platform const& platform : list_platforms()) {
    auto const reason = context.open(platform, dialect);
    if (!reason) return;
    reasons += fmt::format("\n  {}: {}", platform.name, *reason);
  }
  throw Error(
      fmt::format("{} is unavailable offscreen through EGL. Install a graphics driver, or Mesa's software "
                  "renderer (on Debian and Ubuntu: libegl-mesa0 libgl1-mesa-dri). Tried:{}",
                  name_of(dialect), reasons));
}

class Offscreen final : public Context {
public:
  explicit Offscreen(Size size) : size_(size)
  {
    Dialect const dialect = wanted_dialect();
    open_first_usable(context_, dialect);
    load_functions(eglGetProcAddress, dialect);
    programs_.emplace();
    framebuffer_.emplace(size);
  }

  Size size() const override { return size_; }
  unsigned framebuffer() const override { return framebuffer_->name(); }
  float content_scale() const override { return 1.0f; }
  GLFWwindow* window() const override { return nullptr; }
  void present() override { glFinish(); }

private:
  Size size_;
  EglContext context_;
  std::optional<SharedPrograms> programs_;
  std::optional<Framebuffer> framebuffer_;
};

}  // namespace

std::unique_ptr<Context> open_offscreen(Size size)
{
  return std::make_unique<Offscreen>(size);
}

}  // namespace slotscape::gl
