#include "app/lessons/translated.hpp"

#include "app/base/catalogue.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace slotscape::lessons {
namespace {

/// Fields with texts for readers, anywhere in a document; `scripts/catalogue` has the same list.
constexpr std::array<std::string_view, 13> said{"title", "about",     "text",  "notes",      "ask",     "hint", "tell",
                                                "says",  "otherwise", "label", "conclusion", "caption", "what"};

bool is_text(Json const& json)
{
  bool const is_list =
      json.is_array() && !json.empty() && std::ranges::all_of(json, [](Json const& line) { return line.is_string(); });
  return json.is_string() || is_list;
}

/// A text as in catalogues: paragraphs and list items, each on one line.
std::string message_of(Json const& json)
{
  if (json.is_string()) { return json.get<std::string>(); }
  std::string text;
  for (Json const& each : json) {
    auto const& line = each.get_ref<std::string const&>();
    bool const continues = !text.empty() && !text.ends_with('\n');
    if (line.empty()) {
      text += continues ? "\n\n" : "";
    } else if (continues) {
      text += line.starts_with("- ") ? '\n' : ' ';
    }
    text += line;
  }
  return text;
}

/// Calls `work(text)` for each text for readers.
template <class Work>
void for_each_text(Json& json, Work const& work)
{
  for (auto& [name, value] : json.items()) {
    bool const is_said = json.is_object() && std::ranges::find(said, name) != said.end() && is_text(value);
    if (is_said) {
      work(value);
    } else if (value.is_structured()) {
      for_each_text(value, work);
    }
  }
}

/// Whether the catalogue covers this document; of other documents, it contains only a few short texts.
bool is_known(Json& document)
{
  std::int64_t known = 0;
  for_each_text(document, [&](Json const& text) {
    std::string const message = message_of(text);
    known += translated(message, lesson_context) != message ? 1 : -1;
  });
  return known > 0;
}

}  // namespace

Json in_language(Json document)
{
  if (catalogue_in_use() == nullptr || !document.is_structured() || !is_known(document)) { return document; }
  for_each_text(document, [](Json& text) {
    std::string const message = message_of(text);
    std::string translation = translated(message, lesson_context);
    if (translation != message) { text = std::move(translation); }
  });
  return document;
}

}  // namespace slotscape::lessons
