#pragma once

#include "app/base/json.hpp"
#include "gpu/watch/description.hpp"

#include <string>

namespace slotscape::watch {

/// Reads the description of a table; docs/watching-your-table.md lists its fields. Throws Error naming the field and
/// its valid values. `validate` checks it against given arrays.
Description read_description(JsonNode const& node);
/// Reads the description from a text. `name`: of the file or the program, for errors.
Description read_description(std::string const& text, std::string const& name);

/// Writes a description that `read_description` reads back, including defaults.
Json description_json(Description const& description);

}  // namespace slotscape::watch
