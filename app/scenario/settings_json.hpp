#pragma once

#include "app/scenario/key_stream_json.hpp"
#include "gpu/tables/family.hpp"

namespace slotscape {

/// The names of the fields that `read_slots_settings` reads.
inline constexpr std::string_view slots_settings_fields[]{"table", "seed", "keys", "drive", "view"};

inline constexpr std::uint64_t most_operations = std::uint64_t{1} << 32;  ///< of one step
inline constexpr double most_load = 1.0;

/// A table: `family`, `slots`, `deletion`, `hash`, `key_bits`, and the family's own parameters by their names. What is
/// not there keeps its default. Throws Error at what the family does not take, and says what it does.
TableSettings read_table(JsonNode const& node);
/// All of it, for `read_table`.
Json table_json(TableSettings const& table);
/// A number of slots that a table of the family can have.
std::uint64_t read_slots(JsonNode const& node, FamilyInfo const& family);

/// The colours and the camera of a slot map. What is not there keeps its default. Throws Error at a wrong field.
ViewSettings read_view_settings(JsonNode const& node);
Json view_settings_json(ViewSettings const& view);

/// Reads those fields of `root`; what is not there keeps its default. Throws Error at a wrong one.
SlotsSettings read_slots_settings(JsonNode const& root, KeyFiles& files);

/// Writes them. Key files in or under `folder` are named relative to it.
void write_slots_settings(Json& root, SlotsSettings const& settings, std::filesystem::path const& folder);

/// The field `tables` of `root`, 2 to 4 to compare; none where it is not there. Throws Error where it stands beside
/// `table`, or is wrong.
std::vector<TableSettings> read_tables(JsonNode const& root);
/// Writes it.
void write_tables(Json& root, std::vector<TableSettings> const& tables);

}  // namespace slotscape
