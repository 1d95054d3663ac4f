#pragma once

#include "gpu/tables/family.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// Widths of keys, and of their values, in bits.
inline constexpr std::array<std::uint32_t, 2> key_widths{32, 64};

/// Sets a family's parameter. `TableSettings::parameters` keeps only values that differ from the default, so that equal
/// tables have equal settings.
void set_parameter(TableSettings& table, Parameter const& parameter, std::uint32_t value);

/// A parameter with its value for use in a list: "neighbourhood H = 32", "4,096 slots per segment", "pool 50 %".
std::string parameter_text(Parameter const& parameter, std::uint32_t value);

/// The settings after the user chooses another family: the slots, hash and key width of `table`, as far as the family
/// supports them, and the family's default parameters.
TableSettings with_family(TableSettings table, FamilyInfo const& family);
/// The ways to erase between which the table's family distinguishes, including the table's own; empty if there is only
/// one.
std::vector<Deletion> ways_to_erase(FamilyInfo const& family, TableSettings const& table);
/// Whether the family supports this way to erase, or does not distinguish it from its own.
bool can_erase_by(FamilyInfo const& family, Deletion deletion);
/// Sets tombstones for a family that cannot move keys back.
void fit_deletion(TableSettings& table, FamilyInfo const& family);

/// Adapts the tables to their families: each gets the nearest allowed number of slots (`suitable_slots`), and all get a
/// key width that every one supports.
std::vector<TableSettings> fitted(std::vector<TableSettings> asked);

/// Makes the table a set, or one of keys with values. A set has one way to erase, and no values to combine. The family
/// must support sets.
void set_values(TableSettings& table, bool has_values);

/// The families that support sets: "linear_probing, simple_hash, ...".
std::string families_with_sets();

/// The allowed numbers of slots, for the end of an error message, with the nearest ones as examples: "a power of two
/// from 4 to 2147483648, for example 1024 or 512". Counts all shards together.
std::string allowed_slot_counts(SlotCounts counts, std::uint64_t wanted, std::uint32_t shards = 1);
/// The allowed numbers of slots in the current language.
std::string translated_slot_counts(SlotCounts counts, std::uint64_t wanted, std::uint32_t shards = 1);

/// A choice of a family's parameter.
struct ParameterChoice {
  Parameter const* parameter;
  std::size_t choice;  ///< its index among the parameter's choices
};
/// The parameter choice with which the table accepts any number of slots; nothing if it already does, or if no choice
/// helps.
std::optional<ParameterChoice> choice_for_any_slots(FamilyInfo const& family, TableSettings const& table);

/// `wanted` if allowed, else the next larger allowed number, or else the largest one below; `wanted` itself beyond the
/// limits.
std::uint64_t suitable_slots(SlotCounts counts, std::uint64_t wanted, std::uint32_t shards = 1);

/// The kind of number in words: "a power of two".
std::string_view kind_of(SlotCounts counts);

/// Parses "65536", "65,536", "2^16" or "2^16 = 65,536"; nullopt if malformed.
std::optional<std::uint64_t> parse_slots(std::string_view text);

/// Formats a number of slots: "2^16 = 65,536" or "1,000,003".
std::string slots_text(std::uint64_t slots);

/// The size in bytes of the pairs in this many slots.
std::uint64_t bytes_of_pairs(TableSettings const& table, std::uint64_t slots);

/// One of a table's guarantees as text.
struct GuaranteeText {
  std::string_view about;  ///< "Erasing"
  std::string text;        ///< a sentence
};

/// The texts for a table's guarantees; the only source of these sentences.
std::vector<GuaranteeText> guarantee_texts(Guarantees const& guarantees);

/// A warning about filling a table to this load factor; empty up to the safe load.
std::string safe_load_warning(Guarantees const& guarantees, double load);

/// The load factor, capped at the safe load of a table with these settings, for fills that the user did not request.
double capped_to_safe_load(FamilyInfo const& family, TableSettings const& table, double load);

}  // namespace slotscape
