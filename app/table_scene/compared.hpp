#pragma once

#include "app/table_scene/setup.hpp"

#include <map>
#include <string>
#include <vector>

namespace slotscape {

/// Several tables that get the same operations: how files store them, and how they are told apart.

inline constexpr std::size_t min_compared = 2;
inline constexpr std::size_t max_compared = 4;

/// Reads a table set-up with a list `tables` instead of `table`. Throws Error at an invalid field.
CompareSetup read_compare_setup(JsonNode const& node);
Json compare_setup_json(CompareSetup const& set_up, std::filesystem::path const& folder);

/// The settings used by the table's family: name and text.
std::map<std::string, std::string> settings_in_words(TableSettings const& table);
/// The title of a table's family.
std::string title_of(TableSettings const& table);
/// The settings in which a table differs from others that also have them: "tombstones reused". Empty if there are none.
std::string distinction_of(std::size_t table, std::vector<TableSettings> const& tables);
/// The distinction, followed by the table's hash if that is not a difference: "tombstones reused, hash: Murmur3
/// finaliser".
std::string subtitle_of(std::size_t table, std::vector<TableSettings> const& tables);

}  // namespace slotscape
