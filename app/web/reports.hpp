#pragma once

#include "app/web/page_tables.hpp"

#include <string_view>

namespace slotscape::web {

/// What a page shows, as JSON: its script draws it, and knows nothing else.

/// A text in Markdown as a list of blocks: { "item": false, "spans": [["plain", "Keys of "], ["strong", "one"]] }.
/// Spaces within formulas do not break.
Json text_json(std::string_view markdown);

/// Tables of at most this many slots are shown slot by slot; larger ones as pictures.
inline constexpr std::uint64_t max_shown_slots = 128;

/// A table: `title`, `slots`, `numbers` (names and values), and `cells` with what each slot holds or, of large tables,
/// `picture`: rows of colours, each a cell of the same number of slots.
Json shown_table(PageTables& tables, std::size_t table);
/// The operation that is stepped through: where it is, what the present access does, and the pseudocode with a line
/// lit; null if there is none.
Json shown_steps(PageTables& tables, std::size_t table);
/// What can be changed of a table: its family's settings, each with its choices.
Json shown_settings(TableSettings const& table);

}  // namespace slotscape::web
