#include "app/languages/languages.hpp"

#include "app/base/catalogue.hpp"
#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/gl/embedded.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <deque>
#include <map>

namespace slotscape {
namespace {

constexpr std::string_view folder = "assets/languages/";
constexpr std::string_view ending = ".po";

std::map<std::string, Catalogue, std::less<>> const& catalogues()
{
  static auto const all = [] {
    std::map<std::string, Catalogue, std::less<>> read;
    for (std::string_view const name : gl::embedded_names()) {
      if (!name.starts_with(folder) || !name.ends_with(ending)) { continue; }
      Catalogue catalogue = read_catalogue(gl::embedded_text(name), std::string(name));
      read.try_emplace(catalogue.language, std::move(catalogue));
    }
    return read;
  }();
  return all;
}

/// A catalogue from a file, for translators to try out. It is never freed, as its texts may be shown as long as the
/// program runs.
Catalogue const& own_catalogue(std::string const& file)
{
  static std::deque<Catalogue> read;
  return read.emplace_back(read_catalogue(read_input_file(path_of_text(file)), file));
}

}  // namespace

std::vector<Language> languages()
{
  std::vector<Language> all{{std::string(source_language), "English"}};
  for (auto const& [code, catalogue] : catalogues()) { all.push_back({code, catalogue.name}); }
  return all;
}

bool is_language(std::string_view code)
{
  return code == source_language || catalogues().contains(code);
}

std::string language_of_environment()
{
  constexpr std::array<char const*, 3> names{"LC_ALL", "LC_MESSAGES", "LANG"};
  for (char const* const name : names) {
    char const* const value = std::getenv(name);
    if (value == nullptr || *value == '\0') { continue; }
    std::string_view const locale = value;  // "de_AT.UTF-8", "de", "C.UTF-8"
    std::string_view const regional = locale.substr(0, locale.find_first_of(".@"));
    std::string_view const code = regional.substr(0, regional.find('_'));
    return std::string(is_language(regional) ? regional : is_language(code) ? code : source_language);
  }
  return std::string(source_language);
}

void use_language(std::string_view language)
{
  if (language == source_language) { return use_catalogue(nullptr); }
  if (language.ends_with(ending)) { return use_catalogue(&own_catalogue(std::string(language))); }
  auto const found = catalogues().find(language);
  if (found != catalogues().end()) { return use_catalogue(&found->second); }
  std::vector<std::string> codes;
  for (Language const& each : languages()) { codes.push_back(each.code); }
  throw Error(tr("there is no language '{}'; choose {}, or a catalogue of your own: FILE.po",
                 printable(std::string(language)), listed(codes)));
}

}  // namespace slotscape
