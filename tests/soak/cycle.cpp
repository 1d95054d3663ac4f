#include "tests/soak/cycle.hpp"

#include "app/recording/window_recording.hpp"
#include "app/scenes/tune/scene.hpp"
#include "app/simulation/families.hpp"
#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace slotscape::soak {
namespace {

namespace fs = std::filesystem;

constexpr int smallest_table = 8;  ///< as a power of two
constexpr int largest_on_cpu = 17;
constexpr int largest_on_gpu = 22;
constexpr double between_changes = 0.3;  ///< seconds
constexpr double longest_rest = 30.0;    ///< until a scene is ready

/// At the end of each cycle, in this order: every scene as at the first start, small, and with nothing that moves: it
/// can wait then, as it is.
Scenario at_rest(SceneEntry const& entry)
{
  SceneSetup set_up = entry.first();
  if (auto* const table = std::any_cast<TableSetup>(&set_up)) {
    table->settings.table.slots = 1u << 14;
    table->settings.drive = {};
    table->steps = {FillTo{0.7}};
  }
  if (auto* const models = std::any_cast<SpatialSetup>(&set_up)) { models->settings.animation.running = false; }
  return {&entry, std::move(set_up)};
}

/// What asks for a file, or waits for somebody, is done elsewhere.
bool can_be_run(Command const& command)
{
  constexpr std::string_view asks = "…";
  std::string const label = command.label_now ? command.label_now() : command.label;
  return command.run && !label.ends_with(asks);
}

}  // namespace

Cycle::Cycle(Program& program, std::uint64_t number, double seconds)
    : program_(program), dice_(random64(program.record().seed, number)), seconds_(seconds)
{
}

bool Cycle::run()
{
  double const share = seconds_ / 12.0;
  drive_tables(test::entry("slots"), 2.0 * share);
  record_tables(share);
  drive_tables(test::entry("compare"), share);
  for (SceneEntry const& scene : scenes()) {
    if (scene.name != "slots" && scene.name != "compare") { use_scene(scene, 0.5 * share); }
  }
  go_through_lesson(share);
  go_through_tour(share);
  tune_beside(share);
  switch_scenes(share);
  save_everything();
  if (program_.over()) { return false; }
  come_to_rest();
  return true;
}

TableSettings Cycle::any_table()
{
  bool const on_gpu = program_.record().backend == Backend::cuda;
  std::vector<std::string> const families = family_names();
  TableSettings table = usual_table();
  int const largest = on_gpu ? largest_on_gpu : largest_on_cpu;
  table.slots = std::uint64_t{1} << (smallest_table + dice_.below(largest - smallest_table + 1));
  table.deletion = dice_.coin() ? Deletion::empty_value : Deletion::tombstone_reuse;
  table.key_bits = dice_.coin() ? 32 : 64;
  table = with_family(table, family_info(dice_.one_of(families)));
  return fitted({table}).front();
}

KeySettings Cycle::any_keys()
{
  constexpr std::array distributions{KeyDistribution::uniform, KeyDistribution::sequential, KeyDistribution::strided,
                                     KeyDistribution::zipf, KeyDistribution::clustered};
  KeySettings keys;
  keys.distribution = dice_.one_of(distributions);
  return keys;
}

DriveSettings Cycle::any_drive()
{
  DriveSettings drive;
  drive.running = true;
  drive.full_speed = true;
  drive.insert = 0.1 + dice_.unit();
  drive.find = dice_.unit();
  drive.erase = dice_.unit();
  drive.hold_load = true;
  drive.target_load = 0.2 + 0.6 * dice_.unit();
  drive.purge = dice_.coin();
  return drive;
}

Scenario Cycle::any_tables(SceneEntry const& scene)
{
  TableSetup set_up;
  set_up.settings.table = any_table();
  set_up.settings.keys = any_keys();
  set_up.settings.drive = any_drive();
  set_up.settings.seed = 1 + dice_.below(1000);
  if (scene.name == "slots") { return test::slots_scenario(std::move(set_up)); }
  CompareSetup compared{{set_up.settings.table}, set_up};
  std::uint64_t const more = 1 + dice_.below(3);
  for (std::uint64_t i = 0; i < more; ++i) {
    compared.tables.push_back(any_table());
    compared.tables.back().slots = set_up.settings.table.slots;
  }
  compared.tables = fitted(compared.tables);
  compared.shared.settings.table = compared.tables.front();
  return test::compare_scenario(std::move(compared));
}

/// A mix at full speed, and changes of everything.
void Cycle::drive_tables(SceneEntry const& scene, double seconds)
{
  if (program_.over()) { return; }
  program_.open(any_tables(scene));
  double const end = program_.seconds() + seconds;
  while (!program_.over() && program_.seconds() < end) {
    auto* const tables = program_.scene<TableScene>();
    if (tables == nullptr) { return; }
    change_table(*tables);
    program_.draw_for(between_changes);
  }
}

void Cycle::change_table(TableScene& scene)
{
  TableState& state = scene.state();
  TableSettings const table = state.settings.table;
  bool const is_large = table.slots > (std::uint64_t{1} << largest_on_cpu);
  struct Change {
    std::string_view what;
    std::function<void()> run;
  };
  Key const any_key = 1 + dice_.below(1u << 20);
  TableSettings const other = any_table();
  auto const drive = any_drive();
  auto const keys = any_keys();
  double const load = 0.9 * dice_.unit();
  auto const color = dice_.one_of(std::array{ColorBy::state, ColorBy::probe_length, ColorBy::recent});
  std::vector<Change> const changes{
      {"a rehash", [&] { state.act(rehash_to(state, is_large || dice_.coin() ? table.slots / 2 : table.slots * 2)); }},
      {"a purge", [&] { state.act(Rehash{table.slots}); }},
      {"a clear", [&] { state.act(Clear{}); }},
      {"a fill", [&] { state.act(FillTo{load}); }},
      {"other keys", [&] { state.act(SetKeys{keys}); }},
      {"a batch", [&] { state.act(BatchRequest::finds(1u << 18, KeyChoice::mixed)); }},
      {"a lookup", [&] { state.ask(LookUp{any_key}); }},
      {"steps",
       [&] {
         state.ask(EnterSteps{StepRequest{{Operation::insert, any_key, 1}}});
       }},
      {"the end of steps", [&] { state.ask(LeaveSteps{}); }},
      {"another family", [&] { ask_for_table(state, other); }},
      {"the same seed again", [&] { state.ask(Restart{}); }},
      {"another mix", [&] { state.settings.drive = drive; }},
      {"other colours", [&] { state.settings.view.color_by = color; }},
      {"undo", [&] { scene.undo(); }},
      {"redo", [&] { scene.redo(); }},
      {"Esc", [&] { scene.cancel(); }},
  };
  Change const& change = dice_.one_of(changes);
  program_.act(fmt::format("{} of {} with {} slots", change.what, table.family, table.slots), change.run);
  program_.count(std::string(change.what));
}

/// The same, recorded as pictures.
void Cycle::record_tables(double seconds)
{
  if (program_.over()) { return; }
  constexpr double longest_end = 20.0;
  fs::path const folder = program_.folder() / "recording";
  WindowRecording recording(
      {.format = RecordingFormat::png, .frame_rate = 10, .part = {0, 0, {320, 240}}, .path = folder},
      program_.app().screen().context().size());
  program_.after_frame = [&] { recording.take(program_.app().screen().context()); };
  drive_tables(test::entry("slots"), seconds);
  program_.after_frame = nullptr;
  recording.stop();
  if (!recording.wait(longest_end) || recording.status().phase != RecordingPhase::done) {
    ++program_.record().broken["a recording did not come to its end: " + recording.status().error];
  }
  program_.count("frames recorded", recording.status().written);
  program_.count("recordings");
  fs::remove_all(folder);
}

/// Its commands, one after the other.
void Cycle::use_scene(SceneEntry const& entry, double seconds)
{
  if (program_.over()) { return; }
  program_.act(fmt::format("switching to '{}'", entry.name), [&] { program_.app().show(entry); });
  program_.count("scenes switched to");
  double const end = program_.seconds() + seconds;
  while (!program_.over() && program_.seconds() < end) {
    std::vector<Command const*> possible;
    for (Command const& command : program_.app().current_scene().commands()) {
      if (can_be_run(command)) { possible.push_back(&command); }
    }
    if (possible.empty()) { return program_.draw_for(between_changes); }
    Command const& command = *dice_.one_of(possible);
    program_.act(fmt::format("'{}'", command.what.empty() ? command.label : std::string(command.what)), command.run);
    program_.count("commands of other scenes");
    program_.draw_for(between_changes);
  }
}

void Cycle::go_through_lesson(double seconds)
{
  if (program_.over() || program_.lessons().empty()) { return; }
  fs::path const file = dice_.one_of(program_.lessons());
  bool const lecture = dice_.coin();
  std::uint64_t const seed = 1 + dice_.below(1000);
  program_.act(fmt::format("beginning lesson {}", file.stem().string()), [&] {
    program_.app().lessons().start(lessons::read_lesson(scenes(), file, program_.finder()),
                                   {.page = 0, .seed = seed, .lecture = lecture});
  });
  answer_pages(seconds);
}

void Cycle::go_through_tour(double seconds)
{
  if (program_.over() || program_.tour().empty()) { return; }
  program_.act("beginning the tour", [&] {
    auto tour = lessons::lesson_of_scenarios(scenes(), "Tour", program_.tour(), program_.finder());
    std::uint64_t const page = dice_.below(tour.pages.size());
    program_.app().lessons().start(std::move(tour), {.page = page});
  });
  answer_pages(seconds);
}

/// Page by page, each answered, for as long.
void Cycle::answer_pages(double seconds)
{
  constexpr double page_seconds = 3.0;
  double const end = program_.seconds() + seconds;
  lessons::Session* session = program_.app().lessons().session();
  while (session != nullptr && !program_.over() && program_.seconds() < end) {
    std::string const where = fmt::format("page {} of {}", session->number() + 1, session->lesson().name);
    program_.draw_until(page_seconds, [&] { return session->settled(); });
    if (session->page().task && session->settled()) {
      program_.act(fmt::format("the answer on {}", where), [&] { session->solve(program_.app().current_scene()); });
      program_.draw_until(page_seconds, [&] { return session->settled(); });
      program_.count("questions answered");
    }
    program_.count("pages of lessons");
    if (!session->has_next()) { break; }
    program_.act(fmt::format("the page after {}", where), [&] { session->go_to(session->number() + 1); });
  }
  program_.act("the end of a lesson", [&] { program_.app().lessons().end(); });
}

/// A sweep, another scene while it waits, and the sweep again.
void Cycle::tune_beside(double seconds)
{
  if (program_.over()) { return; }
  TuneSetup set_up;
  set_up.settings.workload.keys = std::uint64_t{1} << (12 + dice_.below(5));
  set_up.settings.workload.erase = dice_.coin() ? 0.25 : 0.0;
  set_up.settings.budget_seconds = std::max(5.0, 2.0 * seconds);
  set_up.settings.seed = 1 + dice_.below(1000);
  set_up.start = true;
  program_.open({&test::entry("tune"), set_up});
  program_.draw_for(0.5 * seconds);
  program_.act("leaving a sweep", [&] { program_.app().show(test::entry("slots")); });
  program_.draw_for(between_changes);
  program_.act("coming back to a sweep", [&] { program_.app().show(test::entry("tune")); });
  program_.draw_for(0.5 * seconds);
  if (auto* const tuning = program_.scene<TuneScene>()) {
    program_.count("tables measured by tuning", tuning->state().status.measured);
    program_.act("the end of a sweep", [&] { tuning->cancel(); });
  }
  program_.count("sweeps of tuning");
}

void Cycle::switch_scenes(double seconds)
{
  double const end = program_.seconds() + seconds;
  while (!program_.over() && program_.seconds() < end) {
    SceneEntry const& entry = dice_.one_of(scenes());
    program_.act(fmt::format("switching to '{}'", entry.name), [&] { program_.app().show(entry); });
    program_.count("scenes switched to");
    program_.draw_for(0.1 * dice_.unit());
  }
}

/// Every kind of file, and what was saved opened again.
void Cycle::save_everything()
{
  if (program_.over()) { return; }
  program_.open(any_tables(test::entry(dice_.coin() ? "slots" : "compare")));
  program_.draw_for(between_changes);
  fs::path const& folder = program_.folder();
  App& app = program_.app();
  program_.act("saving statistics", [&] { app.measurements().write(folder / "statistics.json", folder / "tables"); });
  for (char const* const slide : {"slide.png", "slide.svg"}) {
    program_.act(fmt::format("saving {}", slide), [&] { app.pictures().save_slide(folder / slide, {640, 360}); });
  }
  program_.act("saving a picture",
               [&] { app.pictures().save_next_frame(folder / "picture.png", PicturePart::everything); });
  program_.act("saving the set-up", [&] { app.documents().save_set_up(folder / "saved.slotscape.json"); });
  program_.act("opening what was saved", [&] { app.open(folder / "saved.slotscape.json"); });
  program_.count("files saved", 6);
  program_.draw_for(between_changes);
  program_.keep_session();
}

void Cycle::come_to_rest()
{
  auto const is_ready = [&] { return program_.app().current_scene().ready(); };
  for (SceneEntry const& entry : scenes()) {
    program_.open(at_rest(entry));
    program_.draw_until(longest_rest, is_ready);
    if (program_.over()) { return; }
  }
  program_.open(at_rest(test::entry("slots")));
  program_.draw_until(longest_rest, is_ready);
  program_.draw_for(between_changes);
}

}  // namespace slotscape::soak
