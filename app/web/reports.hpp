#pragma once

#include "app/web/page_tables.hpp"

#include <string_view>

namespace slotscape::web {

/// The content of a web page as JSON; its script only draws it.

/// A text in Markdown as a list of blocks: { "item": false, "spans": [["plain", "Keys of "], ["strong", "one"]] }.
/// Spaces within formulas do not break.
Json text_json(std::string_view markdown);

/// Tables of at most this many slots are shown slot by slot; larger ones as pictures.
inline constexpr std::uint64_t max_shown_slots = 128;

/// A table: `title`, `slots`, `numbers` (names and values), and `cells` with the content of each slot or, for large
/// tables, `picture`: rows of colours, one for each cell of equally many slots.
Json shown_table(PageTables& tables, std::size_t table);
/// The operation being stepped through: its position, the current access, and the pseudocode with a line highlighted;
/// null if there is none.
Json shown_steps(PageTables& tables, std::size_t table);
/// The settings that can be changed: those of the family, each with its choices.
Json shown_settings(TableSettings const& table);

}  // namespace slotscape::web
