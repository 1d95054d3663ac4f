#pragma once

#include "app/base/setting.hpp"
#include "app/simulation/names.hpp"
#include "gpu/tables/settings.hpp"

#include <string>
#include <string_view>

namespace slotscape {

template <>
std::span<EnumName<HashReduction> const> enum_names();

/// On the command line and in tables of figures: "murmur3", "murmur3/modulo", "formula: (7*k + 3) % 11",
/// "formula/mask: 3*k".
std::string to_text(HashChoice const& hash);
/// What `to_text` writes. Throws Error that says what is wrong with it.
HashChoice hash_from_text(std::string const& text);
/// For people, in the language in use: "Murmur3 finaliser, remainder", "(7*k + 3) % 11".
std::string words_of(HashChoice const& hash);

/// In files: the name of a function, what `to_text` writes, or `{ "formula": "(7*k + 3) % 11", "reduction": "mask" }`,
/// or the same with "function" and a name.
HashChoice read_hash(JsonNode const& node);
Json hash_json(HashChoice const& hash);

/// The choice with another function; the first formula is that of division.
HashChoice with_kind(HashChoice hash, HashKind kind);
/// The choice with this formula. Throws Error that says what is wrong with it.
HashChoice with_formula(HashChoice hash, std::string const& formula);

/// An option that was not given is empty, and leaves the hash as it is. Throws Error that names the option.
void read_hash_option(std::string_view option, std::string const& typed, HashChoice& into);

/// What stands in a field for formulas and cannot be read: it stays there, with the reason below it.
struct HashField {
  std::uint32_t of = 0;  ///< the ID of the field; 0: none
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
