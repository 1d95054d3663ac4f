#include "app/shell/app.hpp"

#include "app/base/encoding.hpp"
#include "app/base/field_error.hpp"
#include "app/base/files.hpp"
#include "app/base/page_address.hpp"
#include "app/base/scenario_files.hpp"
#include "app/base/text.hpp"
#include "app/registry/scenes.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <glad/gl.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace slotscape {
namespace {

constexpr std::string_view program_group = "PROGRAM";

/// Whether the key moves among the cards of the gallery, or opens one.
bool chooses(ImGuiKeyChord key)
{
  constexpr std::array keys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow,  ImGuiKey_UpArrow, ImGuiKey_DownArrow,
                            ImGuiKey_Enter,     ImGuiKey_KeypadEnter, ImGuiKey_Tab};
  return std::ranges::find(keys, key) != keys.end();
}

/// Whether the key has nothing to do in a field without text.
bool is_idle_in_empty_field(ImGuiKeyChord key)
{
  constexpr std::array keys{ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_Home, ImGuiKey_End, ImGuiKey_Escape};
  return std::ranges::find(keys, key) != keys.end();
}

/// A scenario that names files beside or below it can be opened wherever the folder is; one that names others is
/// refused, or asks.
std::string caveat_of_outside_files(std::filesystem::path const& scenario)
{
  try {
    read_scenario(scenes(), scenario);
  } catch (OutsideFile const& outside) {
    return tr(
        "It names {}, which lies outside its folder: to open it again, add --any-files, or save it beside that "
        "file or above it.",
        path_text(outside.file));
  } catch (Error const&) {  // whoever opens it is told
  }
  return {};
}

FileKind scenario_kind()
{
  return {"scenario", {scenario_ending, ".json"}};
}

}  // namespace

void App::make_commands()
{
  add_file_commands();
  add_recording_command();
  add_gallery_commands();
  commands_.push_back({.keys = "Tab",
                       .group = "VIEW",
                       .what = "Show or hide the panels",
                       .menu = "View",
                       .label = "Show or hide all panels",
                       .run = [this] { toggle_panels(); }});
  add_keyboard_commands();
  add_undo_commands();
  add_clipboard_commands();
  commands_.push_back({.keys = "Ctrl+P",
                       .group = "VIEW",
                       .what = "Draw on the picture with a pen",
                       .menu = "View",
                       .label = "Pen",
                       .divides = true,
                       .run = [this] { mark_tools_.take_out_or_put_away(); },
                       .checked = [this] { return mark_tools_.out(); }});
  commands_.push_back({.keys = "F11",
                       .group = "VIEW",
                       .what = "Full screen",
                       .menu = "View",
                       .label = "Full screen",
                       .divides = true,
                       .not_in_page = true,
                       .run = [this] { context_->toggle_full_screen(); }});
  add_scene_commands();
  add_lesson_commands();
  commands_.push_back(
      {.keys = "Esc", .group = program_group, .what = "Cancel or deselect", .run = [this] { cancel(); }});
  commands_.push_back({.keys = "H, ?, F1",
                       .group = program_group,
                       .what = "Show or hide this list",
                       .menu = "Help",
                       .label = "Keyboard shortcuts",
                       .run = [this] { key_list_ = !key_list_; }});
  commands_.push_back({.menu = "Help", .label = "Words", .run = [this] { show_words(); }});
  if (files_.has_desktop() && !is_in_page) {
    Command use_desktop = toggle("File", "Use the desktop's file dialog", settings_.desktop_file_dialog);
    use_desktop.divides = true;
    commands_.push_back(std::move(use_desktop));
  }
  commands_.push_back({.keys = "Ctrl+Q",
                       .group = program_group,
                       .what = "Quit",
                       .menu = "File",
                       .label = "Quit",
                       .divides = true,
                       .in_popups = true,
                       .not_in_page = true,
                       .run = [this] { closing_ = true; }});
  if (is_in_page) {
    std::erase_if(commands_, [](Command const& command) { return command.not_in_page; });
  }
}

void App::add_keyboard_commands()
{
  auto const go = [this](bool forwards) { return [this, forwards] { gui_->keyboard().go_on(forwards); }; };
  commands_.push_back(
      {.keys = "Ctrl+Tab, Ctrl+B", .group = program_group, .what = "Next panel, then the map", .run = go(true)});
  commands_.push_back({.keys = "Ctrl+Shift+Tab, Ctrl+Shift+B", .run = go(false)});
  commands_.push_back({.keys = "Alt, F10", .group = program_group, .what = "Menus"});
  commands_.push_back({.keys = "F10", .run = [this] { gui_->keyboard().go_to_menus(); }});
}

void App::add_file_commands()
{
  constexpr std::string_view menu = "File";
  auto const statistics = [this] {
    ask_where_to_save("Save statistics", "statistics.json", {{"JSON file", {".json"}}},
                      saved([this](auto const& file) { write_statistics(file, {}); }));
  };
  auto const tables = [this] {
    ask_where_to_save(translatable("Save statistics as CSV files in a folder"), "statistics", {},
                      saved([this](auto const& folder) { write_statistics({}, folder); }));
  };
  auto const scenario = [this] {
    ask_where_to_save("Save the setup as a scenario", fmt::format("scenario{}", scenario_ending), {scenario_kind()},
                      [this](auto const& file) { save_set_up(file); });
  };
  commands_ = {
      {.keys = "Ctrl+O",
       .group = program_group,
       .what = "Open a file",
       .menu = menu,
       .label = "Open…",
       .run = [this] { ask_for_file_to_open(); }},
      {.keys = "Ctrl+S",
       .group = program_group,
       .what = "Save a picture",
       .menu = menu,
       .label = "Save picture…",
       .divides = true,
       .run = [this] { ask_where_to_save_picture(); }},
      {.menu = menu, .label = "Save picture for slides…", .run = [this] { slides_.open(); }},
      {.keys = "Ctrl+E",
       .group = program_group,
       .what = "Save statistics",
       .menu = menu,
       .label = "Save statistics…",
       .run = statistics},
      {.menu = menu, .label = "Save statistics as CSV…", .run = tables},
      {.keys = "Ctrl+D",
       .group = program_group,
       .what = "Save the setup as a scenario",
       .menu = menu,
       .label = "Save setup as scenario…",
       .run = scenario},
  };
  for (SceneEntry const& scene : scenes()) {
    if (scene.file_entry.empty()) { continue; }
    Command shows{.menu = menu, .label = std::string(scene.file_entry), .run = [this, &scene] { show(scene); }};
    commands_.insert(commands_.begin() + 1, std::move(shows));
  }
}

void App::add_undo_commands()
{
  constexpr std::string_view menu = "Edit";
  commands_.push_back({.keys = "Ctrl+Z",
                       .group = program_group,
                       .what = "Undo",
                       .menu = menu,
                       .while_typing = false,
                       .run = [this] { undo_or_redo(&Scene::undo); },
                       .label_now =
                           [this] {
                             std::string const what = scene_->undoes();
                             return what.empty() ? tr("Nothing to undo") : tr("Undo {}", translated(what));
                           }});
  commands_.push_back({.keys = "Ctrl+Shift+Z, Ctrl+Y",
                       .group = program_group,
                       .what = "Redo",
                       .menu = menu,
                       .while_typing = false,
                       .run = [this] { undo_or_redo(&Scene::redo); },
                       .label_now =
                           [this] {
                             std::string const what = scene_->redoes();
                             return what.empty() ? tr("Nothing to redo") : tr("Redo {}", translated(what));
                           }});
}

/// What the scene said of what is undone does not hold any more.
void App::undo_or_redo(void (Scene::*change)())
{
  (scene_.get()->*change)();
  toasts_.dismiss_scene_notice();
  toasts_.dismiss_refusals();
}

void App::add_scene_commands()
{
  for (SceneEntry const& entry : scenes()) {
    commands_.push_back({.keys = entry.keys,
                         .group = program_group,
                         .what = entry.what,
                         .menu = "Scene",
                         .label = std::string(entry.title),
                         .run = [this, &entry] { show(entry); },
                         .checked = [this, &entry] { return entry_ == &entry; }});
  }
}

void App::ask_for_file_to_open()
{
  std::vector<FileKind> kinds{scenario_kind()};
  for (SceneEntry const& entry : scenes()) {
    for (FileKind const& kind : entry.files) {
      bool const is_new = std::ranges::find(kinds, kind.what, &FileKind::what) == kinds.end();
      if (is_new) { kinds.push_back(kind); }
    }
  }
  ask_for_files(
      {.title = "Open a file", .files = std::move(kinds), .use = [this](Paths const& files) { open(files.front()); }});
}

void App::ask_where_to_save(std::string title, std::string proposed, std::vector<FileKind> files,
                            std::function<void(std::filesystem::path const&)> save)
{
  ask_for_files({.kind = files.empty() ? FileQuestion::Kind::save_folder : FileQuestion::Kind::save,
                 .title = std::move(title),
                 .proposed = std::move(proposed),
                 .files = std::move(files),
                 .use = [save = std::move(save)](Paths const& chosen) { save(chosen.front()); }});
}

std::function<void(std::filesystem::path const&)> App::saved(std::function<void(std::filesystem::path const&)> save)
{
  return [this, save = std::move(save)](std::filesystem::path const& path) {
    save(path);
    toasts_.notice(tr("Saved {}", path_text(path)));
  };
}

void App::save_set_up(std::filesystem::path const& file)
{
  std::vector<std::string> names;
  for (std::filesystem::path const& written : write_scenario(file, {entry_, scene_->set_up(), words_})) {
    names.push_back(path_text(written));
  }
  note_recent(file);
  std::string caveat = scene_->set_up_caveat();
  if (std::string const outside = caveat_of_outside_files(file); !outside.empty()) {
    caveat += (caveat.empty() ? "" : " ") + outside;
  }
  toasts_.notice(caveat.empty() ? tr("Saved {}", listed(names, tr("and")))
                                : tr("Saved {}. {}", listed(names, tr("and")), caveat));
  bool const is_seen = context_->window() != nullptr;
  if (!caveat.empty() && !is_seen) { fmt::print(stderr, "slotscape: {}: {}\n", path_text(file), caveat); }
}

/// Whether the user has made something of the scene, or opened it from a file.
bool App::worth_keeping() const
{
  return (opened_ || !scene_->undoes().empty()) && scene_->quick_to_save();
}

void App::keep_for_next_start(std::filesystem::path const& file)
{
  if (lesson_) {
    if (lesson_->worth_keeping) { write_scenario(file, lesson_->before); }
    return;
  }
  if (worth_keeping()) { write_scenario(file, {entry_, scene_->set_up()}); }
}

void App::offer_last_session(std::filesystem::path const& file)
{
  std::error_code failure;
  if (std::filesystem::exists(file, failure)) { last_session_ = std::filesystem::weakly_canonical(file, failure); }
  auto const quit =
      std::ranges::find_if(commands_, [](Command const& each) { return each.menu == "File" && each.label == "Quit"; });
  commands_.insert(quit, Command{.keys = "Ctrl+G",
                                 .group = program_group,
                                 .what = "Go on where you were",
                                 .menu = "File",
                                 .label = "Go on where you were",
                                 .run = [this] { go_on_where_they_were(); }});
  if (last_session_.empty()) { return; }
  toasts_.notice(tr("Go on where you were: Ctrl+G, or the File menu."));
}

void App::go_on_where_they_were()
{
  if (!last_session_.empty()) { return open(last_session_); }
  toasts_.notice(
      tr("There is no table to go on with: one is kept when the program ends, if something was done with it or it came "
         "from a file. Lessons keep their pages and points: the gallery opens them where you left."));
}

void App::ask_where_to_save_picture()
{
  ask_where_to_save(translatable("Save a picture of the window"), "slotscape.png",
                    {{translatable("picture"), {".png"}}}, [this](auto const& file) {
                      toasts_.dismiss_all();
                      save_picture_of_next_frame(file, PicturePart::everything, dialog_fades_seconds);
                    });
}

void App::ask_where_to_save_slide()
{
  bool const vector = slides_.format() == SlideFormat::svg;
  std::vector<FileKind> kinds;
  kinds.push_back(vector ? FileKind{translatable("vector picture"), {".svg"}}
                         : FileKind{translatable("picture"), {".png"}});
  ask_where_to_save(translatable("Save a picture for slides"), vector ? "slide.svg" : "slide.png", std::move(kinds),
                    [this](auto const& file) {
                      check_writable(file);
                      wanted_slide_ = file;
                    });
}

void App::require_files() const
{
  if (!files_closed_) { return; }
  throw Error(tr(
      "From a browser, no files of this machine can be opened or written: name a scenario, or --stats, where slotscape "
      "serve is started."));
}

void App::ask_for_files(FileQuestion question)
{
  require_files();
  question.use = [this, use = std::move(question.use)](Paths const& files) {
    toasts_.dismiss_all();  // those of an attempt before this one
    use(files);
  };
  files_.ask(std::move(question), settings_.desktop_file_dialog, context_->x11_window());
}

namespace {

bool is_enter(ImGuiKeyChord key)
{
  return key == ImGuiKey_Enter || key == ImGuiKey_KeypadEnter;
}

}  // namespace

void App::take_input()
{
  if (!chosen_.empty()) { toasts_.dismiss_refusals(); }
  for (auto const& run : std::exchange(chosen_, {})) { attempt(run, true); }
  WindowEvents events = gui_->take_events();
  if (!events.dropped_files.empty()) { open_dropped(events.dropped_files); }
  bool const in_popup = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  bool const typing = ImGui::GetIO().WantTextInput;
  bool const in_gallery = gallery_.open();  // which any command closes
  // Look up each press on its own: the one before may have switched scenes.
  auto const perform = [&](auto const& press, auto... how) {
    Command const* command = mark_tools_.out() ? command_of(press, mark_commands_, how...) : nullptr;
    if (command == nullptr && counts_votes()) { command = command_of(press, vote_commands_, how...); }
    bool const asks = asks_own() || (lecturing() && lesson_->session.page().task);
    if (command == nullptr && asks) { command = command_of(press, question_commands_, how...); }
    if (command == nullptr && lecturing()) { command = command_of(press, lecture_commands_, how...); }
    if (command == nullptr) { command = command_of(press, scene_->commands(), how...); }
    if (command == nullptr) { command = command_of(press, commands_, how...); }
    if (command == nullptr || (in_popup && !command->in_popups)) { return; }
    if (!lesson_lets(*command)) { return; }
    toasts_.dismiss_refusals();
    attempt(std::function<void()>(command->run), true);  // a copy: the command may destroy its scene
    if (in_gallery) { gallery_.close(); }
  };
  auto const press = [&](ImGuiKeyChord key) {
    lesson_panel_.complaint.clear();  // it was about what was typed before
    if (in_gallery && chooses(key)) { return; }
    if (key == ImGuiKey_Escape && !in_popup && close_help()) { return; }
    bool const enters = is_enter(key);
    if (enters && lesson_panel_.active && lesson_) { return; }  // its field takes it
    bool const is_answer = enters && !typing && !in_popup && !in_gallery && !scene_->awaits_keyboard();
    if (is_answer && answer_with_enter()) { return; }
    bool const for_field = !enters && (scene_->awaits_keyboard() || (lesson_ && lesson_panel_.focus));
    bool const passes = is_idle_in_empty_field(key) && scene_->has_empty_field();
    perform(key, (typing || for_field) && !passes);
  };
  auto const type = [&](ImWchar character) {
    lesson_panel_.complaint.clear();
    if (in_gallery && character == ' ') { return; }
    bool const for_scene = !in_popup && !in_gallery && !lecturing();
    bool const is_ascii = character < 128;
    auto const typed = static_cast<char>(is_ascii ? character : 0);
    if (is_ascii && counts_votes() && type_vote(*vote(), vote_fields_, typed)) { return; }
    if (is_ascii && for_scene && !scene_->awaits_keyboard() && answer(typed)) { return; }
    if (for_scene && scene_->type(character)) { return; }
    if (is_ascii) { perform(typed); }
  };
  // An Enter of the same frame came after what was typed.
  auto const enters = std::stable_partition(events.keys.begin(), events.keys.end(), std::not_fn(is_enter));
  std::for_each(events.keys.begin(), enters, press);
  if (!typing) { std::ranges::for_each(ImGui::GetIO().InputQueueCharacters, type); }
  std::for_each(enters, events.keys.end(), press);
}

bool App::close_help()
{
  if (word_list_.open()) {
    word_list_.close();
    return true;
  }
  return std::exchange(key_list_, false);
}

/// Shrinks an enlarged chart, or closes messages, unless the scene has work to cancel or there is nothing else to
/// close.
void App::cancel()
{
  if (charts_.enlarged()) { return charts_.shrink(); }
  if (scene_->cancellable() || toasts_.empty()) { return scene_->cancel(); }
  toasts_.dismiss_all();
}

void App::embed()
{
  embedded_ = true;
  gallery_.close();
  toggle_panels();
}

void App::toggle_panels()
{
  auto const shown = [](Panels const& panels) { return panels.controls || panels.numbers || panels.plots; };
  bool const any = shown(panels_);
  if (any) { panels_before_hiding_ = panels_; }
  Panels const& wanted = any ? no_panels : panels_before_hiding_;
  panels_ = {wanted.controls, wanted.numbers, wanted.plots, wanted.slot_card, panels_.widths};
}

}  // namespace slotscape
