#pragma once

#include "gpu/base/translation.hpp"

#include <string>
#include <string_view>

namespace slotscape {

/// The context of texts from lessons and scenarios.
inline constexpr std::string_view lesson_context = "lesson";

/// Reads a gettext catalogue: the text of a .po file in UTF-8. Entries that are fuzzy, obsolete or untranslated are
/// left out. Throws Error that names the file and the line, and says what is expected.
Catalogue read_catalogue(std::string_view po, std::string const& name);

/// Sets a catalogue's rule from the text after 'Plural-Forms:' in its file. Throws Error if the rule is invalid or
/// names a form that does not exist.
void set_plural_forms(Catalogue& catalogue, std::string_view plural_forms);

}  // namespace slotscape
