#include "app/serve/messages.hpp"

#include "app/base/encoding.hpp"
#include "app/base/json.hpp"
#include "gpu/base/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <utility>

namespace slotscape::serve {
namespace {

struct NamedKey {
  std::string_view name;
  ImGuiKey key;
};

constexpr std::array named_keys{
    NamedKey{"Space", ImGuiKey_Space},
    NamedKey{"Enter", ImGuiKey_Enter},
    NamedKey{"Escape", ImGuiKey_Escape},
    NamedKey{"Tab", ImGuiKey_Tab},
    NamedKey{"Backspace", ImGuiKey_Backspace},
    NamedKey{"Delete", ImGuiKey_Delete},
    NamedKey{"Insert", ImGuiKey_Insert},
    NamedKey{"Home", ImGuiKey_Home},
    NamedKey{"End", ImGuiKey_End},
    NamedKey{"PageUp", ImGuiKey_PageUp},
    NamedKey{"PageDown", ImGuiKey_PageDown},
    NamedKey{"ArrowLeft", ImGuiKey_LeftArrow},
    NamedKey{"ArrowRight", ImGuiKey_RightArrow},
    NamedKey{"ArrowUp", ImGuiKey_UpArrow},
    NamedKey{"ArrowDown", ImGuiKey_DownArrow},
    NamedKey{"ControlLeft", ImGuiKey_LeftCtrl},
    NamedKey{"ControlRight", ImGuiKey_RightCtrl},
    NamedKey{"ShiftLeft", ImGuiKey_LeftShift},
    NamedKey{"ShiftRight", ImGuiKey_RightShift},
    NamedKey{"AltLeft", ImGuiKey_LeftAlt},
    NamedKey{"AltRight", ImGuiKey_RightAlt},
    NamedKey{"MetaLeft", ImGuiKey_LeftSuper},
    NamedKey{"MetaRight", ImGuiKey_RightSuper},
    NamedKey{"Minus", ImGuiKey_Minus},
    NamedKey{"Equal", ImGuiKey_Equal},
    NamedKey{"Comma", ImGuiKey_Comma},
    NamedKey{"Period", ImGuiKey_Period},
    NamedKey{"Slash", ImGuiKey_Slash},
    NamedKey{"Backslash", ImGuiKey_Backslash},
    NamedKey{"Semicolon", ImGuiKey_Semicolon},
    NamedKey{"Quote", ImGuiKey_Apostrophe},
    NamedKey{"Backquote", ImGuiKey_GraveAccent},
    NamedKey{"BracketLeft", ImGuiKey_LeftBracket},
    NamedKey{"BracketRight", ImGuiKey_RightBracket},
    NamedKey{"ContextMenu", ImGuiKey_Menu},
    NamedKey{"NumpadAdd", ImGuiKey_KeypadAdd},
    NamedKey{"NumpadSubtract", ImGuiKey_KeypadSubtract},
    NamedKey{"NumpadMultiply", ImGuiKey_KeypadMultiply},
    NamedKey{"NumpadDivide", ImGuiKey_KeypadDivide},
    NamedKey{"NumpadDecimal", ImGuiKey_KeypadDecimal},
    NamedKey{"NumpadEnter", ImGuiKey_KeypadEnter},
};

/// The key whose name is `prefix` followed by one of `letters`; `first` is the key of the first letter.
ImGuiKey key_in_row(std::string_view name, std::string_view prefix, std::string_view letters, ImGuiKey first)
{
  if (name.size() != prefix.size() + 1 || !name.starts_with(prefix)) { return ImGuiKey_None; }
  std::size_t const place = letters.find(name.back());
  return place == std::string_view::npos ? ImGuiKey_None : static_cast<ImGuiKey>(first + static_cast<int>(place));
}

float position(JsonNode const& node, int size)
{
  constexpr double farthest = 1e6;
  return static_cast<float>(std::clamp(node.number(-farthest, farthest), 0.0, size - 1.0));
}

float wheel_steps(JsonNode const& node)
{
  return static_cast<float>(node.number(-max_wheel_steps, max_wheel_steps));
}

KeyPress key_press(JsonNode const& message)
{
  message.expect_fields({"type", "key", "down", "modifiers"});
  JsonNode const key = message.at("key");
  ImGuiKey const found = key_of_name(key.text());
  if (found == ImGuiKey_None) { key.fail_with_value("it must be a name of KeyboardEvent.code, such as KeyA"); }
  return {found, message.at("down").flag(), static_cast<unsigned>(message.at("modifiers").whole_number(0, 15))};
}

TypedText typed_text(JsonNode const& message)
{
  message.expect_fields({"type", "text"});
  JsonNode const text = message.at("text");
  std::string typed = text.text();
  bool const has_control = std::ranges::any_of(typed, [](char each) { return each >= 0 && each < ' '; });
  if (typed.size() > max_text_bytes || has_control) {
    text.fail(fmt::format("it must be at most {} bytes without control characters", max_text_bytes));
  }
  return {std::move(typed)};
}

PointerButton pointer_button(JsonNode const& message)
{
  message.expect_fields({"type", "button", "down"});
  return {static_cast<int>(message.at("button").whole_number(0, 2)), message.at("down").flag()};
}

Input parse_input(std::string const& type, JsonNode const& message, gl::Size picture)
{
  if (type == "move") {
    message.expect_fields({"type", "x", "y"});
    return PointerMove{position(message.at("x"), picture.width), position(message.at("y"), picture.height)};
  }
  if (type == "button") { return pointer_button(message); }
  if (type == "wheel") {
    message.expect_fields({"type", "x", "y"});
    return Wheel{wheel_steps(message.at("x")), wheel_steps(message.at("y"))};
  }
  if (type == "key") { return key_press(message); }
  if (type == "text") { return typed_text(message); }
  message.expect_fields({"type"});
  if (type == "leave") { return PointerLeave{}; }
  if (type == "release") { return ReleaseAll{}; }
  message.at("type").fail_with_value("it must be seen, alive, move, leave, button, wheel, key, text or release");
}

/// ImGui needs modifiers twice: as keys, and as modifiers of other keys.
void tell_modifiers(ImGuiIO& io, unsigned modifiers)
{
  constexpr std::array keys{ImGuiMod_Ctrl, ImGuiMod_Shift, ImGuiMod_Alt, ImGuiMod_Super};
  for (std::size_t i = 0; i < keys.size(); ++i) { io.AddKeyEvent(keys[i], (modifiers >> i & 1) != 0); }
}

void tell(ImGuiIO& io, PointerMove const& move)
{
  io.AddMousePosEvent(move.x, move.y);
}
void tell(ImGuiIO& io, PointerLeave const& /*leave*/)
{
  io.AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}
void tell(ImGuiIO& io, PointerButton const& press)
{
  io.AddMouseButtonEvent(press.button, press.down);
}
void tell(ImGuiIO& io, Wheel const& wheel)
{
  io.AddMouseWheelEvent(wheel.x, wheel.y);
}
void tell(ImGuiIO& io, KeyPress const& press)
{
  tell_modifiers(io, press.modifiers);
  io.AddKeyEvent(press.key, press.down);
}
void tell(ImGuiIO& io, TypedText const& typed)
{
  io.AddInputCharactersUTF8(typed.text.c_str());
}
void tell(ImGuiIO& io, ReleaseAll const& /*release*/)
{
  for (int button = 0; button < ImGuiMouseButton_COUNT; ++button) { io.AddMouseButtonEvent(button, false); }
  for (int key = ImGuiKey_NamedKey_BEGIN; key < ImGuiKey_GamepadStart; ++key) {
    io.AddKeyEvent(static_cast<ImGuiKey>(key), false);
  }
  tell_modifiers(io, 0);
}

}  // namespace

ImGuiKey key_of_name(std::string_view name)
{
  constexpr std::string_view digits = "0123456789";
  for (ImGuiKey const key :
       {key_in_row(name, "Key", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", ImGuiKey_A),
        key_in_row(name, "Digit", digits, ImGuiKey_0), key_in_row(name, "Numpad", digits, ImGuiKey_Keypad0),
        key_in_row(name, "F", digits.substr(1), ImGuiKey_F1),
        key_in_row(name, "F1", digits.substr(0, 3), ImGuiKey_F10)}) {
    if (key != ImGuiKey_None) { return key; }
  }
  auto const found = std::ranges::find(named_keys, name, &NamedKey::name);
  return found == named_keys.end() ? ImGuiKey_None : found->key;
}

Message parse_message(std::string const& text, gl::Size picture)
{
  constexpr char const* name = "the message";
  if (text.size() > max_message_bytes) {
    throw Error(fmt::format("{} has {} bytes; it must have {} at most", name, text.size(), max_message_bytes));
  }
  if (!is_utf8(text)) { throw Error(fmt::format("{} is not UTF-8", name)); }
  Json const document = parse_json(text, name);
  JsonNode const message(document, name);
  std::string const type = message.at("type").text();
  if (type == "seen") {
    message.expect_fields({"type", "frame"});
    return Seen{static_cast<std::uint32_t>(message.at("frame").whole_number(0, UINT32_MAX))};
  }
  if (type == "alive") {
    message.expect_fields({"type"});
    return Alive{};
  }
  return parse_input(type, message, picture);
}

void apply(Input const& input, ImGuiIO& io)
{
  std::visit([&](auto const& each) { tell(io, each); }, input);
}

std::string_view css_cursor(ImGuiMouseCursor cursor)
{
  switch (cursor) {
    case ImGuiMouseCursor_None: return "none";
    case ImGuiMouseCursor_TextInput: return "text";
    case ImGuiMouseCursor_ResizeAll: return "move";
    case ImGuiMouseCursor_ResizeNS: return "ns-resize";
    case ImGuiMouseCursor_ResizeEW: return "ew-resize";
    case ImGuiMouseCursor_ResizeNESW: return "nesw-resize";
    case ImGuiMouseCursor_ResizeNWSE: return "nwse-resize";
    case ImGuiMouseCursor_Hand: return "pointer";
    case ImGuiMouseCursor_NotAllowed: return "not-allowed";
    default: return "default";
  }
}

}  // namespace slotscape::serve
