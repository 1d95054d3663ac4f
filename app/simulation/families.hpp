#pragma once

#include "gpu/tables/family.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Of keys, and of their values, in bits.
inline constexpr std::array<std::uint32_t, 2> key_widths{32, 64};

/// Sets a family's parameter. `TableSettings::parameters` keeps only values that differ from the default, so that equal
/// tables have equal settings.
void set_parameter(TableSettings& table, Parameter const& parameter, std::uint32_t value);

/// A parameter with its value, in a list: "neighbourhood H = 32", "4,096 slots per segment", "pool 50 %".
std::string parameter_text(Parameter const& parameter, std::uint32_t value);

/// The table that a user gets by choosing another family: the slots, hash and key width of `table` as far as the family
/// takes them, and its own parameters at their defaults.
TableSettings with_family(TableSettings table, FamilyInfo const& family);
/// The ways to erase that the table's family tells apart, that of the table among them; none if it has one only.
std::vector<Deletion> ways_to_erase(FamilyInfo const& family, TableSettings const& table);
/// Whether the family can erase so, or in ways that are the same to it.
bool can_erase_by(FamilyInfo const& family, Deletion deletion);
/// A family that cannot move keys back leaves tombstones.
void fit_deletion(TableSettings& table, FamilyInfo const& family);

/// These tables as their families can be: each with the nearest number of slots that it takes (`suitable_slots`), and
/// all with the width of keys that every one of them has.
std::vector<TableSettings> fitted(std::vector<TableSettings> asked);

/// Makes a table a set, or one of keys with values. A set has one way to erase, and no values to combine. The family
/// must have sets.
void set_values(TableSettings& table, bool has_values);

/// "linear_probing, simple_hash, ...": the families that have sets.
std::string families_with_sets();

/// The allowed numbers, for the end of an error message: "a power of two from 4 to 2147483648, for example 1024
/// or 512", the nearest ones. Of all shards together.
std::string allowed_slot_counts(SlotCounts counts, std::uint64_t wanted, std::uint32_t shards = 1);
/// The same in the language in use.
std::string said_slot_counts(SlotCounts counts, std::uint64_t wanted, std::uint32_t shards = 1);

/// A choice of a family's parameter.
struct ParameterChoice {
  Parameter const* parameter;
  std::size_t choice;  ///< its place among the parameter's
};
/// With which such a table takes any number of slots; nothing if it does so as it is, or none helps.
std::optional<ParameterChoice> choice_for_any_slots(FamilyInfo const& family, TableSettings const& table);

/// `wanted` if it is allowed, else the next allowed number above, or the last below; `wanted` itself beyond the limits.
std::uint64_t suitable_slots(SlotCounts counts, std::uint64_t wanted, std::uint32_t shards = 1);

/// "a power of two", in words.
std::string_view kind_of(SlotCounts counts);

/// The number in "65536", "65,536", "2^16" or "2^16 = 65,536"; nullopt if there is none.
std::optional<std::uint64_t> parse_slots(std::string_view text);

/// "2^16 = 65,536" or "1,000,003".
std::string slots_text(std::uint64_t slots);

/// Bytes of the pairs in this many slots.
std::uint64_t bytes_of_pairs(TableSettings const& table, std::uint64_t slots);

/// One of a table's guarantees, in words.
struct GuaranteeText {
  std::string_view about;  ///< "Erasing"
  std::string text;        ///< a sentence
};

/// What a table with these guarantees promises; the only source of these sentences.
std::vector<GuaranteeText> guarantee_texts(Guarantees const& guarantees);

/// A warning about filling a table to this load factor; empty up to the safe load.
std::string safe_load_warning(Guarantees const& guarantees, double load);

/// The load factor capped at the safe load of a table with these settings, for fills that the user did not ask for.
double capped_to_safe_load(FamilyInfo const& family, TableSettings const& table, double load);

}  // namespace slotscape
