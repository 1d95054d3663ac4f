#pragma once

#include "app/keys/typed_keys.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <string>

namespace slotscape {

/// What the field for keys is for.
struct KeysFieldUse {
  KeyForm form;
  bool finds_only = false;  ///< in somebody else's table
  bool in_steps = false;    ///< step mode is on
};

/// What to do with typed keys, on a line of ImGui's current window. Returns another choice.
std::optional<Operation> operation_choice(Look const& look, TypedKeys& typed, KeysFieldUse const& use);
/// The field, on the same line, of which it leaves `room_after` pixels free. Returns whether Enter was pressed in it.
bool draw_keys_field(Look const& look, TypedKeys& typed, KeysFieldUse const& use, float room_after);
/// A character that was typed outside of the field goes there if a key may begin with it, or if it follows such
/// a character. Returns whether it does.
bool type_key(TypedKeys& typed, KeysFieldUse const& use, char32_t character);

/// --- the stream of keys, in ImGui's current window. Each returns whether a setting changed, or another choice.

/// The list of distributions, and small keys before those of a file.
bool choose_stream(KeySettings& keys);
/// The rows for what a stream has besides its distribution.
bool key_parameter_rows(Look const& look, KeySettings& keys);
/// Of a file with several columns: the one with the keys.
std::optional<std::string> column_row(Look const& look, KeySettings const& keys);
/// The stream in a sentence.
std::string describe_keys(KeySettings const& keys, int key_bits);

}  // namespace slotscape
