#include "app/base/catalogue_json.hpp"

#include "app/base/catalogue.hpp"

#include <string>
#include <utility>
#include <vector>

namespace slotscape {

Json catalogue_json(Catalogue const& catalogue, std::string_view without)
{
  constexpr std::uint64_t counts = 200;  // plural rules depend on the last two digits of a count
  std::string forms;
  for (std::uint64_t count = 0; count < counts; ++count) { forms += std::to_string(catalogue.form_of(count)); }
  std::string const left_out = catalogue_key(without, "");
  Json texts = Json::object();
  for (auto const& [key, text] : catalogue.texts) {
    if (without.empty() || !key.starts_with(left_out)) { texts[key] = text; }
  }
  return {{"language", catalogue.language},
          {"plural_forms", catalogue.plural_forms},
          {"forms", std::move(forms)},
          {"texts", std::move(texts)}};
}

Catalogue read_catalogue_json(JsonNode const& node)
{
  node.expect_fields({"language", "plural_forms", "forms", "texts"});
  Catalogue catalogue;
  catalogue.language = node.at("language").text();
  set_plural_forms(catalogue, node.at("plural_forms").text());
  JsonNode const texts = node.at("texts");
  for (auto const& [key, forms] : texts.json().items()) {
    std::vector<std::string>& all = catalogue.texts[key];
    for (JsonNode const& form : texts.at(key).elements()) { all.push_back(form.text()); }
    if (all.empty()) { texts.at(key).fail("it must list at least one form"); }
  }
  return catalogue;
}

}  // namespace slotscape
