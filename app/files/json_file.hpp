#pragma once

#include <nlohmann/json.hpp>

#include <string>

namespace slotscape {

/// Keeps the fields in the order in which they were written.
using Json = nlohmann::ordered_json;

/// Throws Error with `name`, line and column where the text is no JSON, or where an object has a field twice.
Json parse_json(std::string const& text, std::string const& name);

/// Indented text for people: what is short stands on one line, and so does a list of numbers. Throws Error that names
/// the path of a number that JSON cannot hold (infinite or not a number).
std::string format_json(Json const& document);

}  // namespace slotscape
