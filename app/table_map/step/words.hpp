#pragma once

#include "app/table_map/step/player.hpp"
#include "gpu/engine/pseudocode.hpp"
#include "gpu/tables/settings.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// The kind of an access in capitals: "READ", "COMPARE AND SWAP".
std::string_view kind_of(Step const& step, bool plain);

/// The text of a step, with or without the announcement of the next one.
std::string const& text_of(Step const& step, bool tells_next);

/// The cost of the steps so far, as in `costs_in_words` or, in plain words, in probes; at the end, also the key's
/// distance from home.
inline constexpr char const* second_looks_hint =
    "A slot is read a second time because other threads may have changed it, or because the search starts over.";
std::string costs_of(StepPlayer const& player, Measure const& measure);

/// For example "3 / 9". Omits the total while the user should guess what follows, because it reveals the length of the
/// operation.
std::string progress_of(std::size_t position, std::size_t count, bool tells_total);

/// The operation, such as "Insert 77 with value 5".
std::string title_of(StepPlayer const& player);

/// The first line of the pseudocode, with the operation's key and value: "insert(key = 42, value = 5)".
std::string signature_of(StepPlayer const& player);
/// The values of the pseudocode's variables after the current step: "i = 3   key = 42"; empty before the first step. A
/// slot that the code remembers comes last.
std::string variables_of(StepPlayer const& player, std::vector<CodeLine> const& lines);
/// The label of the player's current line of pseudocode; empty before the first step.
std::string_view line_of(StepPlayer const& player, std::vector<CodeLine> const& lines);
/// The label of the next step's line; empty after the last step.
std::string_view next_line_of(StepPlayer const& player, std::vector<CodeLine> const& lines);
/// The player's position after the next step of this line; after the last such step, continues with the first. Nothing
/// if there is none.
std::optional<std::size_t> position_at_line(StepPlayer const& player, std::vector<CodeLine> const& lines,
                                            std::string_view label);

}  // namespace slotscape
