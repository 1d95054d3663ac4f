#pragma once

#include "app/base/json.hpp"

namespace slotscape {

/// Removes the value at a path such as "window.width" or "recent[2]" from a document: the field, or the element of its
/// list; the whole list if its elements are numbers, as their positions have meaning. Returns false if there is no such
/// value.
bool erase_at(Json& document, std::string_view path);

/// Removes fields with numbers that JSON cannot represent, infinity and NaN; readers use the defaults instead.
void erase_not_finite(Json& document);

}  // namespace slotscape
