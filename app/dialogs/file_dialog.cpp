#include "app/dialogs/file_dialog.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "app/widgets/text_field.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <system_error>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

std::string replace_title()
{
  return fmt::format("{}###replace", tr("Replace?"));
}

/// Whether saving to this path may overwrite something.
bool has_content(fs::path const& path)
{
  std::error_code failure;
  if (fs::is_regular_file(path, failure)) { return true; }
  return fs::is_directory(path, failure) && !fs::is_empty(path, failure);
}

}  // namespace

void FileDialog::ask(FileQuestion question, bool use_desktop, unsigned long window)
{
  if (asked_ || replacing_) {
    toasts_.notice(tr("A file dialog is open already. Answer that one first."));
    return;
  }
  question_ = std::move(question);
  uses_desktop_ = use_desktop;
  window_ = window;
  std::error_code ignored;
  if (!fs::is_directory(folder_, ignored)) { folder_ = fs::current_path(ignored); }
  start();
}

void FileDialog::start()
{
  while (uses_desktop_ && !desktop_.empty()) {
    try {
      asked_ = ask_desktop(desktop_.front(), question_, folder_, window_);
      return;
    } catch (Error const& error) {
      give_up_desktop(error.what());
    }
  }
  uses_desktop_ = false;
  paths_.ask(question_, folder_);
}

void FileDialog::give_up_desktop(std::string const& why)
{
  std::string const name = desktop_.front().name;
  desktop_.erase(desktop_.begin());
  std::string const next = desktop_.empty() ? std::string(tr("Slotscape's own")) : desktop_.front().name;
  toasts_.error(tr("The desktop's file dialog, {}, does not work; {} is used instead.\n{}", name, next, why));
}

void FileDialog::close()
{
  asked_.reset();
  replacing_.reset();
  paths_.close();
}

void FileDialog::ask_again()
{
  if (uses_desktop_) { return start(); }
  paths_.reopen();
}

std::optional<Paths> FileDialog::draw(Look const& look)
{
  std::optional<Paths> chosen = poll_desktop();
  if (auto paths = paths_.draw(look)) { chosen = accept(std::move(*paths)); }
  if (auto paths = draw_replacing(look)) { chosen = std::move(paths); }
  return chosen;
}

std::optional<Paths> FileDialog::poll_desktop()
{
  auto answer = asked_ ? asked_->poll() : std::nullopt;
  if (!answer) { return std::nullopt; }
  asked_.reset();
  if (!answer->failure.empty()) {
    give_up_desktop(answer->failure);
    start();
    return std::nullopt;
  }
  if (answer->files.empty()) { return std::nullopt; }
  return accept(std::move(answer->files));
}

/// The files, unless the user must first be asked about replacing one.
std::optional<Paths> FileDialog::accept(Paths files)
{
  if (question_.kind == FileQuestion::Kind::open) {
    if (files.size() <= question_.most) { return files; }
    toasts_.refusal(tr("Choose up to {} files; {} were chosen.", question_.most, files.size()));
    return std::nullopt;
  }
  fs::path const& chosen = files.front();
  bool const is_file = question_.kind == FileQuestion::Kind::save;
  fs::path const target = is_file ? with_extension(chosen, question_.files) : chosen;
  // The desktop's dialog has asked already, but about the name without the extension.
  bool const agreed = uses_desktop_ && is_file && target == chosen;
  if (agreed || !has_content(target)) { return Paths{target}; }
  replacing_ = target;
  replacing_opens_ = true;
  return std::nullopt;
}

std::optional<Paths> FileDialog::draw_replacing(Look const& look)
{
  if (!replacing_) { return std::nullopt; }
  if (std::exchange(replacing_opens_, false)) { ImGui::OpenPopup(replace_title().c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(replace_title().c_str(), nullptr, ImGuiWindowFlags_AlwaysAutoResize)) {
    replacing_.reset();
    return std::nullopt;
  }
  bool const is_file = question_.kind == FileQuestion::Kind::save;
  std::string const path = replacing_->string();
  ImGui::TextUnformatted((is_file ? tr("{} exists already.", path) : tr("{} is not empty.", path)).c_str());
  remark(look, is_file ? translatable("Replacing it overwrites its contents.")
                       : translatable("Files in it with the same names will be replaced."));
  ImVec2 const size{look(110.0f), 0.0f};
  ImGui::Dummy({size.x * 3.0f, 0.0f});
  align_right(size.x * 2.0f + ImGui::GetStyle().ItemSpacing.x);
  bool const appearing = ImGui::IsWindowAppearing();  // the key that closed the previous dialog is still down
  auto const pressed = [&](ImGuiKey key) { return !appearing && ImGui::IsKeyPressed(key, false); };
  bool const cancelled = text_button("Cancel", size) || pressed(ImGuiKey_Escape);
  ImGui::SameLine();
  bool const agreed = primary_button("Replace", size) || enter_confirms();
  ImGui::SetItemDefaultFocus();  // otherwise, keyboard navigation would make Enter press Cancel
  if (agreed || cancelled) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
  if (cancelled) {
    replacing_.reset();
    ask_again();
    return std::nullopt;
  }
  if (!agreed) { return std::nullopt; }
  return Paths{*std::exchange(replacing_, std::nullopt)};
}

void FileDialog::use(Paths const& files)
{
  std::error_code ignored;
  fs::path const& last = files.back();
  folder_ = fs::is_directory(last, ignored) ? last : last.parent_path();
  auto const use = question_.use;  // a copy: the callback may withdraw the question
  try {
    use(files);
  } catch (Error const&) {
    // The desktop's dialog would cover the error message.
    if (!uses_desktop_) { ask_again(); }
    throw;
  }
}

}  // namespace slotscape
