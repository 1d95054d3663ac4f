#include "app/shell/documents.hpp"

#include "app/base/encoding.hpp"
#include "app/base/field_error.hpp"
#include "app/base/files.hpp"
#include "app/base/scenario_files.hpp"
#include "app/base/text.hpp"
#include "app/dialogs/dropped_files.hpp"
#include "app/registry/scenes.hpp"
#include "app/shell/menu.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>
#include <utility>

namespace slotscape {
namespace {

constexpr std::size_t max_recent = 8;

/// A warning for a scenario that refers to files outside its folder. Others still open if the folder is moved; this one
/// will be refused, or needs confirmation.
std::string caveat_of_outside_files(std::filesystem::path const& scenario)
{
  try {
    read_scenario(scenes(), scenario);
  } catch (OutsideFile const& outside) {
    return tr(
        "It names {}, which is outside its folder: to open it again, add --any-files, or save it in that file's folder "
        "or a parent folder.",
        path_text(outside.file));
  } catch (Error const&) {  // reported when it is opened
  }
  return {};
}

FileKind scenario_kind()
{
  return {"scenario", {scenario_ending, ".json"}};
}

}  // namespace

Documents::Documents(SceneHost& scenes, LessonHost& lessons, FileQuestions& questions, UserSettings& settings,
                     Toasts& toasts, Attempts& attempts, Screen const& screen)
    : scenes_(scenes),
      lessons_(lessons),
      questions_(questions),
      settings_(settings),
      toasts_(toasts),
      attempts_(attempts),
      screen_(screen)
{
}

void Documents::open_dropped(Paths const& files)
{
  toasts_.dismiss_all();  // dismisses messages about an earlier attempt
  if (files.size() == 1) { return open(files.front()); }
  Drop const drop = sort_dropped(files, scenes_.entry(), scenes());
  if (!drop.scenarios.empty()) { open_together(drop.scenarios); }
  if (!drop.files.empty()) { open_together(drop.files); }
  if (!drop.left_out.empty()) { toasts_.refusal(tr("Not opened: {}.", fmt::join(drop.left_out, ", "))); }
}

void Documents::open_together(Paths const& files, Reach reach)
{
  scenes_.news().forget_told();
  toasts_.dismiss_refusals();
  auto const open = [&] {
    bool done = true;
    bool const goes_back = !last_session_.empty() && files.front() == last_session_;
    try {
      if (is_scenario(files.front())) {
        open_document(files.front(), goes_back ? Reach::anywhere : reach);
      } else {
        done = open_with_scene(files);
      }
    } catch (OutsideFile const& outside) {
      questions_.ask_to_trust(names_of(files), outside, [this, files] { open_together(files, Reach::anywhere); });
      return;
    } catch (Error const& error) {
      throw Error(goes_back ? tr("Could not restore your last session; nothing changed.\n{}", error.what())
                            : tr("Could not open {}; nothing changed.\n{}", names_of(files), error.what()));
    }
    if (!done) { return; }
    note_recent(files.front());
    toasts_.notice(goes_back ? tr("Back where you were") : tr("Opened {}", names_of(files)));
  };
  attempts_.make(open, true);
}

void Documents::open_document(std::filesystem::path const& file, Reach reach)
{
  bool const is_lesson = lessons::is_lesson(parse_json(read_text_file(file), path_text(file)));
  if (is_lesson) { return lessons_.open(file, reach); }
  lessons_.enter_own(read_scenario(scenes(), file, reach));
  scenes_.note_opened();
}

bool Documents::open_with_scene(Paths const& files)
{
  if (is_folder(files.front())) {
    if (!scenes_.entry().opens_folders) { throw Error(tr("It is a folder: open the files in it.")); }
    return scenes_.scene().open(files);
  }
  auto const opens_it = [&](SceneEntry const& entry) { return opens(entry, files.front()); };
  if (!opens_it(scenes_.entry())) {
    auto const other = std::ranges::find_if(scenes(), opens_it);
    if (other != scenes().end()) { scenes_.show(*other); }
  }
  SceneEntry const& entry = scenes_.entry();
  if (entry.files.empty()) { throw Error(tr("'{}' cannot open files.", translated(entry.title))); }
  return scenes_.scene().open(files);
}

void Documents::ask_for_file_to_open()
{
  std::vector<FileKind> kinds{scenario_kind()};
  for (SceneEntry const& entry : scenes()) {
    for (FileKind const& kind : entry.files) {
      bool const is_new = std::ranges::find(kinds, kind.what, &FileKind::what) == kinds.end();
      if (is_new) { kinds.push_back(kind); }
    }
  }
  questions_.ask(
      {.title = "Open a file", .files = std::move(kinds), .use = [this](Paths const& files) { open(files.front()); }});
}

void Documents::ask_for_scene(FileQuestion question)
{
  if (question.kind == FileQuestion::Kind::open) {
    question.use = [this, use = std::move(question.use)](Paths const& files) {
      use(files);
      note_recent(files.front());
    };
  }
  questions_.ask(std::move(question));
}

void Documents::save_set_up(std::filesystem::path const& file)
{
  std::vector<std::string> names;
  for (std::filesystem::path const& written : write_scenario(file, scenes_.scenario())) {
    names.push_back(path_text(written));
  }
  note_recent(file);
  std::string caveat = scenes_.scene().set_up_caveat();
  if (std::string const outside = caveat_of_outside_files(file); !outside.empty()) {
    caveat += (caveat.empty() ? "" : " ") + outside;
  }
  toasts_.notice(caveat.empty() ? tr("Saved {}", listed(names, tr("and")))
                                : tr("Saved {}. {}", listed(names, tr("and")), caveat));
  bool const is_seen = screen_.has_window();
  if (!caveat.empty() && !is_seen) { fmt::print(stderr, "slotscape: {}: {}\n", path_text(file), caveat); }
}

void Documents::note_recent(std::filesystem::path const& file)
{
  std::error_code unknown;
  std::filesystem::path const whole = std::filesystem::weakly_canonical(file, unknown);
  if (unknown || whole == last_session_) { return; }
  auto& recent = settings_.recent;
  std::erase(recent, path_text(whole));
  recent.insert(recent.begin(), path_text(whole));
  if (recent.size() > max_recent) { recent.resize(max_recent); }
}

void Documents::offer_last_session(std::filesystem::path const& file, std::vector<Command>& commands, bool says_so)
{
  std::error_code failure;
  if (std::filesystem::exists(file, failure)) { last_session_ = std::filesystem::weakly_canonical(file, failure); }
  auto const quit =
      std::ranges::find_if(commands, [](Command const& each) { return each.menu == "File" && each.label == "Quit"; });
  commands.insert(quit, Command{.keys = "Ctrl+G",
                                .group = program_group,
                                .what = "Resume last session",
                                .menu = "File",
                                .label = "Resume last session",
                                .run = [this] { go_on_where_they_were(); }});
  if (last_session_.empty() || !says_so) { return; }
  toasts_.notice(tr("Resume last session: Ctrl+G, or the File menu."));
}

void Documents::go_on_where_they_were()
{
  if (!last_session_.empty()) { return open(last_session_); }
  toasts_.notice(
      tr("There is no table to resume: the program keeps one on exit if it was changed or came from a file. Lessons "
         "keep their pages and points: the gallery opens them where you left off."));
}

void Documents::add_open(std::vector<Command>& commands)
{
  constexpr std::string_view menu = "File";
  commands.push_back(
      {.keys = "Ctrl+O", .group = program_group, .what = "Open a file", .menu = menu, .label = "Open…", .run = [this] {
         ask_for_file_to_open();
       }});
  auto const place = static_cast<std::ptrdiff_t>(commands.size());
  for (SceneEntry const& scene : scenes()) {
    if (scene.file_entry.empty()) { continue; }
    Command shows{.menu = menu, .label = std::string(scene.file_entry), .run = [this, &scene] { scenes_.show(scene); }};
    commands.insert(commands.begin() + place, std::move(shows));
  }
}

void Documents::add_save(std::vector<Command>& commands)
{
  auto const save = [this] {
    questions_.ask_where_to_save("Save the setup as a scenario", fmt::format("scenario{}", scenario_ending),
                                 {scenario_kind()}, [this](auto const& file) { save_set_up(file); });
  };
  commands.push_back({.keys = "Ctrl+D",
                      .group = program_group,
                      .what = "Save the setup as a scenario",
                      .menu = "File",
                      .label = "Save setup as scenario…",
                      .run = save});
}

}  // namespace slotscape
