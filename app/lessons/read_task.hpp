#pragma once

#include "app/lessons/lesson.hpp"

namespace slotscape::lessons {

/// Reads the task, or the buttons, of a page whose scenario has been read. `json` is at `node`. Throws Error if a field
/// is invalid.
Task read_task(SceneList scenes, Json const& json, JsonNode const& node, Page const& page, std::uint64_t seed);
std::vector<Button> read_buttons(SceneList scenes, Json const& json, JsonNode const& node, Page const& page);

/// A text, or a list of its lines.
std::string read_lines(JsonNode const& node);
/// A text; if it consists of one variable ("{d}"), it may have become a number.
std::string read_words(JsonNode const& node);

}  // namespace slotscape::lessons
