#pragma once

#include "app/base/enum_names.hpp"
#include "gpu/base/types.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slotscape {

/// How keys are shown and typed. Files and statistics contain numbers in every style.
enum class KeyStyle : std::uint8_t { numbers, small, words, names, with_sign };
template <>
std::span<EnumName<KeyStyle> const> enum_names();

/// Maps signed numbers to keys, one to one, in two's complement, so that numbers from 0 on are unchanged. -1, -2 and -3
/// swap places with the three lowest numbers, because their keys are reserved.
Key key_of_signed(std::int64_t number);
std::int64_t signed_of_key(Key key);

/// What the keys of a file were before hashing; `rows`: several columns, or bytes that are not text.
enum class HashedFrom : std::uint8_t { nothing, texts, rows };
/// Hashes bytes to one number, from their length and eight bytes at a time.
std::uint64_t hash_of_text(std::uint64_t seed, std::string_view text);
/// Hashes a text, or several parts one after another, to a 64-bit key.
class TextKey {
public:
  void add(std::string_view part);
  Key take();  ///< returns the key; the next part begins another key

private:
  std::uint64_t hash_ = 0;
};
/// The key of a text, both for files and for typed keys.
Key key_of_text(std::string_view text);

/// The largest key that has a word, or is as short as the style promises; such keys begin at 1. 0 if there are none.
Key largest_named_key(KeyStyle style);
/// Whether the key is shown as a word or a name.
bool is_spoken(Key key, KeyStyle style);

/// The key as shown everywhere: "42", "apple", "Ada", "-5". A key that is not in the list is shown as a number.
std::string key_text(Key key, KeyStyle style);
/// The key of a word or a name, in any case, or of a signed number; nullopt if the text is none of these.
std::optional<Key> key_named(std::string_view text, KeyStyle style);
/// All words or names, in the order of their keys, from key 1; empty in other styles.
std::span<std::string_view const> spoken_keys(KeyStyle style);

}  // namespace slotscape
