#pragma once

#include "gpu/base/translation.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// The language of the texts in the source code.
inline constexpr std::string_view source_language = "en";

struct Language {
  std::string code;  ///< "de"
  std::string name;  ///< in the language itself: "Deutsch"
};
/// English, and the languages with a catalogue in assets/languages, sorted by code.
std::vector<Language> languages();

/// Whether a code is one of `languages`.
bool is_language(std::string_view code);

/// The code of the language requested by the first of LC_ALL, LC_MESSAGES and LANG that is set; English if there is no
/// catalogue for it.
std::string language_of_environment();

/// Switches to a language: one of `languages`, or the user's own catalogue, FILE.po. Throws Error that lists the
/// languages, or that says what is wrong in the file.
void use_language(std::string_view language);

/// Switches to a language during its lifetime.
class InLanguage {
public:
  explicit InLanguage(std::string_view language) : before_(catalogue_in_use()) { use_language(language); }
  ~InLanguage() { use_catalogue(before_); }
  InLanguage(InLanguage const&) = delete;
  InLanguage& operator=(InLanguage const&) = delete;

private:
  Catalogue const* before_;
};

}  // namespace slotscape
