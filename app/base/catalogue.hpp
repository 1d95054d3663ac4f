#pragma once

#include "gpu/base/translation.hpp"

#include <string>
#include <string_view>

namespace slotscape {

/// The context of what lessons and scenarios say.
inline constexpr std::string_view lesson_context = "lesson";

/// Reads a catalogue of gettext: a text of a .po file, in UTF-8. Entries that are fuzzy, obsolete or without
/// translation are left out. Throws Error that names the file and the line, and says what is expected.
Catalogue read_catalogue(std::string_view po, std::string const& name);

/// Sets the rule of a catalogue from what stands behind 'Plural-Forms:' in its file. Throws Error at a rule that is
/// none, or that names a form beyond their number.
void set_plural_forms(Catalogue& catalogue, std::string_view plural_forms);

}  // namespace slotscape
