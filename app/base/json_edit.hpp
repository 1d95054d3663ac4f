#pragma once

#include "app/base/json.hpp"

namespace slotscape {

/// Takes the value at a path such as "window.width" or "recent[2]" out of a document: the field, or the element of its
/// list; the whole list if its elements are numbers, each of which has its place. False if there is no such value.
bool erase_at(Json& document, std::string_view path);

/// Takes out the fields with numbers that JSON cannot hold, infinity and NaN: whoever reads the document has defaults
/// for them.
void erase_not_finite(Json& document);

}  // namespace slotscape
