#pragma once

#include "app/gl/context.hpp"

#include <imgui.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace slotscape::serve {

/// --- what browsers send: JSON objects with a field "type", each a WebSocket message of its own.

inline constexpr std::size_t max_message_bytes = 1024;
inline constexpr std::size_t max_text_bytes = 256;
inline constexpr float max_wheel_steps = 20.0f;

/// {"type": "seen", "frame": 12}: the picture of this number is shown.
struct Seen {
  std::uint32_t frame;
};
/// {"type": "alive"}: somebody is still there.
struct Alive {};

/// {"type": "move", "x": 120.5, "y": 80}: in pixels of the picture, from its top left.
struct PointerMove {
  float x;
  float y;
};
/// {"type": "leave"}: the pointer is no longer over the picture.
struct PointerLeave {};
/// {"type": "button", "button": 0, "down": true}: 0 is the left one, 1 the right one, 2 the middle one.
struct PointerButton {
  int button;
  bool down;
};
/// {"type": "wheel", "x": 0, "y": 1}: in steps of the wheel; y is positive away from the user.
struct Wheel {
  float x;
  float y;
};
/// {"type": "key", "key": "KeyA", "down": true, "modifiers": 1}: named like KeyboardEvent.code; the modifiers that are
/// down are the sum of 1 (Ctrl), 2 (Shift), 4 (Alt) and 8 (Super).
struct KeyPress {
  ImGuiKey key;
  bool down;
  unsigned modifiers;
};
/// {"type": "text", "text": "a"}: what a key types.
struct TypedText {
  std::string text;
};
/// {"type": "release"}: the page has lost the keyboard; every key and button is up.
struct ReleaseAll {};

/// What people do; only drivers may.
using Input = std::variant<PointerMove, PointerLeave, PointerButton, Wheel, KeyPress, TypedText, ReleaseAll>;
using Message = std::variant<Seen, Alive, Input>;

/// Throws Error that says what is wrong with the message. Positions are moved into a picture of this size.
Message parse_message(std::string const& text, gl::Size picture);

/// Hands it to ImGui, for the next frame.
void apply(Input const& input, ImGuiIO& io);

/// The key of a name such as "KeyA", "Digit1", "F12" or "ArrowLeft"; ImGuiKey_None for any other.
ImGuiKey key_of_name(std::string_view name);

/// What the pointer should look like, by its name in CSS.
std::string_view css_cursor(ImGuiMouseCursor cursor);

}  // namespace slotscape::serve
