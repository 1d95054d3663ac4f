#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/lessons/lesson.hpp"
#include "app/lessons/read_task.hpp"
#include "app/lessons/variables.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace slotscape::lessons {
namespace {

namespace fs = std::filesystem;

/// Counts the words between spaces, except punctuation alone. An expression in braces is one word, whatever spaces it
/// has.
std::size_t count_words(std::string_view text)
{
  std::size_t words = 0;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    std::size_t const open = text.find('{', at);
    if (open < end) { end = std::min(text.find_first_of(" \n", text.find('}', open)), text.size()); }
    std::string_view const word = text.substr(at, end - at);
    words +=
        std::ranges::any_of(word, [](unsigned char character) { return std::isalnum(character) || character > 127; });
    at = end + 1;
  }
  return words;
}

Panels read_panels(JsonNode const& node)
{
  struct Named {
    std::string_view name;
    bool Panels::*shown;
  };
  constexpr std::array panels{Named{"controls", &Panels::controls}, Named{"numbers", &Panels::numbers},
                              Named{"plots", &Panels::plots}, Named{"slot_card", &Panels::slot_card}};
  std::array<std::string_view, panels.size()> names;
  std::ranges::transform(panels, names.begin(), &Named::name);
  Panels shown{false, false, false, false, {}};
  for (JsonNode const& each : node.elements()) { shown.*panels[each.one_of(names, "panel")].shown = true; }
  return shown;
}

/// Reads the page's set-up, which is in its lesson or in a file named there.
void read_set_up(SceneList scenes, Page& page, Json const& set_up, std::string const& path, FindFile const& find)
{
  page.folder = page.source->folder;
  if (!set_up.is_string()) {
    page.set_up = set_up;
    page.scenario = scenario_of(scenes, set_up, page.source, path, Versioned::no);
    return;
  }
  fs::path const file = find(JsonNode(set_up, page.source, path));
  page.set_up = parse_json(read_text_file(file), file.string());
  page.folder = file.parent_path();
  page.scenario = read_scenario(scenes, file, page.source->reach);
}

/// Changes a scenario's own view by the one at `path`.
void change_view(SceneList scenes, Page& page, Json const& view, std::string const& path)
{
  Json patch;
  if (page.scenario.scene->claims) {
    patch["view"] = view;
  } else {
    patch[std::string(page.scenario.scene->name)]["view"] = view;
  }
  Change const change{std::move(patch), path};
  page.scenario = changed(scenes, page, change);
  page.set_up.merge_patch(change.json);
}

/// The view shared by all pages of a lesson, overridden by this page's set-up.
Json view_of_lesson(Json const& shared, Page const& page)
{
  Json view = shared;
  bool const of_table = page.scenario.scene->claims != nullptr;
  auto const scene = page.set_up.find(std::string(page.scenario.scene->name));  // workloads have no such field
  Json const& holder = of_table || scene == page.set_up.end() ? page.set_up : *scene;
  if (auto const own = holder.find("view"); own != holder.end()) { view.merge_patch(*own); }
  return view;
}

/// All texts of a page, on one line without marks.
std::string words_of(Json const& said)
{
  std::string words;
  if (said.is_string()) {
    for (char const character : said.get_ref<std::string const&>()) {
      bool const is_space = character == ' ' || character == '\n';
      if (is_space && (words.empty() || words.back() == ' ')) { continue; }
      if (character != '*' && character != '`') { words += is_space ? ' ' : character; }
    }
    return words.ends_with(' ') ? words : words + ' ';
  }
  if (!said.is_structured()) { return words; }  // such a value would be its own element
  for (auto const& [name, each] : said.items()) {
    if (name != "says") { words += words_of(each); }
  }
  return words;
}

/// Checks that the words of each claim are still on the page: whoever changes a sentence should check the claim about
/// it.
void check_that_it_says(Json const& drawn, JsonNode const& list, std::vector<Condition> const& claims)
{
  std::string words;
  for (std::string_view const field : {"title", "text", "notes", "buttons", "task"}) {
    if (auto const said = drawn.find(field); said != drawn.end()) { words += words_of(*said); }
  }
  std::string_view const all = words;
  auto const nodes = list.elements();
  for (std::size_t i = 0; i < claims.size(); ++i) {
    if (claims[i].says.empty() || all.find(claims[i].says) != std::string_view::npos) { continue; }
    nodes[i].at("says").fail("the page does not say this");
  }
}

Page page_of_scenario(SceneList scenes, PageSource const& from)
{
  Page page;
  page.source = from.source;
  page.path = from.path;
  page.folder = from.source->folder;
  page.set_up = *from.page;
  page.scenario = scenario_of(scenes, *from.page, from.source, from.path, Versioned::yes);
  ScenarioWords const& words = page.scenario.words;
  page.title = words.title.empty() ? fs::path(from.source->name).stem().stem().string() : words.title;
  page.text = words.caption;
  page.notes = words.notes;
  return page;
}

Variables draw_variables(PageSource const& from, std::uint64_t seed)
{
  Variables variables;
  if (from.variables != nullptr) {
    add_variables(*from.variables, {*from.variables, from.source, "variables"}, seed, variables);
  }
  auto const own = from.page->find("variables");
  if (own != from.page->end()) { add_variables(*own, {*own, from.source, from.path + ".variables"}, seed, variables); }
  return variables;
}

bool can_vary(PageSource const& from)
{
  auto const own = from.page->find("variables");
  bool const shared = from.variables != nullptr && varies(*from.variables);
  return shared || (own != from.page->end() && varies(*own));
}

}  // namespace

Page open_page(SceneList scenes, PageSource const& from, std::uint64_t seed, FindFile const& find)
{
  if (from.is_scenario) { return page_of_scenario(scenes, from); }
  JsonNode(*from.page, from.source, from.path)
      .expect_fields(
          {"title", "text", "notes", "variables", "set_up", "view", "panels", "claims", "measured", "buttons", "task"});
  Page page;
  page.source = from.source;
  page.path = from.path;
  page.variables = draw_variables(from, seed);
  page.varies = can_vary(from);
  Json drawn = *from.page;
  if (from.set_up != nullptr) { drawn["set_up"] = *from.set_up; }
  if (!drawn.contains("set_up")) { drawn["set_up"] = Json::object(); }
  drawn.erase("variables");
  drawn = fill_in_all(drawn, {drawn, from.source, from.path}, {page.variables});
  JsonNode const node(drawn, from.source, from.path);
  page.title = read_words(node.at("title"));
  page.text = read_lines(node.at("text"));
  if (std::size_t const words = count_words(page.text); words > max_words) {
    node.at("text").fail(tr("it has {} words; at most {} fit beside a scene", words, max_words));
  }
  if (auto const notes = node.find("notes")) { page.notes = read_lines(*notes); }
  read_set_up(scenes, page, drawn.at("set_up"), from.path + ".set_up", find);
  if (from.view != nullptr) { change_view(scenes, page, view_of_lesson(*from.view, page), "view"); }
  if (drawn.contains("view")) { change_view(scenes, page, drawn.at("view"), page.path + ".view"); }
  auto const panels = node.find("panels");
  page.panels = panels ? read_panels(*panels) : Panels{false, false, false, true, {}};
  if (auto const claims = node.find("claims")) {
    page.claims = read_claims(drawn.at("claims"), *claims, page.variables);
    check_that_it_says(drawn, *claims, page.claims);
  }
  if (auto const measured = node.find("measured")) {
    measured->expect_fields({"expected", "otherwise"});
    page.measured =
        Measured{read_conditions(measured->at("expected"), page.variables), read_lines(measured->at("otherwise"))};
  }
  if (auto const buttons = node.find("buttons")) {
    page.buttons = read_buttons(scenes, drawn.at("buttons"), *buttons, page);
  }
  if (auto const task = node.find("task")) {
    page.task = read_task(scenes, drawn.at("task"), *task, page, seed);
    if (auto const claims = task->find("leads_to")) { check_that_it_says(drawn, *claims, page.task->leads_to); }
  }
  return page;
}

Scenario changed(SceneList scenes, Page const& page, Change const& change)
{
  Json set_up = page.set_up;
  set_up.merge_patch(change.json);
  auto const source = std::make_shared<JsonSource>(
      JsonSource{.name = page.source->name, .folder = page.folder, .reach = page.source->reach});
  return scenario_of(scenes, std::move(set_up), source, change.path, Versioned::no);
}

}  // namespace slotscape::lessons
