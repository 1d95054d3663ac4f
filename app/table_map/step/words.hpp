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

/// What is said of a step, with what happens next or without.
std::string const& text_of(Step const& step, bool tells_next);

/// What the steps so far cost, as `costs_in_words` says or, in plain words, in probes; at the end, how far the key is
/// from home, too.
inline constexpr char const* second_looks_hint =
    "A slot is read a second time because other threads may have changed it, or because the search starts over.";
std::string costs_of(StepPlayer const& player, Measure const& measure);

/// "3 / 9"; without the total, which gives away how far the operation goes, where what comes is to be guessed.
std::string progress_of(std::size_t position, std::size_t count, bool tells_total);

/// "Insert 77 with value 5".
std::string title_of(StepPlayer const& player);

/// The first line of the pseudocode, with the operation's key and value: "insert(key = 42, value = 5)".
std::string signature_of(StepPlayer const& player);
/// The pseudocode's variables as the present step leaves them: "i = 3   key = 42"; before the first one, nothing.
/// Where the code remembers a slot, that is the last of them once it is.
std::string variables_of(StepPlayer const& player, std::vector<CodeLine> const& lines);
/// The label of the line of the pseudocode that the player is at; empty before the first step.
std::string_view line_of(StepPlayer const& player, std::vector<CodeLine> const& lines);
/// The same of the step that follows; empty after the last one.
std::string_view next_line_of(StepPlayer const& player, std::vector<CodeLine> const& lines);
/// Where the next step of a line leaves the player; after the last of them, the first. Nothing if there is none.
std::optional<std::size_t> position_at_line(StepPlayer const& player, std::vector<CodeLine> const& lines,
                                            std::string_view label);

}  // namespace slotscape
