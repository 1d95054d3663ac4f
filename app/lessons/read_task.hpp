#pragma once

#include "app/lessons/lesson.hpp"

namespace slotscape::lessons {

/// Reads the task, or the buttons, of a page whose scenario is known. `json` is at `node`. Throws Error at an invalid
/// field.
Task read_task(SceneList scenes, Json const& json, JsonNode const& node, Page const& page, std::uint64_t seed);
std::vector<Button> read_buttons(SceneList scenes, Json const& json, JsonNode const& node, Page const& page);

/// A text, or a list of its lines.
std::string read_lines(JsonNode const& node);
/// A text, or the number that one of a variable alone ("{d}") was drawn as.
std::string read_words(JsonNode const& node);

}  // namespace slotscape::lessons
