#pragma once

#include "app/keys/typed_keys.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <string>

namespace slotscape {

/// How the field for keys is used.
struct KeysFieldUse {
  KeyForm form;
  bool finds_only = false;  ///< keys can only be looked up, because the table is foreign
  bool in_steps = false;    ///< step mode is on
};

/// A choice of the operation for typed keys, on a line of ImGui's current window. Returns a new choice.
std::optional<Operation> operation_choice(Look const& look, TypedKeys& typed, KeysFieldUse const& use);
/// The field, on the same line; leaves `room_after` pixels free. Returns whether Enter was pressed in it.
bool draw_keys_field(Look const& look, TypedKeys& typed, KeysFieldUse const& use, float room_after);
/// Passes a character that was typed outside of the field to it, if a key may begin with the character, or if it
/// follows such a character. Returns whether it was passed.
bool type_key(TypedKeys& typed, KeysFieldUse const& use, char32_t character);

/// --- the stream of keys, in ImGui's current window. Each returns whether a setting changed, or a new choice.

/// The list of distributions, with small keys before those of a file.
bool choose_stream(KeySettings& keys);
/// The rows for a stream's parameters.
bool key_parameter_rows(Look const& look, KeySettings& keys);
/// For a file with several columns: the choice of the key column.
std::optional<std::string> column_row(Look const& look, KeySettings const& keys);
/// Describes the stream in a sentence.
std::string describe_keys(KeySettings const& keys, int key_bits);

}  // namespace slotscape
