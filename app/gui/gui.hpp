#pragma once

#include "app/gl/context.hpp"
#include "app/gui/keyboard_focus.hpp"
#include "app/gui/renderer.hpp"
#include "app/widgets/look.hpp"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

struct ImPlotContext;

namespace slotscape {

struct WindowEvents {
  std::vector<ImGuiKeyChord> keys;  ///< pressed, with Ctrl and Ctrl+Shift where those are held
  std::vector<std::filesystem::path> dropped_files;
};

/// What the window received and ImGui does not keep.
struct Received {
  ImGuiContext* context = nullptr;     ///< of the window
  GLFWwindow* keys_to = nullptr;       ///< this window gets the keys that no field takes; null: this one keeps them
  std::vector<int> passed;             ///< of GLFW, that the other window got, and that are still down
  std::vector<ImGuiKeyChord> presses;  ///< with the modifiers that were down then, until ImGui tells of the key
  std::vector<std::filesystem::path> dropped_files;
};

/// What came in since the start.
struct InputCounts {
  std::uint64_t keys = 0;  ///< pressed; Ctrl, Shift and the like not counted, nor repetitions
  std::uint64_t characters = 0;
  std::uint64_t clicks = 0;    ///< of any button, when it goes down
  std::uint64_t releases = 0;  ///< of the left button
  std::uint64_t wheel = 0;     ///< steps in any direction
  bool typing = false;         ///< a field has the keyboard
  int popups = 0;              ///< that are open on top of one another
};

/// Makes Dear ImGui work on another interface, or on none, as before a `Gui` is made; then on the one before again.
class OtherInterface {
public:
  explicit OtherInterface(ImGuiContext* gui = nullptr, ImPlotContext* plots = nullptr);
  ~OtherInterface();
  OtherInterface(OtherInterface const&) = delete;
  OtherInterface& operator=(OtherInterface const&) = delete;

private:
  ImGuiContext* gui_;
  ImPlotContext* plots_;
};

/// Dear ImGui on one OpenGL context, with window events if it has a window.
class Gui {
public:
  explicit Gui(gl::Context& context);
  ~Gui();
  Gui(Gui const&) = delete;
  Gui& operator=(Gui const&) = delete;

  Look const& look() const { return look_; }
  /// The keys of the present frame that are not for a panel, and the files since the last call. Between `begin_frame`
  /// and `end_frame`.
  WindowEvents take_events();
  InputCounts const& input() const { return input_; }
  /// `scale` 0: follow the monitor. `most`: what is too large for a window can be right for a picture. Between frames.
  void set_scale(float scale, float most = 4.0f);
  /// For an audience: no letters are smaller than 1/45 of a picture whose height is 720 at scale 1. Between frames.
  void set_projected(bool on);
  /// What everything is drawn on: the theme. Between frames.
  void set_background(Background background);
  KeyboardFocus& keyboard() { return keyboard_; }
  /// From now on, keys and characters that no field of this window takes are as if they were pressed in that one.
  void pass_keys_to(gl::Context const& other) { received_.keys_to = other.window(); }
  /// Positions and sizes in the frame are in framebuffer pixels. `holds_input`: what comes in waits for a later frame;
  /// `by_keys`: something is open that is moved through by keys.
  void begin_frame(double elapsed_seconds, bool holds_input = false, bool by_keys = false);
  /// Whether the user has changed something in a control or a field, in this frame's layout so far.
  bool edits() const;
  /// Ends the frame's layout; `draw` draws it to the bound framebuffer.
  void end_frame();
  void draw();
  /// The same of all but one of its windows, or of that window alone.
  enum class Layer : bool { below, alone };
  void draw(char const* window, Layer layer);

private:
  gl::Context& context_;
  Received received_;
  InputCounts input_;
  std::set<std::string> mistakes_;  ///< that ImGui recovered from
  void set_sizes();

  Look look_;
  bool projected_ = false;
  KeyboardFocus keyboard_;
  std::optional<Renderer> renderer_;
};

}  // namespace slotscape
