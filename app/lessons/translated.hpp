#pragma once

#include "app/base/json.hpp"

namespace slotscape::lessons {

/// The document of a lesson, a playlist or a scenario with all that it says in the language in use. Texts that the
/// catalogue does not have stay as they are, and so does a document most of whose texts it does not have: somebody's
/// own is in the language in which it was written. A text of several lines is looked up by its paragraphs, each in one
/// line.
Json in_language(Json document);

}  // namespace slotscape::lessons
