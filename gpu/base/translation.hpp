#pragma once

#include "gpu/base/said.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace slotscape {

/// The program's texts in one language, by the English text.
struct Catalogue {
  std::string language;      ///< "de"
  std::string name;          ///< in the language itself: "Deutsch"
  std::string plural_forms;  ///< as in translation files: "nplurals=2; plural=(n != 1);"
  std::function<std::size_t(std::uint64_t)> form_of = [](std::uint64_t count) { return count == 1 ? 0u : 1u; };
  std::map<std::string, std::vector<std::string>, std::less<>> texts;  ///< by `catalogue_key`: all forms, at least one
};

/// The key of a text and, if an English word has several meanings, its context.
std::string catalogue_key(std::string_view context, std::string_view text);

/// Sets the language; null: English. The catalogue must live as long as the program.
void use_catalogue(Catalogue const* catalogue);
/// The catalogue in use; null for English.
Catalogue const* catalogue_in_use();
/// "en", "de"
std::string_view language_in_use();

/// The text in the current language, or the text itself if the catalogue does not contain it. `scripts/catalogue`
/// collects the arguments of these functions. With values, the text has {fmt} placeholders: "Slot {} is empty", or "{1}
/// of {0}" in a language with another order.
char const* tr(char const* text);
/// Translates in a context: tr_in("verb", "Find").
char const* tr_in(char const* context, char const* text);
/// Translates a text that is not a literal: one marked as `translatable`, or from a file.
std::string translated(std::string_view text, std::string_view context = {});

/// Inserts values into a translation, or into the English text if they do not fit the translation.
std::string fill_translation(std::string_view translation, std::string_view english, fmt::format_args values);
/// The plural form for a count.
std::string_view plural_translation(std::string_view one, std::string_view many, std::uint64_t count);
std::string_view translation_of(std::string_view text);

template <class... Values>
requires(sizeof...(Values) > 0) std::string tr(fmt::format_string<Values...> text, Values&&... values)
{
  fmt::string_view const english = text;
  std::string_view const own(english.data(), english.size());
  return fill_translation(translation_of(own), own, fmt::make_format_args(values...));
}

/// tr_plural("{} slot", "{} slots", count, count): the count chooses the form.
template <class... Values>
std::string tr_plural(fmt::format_string<Values...> one, fmt::format_string<Values...> many, std::uint64_t count,
                      Values&&... values)
{
  fmt::string_view const single = one;
  fmt::string_view const plural = many;
  std::string_view const english(count == 1 ? single.data() : plural.data(),
                                 count == 1 ? single.size() : plural.size());
  std::string_view const said =
      plural_translation({single.data(), single.size()}, {plural.data(), plural.size()}, count);
  return fill_translation(said, english, fmt::make_format_args(values...));
}

/// A text kept in a result and translated whenever it is read: in a window, it follows the language, and in files it is
/// in English.
class LazyText {
public:
  LazyText() = default;
  LazyText(std::string text) : say_([said = std::move(text)] { return said; }) {}  ///< already translated
  LazyText(char const* text) : say_([text] { return std::string(tr(text)); }) {}   ///< `translatable`
  template <class Say>
  requires std::is_invocable_r_v<std::string, Say const&> LazyText(Say say) : say_(std::move(say)) {}

  bool empty() const { return say_ == nullptr; }
  std::string text() const { return empty() ? std::string() : say_(); }

private:
  std::function<std::string()> say_;
};

}  // namespace slotscape
