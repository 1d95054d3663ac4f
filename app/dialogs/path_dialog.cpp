#include "app/dialogs/path_dialog.hpp"

#include "app/base/encoding.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr char const* path_popup = "###path";
constexpr std::size_t max_listed = 200;

fs::path folder_of(fs::path const& path)
{
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? path : path.parent_path();
}

bool is_enter_pressed()
{
  return ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false);
}

}  // namespace

void PathDialog::ask(FileQuestion question, fs::path const& folder)
{
  question_ = std::move(question);
  start_ = folder;
  text_ = path_text(folder / question_.proposed);
  others_.clear();
  listed_text_.clear();
  closing_ = false;
  reopen();
}

void PathDialog::reopen()
{
  constexpr int max_frames = 4;
  ++openings_;
  opening_ = true;
  frames_to_wait_ = max_frames;
}

/// A name without a folder refers to the folder that was shown first.
fs::path PathDialog::path() const
{
  return start_ / path_of_text(text_);
}

void PathDialog::list_folder()
{
  if (listed_text_ == text_) { return; }
  listed_text_ = text_;
  listed_.clear();
  std::error_code failure;
  fs::directory_iterator entries(folder_of(path()), fs::directory_options::skip_permission_denied, failure);
  for (; !failure && entries != fs::directory_iterator() && listed_.size() < max_listed; entries.increment(failure)) {
    fs::path const& path = entries->path();
    std::error_code ignored;
    bool const hidden = path.filename().string().starts_with('.');
    bool const wanted = fits(path, question_.files) || entries->is_directory(ignored);
    if (!hidden && wanted) { listed_.push_back(path); }
  }
  std::ranges::sort(listed_, {}, [](fs::path const& path) {
    std::error_code ignored;
    return std::pair(!fs::is_directory(path, ignored), path.filename().string());
  });
}

/// Returns true if the user double-clicked a file.
bool PathDialog::draw_list(Look const& look)
{
  list_folder();
  bool chosen = false;
  ImGui::BeginChild("files", {look(520.0f), look(220.0f)}, true);
  fs::path const folder = folder_of(path());
  if (ImGui::Selectable("..", false, ImGuiSelectableFlags_DontClosePopups)) {
    text_ = path_text(folder.parent_path() / "");
  }
  for (fs::path const& path : listed_) {
    std::error_code ignored;
    bool const is_folder = fs::is_directory(path, ignored);
    std::string const label = path_text(path.filename()) + (is_folder ? "/" : "");
    bool const selected = this->path() == path || std::ranges::find(others_, path) != others_.end();
    auto const flags = ImGuiSelectableFlags_DontClosePopups | ImGuiSelectableFlags_AllowDoubleClick;
    if (ImGui::Selectable(label.c_str(), selected, flags)) {
      select(is_folder ? path / "" : path);
      chosen = !is_folder && opens() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
  }
  ImGui::EndChild();
  return chosen;
}

/// With Ctrl, adds files to the selection, up to the question's limit.
void PathDialog::select(fs::path const& path)
{
  std::error_code ignored;
  fs::path const chosen = this->path();
  bool const adds = ImGui::GetIO().KeyCtrl && question_.most > 1 && fs::is_regular_file(path, ignored);
  if (!adds) { others_.clear(); }
  std::erase(others_, path);
  if (adds && path != chosen && fs::is_regular_file(chosen, ignored)) { others_.push_back(chosen); }
  if (others_.size() >= question_.most) { others_.erase(others_.begin()); }
  text_ = path_text(path);
}

void PathDialog::remark_on_path(Look const& look) const
{
  fs::path const typed = path();
  fs::path const target = question_.kind == FileQuestion::Kind::save ? with_extension(typed, question_.files) : typed;
  bool const named = typed.has_filename() && target != typed;
  if (opens() && question_.most > 1) {
    remark(look, tr("Ctrl+click chooses up to {} files. You can also drop a file on the window.", question_.most));
  } else if (opens()) {
    remark(look, "You can also drop a file on the window.");
  } else {
    remark(look, named ? tr("Will be saved as {}", path_text(target.filename())) : " ");
  }
}

std::optional<Paths> PathDialog::draw(Look const& look)
{
  std::string const title = translated(question_.title) + path_popup;
  if (opening_) { ImGui::OpenPopup(title.c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(title.c_str(), nullptr, ImGuiWindowFlags_AlwaysAutoResize)) {
    frames_to_wait_ = 0;
    return std::nullopt;
  }
  if (opening_ || std::exchange(refocuses_, false)) { ImGui::SetKeyboardFocusHere(); }
  opening_ = false;
  ImGui::SetNextItemWidth(look(520.0f));
  ImGui::PushID(openings_);  // a new field each time, without the previous caret and text
  auto const flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
  bool chosen = ImGui::InputText("##path", &text_, flags);
  frames_to_wait_ = ImGui::IsItemActive() ? 0 : std::max(frames_to_wait_ - 1, 0);
  ImGui::PopID();
  chosen = (is_enter_pressed() && !ImGui::IsAnyItemActive() && !ImGui::IsWindowAppearing()) || chosen;
  chosen = draw_list(look) || chosen;
  remark_on_path(look);
  ImVec2 const size{look(110.0f), 0.0f};
  align_right(size.x * 2.0f + ImGui::GetStyle().ItemSpacing.x);
  bool const cancelled =
      text_button("Cancel", size) || ImGui::IsKeyPressed(ImGuiKey_Escape) || std::exchange(closing_, false);
  ImGui::SameLine();
  std::error_code ignored;
  chosen = primary_button(opens() ? translatable("Open") : translatable("Save"), size) || chosen;
  bool const is_folder = question_.kind != FileQuestion::Kind::save_folder && fs::is_directory(path(), ignored);
  if (chosen && is_folder) { look_into(path()); }
  chosen = chosen && !cancelled && !text_.empty() && !is_folder;
  if (chosen || cancelled) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
  if (!chosen) { return std::nullopt; }
  Paths paths = others_;
  paths.push_back(path());
  return paths;
}

void PathDialog::look_into(fs::path const& folder)
{
  text_ = path_text(folder / "");
  ++openings_;  // a new field, which shows the end of the text
  refocuses_ = true;
}

}  // namespace slotscape
