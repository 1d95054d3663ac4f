#include "app/web/page_lesson.hpp"

#include "app/base/text.hpp"
#include "app/keys/typed_keys.hpp"
#include "app/lessons/read_answer.hpp"
#include "app/simulation/families.hpp"
#include "app/simulation/small_keys.hpp"
#include "app/web/reports.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace slotscape::web {
namespace {

using Stage = lessons::TaskState::Stage;

constexpr std::array<std::string_view, 3> stage_names{"asking", "working", "told"};

[[noreturn]] std::filesystem::path find_nothing(JsonNode const& name)
{
  name.fail("a standalone page has no other files");
}

/// Why a page cannot run a set-up, in the words of `why_not_here`.
std::string why_not(TableSetup const& set_up, std::vector<TableSettings> const& tables)
{
  KeySettings const& keys = set_up.settings.keys;
  if (!keys.file_name.empty() && !are_small(keys)) { return tr("its keys are in a file"); }
  if (set_up.settings.drive.running) { return tr("its table changes all the time"); }
  bool const large = std::ranges::any_of(tables, is_too_large);
  return large ? tr("its table is too large for a page") : too_much_in(set_up.steps);
}

std::string why_not(Scenario const& scenario)
{
  if (auto const* one = std::any_cast<TableSetup>(&scenario.set_up)) { return why_not(*one, {one->settings.table}); }
  if (auto const* several = std::any_cast<CompareSetup>(&scenario.set_up)) {
    return why_not(several->shared, several->tables);
  }
  return tr("its scene does not show tables");
}

/// The changes that a page's buttons, options and solution make to its tables, each with a description.
std::vector<std::pair<std::string, lessons::Change const*>> changes_of(lessons::Page const& page)
{
  std::vector<std::pair<std::string, lessons::Change const*>> changes;
  for (lessons::Button const& button : page.buttons) {
    changes.emplace_back(tr("its button '{}'", button.label), &button.change);
  }
  if (!page.task) { return changes; }
  if (auto const* challenge = std::get_if<lessons::Challenge>(&page.task->of)) {
    changes.emplace_back(tr("its solution"), &challenge->solution);
  } else if (auto const* choice = std::get_if<lessons::Choice>(&page.task->of)) {
    for (lessons::Option const& option : choice->options) {
      if (option.show) { changes.emplace_back(tr("one of its options"), &*option.show); }
    }
  } else if (auto const* number = std::get_if<lessons::Number>(&page.task->of)) {
    if (number->after) { changes.emplace_back(tr("the change after its answer"), &*number->after); }
  }
  return changes;
}

std::string why_not_changed(SceneList scenes, lessons::Page const& page, lessons::Change const& change)
{
  if (change.is_anew()) { return why_not(lessons::changed(scenes, page, change)); }
  auto const* one = std::any_cast<TableSetup>(&page.scenario.set_up);
  TableSceneSettings const& settings =
      one != nullptr ? one->settings : std::any_cast<CompareSetup const&>(page.scenario.set_up).shared.settings;
  return too_much_in(
      read_steps({change.json, page.source, change.path}, settings, settings.keys, settings.table.key_bits));
}

}  // namespace

std::string why_not_here(SceneList scenes, lessons::Page const& page)
{
  if (page.measured) { return tr("it measures the device"); }
  if (std::string why = why_not(page.scenario); !why.empty()) { return why; }
  for (auto const& [what, change] : changes_of(page)) {
    std::string const why = why_not_changed(scenes, page, *change);
    if (!why.empty()) { return tr("with {}, {}", what, why); }
  }
  return {};
}

PageLesson::PageLesson(Json document, std::string const& name, lessons::Progress progress, Progress work)
    : work_(std::move(work)),
      session_(scenes(), find_nothing, lessons::lesson_of_document(scenes(), std::move(document), name, find_nothing),
               std::move(progress)),
      tables_(std::make_unique<PageTables>(session_.page().scenario, work_))
{
  settle();
}

Json PageLesson::ask(Json const& request)
{
  complaint_.clear();
  said_.clear();
  try {
    perform(request);
    settle();
  } catch (Cancelled const&) {
    throw;
  } catch (Error const& error) {
    complaint_ = error.what();
  }
  return shown();
}

void PageLesson::perform(Json const& request)
{
  JsonNode const node(request, "request");
  std::string const what = node.at("do").text();
  constexpr std::uint64_t any = std::numeric_limits<std::uint32_t>::max();
  if (what == "go_to") {
    session_.go_to(node.at("page").whole_number(0, session_.count() - 1));
  } else if (what == "restart") {
    session_.restart();
  } else if (what == "another") {
    session_.another();
  } else if (what == "hint") {
    if (session_.waits() && !session_.task().hinted) { session_.take_hint(); }
  } else if (what == "choose") {
    auto const* choice = session_.page().task ? std::get_if<lessons::Choice>(&session_.page().task->of) : nullptr;
    if (choice == nullptr || !session_.takes_choice()) { node.fail("no choice is open"); }
    session_.choose_option(node.at("option").whole_number(0, choice->options.size() - 1));
  } else if (what == "answer") {
    answer(node.at("text").text());
  } else if (what == "press") {
    auto const& buttons = session_.page().buttons;
    if (buttons.empty()) { node.fail("the page has no buttons"); }
    session_.press(buttons[node.at("button").whole_number(0, buttons.size() - 1)]);
  } else if (what == "keys" || what == "trace") {
    on_keys(request);
  } else if (what == "change") {
    node.at("change");  // throws Error if the field is missing
    session_.press({{}, {request.at("change"), "change"}});
  } else if (what == "set") {
    change_setting(node.at("name").text(), node.at("value").text());
  } else if (what == "rehash") {
    tables_->resize(node.at("slots").whole_number(1, any));
  } else if (what == "step") {
    tables_->step_to(node.at("position").whole_number(0, any));
    session_.update_statistics(*tables_);
  } else if (what == "leave") {
    tables_->leave_steps();
  } else if (what != "show") {
    node.at("do").fail("no such request");
  }
}

void PageLesson::answer(std::string const& text)
{
  bool const open = lessons::asks_number(session_) && session_.task().stage == Stage::asking && session_.begun();
  if (!open) { return; }
  lessons::ReadAnswer const read = lessons::read_answer(text, session_);
  complaint_ = read.complaint;
  if (read.number) { session_.give_number(*read.number, read.otherwise); }
}

void PageLesson::on_keys(Json const& request)
{
  JsonNode const node(request, "request");
  auto const operation = node.at("operation").one_of<Operation>("operation");
  TableSceneSettings const& settings = tables_->settings();
  KeyStyle const style = settings.view.keys_as;
  ParsedKeys parsed = parse_keys(node.at("text").text(), operation, {settings.table.key_bits, style});
  if (parsed.pairs.empty() && parsed.error.empty()) { parsed.error = tr("Type a key first, such as 42."); }
  complaint_ = parsed.error;
  bool const steps = node.at("do").text() == "trace";
  if (steps && parsed.pairs.size() > 1) { complaint_ = tr("Type one key to step through."); }
  if (!complaint_.empty()) { return; }
  if (steps || (operation == Operation::find && parsed.pairs.size() == 1)) {
    Pair const& first = parsed.pairs.front();
    return tables_->trace({operation, first.key, first.value});
  }
  OnKeys const on_keys{operation, std::make_shared<std::vector<Pair> const>(std::move(parsed.pairs))};
  tables_->submit(on_keys);
  tables_->work();
  if (auto const* report = tables_->latest()) {
    std::vector<Key> const refused = refused_keys(tables_->engine(0), on_keys, report->outcomes);
    said_ = answer_to(on_keys, report->outcomes, refused, style);
  }
}

void PageLesson::change_setting(std::string const& name, std::string const& value)
{
  TableSettings const& now = tables_->settings().table;
  if (name == "family") { return tables_->replace(fitted({with_family(now, family_info(value))}).front()); }
  Json table = table_json(now);
  auto const number = parse_number<std::uint64_t>(value);
  table[name] = number ? Json(*number) : Json(value);
  Json const read = parse_json(table.dump(), "settings");  // numbers become unsigned, as in a file
  tables_->replace(fitted({read_table(JsonNode(read, "settings"))}).front());
}

void PageLesson::settle()
{
  constexpr double seconds = std::numeric_limits<double>::infinity();  // so that a challenge is checked now
  do {
    work_.require();
    session_.follow(*tables_, seconds);
    if (auto const scenario = session_.take_scenario()) { tables_ = std::make_unique<PageTables>(*scenario, work_); }
    tables_->work();
  } while (!session_.settled());
  session_.follow(*tables_, seconds);
}

Json PageLesson::shown()
{
  lessons::Page const& page = session_.page();
  Json json{{"lesson", session_.lesson().title},
            {"page", session_.number()},
            {"count", session_.count()},
            {"visit", session_.visit()},
            {"title", page.title},
            {"text", text_json(session_.text())},
            {"varies", page.varies},
            {"points", session_.points()},
            {"points_possible", session_.points_possible()},
            {"points_of_pages", session_.progress().points},
            {"progress", object_of_fields({}, session_.progress())},
            {"complaint", complaint_},
            {"said", said_},
            {"plays", tables_->plays()}};
  json["tasks"] = Json::array();
  for (std::size_t i = 0; i < session_.count(); ++i) { json["tasks"].push_back(session_.has_task(i)); }
  json["buttons"] = Json::array();
  for (lessons::Button const& button : page.buttons) { json["buttons"].push_back(button.label); }
  bool const ends = !session_.has_next() && session_.points_possible() != 0;
  json["score"] = ends ? text_json(lessons::score_text(session_)) : Json::array();
  json["tables"] = Json::array();
  for (std::size_t i = 0; i < tables_->count(); ++i) { json["tables"].push_back(shown_table(*tables_, i)); }
  if (tables_->count() == 1) { json["settings"] = shown_settings(tables_->settings().table); }
  json["batch"] = tables_->settings().drive.batch;
  json["shows_numbers"] = page.panels.numbers || !session_.asks();  // numbers might give away the answer
  json["task"] = page.task ? shown_task() : Json();
  return json;
}

Json PageLesson::shown_task()
{
  lessons::Task const& task = *session_.page().task;
  lessons::TaskState const& state = session_.task();
  auto const filled = [&](std::string const& text) { return text_json(lessons::fill_in(text, session_.names())); };
  Json json{{"kind", lessons::task_kinds[task.of.index()]},
            {"ask", filled(task.ask)},
            {"stage", stage_names[static_cast<std::size_t>(state.stage)]},
            {"right", state.right},
            {"hinted", state.hinted},
            {"has_hint", !task.hint.empty()}};
  if (state.hinted) { json["hint"] = filled(task.hint); }
  if (state.stage == Stage::told) { json["told"] = text_json(state.told.empty() ? tr("**Right.**") : state.told); }
  json.update(shown_answer());
  return json;
}

Json PageLesson::shown_answer()
{
  lessons::Task const& task = *session_.page().task;
  lessons::TaskState const& state = session_.task();
  Json json = Json::object();
  if (auto const* choice = std::get_if<lessons::Choice>(&task.of)) {
    bool const tells = state.stage == Stage::told && state.right;
    json["open"] = session_.takes_choice();
    json["options"] = Json::array();
    for (std::size_t i = 0; i < choice->options.size(); ++i) {
      lessons::Option const& option = choice->options[i];
      json["options"].push_back({{"letter", lessons::letter_of(i)},
                                 {"text", text_json(lessons::fill_in(option.text, session_.names()))},
                                 {"chosen", state.option == i},
                                 {"right", tells && option.right}});
    }
  } else if (std::holds_alternative<lessons::Challenge>(task.of)) {
    json["conditions"] = Json::array();
    auto const& until = std::get<lessons::Challenge>(task.of).until;
    for (std::size_t i = 0; i < until.size(); ++i) {
      lessons::Finding const finding = i < state.findings.size() ? state.findings[i] : lessons::Finding{};
      json["conditions"].push_back(
          {{"what", until[i].what}, {"met", finding.met}, {"value", finding.value}, {"wanted", finding.wanted}});
    }
  } else if (auto const* prediction = std::get_if<lessons::Prediction>(&task.of)) {
    json["asks"] = to_text(prediction->asks);
  }
  return json;
}

}  // namespace slotscape::web
