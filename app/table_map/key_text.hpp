#pragma once

#include "app/base/enum_names.hpp"
#include "gpu/base/types.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slotscape {

/// How people read and type keys. Files and statistics have numbers in every style.
enum class KeyStyle : std::uint8_t { numbers, small, words, names };
template <>
std::span<EnumName<KeyStyle> const> enum_names();

/// The keys that have a text of their own, or are as short as the style promises: 1 to this one. None: 0.
Key most_spoken_key(KeyStyle style);
/// Whether the key is shown as a word or a name.
bool is_spoken(Key key, KeyStyle style);

/// The key as it is shown everywhere: "42", "apple", "Ada". A key that is not in the list is a number.
std::string key_text(Key key, KeyStyle style);
/// The key of a word or a name, in letters of any case; nullopt if it is not in the list.
std::optional<Key> key_named(std::string_view text, KeyStyle style);
/// All words or names, in the order of their keys from 1 on; empty in other styles.
std::span<std::string_view const> spoken_keys(KeyStyle style);

}  // namespace slotscape
