#pragma once

#include "gpu/base/translation.hpp"

#include <string>
#include <string_view>

namespace slotscape {

/// Sentences that say what an instruction of the machine does.
inline constexpr char const* exchange_in_words =
    translatable("An exchange writes the slot and reads what it held, in one step");
inline constexpr char const* swap_in_words =
    translatable("A compare-and-swap writes the slot in one step, if it is still as it was");
inline constexpr char const* take_in_words =
    translatable("A compare-and-swap takes the slot in one step, if it is still free");
/// How the sentence on each change of a rebuild begins.
inline constexpr char const* rebuild_in_words = translatable("The table is rebuilt: ");

/// A family's words, with a value in the place that they may have for one.
template <class Value>
std::string with_value(std::string_view words, Value const& value)
{
  return fill_translation(translation_of(words), words, fmt::make_format_args(value));
}

}  // namespace slotscape
