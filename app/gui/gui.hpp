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
  std::vector<ImGuiKeyChord> keys;  ///< pressed, including Ctrl or Ctrl+Shift if held
  std::vector<std::filesystem::path> dropped_files;
};

/// Input that the window received and ImGui does not keep.
struct Received {
  ImGuiContext* context = nullptr;     ///< of this window
  GLFWwindow* keys_to = nullptr;       ///< the window that gets keys no field of this one takes; null: none
  std::vector<int> passed;             ///< GLFW keys that were passed to the other window and are still down
  std::vector<ImGuiKeyChord> presses;  ///< with the modifiers held at the time, until ImGui reports the key
  std::vector<std::filesystem::path> dropped_files;
};

/// Counts of all input since the start.
struct InputCounts {
  std::uint64_t keys = 0;  ///< key presses, without modifiers and repeats
  std::uint64_t characters = 0;
  std::uint64_t clicks = 0;    ///< presses of any button
  std::uint64_t releases = 0;  ///< releases of the left button
  std::uint64_t wheel = 0;     ///< steps in any direction
  bool typing = false;         ///< a field has the keyboard
  int popups = 0;              ///< number of open popups, one on top of another
};

/// Switches Dear ImGui to another context, or to none, so that a new `Gui` can be made; the destructor switches back.
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

/// Dear ImGui for one OpenGL context, with window events if it has a window.
class Gui {
public:
  explicit Gui(gl::Context& context);
  ~Gui();
  Gui(Gui const&) = delete;
  Gui& operator=(Gui const&) = delete;

  Look const& look() const { return look_; }
  /// The current frame's keys that no panel uses, and the files dropped since the last call. Call between `begin_frame`
  /// and `end_frame`.
  WindowEvents take_events();
  InputCounts const& input() const { return input_; }
  /// `scale` 0: follow the monitor. `most`: the largest scale; pictures may need larger ones than windows. Call between
  /// frames.
  void set_scale(float scale, float most = 4.0f);
  /// For an audience: text is at least 1/45 of the height of a picture that is 720 high at scale 1. Call between
  /// frames.
  void set_projected(bool on);
  /// Sets the theme's background. Call between frames.
  void set_background(Background background);
  KeyboardFocus& keyboard() { return keyboard_; }
  /// From now on, keys and characters that no field of this window takes go to the other window.
  void pass_keys_to(gl::Context const& other) { received_.keys_to = other.window(); }
  /// Positions and sizes in the frame are in framebuffer pixels. `holds_input`: defers new input to a later frame;
  /// `by_keys`: something that uses keyboard navigation is open.
  void begin_frame(double elapsed_seconds, bool holds_input = false, bool by_keys = false);
  /// Whether the user has changed a control or a field in the part of this frame that has been laid out so far.
  bool edits() const;
  /// Ends the frame's layout; `draw` draws it to the bound framebuffer.
  void end_frame();
  void draw();
  /// Whether to draw all windows except one, or only that one.
  enum class Layer : bool { below, alone };
  void draw(char const* window, Layer layer);

private:
  gl::Context& context_;
  Received received_;
  InputCounts input_;
  std::set<std::string> mistakes_;  ///< reported mistakes that ImGui recovered from
  void set_sizes();

  Look look_;
  bool projected_ = false;
  KeyboardFocus keyboard_;
  std::optional<Renderer> renderer_;
};

}  // namespace slotscape
