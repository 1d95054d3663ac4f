#include "gpu/base/translation.hpp"

#include <fmt/args.h>

#include <algorithm>
#include <atomic>
#include <functional>

namespace slotscape {
namespace {

constexpr char context_end = '\4';  // as in compiled catalogues

std::atomic<Catalogue const*> in_use = nullptr;

/// All forms of a text; null if the catalogue does not contain it.
std::vector<std::string> const* forms_of(std::string_view key)
{
  Catalogue const* const catalogue = in_use;
  if (catalogue == nullptr) { return nullptr; }
  auto const found = catalogue->texts.find(key);
  return found == catalogue->texts.end() ? nullptr : &found->second;
}

}  // namespace

std::string catalogue_key(std::string_view context, std::string_view text)
{
  return context.empty() ? std::string(text) : fmt::format("{}{}{}", context, context_end, text);
}

void use_catalogue(Catalogue const* catalogue)
{
  in_use = catalogue;
}

Catalogue const* catalogue_in_use()
{
  return in_use;
}

std::string_view language_in_use()
{
  Catalogue const* const catalogue = in_use;
  return catalogue == nullptr ? std::string_view("en") : catalogue->language;
}

char const* tr(char const* text)
{
  auto const* const forms = forms_of(text);
  return forms == nullptr ? text : forms->front().c_str();
}

char const* tr_in(char const* context, char const* text)
{
  if (in_use == nullptr) { return text; }
  auto const* const forms = forms_of(catalogue_key(context, text));
  return forms == nullptr ? text : forms->front().c_str();
}

std::string translated(std::string_view text, std::string_view context)
{
  if (in_use == nullptr) { return std::string(text); }
  auto const* const forms = forms_of(catalogue_key(context, text));
  return forms == nullptr ? std::string(text) : forms->front();
}

std::string_view translation_of(std::string_view text)
{
  auto const* const forms = forms_of(text);
  return forms == nullptr ? text : std::string_view(forms->front());
}

std::string_view plural_translation(std::string_view one, std::string_view many, std::uint64_t count)
{
  auto const* const forms = forms_of(one);
  if (forms == nullptr) { return count == 1 ? one : many; }
  return (*forms)[std::min(catalogue_in_use()->form_of(count), forms->size() - 1)];
}

std::string fill_translation(std::string_view translation, std::string_view english, fmt::format_args values)
{
  try {
    return fmt::vformat(translation, values);
  } catch (fmt::format_error const&) {
    return fmt::vformat(english, values);
  }
}

std::string said(char const* text, std::initializer_list<SaidValue> values)
{
  fmt::dynamic_format_arg_store<fmt::format_context> store;
  for (SaidValue const& value : values) { store.push_back(std::cref(value.text)); }
  return fill_translation(translation_of(text), text, store);
}

}  // namespace slotscape
