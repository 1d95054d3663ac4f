#pragma once

#include "gpu/base/translation.hpp"

#include <string>
#include <string_view>

namespace slotscape {

/// Sentences that explain the machine's instructions.
inline constexpr char const* exchange_in_words =
    translatable("An exchange writes the slot and reads what it held, in one step");
inline constexpr char const* swap_in_words =
    translatable("A compare-and-swap writes the slot in one step, if it has not changed");
inline constexpr char const* take_in_words =
    translatable("A compare-and-swap takes the slot in one step, if it is still free");
/// The beginning of the sentence on each change of a rebuild.
inline constexpr char const* rebuild_in_words = translatable("The table is rebuilt: ");

/// A family's words with the value filled in, if they have a placeholder.
template <class Value>
std::string with_value(std::string_view words, Value const& value)
{
  return fill_translation(translation_of(words), words, fmt::make_format_args(value));
}

}  // namespace slotscape
