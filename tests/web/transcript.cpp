// What every lesson asks and says in the program, page by page and answer by answer, for lesson pages to be compared
// with:
//
//   slotscape_lesson_transcript [--lessons N,N] [--seeds N,N] [--write FILE]
//
// Goes through the lessons in the program and, with the same requests, in what pages run, compiled for this machine,
// and says where the two differ. FILE is for replay.mjs, which has WebAssembly do the same.

#include "app/base/files.hpp"
#include "app/lessons/check.hpp"
#include "app/lessons/library.hpp"
#include "app/web/export.hpp"
#include "app/web/page_lesson.hpp"
#include "app/web/reports.hpp"
#include "tests/app/support/program.hpp"

#include "tests/support/paths.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>

namespace slotscape {
namespace {

lessons::Library library()
{
  return lessons::Library({test::in_project("assets")});
}

/// As it comes from a page: as text.
Json as_read(Json const& json)
{
  return Json::parse(json.dump());
}

/// What a page shows, as far as the program shows it, too.
Json seen(Json const& shown)
{
  Json picked;
  for (char const* const field : {"page", "title", "text", "points_of_pages"}) { picked[field] = shown.at(field); }
  Json const& task = shown.at("task");
  if (task.is_null()) { return picked; }
  for (char const* const field : {"ask", "stage", "right", "told", "conditions"}) {
    if (task.contains(field)) { picked[field] = task.at(field); }
  }
  if (!task.contains("options")) { return picked; }
  for (Json const& option : task.at("options")) { picked["options"].push_back(option.at("text")); }
  return picked;
}

/// The same of the program's lesson.
Json seen(lessons::Session const& session)
{
  Json shown{{"page", session.number()},
             {"title", session.page().title},
             {"text", web::text_json(session.text())},
             {"points_of_pages", session.progress().points}};
  if (!session.page().task) { return shown; }
  lessons::Task const& task = *session.page().task;
  lessons::TaskState const& state = session.task();
  auto const filled = [&](std::string const& text) { return web::text_json(lessons::fill_in(text, session.names())); };
  bool const is_told = state.stage == lessons::TaskState::Stage::told;
  shown["ask"] = filled(task.ask);
  shown["stage"] = is_told ? "told" : "asking";
  shown["right"] = state.right;
  if (is_told) { shown["told"] = web::text_json(state.told.empty() ? "**Right.**" : state.told); }
  if (auto const* challenge = std::get_if<lessons::Challenge>(&task.of)) {
    for (std::size_t i = 0; i < state.findings.size(); ++i) {
      lessons::Finding const& finding = state.findings[i];
      shown["conditions"].push_back({{"what", challenge->until[i].what},
                                     {"met", finding.met},
                                     {"value", finding.value},
                                     {"wanted", finding.wanted}});
    }
  }
  if (auto const* choice = std::get_if<lessons::Choice>(&task.of)) {
    for (lessons::Option const& option : choice->options) { shown["options"].push_back(filled(option.text)); }
  }
  return shown;
}

/// Whether its numbers differ from run to run: keys reach the shards in the order of a race.
bool is_sharded(lessons::Page const& page)
{
  auto const* set_up = std::any_cast<TableSetup>(&page.scenario.set_up);
  return set_up != nullptr && set_up->settings.table.shards > 1;
}

/// One student's way through a lesson in the program: every page is answered wrongly, then rightly.
class Program {
public:
  Program(lessons::Lesson const& lesson, std::uint64_t seed, Json const& recorded) : recorded_(recorded)
  {
    app_->let_errors_out();
    app_->lessons().start(lesson, {.page = 0, .seed = seed});
  }

  Json entries()
  {
    for (std::size_t page = 0; page < session().count(); ++page) {
      if (!recorded_.contains(std::to_string(page))) { go_through(page); }
    }
    return entries_;
  }

private:
  lessons::Session& session() { return *app_->lessons().session(); }

  void go_through(std::size_t page)
  {
    note({{"do", "go_to"}, {"page", page}}, [&] { session().go_to(page); });
    if (!session().page().task) { return; }
    for (Json const& wrong : wrong_answers()) {
      answer(wrong);
      Json const right = session().statistics().value("answer", Json());  // a wrong answer is followed by the right one
      if (right.is_number()) { right_number_ = right.get<double>(); }
      note({{"do", "restart"}}, [&] { session().restart(); });
    }
    answer(right_answer());
    if (!session().page().varies) { return; }
    note({{"do", "another"}}, [&] { session().another(); });
  }

  std::vector<Json> wrong_answers()
  {
    std::vector<Json> wrong;
    auto const& task = session().page().task->of;
    if (auto const* choice = std::get_if<lessons::Choice>(&task)) {
      for (std::size_t i = 0; i < choice->options.size(); ++i) {
        if (!choice->options[i].right) { wrong.push_back({{"do", "choose"}, {"option", i}}); }
      }
    } else if (!std::holds_alternative<lessons::Challenge>(task)) {
      wrong.push_back({{"do", "answer"}, {"text", "3"}});
      wrong.push_back({{"do", "answer"}, {"text", "0"}});
    }
    return wrong;
  }

  Json right_answer()
  {
    auto const& task = session().page().task->of;
    if (auto const* choice = std::get_if<lessons::Choice>(&task)) {
      auto const right = std::ranges::find(choice->options, true, &lessons::Option::right);
      return {{"do", "choose"}, {"option", right - choice->options.begin()}};
    }
    if (auto const* challenge = std::get_if<lessons::Challenge>(&task)) {
      return {{"do", "change"}, {"change", challenge->solution.json}};
    }
    return {{"do", "answer"}, {"text", fmt::format("{}", right_number_)}};
  }

  void answer(Json const& request)
  {
    note(request, [&] {
      if (request.at("do") == "choose") {
        session().choose_option(request.at("option"));
      } else if (request.at("do") == "change") {
        session().press({{}, {request.at("change"), "change"}});
      } else {
        session().give_number(std::stod(request.at("text").get<std::string>()));
      }
    });
  }

  template <class Do>
  void note(Json const& request, Do const& perform)
  {
    perform();
    settle();
    Json compared = seen(session());
    if (is_sharded(session().page())) {
      compared.erase("text");
      compared.erase("told");
    }
    entries_.push_back({{"request", request}, {"seen", std::move(compared)}});
  }

  void settle()
  {
    lessons::play_out(session(), {[this]() -> Scene& { return app_->current_scene(); },
                                  [this] {
                                    app_->frame(1.0);
                                    app_->current_scene().finish_steps({});
                                  }});
  }

  Json const& recorded_;
  Json entries_ = Json::array();
  double right_number_ = 0.0;
  std::unique_ptr<App> app_ = test::offscreen_app({640, 480}, test::slots_scenario({.slots = 16}));
};

/// Of each table, null where none are shown.
Json steps_of(Json const& shown)
{
  Json steps = Json::array();
  for (Json const& table : shown.at("tables")) { steps.push_back(table.at("steps")); }
  return steps;
}

/// The first difference between the program and what pages run; empty: none. Entries get the steps that pages show.
std::string difference(Json const& data, std::uint64_t seed, Json& entries)
{
  lessons::Progress progress;
  progress.seed = seed;
  web::PageLesson lesson(as_read(data.at("lesson")), data.at("name"), progress);
  for (Json& entry : entries) {
    Json const page = lesson.ask(as_read(entry.at("request")));
    if (!is_sharded(lesson.session().page())) { entry["steps"] = steps_of(page); }
    Json const shown = seen(page);
    auto const differs = [&](auto const& field) {
      return !shown.contains(field.key()) || shown.at(field.key()) != field.value();
    };
    auto const fields = entry.at("seen").items();
    if (std::none_of(fields.begin(), fields.end(), differs)) { continue; }
    return fmt::format("{}, seed {}, after {}:\nthe program  {}\nthe page     {}\n", data.at("name").get<std::string>(),
                       seed, entry.at("request").dump(), entry.at("seen").dump(), shown.dump());
  }
  return {};
}

int run(std::vector<std::string> const& names, std::vector<std::uint64_t> const& seeds, std::string const& file)
{
  Json transcripts = Json::array();
  int compared = 0;
  int different = 0;
  for (lessons::Listed const& each : library().lessons()) {
    if (!names.empty() && std::ranges::find(names, std::to_string(each.number)) == names.end()) { continue; }
    lessons::Lesson const lesson = lessons::read_lesson(scenes(), each.file, library().finder());
    auto const leave_out = [](std::size_t) { return web::RecordedPage{.text = "Only in the program."}; };
    Json const data = web::page_data(scenes(), lesson, library().finder(), leave_out);
    Json runs = Json::array();
    for (std::uint64_t const seed : seeds) {
      Json entries = Program(lesson, seed, data.at("recorded")).entries();
      std::string const wrong = difference(data, seed, entries);
      fmt::print("{}", wrong);
      different += wrong.empty() ? 0 : 1;
      compared += static_cast<int>(entries.size());
      runs.push_back({{"seed", seed}, {"entries", std::move(entries)}});
    }
    Json in_page = data;
    in_page["lesson"] = data.at("lesson").dump();
    transcripts.push_back({{"data", std::move(in_page)}, {"runs", std::move(runs)}});
  }
  if (!file.empty()) { write_text_file(file, transcripts.dump()); }
  fmt::print("{} requests compared, {} runs differ\n", compared, different);
  return compared == 0 || different != 0 ? 1 : 0;
}

}  // namespace
}  // namespace slotscape

int main(int argc, char** argv)
{
  try {
    CLI::App app("What every lesson asks and says in the program");
    std::vector<std::string> lessons;
    std::vector<std::uint64_t> seeds{1};
    std::string file;
    app.add_option("--lessons", lessons, "their numbers; all, if none are given")->delimiter(',');
    app.add_option("--seeds", seeds, "of the questions")->delimiter(',');
    app.add_option("--write", file, "for replay.mjs");
    CLI11_PARSE(app, argc, argv);
    return slotscape::run(lessons, seeds, file);
  } catch (std::exception const& error) {
    fmt::print(stderr, "slotscape_lesson_transcript: {}\n", error.what());
    return 1;
  }
}
