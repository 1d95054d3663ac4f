#include "app/path_dialog.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <utility>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr char const* popup = "###path";
constexpr std::size_t most_listed = 200;

fs::path folder_of(std::string const& text)
{
  fs::path const path(text);
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? path : path.parent_path();
}

}  // namespace

void PathDialog::ask(FileQuestion question)
{
  question_ = std::move(question);
  std::error_code ignored;
  if (!fs::is_directory(folder_, ignored)) { folder_ = fs::current_path(ignored); }
  text_ = (folder_ / question_.proposed).string();
  listed_text_.clear();
  closing_ = false;
  reopen();
}

void PathDialog::list_folder()
{
  if (listed_text_ == text_) { return; }
  listed_text_ = text_;
  listed_.clear();
  std::error_code failure;
  fs::directory_iterator entries(folder_of(text_), fs::directory_options::skip_permission_denied, failure);
  for (; !failure && entries != fs::directory_iterator() && listed_.size() < most_listed; entries.increment(failure)) {
    fs::path const& path = entries->path();
    std::error_code ignored;
    bool const hidden = path.filename().string().starts_with('.');
    bool const fits = std::ranges::find(question_.extensions, path.extension().string()) != question_.extensions.end();
    if (!hidden && (fits || entries->is_directory(ignored))) { listed_.push_back(path); }
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
  fs::path const folder = folder_of(text_);
  if (ImGui::Selectable("..", false, ImGuiSelectableFlags_DontClosePopups)) {
    text_ = (folder.parent_path() / "").string();
  }
  for (fs::path const& path : listed_) {
    std::error_code ignored;
    bool const is_folder = fs::is_directory(path, ignored);
    std::string const label = path.filename().string() + (is_folder ? "/" : "");
    bool const selected = fs::path(text_) == path;
    auto const flags = ImGuiSelectableFlags_DontClosePopups | ImGuiSelectableFlags_AllowDoubleClick;
    if (ImGui::Selectable(label.c_str(), selected, flags)) {
      text_ = is_folder ? (path / "").string() : path.string();
      chosen = !is_folder && opens() && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
  }
  ImGui::EndChild();
  return chosen;
}

void PathDialog::remark_on_path(Look const& look) const
{
  std::error_code ignored;
  bool const there = fs::is_regular_file(text_, ignored);
  if (opens()) {
    remark(look, "You can also drop a file on the window.");
  } else {
    remark(look, there ? "This file exists and will be replaced." : " ");
  }
}

std::optional<fs::path> PathDialog::draw(Look const& look)
{
  std::string const title = question_.title + popup;
  if (opening_) { ImGui::OpenPopup(title.c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(title.c_str(), nullptr, ImGuiWindowFlags_AlwaysAutoResize)) { return std::nullopt; }
  if (opening_) { ImGui::SetKeyboardFocusHere(); }
  opening_ = false;
  ImGui::SetNextItemWidth(look(520.0f));
  ImGui::PushID(openings_);  // a new field each time, without the last one's caret and text
  auto const flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
  bool chosen = ImGui::InputText("##path", &text_, flags);
  ImGui::PopID();
  chosen = draw_list(look) || chosen;
  remark_on_path(look);
  ImVec2 const size{look(110.0f), 0.0f};
  align_right(size.x * 2.0f + ImGui::GetStyle().ItemSpacing.x);
  bool const cancelled =
      ImGui::Button("Cancel", size) || ImGui::IsKeyPressed(ImGuiKey_Escape) || std::exchange(closing_, false);
  ImGui::SameLine();
  std::error_code ignored;
  bool const replaces = !opens() && fs::is_regular_file(text_, ignored);
  chosen = primary_button(replaces ? "Replace" : opens() ? "Open" : "Save", size) || chosen;
  bool const is_folder = question_.kind != FileQuestion::Kind::save_folder && fs::is_directory(text_, ignored);
  chosen = chosen && !text_.empty() && !is_folder;
  if (chosen || cancelled) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
  if (chosen) { folder_ = folder_of(text_); }
  return chosen ? std::optional(fs::path(text_)) : std::nullopt;
}

}  // namespace slotscape
