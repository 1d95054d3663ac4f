#include "app/web/export.hpp"

#include "app/base/base64.hpp"
#include "app/base/catalogue.hpp"
#include "app/base/catalogue_json.hpp"
#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/base/text.hpp"
#include "app/gl/embedded.hpp"
#include "app/lessons/expression.hpp"
#include "app/lessons/session.hpp"
#include "app/simulation/families.hpp"
#include "app/web/page_lesson.hpp"
#include "app/web/reports.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace slotscape::web {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view module_name = "lesson_page.wasm.gz";
constexpr std::uint64_t first_seed = 1;
/// Number of variants of a page that are checked: of ten values that a variable may have, one is missed once in a
/// thousand times. A page that meets a missed value then says what it cannot do.
constexpr std::uint64_t judged_seeds = 64;

void replace_all(std::string& text, std::string_view what, std::string_view with)
{
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

/// JSON escaped for a script element.
std::string escaped_json(Json const& json)
{
  std::string text = json.dump();
  replace_all(text, "<", "\\u003c");
  return text;
}

/// The template with each {{name}} replaced, in one pass: inserted text may contain braces itself. {{tr WORDS}} becomes
/// WORDS in the current language.
std::string filled(std::string_view page, std::initializer_list<std::pair<std::string_view, std::string_view>> parts)
{
  constexpr std::string_view said = "tr ";
  std::string text;
  while (true) {
    std::size_t const open = page.find("{{");
    text += page.substr(0, open);
    if (open == std::string_view::npos) { return text; }
    std::size_t const close = page.find("}}", open);
    std::string_view const name = page.substr(open + 2, close - open - 2);
    if (name.starts_with(said)) { text += translated(name.substr(said.size())); }
    for (auto const& [each, with] : parts) {
      if (each == name) { text += with; }
    }
    page.remove_prefix(close + 2);
  }
}

/// Identifies an edition of a lesson. Recordings are left out, because they differ between devices.
std::string edition_of(Json document, Json const& recorded)
{
  for (auto const& [number, entry] : recorded.items()) { document["pages"][std::stoul(number)] = nullptr; }
  std::uint64_t state = 0;
  for (char const character : document.dump()) { state = random64(state, static_cast<unsigned char>(character)); }
  return fmt::format("{:016x}", state);
}

/// The scripts of a page, concatenated.
std::string script_of(PageOptions const& options)
{
  std::vector<char const*> parts{"assets/web/module.js", "assets/web/tables.js", "assets/web/keep.js",
                                 "assets/web/answers.js"};
  if (options.xapi) { parts.push_back("assets/web/xapi.js"); }
  parts.push_back("assets/web/page.js");
  std::string script;
  for (char const* const part : parts) { script += gl::embedded_text(part); }
  return script;
}

std::string joined(std::string const& first, std::string const& second)
{
  return second.empty() ? first : fmt::format("{} {}", first, second);
}

std::string described_table(Json const& statistics, bool accesses)
{
  auto const number = [&](std::string_view path) {
    auto const found = lessons::find_statistic(statistics, path);
    return found ? lessons::to_text(*found) : std::string();
  };
  std::string const family = number("table/family");
  std::string const live = number("table/live");
  if (number("table/slots").empty() || live.empty()) { return {}; }
  std::string text = tr("{}: {} slots, {} keys.", family.empty() ? tr("Table") : translated(family_info(family).title),
                        number("table/slots"), live);
  if (!accesses) { return text; }
  std::string const hits = number("accesses/hits/mean");
  if (!hits.empty()) { text = joined(text, tr("Accesses of a hit, mean: {}.", hits)); }
  std::string const misses = number("accesses/misses/mean");
  if (!misses.empty()) { text = joined(text, tr("Accesses of a miss, mean: {}.", misses)); }
  return text;
}

/// The threads of a race in words: their next steps and their results.
std::string described_threads(Json const& statistics)
{
  std::string text = tr("{}, {} slots.", translated(statistics.at("table").get<std::string>()),
                        statistics.at("slots").get<std::uint64_t>());
  std::size_t number = 0;
  for (Json const& thread : statistics.at("threads")) {
    text = joined(text, tr("Thread {}: {}.", ++number, thread.at("operation").get<std::string>()));
    if (thread.contains("next")) { text = joined(text, tr("Next: {}.", thread.at("next").get<std::string>())); }
    if (thread.contains("answer")) { text = joined(text, tr("Answer: {}.", thread.at("answer").get<std::string>())); }
  }
  number = 0;
  for (Json const& turn : statistics.at("turns")) {
    text = joined(text, tr("Turn {}, thread {}: {}.", ++number, turn.at("thread").get<std::uint64_t>(),
                           turn.at("text").get<std::string>()));
  }
  return statistics.contains("verdict") ? joined(text, statistics.at("verdict").get<std::string>() + ".") : text;
}

/// The threads' code as text: in a picture, it may be too small to read, as on a phone.
Json code_of_threads(Json const& statistics)
{
  Json codes = Json::array();
  if (!statistics.contains("threads")) { return codes; }
  for (Json const& thread : statistics.at("threads")) {
    std::string const title = tr("Thread {}: {}.", codes.size() + 1, thread.at("operation").get<std::string>());
    codes.push_back({{"title", title}, {"lines", thread.at("code")}});
  }
  return codes;
}

/// A file name as part of a URL (RFC 3986, 2.1).
std::string in_address(std::string_view name)
{
  constexpr std::string_view unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string text;
  for (char const character : name) {
    bool const plain = unreserved.find(character) != std::string_view::npos;
    text += plain ? std::string(1, character) : fmt::format("%{:02X}", static_cast<unsigned char>(character));
  }
  return text;
}

/// Turns a lesson's document into one that names no files, and whose pages can all be shown without their scenes.
class Exporter {
public:
  Exporter(SceneList scenes, lessons::Lesson const& lesson, lessons::FindFile const& find, RecordPage const& record)
      : scenes_(scenes), lesson_(lesson), find_(find), record_(record), document_(*lesson.pages.front().document)
  {
    for (std::size_t i = 0; i < lesson.pages.size(); ++i) { take(i); }
  }

  Json data() const
  {
    return {{"name", lesson_.name},
            {"lesson", document_},
            {"recorded", recorded_},
            {"edition", edition_of(document_, recorded_)}};
  }

private:
  void take(std::size_t number)
  {
    lessons::Page const page = open(number, first_seed);
    Json& json = document_["pages"][number];
    std::string why = names_file(json) ? tr("its keys are in a file") : why_not(page);
    for (std::uint64_t seed = first_seed + 1; why.empty() && page.varies && seed <= judged_seeds; ++seed) {
      why = why_not(open(number, seed));
    }
    if (!why.empty()) { return record(number, page, why, json); }
    lessons::PageSource const& source = lesson_.pages[number];
    if (source.set_up == nullptr) {
      json["set_up"] = Json::object();  // otherwise, it would inherit the set-up of a recorded page before it
      return;
    }
    json["set_up"] = *source.set_up;
    if (!source.set_up->is_string()) { return; }
    json["set_up"] = page.set_up;
    json["set_up"].erase("version");
  }

  /// The page in a variant, which error messages name.
  lessons::Page open(std::size_t number, std::uint64_t seed) const
  {
    try {
      return lessons::open_page(scenes_, lesson_.pages[number], seed, find_);
    } catch (Error const& error) {
      throw Error(tr("variant {}: {}", seed, error.what()));
    }
  }

  std::string why_not(lessons::Page const& page) const
  {
    std::string const why = why_not_here(scenes_, page);
    return why.empty() && names_file(page.set_up) ? tr("its keys are in a file") : why;
  }

  void record(std::size_t number, lessons::Page const& page, std::string const& why, Json& json)
  {
    RecordedPage const recorded = record_(number);
    // A page of text; its small table is never shown.
    json = {{"title", page.title}, {"text", recorded.text}, {"set_up", {{"table", {{"slots", 16}}}}}};
    Json entry{{"picture", "data:image/png;base64," + base64(recorded.picture)},
               {"why", why},
               {"alt", joined(tr("The scene of the page '{}'.", page.title),
                              described(recorded.statistics, recorded.shows_numbers))},
               {"code", code_of_threads(recorded.statistics)},
               {"caption", tr("Recorded with Slotscape on {}, because {}. In the program, the page is live.",
                              recorded.device, why)}};
    if (!recorded.question.empty()) {
      entry["question"] = text_json(recorded.question);
      entry["answer"] = text_json(recorded.answer);
    }
    recorded_[std::to_string(number)] = std::move(entry);
  }

  SceneList scenes_;
  lessons::Lesson const& lesson_;
  lessons::FindFile const& find_;
  RecordPage const& record_;
  Json document_;
  Json recorded_ = Json::object();
};

/// A page holds one lesson with its own points. Throws Error that says how to get the lessons of a playlist.
void require_one(lessons::Lesson const& lesson)
{
  if (lesson.files.size() == 1 && !lesson.pages.front().is_scenario) { return; }
  std::vector<std::string> names;
  for (lessons::PageSource const& page : lesson.pages) {
    std::string name = path_text(path_of_text(page.source->name).filename());
    bool const is_new = !page.is_scenario && std::ranges::find(names, name) == names.end();
    if (is_new) { names.push_back(std::move(name)); }
  }
  std::string const remedy = names.empty()
                                 ? tr("write a lesson with the same contents")
                                 : tr("export and grade its lessons one by one ({})", listed(names, tr("and")));
  throw Error(tr("'{}' is a playlist or a scenario, and a page holds one lesson: {}.", printable(lesson.name), remedy));
}

}  // namespace

fs::path module_file(fs::path const& executable)
{
  fs::path const folder = executable.parent_path();
  std::vector<fs::path> places{folder.parent_path() / "web"};
  for (fs::path const& each : scenario_folders(executable)) { places.push_back(each / "web"); }
  for (fs::path const& place : places) {
    std::error_code unreadable;
    if (fs::is_regular_file(place / module_name, unreadable)) { return place / module_name; }
  }
  throw Error(fmt::format(
      "{}, which the pages of lessons run, is not installed: build it with scripts/web --beside, and copy it to "
      "share/slotscape/web if the program is not run from its build folder. docs/contributing.md says how.",
      module_name));
}

Json page_data(SceneList scenes, lessons::Lesson const& lesson, lessons::FindFile const& find, RecordPage const& record)
{
  require_one(lesson);
  return Exporter(scenes, lesson, find, record).data();
}

std::string described(Json const& statistics, bool accesses)
{
  if (statistics.contains("threads")) { return described_threads(statistics); }
  if (auto const points = lessons::find_statistic(statistics, "a/points")) {
    return tr("Models of {} and {} points.", lessons::to_text(*points),
              lessons::to_text(lessons::find_statistic(statistics, "b/points").value_or(0.0)));
  }
  if (!statistics.contains("tables")) { return described_table(statistics, accesses); }
  std::string text;
  for (Json const& each : statistics.at("tables")) {
    std::string const table = described_table(each, accesses);
    text = text.empty() ? table : joined(text, table);
  }
  return text;
}

bool names_file(Json const& json)
{
  if (!json.is_structured()) { return false; }
  for (auto const& [name, value] : json.items()) {
    bool const is_file = json.is_object() && value.is_string() && (name == "file" || name == "pairs");
    if (is_file || names_file(value)) { return true; }
  }
  return false;
}

ExportedLesson export_lesson(SceneList scenes, lessons::Lesson const& lesson, lessons::FindFile const& find,
                             fs::path const& module, RecordPage const& record, PageOptions const& options)
{
  std::string const module_text = base64(read_text_file(module));
  Json data = page_data(scenes, lesson, find, record);
  data["pass"] = options.pass ? Json(*options.pass) : Json();
  if (Catalogue const* const catalogue = catalogue_in_use()) {
    data["catalogue"] = catalogue_json(*catalogue, lesson_context);
  }
  ExportedLesson exported{lesson.name, lesson.title, lesson.about, {}, lesson.pages.size()};
  for (auto const& [number, recorded] : data.at("recorded").items()) {
    exported.recorded.emplace(std::stoul(number), recorded.at("why").get<std::string>());
  }
  for (Json const& page : data.at("lesson").at("pages")) {
    exported.points += page.contains("task") ? lessons::max_points : 0;
  }
  data["lesson"] = data.at("lesson").dump();  // as text: browsers represent numbers exactly only up to 2^53
  std::string const data_text = escaped_json(data);
  std::string const title = escaped_markup(lesson.title);
  std::string const script = script_of(options);
  exported.page =
      filled(gl::embedded_text("assets/web/page.html"), {{"language", language_in_use()},
                                                         {"title", title},
                                                         {"connect", options.xapi ? "; connect-src https: http:" : ""},
                                                         {"style", gl::embedded_text("assets/web/page.css")},
                                                         {"data", data_text},
                                                         {"module", module_text},
                                                         {"script", script}});
  if (exported.page.size() > max_page_bytes) {
    throw Error(
        fmt::format("The page would have {:.1f} MB, and at most {:.0f} are allowed: leave out some of the pages "
                    "that have to be recorded.",
                    static_cast<double>(exported.page.size()) * 1e-6, static_cast<double>(max_page_bytes) * 1e-6));
  }
  return exported;
}

std::string escaped_markup(std::string text)
{
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> entities{
      {{"&", "&amp;"}, {"<", "&lt;"}, {">", "&gt;"}, {"\"", "&quot;"}}};
  for (auto const& [sign, entity] : entities) { replace_all(text, sign, entity); }
  return text;
}

std::string index_page(std::vector<ExportedLesson> const& lessons)
{
  std::string items;
  for (ExportedLesson const& each : lessons) {
    items += fmt::format("<li><a href=\"{}.html\">{}</a><p>{}</p><p class=\"dim\">{}, {}</p></li>\n",
                         in_address(each.name), escaped_markup(each.title), escaped_markup(each.about),
                         tr_plural("{} page", "{} pages", each.pages, each.pages), lessons::points_text(each.points));
  }
  return filled(gl::embedded_text("assets/web/index.html"), {{"language", language_in_use()},
                                                             {"style", gl::embedded_text("assets/web/page.css")},
                                                             {"lessons", items}});
}

}  // namespace slotscape::web
