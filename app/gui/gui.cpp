#include "app/gui/gui.hpp"

#include "app/gl/embedded.hpp"

#include <backends/imgui_impl_glfw.h>

#include <GLFW/glfw3.h>
#include <fmt/format.h>
#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

constexpr float double_click_seconds = 0.3f;
constexpr float min_scale = 0.75f;

/// The interface's font, with a fallback font for missing characters. ImGui rasterises each character when it is first
/// drawn in a size.
ImFont* add_font()
{
  ImFontConfig config;
  config.FontDataOwnedByAtlas = false;
  config.OversampleH = 2;
  config.PixelSnapH = true;
  auto const add = [&](char const* name) {
    auto const file = gl::embedded(name);
    void* const data = const_cast<std::byte*>(file.data());  // ImGui only reads it, as it does not own it
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(data, static_cast<int>(file.size()), 0.0f, &config);
  };
  ImFont* const font = add("fonts/ui.ttf");
  config.MergeMode = true;
  add("fonts/signs.ttf");
  return font;
}

Received& received_by(GLFWwindow* window)
{
  return *static_cast<Received*>(glfwGetWindowUserPointer(window));
}

void on_drop(GLFWwindow* window, int count, char const** paths)
{
  for (int i = 0; i < count; ++i) { received_by(window).dropped_files.emplace_back(paths[i]); }
}

ImGuiKeyChord command_modifiers(bool control, bool shift)
{
  if (!control) { return ImGuiMod_None; }
  return ImGuiMod_Ctrl | (shift ? ImGuiMod_Shift : ImGuiMod_None);
}

/// The window that receives this window's keys; the window itself if one of its fields has the keyboard.
GLFWwindow* keys_go_to(GLFWwindow* window)
{
  Received const& received = received_by(window);
  bool const passes = received.keys_to != nullptr && !received.context->IO.WantTextInput;
  return passes ? received.keys_to : window;
}

/// Records keys with their modifiers: in a slow frame, Ctrl may be pressed and released before ImGui reports the key
/// that was pressed with it.
void on_key(GLFWwindow* window, int key, int scancode, int action, int modifiers)
{
  Received& received = received_by(window);
  if (received.keys_to != nullptr && action == GLFW_RELEASE) {  // wherever it was pressed
    std::erase(received.passed, key);
    on_key(received.keys_to, key, scancode, action, modifiers);
  } else if (keys_go_to(window) != window) {
    if (action == GLFW_PRESS) { received.passed.push_back(key); }
    return on_key(received.keys_to, key, scancode, action, modifiers);
  }
  ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, modifiers);
  auto const& queue = received.context->InputEventsQueue;
  if (action != GLFW_PRESS || queue.empty()) { return; }
  ImGuiInputEvent const& added = queue.back();
  if (added.Type != ImGuiInputEventType_Key || !added.Key.Down) { return; }
  received.presses.push_back(added.Key.Key |
                             command_modifiers((modifiers & GLFW_MOD_CONTROL) != 0, (modifiers & GLFW_MOD_SHIFT) != 0));
}

void on_character(GLFWwindow* window, unsigned character)
{
  ImGui_ImplGlfw_CharCallback(keys_go_to(window), character);
}

/// Converts to pixels, in which the interface is laid out; GLFW's units are larger on some desktops.
void on_cursor(GLFWwindow* window, double x, double y)
{
  int width = 0;
  int height = 0;
  glfwGetWindowSize(window, &width, &height);
  int pixels = 0;
  glfwGetFramebufferSize(window, &pixels, &height);
  double const scale = width > 0 ? static_cast<double>(pixels) / width : 1.0;
  ImGui_ImplGlfw_CursorPosCallback(window, x * scale, y * scale);
}

/// The keys that were pressed in this frame, or are held and repeat. Removes the pressed ones from `presses`.
std::vector<ImGuiKeyChord> pressed_keys(std::vector<ImGuiKeyChord>& presses)
{
  ImGuiIO const& io = ImGui::GetIO();
  std::vector<ImGuiKeyChord> pressed;
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key) {
    if (!ImGui::IsKeyPressed(static_cast<ImGuiKey>(key))) { continue; }
    auto const found = std::ranges::find(presses, key, [](ImGuiKeyChord press) { return press & ~ImGuiMod_Mask_; });
    if (found == presses.end()) {
      pressed.push_back(key | command_modifiers(io.KeyCtrl, io.KeyShift));
    } else {
      pressed.push_back(*found);
      presses.erase(found);
    }
  }
  // ImGui has reported all keys, so the remaining presses were lost, for example when the window lost the focus.
  if (ImGui::GetCurrentContext()->InputEventsQueue.empty()) { presses.clear(); }
  return pressed;
}

bool is_modifier(ImGuiKey key)
{
  return (key & ImGuiMod_Mask_) != 0 || (key >= ImGuiKey_LeftCtrl && key <= ImGuiKey_RightSuper);
}

/// The number of queued events to pass to ImGui now. A key that is pressed with Ctrl ends the frame's events: ImGui
/// checks Ctrl after it has processed all of them, and in a slow frame would find it released already.
int events_of_one_frame(ImVector<ImGuiInputEvent> const& events)
{
  bool control = ImGui::GetKeyData(ImGuiMod_Ctrl)->Down;
  for (int i = 0; i < events.Size; ++i) {
    if (events[i].Type != ImGuiInputEventType_Key) { continue; }
    auto const& [key, down, ignored] = events[i].Key;
    if (key == ImGuiMod_Ctrl) { control = down; }
    if (control && down && !is_modifier(key)) { return i + 1; }
  }
  return events.Size;
}

/// Begins ImGui's frame with the first `count` events; the others stay in the queue.
void begin_with(int count)
{
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  std::vector<ImGuiInputEvent> const later(queue.begin() + count, queue.end());
  queue.resize(count);
  ImGui::NewFrame();
  for (ImGuiInputEvent const& event : later) { queue.push_back(event); }
}

/// Adds the input of the current frame.
void count_input(InputCounts& counts)
{
  ImGuiIO const& io = ImGui::GetIO();
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key) {
    if (!is_modifier(static_cast<ImGuiKey>(key)) && ImGui::IsKeyPressed(static_cast<ImGuiKey>(key), false)) {
      ++counts.keys;
    }
  }
  for (bool const clicked : io.MouseClicked) { counts.clicks += clicked ? 1 : 0; }
  counts.releases += io.MouseReleased[ImGuiMouseButton_Left] ? 1 : 0;
  counts.wheel += static_cast<std::uint64_t>(std::lround(std::abs(io.MouseWheel) + std::abs(io.MouseWheelH)));
  counts.characters += static_cast<std::uint64_t>(io.InputQueueCharacters.Size);
  counts.typing = io.WantTextInput;
  counts.popups = ImGui::GetCurrentContext()->OpenPopupStack.Size;
}

/// Reports to developers, once each, incorrect calls that ImGui recovered from.
void on_mistake(ImGuiContext* /*context*/, void* told, char const* message)
{
  if (static_cast<std::set<std::string>*>(told)->insert(message).second) {
    fmt::print(stderr, "slotscape: interface: {}\n", message);
  }
}

}  // namespace

OtherInterface::OtherInterface(ImGuiContext* gui, ImPlotContext* plots)
    : gui_(ImGui::GetCurrentContext()), plots_(ImPlot::GetCurrentContext())
{
  ImGui::SetCurrentContext(gui);
  ImPlot::SetCurrentContext(plots);
}

OtherInterface::~OtherInterface()
{
  ImGui::SetCurrentContext(gui_);
  ImPlot::SetCurrentContext(plots_);
}

Gui::Gui(gl::Context& context) : context_(context)
{
  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.ConfigErrorRecoveryEnableDebugLog = false;
  io.ConfigErrorRecoveryEnableTooltip = false;
  ImGui::GetCurrentContext()->ErrorCallback = on_mistake;
  ImGui::GetCurrentContext()->ErrorCallbackUserData = &mistakes_;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  if (context.window() != nullptr) {
    received_.context = ImGui::GetCurrentContext();
    glfwSetWindowUserPointer(context.window(), &received_);
    glfwSetDropCallback(context.window(), on_drop);
    ImGui_ImplGlfw_InitForOpenGL(context.window(), true);
    glfwSetKeyCallback(context.window(), on_key);
    glfwSetCharCallback(context.window(), on_character);
    glfwSetCursorPosCallback(context.window(), on_cursor);
  }
  renderer_.emplace();
  look_.font = add_font();
  set_scale(0.0f);
}

/// Releases keys that would otherwise stay held in another window.
Gui::~Gui()
{
  for (int const key : std::exchange(received_.passed, {})) { on_key(received_.keys_to, key, 0, GLFW_RELEASE, 0); }
  renderer_.reset();
  if (context_.window() != nullptr) { ImGui_ImplGlfw_Shutdown(); }
  ImPlot::DestroyContext();
  ImGui::DestroyContext();
}

void Gui::set_scale(float scale, float most)
{
  float const wanted = std::clamp(scale > 0.0f ? scale : context_.content_scale(), min_scale, most);
  if (look_.body > 0.0f && wanted == look_.scale) { return; }
  look_.scale = wanted;
  set_sizes();
}

void Gui::set_projected(bool on)
{
  if (std::exchange(projected_, on) != on) { set_sizes(); }
}

void Gui::set_sizes()
{
  look_.body = std::round(look_(projected_ ? 17.0f : 15.0f));
  look_.small = std::round(look_(projected_ ? 16.0f : 12.5f));
  look_.cells = projected_ ? look_.small : std::round(look_(11.0f));
  look_.large = std::round(look_(22.0f));
  look_.caption = std::round(look_(34.0f));
  theme::apply(look_);
}

void Gui::set_background(Background background)
{
  if (background == look_.background) { return; }
  look_.background = background;
  theme::apply(look_);
}

void Gui::begin_frame(double elapsed_seconds, bool holds_input, bool by_keys)
{
  if (context_.window() != nullptr) { ImGui_ImplGlfw_NewFrame(); }
  ImGuiIO& io = ImGui::GetIO();
  gl::Size const size = context_.size();
  io.DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
  io.DisplayFramebufferScale = {1.0f, 1.0f};
  io.DeltaTime = static_cast<float>(std::max(elapsed_seconds, 1e-4));
  keyboard_.begin(by_keys);
  // Several clicks within one frame are reported one by one in the following frames.
  io.MouseDoubleClickTime = std::max(double_click_seconds, 4.0f * io.DeltaTime);
  begin_with(holds_input ? 0 : events_of_one_frame(ImGui::GetCurrentContext()->InputEventsQueue));
  keyboard_.follow();
  count_input(input_);
}

WindowEvents Gui::take_events()
{
  std::vector<ImGuiKeyChord> keys = pressed_keys(received_.presses);
  std::erase_if(keys, [this](ImGuiKeyChord key) { return keyboard_.takes(key); });
  return {std::move(keys), std::exchange(received_.dropped_files, {})};
}

bool Gui::edits() const
{
  return ImGui::GetCurrentContext()->AnyIdHasBeenEditedThisFrame;
}

void Gui::end_frame()
{
  ImGui::Render();
}

void Gui::draw()
{
  renderer_->draw(*ImGui::GetDrawData());
}

void Gui::draw(char const* window, Layer layer)
{
  ImGuiWindow const* const found = ImGui::FindWindowByName(window);
  bool const shown = found != nullptr && found->Active;
  if (!shown) {
    if (layer == Layer::below) { draw(); }
    return;
  }
  ImDrawData part = *ImGui::GetDrawData();
  part.CmdLists.resize(0);
  for (ImDrawList* const list : ImGui::GetDrawData()->CmdLists) {
    if ((list == found->DrawList) == (layer == Layer::alone)) { part.CmdLists.push_back(list); }
  }
  renderer_->draw(part);
}

}  // namespace slotscape
