#pragma once

#include "app/base/json.hpp"
#include "gpu/base/translation.hpp"

#include <string_view>

namespace slotscape {

/// A catalogue for web pages: `language`, `plural_forms`, `texts` with all forms of each, by `catalogue_key`, and
/// `forms`, the number of the plural form for each count below 200. Texts of the context `without` are left out.
Json catalogue_json(Catalogue const& catalogue, std::string_view without);
/// Reads a catalogue back from `catalogue_json`. Throws Error that names an invalid field.
Catalogue read_catalogue_json(JsonNode const& node);

}  // namespace slotscape
