#pragma once

#include "gpu/base/translation.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// What the program's own texts are written in.
inline constexpr std::string_view source_language = "en";

struct Language {
  std::string code;  ///< "de"
  std::string name;  ///< as its speakers call it: "Deutsch"
};
/// English, and those with a catalogue in assets/languages, by code.
std::vector<Language> languages();

/// Whether a code is one of `languages`.
bool is_language(std::string_view code);

/// The code of what LC_ALL, LC_MESSAGES or LANG asks for, the first of them that is set; English where there is no
/// catalogue for it.
std::string language_of_environment();

/// Says everything in a language from now on: one of `languages`, or a catalogue of one's own, FILE.po. Throws Error
/// that lists the languages, or that names what is wrong in the file.
void use_language(std::string_view language);

/// A language for a while.
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
