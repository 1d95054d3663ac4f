#pragma once

#include "app/base/enum_names.hpp"
#include "gpu/base/types.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace slotscape {

/// How people read and type keys. Files and statistics have numbers in every style.
enum class KeyStyle : std::uint8_t { numbers, small, words, names, with_sign };
template <>
std::span<EnumName<KeyStyle> const> enum_names();

/// Numbers with a sign as keys, one to one: in two's complement, where those from 0 on stay as they are. -1, -2 and -3
/// change places with the three lowest numbers, because their keys are reserved.
Key key_of_signed(std::int64_t number);
std::int64_t signed_of_key(Key key);

/// What the keys of a file were before they were hashed; `rows`: several columns, or bytes that are no text.
enum class HashedFrom : std::uint8_t { nothing, texts, rows };
/// Bytes as one number, by their length and eight at a time.
std::uint64_t hash_of_text(std::uint64_t seed, std::string_view text);
/// A key that is a text, or has several parts, one after the other: a hash of 64 bits.
class TextKey {
public:
  void add(std::string_view part);
  Key take();  ///< the next part begins another key

private:
  std::uint64_t hash_ = 0;
};
/// The key of a text, for files and fields alike.
Key key_of_text(std::string_view text);

/// The keys that have a text of their own, or are as short as the style promises: 1 to this one. None: 0.
Key max_spoken_key(KeyStyle style);
/// Whether the key is shown as a word or a name.
bool is_spoken(Key key, KeyStyle style);

/// The key as it is shown everywhere: "42", "apple", "Ada", "-5". A key that is not in the list is a number.
std::string key_text(Key key, KeyStyle style);
/// The key of a word or a name, in letters of any case, or of a number with a sign; nullopt if it is none.
std::optional<Key> key_named(std::string_view text, KeyStyle style);
/// All words or names, in the order of their keys from 1 on; empty in other styles.
std::span<std::string_view const> spoken_keys(KeyStyle style);

}  // namespace slotscape
