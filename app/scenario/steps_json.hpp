#pragma once

#include "app/scenario/scenario.hpp"
#include "app/scenario/settings_json.hpp"

namespace slotscape {

/// Reads the list `steps` for a table that starts as in `settings`. A step's keys start from `base`: the document's own
/// `keys`, or the defaults. key_bits: of every table that takes the steps, at least. Throws Error at a wrong one.
std::vector<Action> read_steps(JsonNode const& steps, SlotsSettings const& settings, KeySettings const& base,
                               int key_bits, KeyFiles& files);

/// The step mode that the last of the steps, already read, opens, where it is one that does.
std::optional<StepRequest> read_step_mode(JsonNode const& steps, int key_bits);

/// The keys that the first insert step names, where there is one that names some.
std::optional<KeySettings> first_insert_keys(JsonNode const& steps, KeyFiles& files);

/// The list that `read_steps` with `scenario.settings.keys` as base reads back.
Json steps_json(Scenario const& scenario, std::filesystem::path const& folder);

}  // namespace slotscape
