#include "app/gui.hpp"

#include "app/gl/embedded.hpp"
#include "app/widgets/look.hpp"

#include <backends/imgui_impl_glfw.h>
#include <backends/imgui_impl_opengl3.h>

#include <GLFW/glfw3.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

/// Latin, Greek, general punctuation, sub- and superscripts, and the mathematical signs in use.
constexpr std::array<ImWchar, 13> glyph_ranges{0x0020, 0x00ff, 0x0370, 0x03ff, 0x2010, 0x2027, 0x2070,
                                               0x208e, 0x2212, 0x2212, 0x2248, 0x2265, 0};

ImFont* add_font(std::span<std::byte const> file, float size)
{
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = 2;
  config.PixelSnapH = true;
  void* const data = const_cast<std::byte*>(file.data());  // ImGui does not own it, so it only reads
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(data, static_cast<int>(file.size()), size, &config,
                                                    glyph_ranges.data());
}

constexpr float caption_size = 34.0f;
constexpr double double_click_seconds = 0.3;

WindowEvents& events_of(GLFWwindow* window)
{
  return *static_cast<WindowEvents*>(glfwGetWindowUserPointer(window));
}

void on_key(GLFWwindow* window, int key, int /*scancode*/, int action, int modifiers)
{
  if (action != GLFW_RELEASE) { events_of(window).keys.push_back({key, (modifiers & GLFW_MOD_CONTROL) != 0}); }
}

void on_button(GLFWwindow* window, int button, int action, int /*modifiers*/)
{
  if (button != GLFW_MOUSE_BUTTON_LEFT || action != GLFW_PRESS) { return; }
  WindowEvents& events = events_of(window);
  double const now = glfwGetTime();
  // Events arrive when the window is polled, once a frame, so in slow frames their times say little.
  bool const soon = now - events.last_press < double_click_seconds || events.frames_since_press <= 1;
  bool const second = events.last_press >= 0.0 && soon;
  events.double_click = events.double_click || second;
  events.last_press = second ? -1.0 : now;
  events.frames_since_press = 0;
}

void on_drop(GLFWwindow* window, int count, char const** paths)
{
  for (int i = 0; i < count; ++i) { events_of(window).dropped_files.emplace_back(paths[i]); }
}

/// Call before ImGui installs its own callbacks, which forward to these.
void listen(GLFWwindow* window, WindowEvents& events)
{
  glfwSetWindowUserPointer(window, &events);
  glfwSetKeyCallback(window, on_key);
  glfwSetDropCallback(window, on_drop);
  glfwSetMouseButtonCallback(window, on_button);
}

}  // namespace

Gui::Gui(gl::Context& context) : context_(context)
{
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  if (context.window() != nullptr) {
    listen(context.window(), events_);
    ImGui_ImplGlfw_InitForOpenGL(context.window(), true);
  }
  ImGui_ImplOpenGL3_Init("#version 450 core");
  set_scale(0.0f);
}

Gui::~Gui()
{
  ImGui_ImplOpenGL3_Shutdown();
  if (context_.window() != nullptr) { ImGui_ImplGlfw_Shutdown(); }
  ImGui::DestroyContext();
}

void Gui::set_scale(float scale)
{
  float const wanted = scale > 0.0f ? scale : context_.content_scale();
  wanted_scale_ = std::clamp(wanted, 0.75f, 4.0f);
}

void Gui::rebuild_fonts()
{
  look_.scale = wanted_scale_;
  ImGui::GetIO().Fonts->Clear();
  auto const file = gl::embedded("fonts/ui.ttf");
  look_.body = add_font(file, std::round(15.0f * look_.scale));
  look_.small = add_font(file, std::round(12.5f * look_.scale));
  look_.large = add_font(file, std::round(22.0f * look_.scale));
  look_.caption = add_font(file, std::round(caption_size * look_.scale));
  ImGui_ImplOpenGL3_DestroyFontsTexture();
  ImGui_ImplOpenGL3_CreateFontsTexture();
  theme::apply(look_.scale);
}

void Gui::hold_short_presses()
{
  ImGuiIO& io = ImGui::GetIO();
  for (int const key : held_keys_) { io.KeysDown[key] = false; }
  held_keys_.clear();
  for (KeyPress const& press : events_.keys) {
    bool const known = press.key >= 0 && press.key < IM_ARRAYSIZE(io.KeysDown);
    if (!known || io.KeysDown[press.key]) { continue; }
    io.KeysDown[press.key] = true;
    held_keys_.push_back(press.key);
  }
}

void Gui::begin_frame(double elapsed_seconds)
{
  ImGui_ImplOpenGL3_NewFrame();
  if (wanted_scale_ != look_.scale || look_.body == nullptr) { rebuild_fonts(); }
  ImGuiIO& io = ImGui::GetIO();
  if (context_.window() != nullptr) {
    ImGui_ImplGlfw_NewFrame();
    hold_short_presses();
    // The interface is laid out in pixels; GLFW's units are larger on some desktops.
    ImVec2 const pixels = io.DisplayFramebufferScale;
    if (ImGui::IsMousePosValid(&io.MousePos)) { io.MousePos = {io.MousePos.x * pixels.x, io.MousePos.y * pixels.y}; }
  }
  gl::Size const size = context_.size();
  io.DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
  io.DisplayFramebufferScale = {1.0f, 1.0f};
  io.DeltaTime = static_cast<float>(std::max(elapsed_seconds, 1e-4));
  ImGui::NewFrame();
  if (events_.double_click) { io.MouseClickedCount[ImGuiMouseButton_Left] = 2; }
}

WindowEvents Gui::take_events()
{
  WindowEvents taken = std::exchange(events_, {});
  events_.last_press = taken.last_press;
  events_.frames_since_press = taken.frames_since_press + 1;
  return taken;
}

void Gui::end_frame()
{
  ImGui::Render();
}

void Gui::draw()
{
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

}  // namespace slotscape
