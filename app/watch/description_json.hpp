#pragma once

#include "app/base/json.hpp"
#include "gpu/watch/description.hpp"

#include <string>

namespace slotscape::watch {

/// Reads the description of a table: docs/watching-your-table.md has its fields. Throws Error that names the field and
/// says what it can be. Whether it can be true of given arrays is for `validate`.
Description read_description(JsonNode const& node);
/// The same of a text. `name`: of the file or the program, for errors.
Description read_description(std::string const& text, std::string const& name);

/// Writes what `read_description` reads, with no default left out.
Json description_json(Description const& description);

}  // namespace slotscape::watch
