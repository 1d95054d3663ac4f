#pragma once

#include "app/gl/context.hpp"

#include <imgui.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace slotscape::serve {

/// --- messages from browsers: JSON objects with a field "type", one per WebSocket message.

inline constexpr std::size_t max_message_bytes = 1024;
inline constexpr std::size_t max_text_bytes = 256;
inline constexpr float max_wheel_steps = 20.0f;

/// {"type": "seen", "frame": 12}: the page shows the picture of this number.
struct Seen {
  std::uint32_t frame;
};
/// {"type": "alive"}: the page is still connected.
struct Alive {};

/// {"type": "move", "x": 120.5, "y": 80}: in pixels of the picture, from its top left.
struct PointerMove {
  float x;
  float y;
};
/// {"type": "leave"}: the pointer is no longer over the picture.
struct PointerLeave {};
/// {"type": "button", "button": 0, "down": true}: 0 is left, 1 right, 2 middle.
struct PointerButton {
  int button;
  bool down;
};
/// {"type": "wheel", "x": 0, "y": 1}: in wheel steps; y is positive away from the user.
struct Wheel {
  float x;
  float y;
};
/// {"type": "key", "key": "KeyA", "down": true, "modifiers": 1}: key names as in KeyboardEvent.code; modifiers are the
/// sum of 1 (Ctrl), 2 (Shift), 4 (Alt) and 8 (Super).
struct KeyPress {
  ImGuiKey key;
  bool down;
  unsigned modifiers;
};
/// {"type": "text", "text": "a"}: text typed by a key.
struct TypedText {
  std::string text;
};
/// {"type": "release"}: the page has lost keyboard focus; releases all keys and buttons.
struct ReleaseAll {};

/// User input; only drivers may send it.
using Input = std::variant<PointerMove, PointerLeave, PointerButton, Wheel, KeyPress, TypedText, ReleaseAll>;
using Message = std::variant<Seen, Alive, Input>;

/// Throws Error that describes the fault of an invalid message. Positions are clamped to a picture of this size.
Message parse_message(std::string const& text, gl::Size picture);

/// Passes the input to ImGui, for the next frame.
void apply(Input const& input, ImGuiIO& io);

/// The key for a name such as "KeyA", "Digit1", "F12" or "ArrowLeft"; ImGuiKey_None if unknown.
ImGuiKey key_of_name(std::string_view name);

/// The CSS name of a pointer shape.
std::string_view css_cursor(ImGuiMouseCursor cursor);

}  // namespace slotscape::serve
