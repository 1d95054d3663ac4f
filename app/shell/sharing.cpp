#include "app/shell/sharing.hpp"

#include "app/base/encoding.hpp"
#include "app/base/field_error.hpp"
#include "app/base/page_address.hpp"
#include "app/base/scenario_files.hpp"
#include "app/base/text.hpp"
#include "app/export/statistics_table.hpp"
#include "app/registry/scenes.hpp"
#include "app/scene/share_link.hpp"
#include "app/shell/menu.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

/// Clipboards handle longer texts slowly or not at all.
constexpr std::size_t longest_text = std::size_t{4} << 20;

}  // namespace

Sharing::Sharing(SceneHost const& scenes, LessonHost& lessons, FileQuestions& files, Screen const& screen,
                 Toasts& toasts, Attempts& attempts, std::function<SceneStatistics()> statistics)
    : scenes_(scenes),
      lessons_(lessons),
      files_(files),
      screen_(screen),
      toasts_(toasts),
      attempts_(attempts),
      statistics_(std::move(statistics)),
      recorder_(toasts)
{
}

void Sharing::add_link(std::vector<Command>& commands)
{
  auto const run = [this] { copy_link(); };
  commands.push_back({.keys = "Ctrl+Shift+L",
                      .group = program_group,
                      .what = "Copy a link to this view",
                      .menu = "File",
                      .label = "Share as a link",
                      .run = run});
  if (!page_address().empty()) { commands.push_back({.menu = menu_bar, .label = "Share", .run = run}); }
}

void Sharing::add_recording(std::vector<Command>& commands)
{
  commands.push_back({.keys = WindowRecorder::keys,
                      .group = program_group,
                      .what = "Start or stop recording the window",
                      .menu = "File",
                      .in_popups = true,
                      .not_in_page = true,
                      .run = [this] { record_or_stop(); },
                      .label_now =
                          [this] {
                            return std::string(recorder_.recording() ? translatable("Stop recording")
                                                                     : translatable("Record…"));
                          }});
}

void Sharing::add_clipboard(std::vector<Command>& commands)
{
  constexpr std::string_view menu = "Edit";
  commands.push_back({.keys = "Ctrl+C",
                      .group = program_group,
                      .what = "Copy the setup, as text",
                      .menu = menu,
                      .label = "Copy the setup",
                      .divides = true,
                      .while_typing = false,
                      .run = [this] { copy_set_up(); }});
  commands.push_back({.keys = "Ctrl+V",
                      .group = program_group,
                      .what = "Paste a setup",
                      .menu = menu,
                      .label = "Paste a setup",
                      .while_typing = false,
                      .run = [this] { paste(); }});
  commands.push_back({.keys = "Ctrl+Shift+D",
                      .group = program_group,
                      .what = "Copy the numbers, as a table",
                      .menu = menu,
                      .label = "Copy the numbers",
                      .run = [this] { copy_numbers(); }});
  commands.push_back({.keys = "Ctrl+Shift+C",
                      .group = program_group,
                      .what = "Copy the picture",
                      .menu = menu,
                      .label = "Copy the picture",
                      .not_in_page = true,
                      .run = [this] { want_picture_copied(); }});
}

void Sharing::draw_dialog(Look const& look)
{
  if (!recorder_.draw_dialog(look)) { return; }
  attempts_.make([&] { ask_where_to_record(); }, true);
}

void Sharing::take_frame()
{
  attempts_.make([&] { recorder_.take(screen_.context(), scenes_.scene().canvas()); });
  attempts_.make([&] { copy_wanted_picture(); });
}

void Sharing::record_or_stop()
{
  if (recorder_.recording()) { return recorder_.stop(); }
  if (ImGui::GetTopMostPopupModal() != nullptr) { return; }  // another dialog is open
  if (lessons_.lecturing()) { throw Error(tr("Start recording before lecture mode: Esc leaves it.")); }
  recorder_.ask();
}

void Sharing::ask_where_to_record()
{
  auto const begin = [this](auto const& path) {
    toasts_.dismiss_all();
    recorder_.begin(path, dialog_fades_seconds);
  };
  RecordingFormat const format = recorder_.settings().format;
  if (format == RecordingFormat::png) {
    return files_.ask_where_to_save(translatable("Record numbered pictures in a folder"), "recording", {}, begin);
  }
  std::string_view const ending = ending_of(format);
  files_.ask_where_to_save(translatable("Record a film"), fmt::format("recording{}", ending), {{"film", {ending}}},
                           begin);
}

void Sharing::copy_set_up()
{
  if (!scenes_.scene().quick_to_save()) {
    throw Error(tr("The setup is too long for the clipboard: save it as a scenario (Ctrl+D)."));
  }
  Scenario const scenario = scenes_.scenario();
  std::string const text = format_scenario(scenario);
  if (text.size() > longest_text) {
    throw Error(
        tr("The setup has {}, too much for the clipboard: save it as a scenario (Ctrl+D).", bytes_text(text.size())));
  }
  ImGui::SetClipboardText(text.c_str());
  toasts_.notice(names_temporary_file(scenario)
                     ? tr("Copied the setup as text. It reads a file that is removed when this program ends: to keep a "
                          "copy of the file, save the setup as a scenario (Ctrl+D).")
                     : tr("Copied the setup as text. Ctrl+V pastes it, here or in another window."));
}

void Sharing::copy_link()
{
  constexpr char const* why = translatable("The setup is too long for a link: save it as a scenario (Ctrl+D).");
  if (!scenes_.scene().quick_to_save()) { throw Error(tr(why)); }
  std::string const text = format_scenario(scenes_.scenario());
  if (text.size() > longest_shared) { throw Error(tr(why)); }
  try {
    parse_scenario(scenes(), text, "the link", scenario_folders(this_executable()).front());
  } catch (OutsideFile const& outside) {
    throw Error(tr("A link carries no files, and this setup reads {}: save it as a scenario (Ctrl+D), and share both.",
                   path_text(outside.file)));
  }
  std::string const page = page_address();
  ImGui::SetClipboardText(link_of(page, text).c_str());
  toasts_.notice(page.empty() ? tr("Copied a link. Append it to the address of a page that runs Slotscape; Ctrl+V "
                                   "pastes it here, or in another window.")
                              : tr("Copied a link. Whoever opens it sees this setup."));
}

void Sharing::paste()
{
  char const* const content = ImGui::GetClipboardText();
  paste(content == nullptr ? "" : content, Reach::folder);
}

/// The folder whose files the text may refer to: only installed files if all others are closed.
std::filesystem::path Sharing::folder_of_pasted() const
{
  return files_.closed() ? scenario_folders(this_executable()).front() : std::filesystem::current_path();
}

void Sharing::paste(std::string const& text, Reach reach)
{
  toasts_.dismiss_all();  // dismisses messages about an earlier attempt
  try {
    if (text.find_first_not_of(" \t\r\n") == std::string::npos) {
      throw Error(tr("The clipboard holds no text. Copy a setup first: Ctrl+C, or the text of a scenario."));
    }
    if (text.size() > longest_text) {
      throw Error(tr("The clipboard holds {}; the limit for a setup is {}. Save the text as a file, and open the file.",
                     bytes_text(text.size()), bytes_text(longest_text)));
    }
    if (auto const shared = scenario_in_link(text)) {
      lessons_.enter_own(parse_scenario(scenes(), *shared, "the link", folder_of_pasted()));
      return toasts_.notice(tr("Opened the link's setup"));
    }
    constexpr char const* name = "the clipboard";
    if (lessons::is_lesson(parse_json(text, name))) {
      throw Error(tr("It is a lesson: save it as a file, and open the file."));
    }
    lessons_.enter_own(parse_scenario(scenes(), text, name, folder_of_pasted(), reach));
  } catch (OutsideFile const& outside) {
    files_.ask_to_trust(tr("The pasted text"), outside, [this, text] { paste(text, Reach::anywhere); });
    return;
  } catch (Error const& error) {
    throw Error(tr("Could not paste; nothing changed.\n{}", error.what()));
  }
  toasts_.notice(tr("Pasted a setup"));
}

void Sharing::copy_numbers()
{
  ImGui::SetClipboardText(table_of_statistics(statistics_().json).c_str());
  toasts_.notice(tr("Copied the numbers as a table, for a spreadsheet."));
}

void Sharing::want_picture_copied()
{
  if (files_.closed()) {
    throw Error(tr("The picture would go to the clipboard of another machine: use 'Save picture' on the page."));
  }
  if (copier_) { throw Error(tr("Still copying the previous picture.")); }
  ClipboardSession const session = clipboard_session();
  if (!session.wayland && !session.x11) {
    throw Error(tr("Pictures can be copied to the clipboard only on Linux. Save the picture instead: Ctrl+S."));
  }
  if (copy_command(session).empty()) {
    throw Error(
        tr("Copying pictures to the clipboard needs {}, which was not found. You can save the picture instead: Ctrl+S.",
           how_to_get_copy_program(session)));
  }
  toasts_.dismiss_all();
  wants_picture_copied_ = true;
}

void Sharing::copy_wanted_picture()
{
  if (std::exchange(wants_picture_copied_, false)) {
    copier_ = std::make_unique<PictureCopier>(copy_command(clipboard_session()), screen_.picture());
  }
  auto const failure = copier_ ? copier_->result() : std::nullopt;
  if (!failure) { return; }
  copier_.reset();
  if (failure->empty()) { return toasts_.notice(tr("Copied the picture.")); }
  toasts_.error(tr("Could not copy the picture. Save it instead: Ctrl+S.\n{}", *failure));
}

}  // namespace slotscape
