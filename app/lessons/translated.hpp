#pragma once

#include "app/base/json.hpp"

namespace slotscape::lessons {

/// The document of a lesson, a playlist or a scenario, translated to the current language. Texts that are not in the
/// catalogue are unchanged, and so are documents most of whose texts are not in it: a user's own document stays in the
/// language it was written in. A text of several lines is looked up by its paragraphs, each on one line.
Json in_language(Json document);

}  // namespace slotscape::lessons
