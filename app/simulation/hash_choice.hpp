#pragma once

#include "app/base/setting.hpp"
#include "app/simulation/names.hpp"
#include "gpu/tables/settings.hpp"

#include <string>
#include <string_view>

namespace slotscape {

template <>
std::span<EnumName<HashReduction> const> enum_names();

/// Formats a hash for the command line and for data files: "murmur3", "murmur3/modulo", "formula: (7*k + 3) % 11",
/// "formula/mask: 3*k".
std::string to_text(HashChoice const& hash);
/// Parses the output of `to_text`. Throws Error that describes the fault.
HashChoice hash_from_text(std::string const& text);
/// Describes a hash in the current language: "Murmur3 finaliser, remainder", "(7*k + 3) % 11".
std::string words_of(HashChoice const& hash);

/// Reads a hash from JSON: the name of a function, the output of `to_text`, or an object such as `{ "formula": "(7*k +
/// 3) % 11", "reduction": "mask" }`, or with "function" and a name instead of "formula".
HashChoice read_hash(JsonNode const& node);
Json hash_json(HashChoice const& hash);

/// The choice with another function. The initial formula is division.
HashChoice with_kind(HashChoice hash, HashKind kind);
/// The choice with this formula. Throws Error that describes the fault.
HashChoice with_formula(HashChoice hash, std::string const& formula);

/// Applies a command-line option. An empty one was not given and leaves the hash unchanged. Throws Error that names the
/// option.
void read_hash_option(std::string_view option, std::string const& typed, HashChoice& into);

/// Invalid text in a formula field. It stays in the field, with the reason below.
struct HashField {
  std::uint32_t of = 0;  ///< ID of the field that contains the text; 0: none
  std::string text;
  std::string error;
};

/// The kinds, in the order of their enumerators.
SettingRange hash_range();

template <class T>
Setting<T> hash_setting(SettingText text, HashChoice T::*member)
{
  return {text,
          hash_range(),
          field(text.name, member, read_hash, hash_json),
          [=](T const& from) { return static_cast<double>(static_cast<int>((from.*member).kind)); },
          [=](T& into, double kind) {
            into.*member = with_kind(into.*member, static_cast<HashKind>(static_cast<int>(kind)));
          },
          [=](std::string_view option, std::string const& typed, T& into) {
            read_hash_option(option, typed, into.*member);
          }};
}

}  // namespace slotscape
