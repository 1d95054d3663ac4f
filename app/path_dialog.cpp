#include "app/path_dialog.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/theme.hpp"

#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <span>

namespace slotscape {

namespace fs = std::filesystem;

namespace {

constexpr char const* popup = "###path";
constexpr std::size_t most_listed = 200;

struct PurposeText {
  char const* title;
  char const* button;
  char const* file;  ///< proposed; empty for files to be read
  std::span<std::string_view const> endings;
};

constexpr std::array<std::string_view, 13> readable{".json", ".txt", ".bin", ".u32", ".u64", ".ply", ".obj",
                                                    ".stl",  ".off", ".pcd", ".xyz", ".csv", ".pts"};
constexpr std::array<std::string_view, 9> models{".ply", ".obj", ".stl", ".off", ".pcd",
                                                 ".xyz", ".txt", ".csv", ".pts"};
constexpr std::array<std::string_view, 4> key_files{".txt", ".bin", ".u32", ".u64"};
constexpr std::array<std::string_view, 1> pictures{".png"};
constexpr std::array<std::string_view, 1> json{".json"};
constexpr std::array<std::string_view, 1> ply{".ply"};

PurposeText text_of(PathPurpose purpose)
{
  switch (purpose) {
    case PathPurpose::open: return {"Open a scenario, key file or model", "Open", "", readable};
    case PathPurpose::key_file: return {"Take keys from a file", "Open", "", key_files};
    case PathPurpose::picture: return {"Save the picture of the window", "Save", "slotscape.png", pictures};
    case PathPurpose::picture_of_map: return {"Save the picture of the slots alone", "Save", "slots.png", pictures};
    case PathPurpose::statistics_json: return {"Save the statistics", "Save", "statistics.json", json};
    case PathPurpose::statistics_csv: return {"Save the statistics as tables into a folder", "Save", "statistics", {}};
    case PathPurpose::scenario: return {"Save the set-up as a scenario", "Save", "scenario.json", json};
    case PathPurpose::model_a: return {"Open a model as A", "Open", "", models};
    case PathPurpose::model_b: return {"Open a model as B", "Open", "", models};
    case PathPurpose::result_ply: return {"Save the points of the result as PLY", "Save", "result.ply", ply};
    case PathPurpose::voxels_ply: return {"Save the voxels as PLY", "Save", "voxels.ply", ply};
  }
  return {"", "", "", {}};
}

bool reads(PathPurpose purpose)
{
  switch (purpose) {
    case PathPurpose::open:
    case PathPurpose::key_file:
    case PathPurpose::model_a:
    case PathPurpose::model_b: return true;
    default: return false;
  }
}

fs::path folder_of(std::string const& text)
{
  fs::path const path(text);
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? path : path.parent_path();
}

}  // namespace

void PathDialog::ask(PathPurpose purpose)
{
  purpose_ = purpose;
  std::error_code ignored;
  if (!fs::is_directory(folder_, ignored)) { folder_ = fs::current_path(ignored); }
  text_ = (folder_ / text_of(purpose).file).string();
  listed_text_.clear();
  ask_again();
}

void PathDialog::list_folder()
{
  if (listed_text_ == text_) { return; }
  listed_text_ = text_;
  listed_.clear();
  auto const endings = text_of(purpose_).endings;
  std::error_code failure;
  fs::directory_iterator entries(folder_of(text_), fs::directory_options::skip_permission_denied, failure);
  for (; !failure && entries != fs::directory_iterator() && listed_.size() < most_listed; entries.increment(failure)) {
    fs::path const& path = entries->path();
    std::error_code ignored;
    bool const hidden = path.filename().string().starts_with('.');
    bool const fits = std::ranges::find(endings, path.extension().string()) != endings.end();
    if (!hidden && (fits || entries->is_directory(ignored))) { listed_.push_back(path); }
  }
  std::ranges::sort(listed_, {}, [](fs::path const& path) {
    std::error_code ignored;
    return std::pair(!fs::is_directory(path, ignored), path.filename().string());
  });
}

/// Gives true where a file was chosen by a double click.
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
      chosen = !is_folder && reads(purpose_) && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    }
  }
  ImGui::EndChild();
  return chosen;
}

void PathDialog::remark_on_path(Look const& look) const
{
  std::error_code ignored;
  bool const there = fs::is_regular_file(text_, ignored);
  if (reads(purpose_)) {
    remark(look, "Or drop a file on the window.");
  } else {
    remark(look, there ? "This file exists and will be replaced." : " ");
  }
}

std::optional<PathDialog::Choice> PathDialog::draw(Look const& look)
{
  PurposeText const texts = text_of(purpose_);
  std::string const title = std::string(texts.title) + popup;
  if (opening_) { ImGui::OpenPopup(title.c_str()); }
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  if (!ImGui::BeginPopupModal(title.c_str(), nullptr, ImGuiWindowFlags_AlwaysAutoResize)) { return std::nullopt; }
  if (opening_) { ImGui::SetKeyboardFocusHere(); }
  opening_ = false;
  ImGui::SetNextItemWidth(look(520.0f));
  ImGui::PushID(openings_);  // a field of its own each time: the last one's caret and text are not this one's
  auto const flags = ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll;
  bool chosen = ImGui::InputText("##path", &text_, flags);
  ImGui::PopID();
  chosen = draw_list(look) || chosen;
  remark_on_path(look);
  ImVec2 const size{look(110.0f), 0.0f};
  align_right(size.x * 2.0f + ImGui::GetStyle().ItemSpacing.x);
  bool const cancelled = ImGui::Button("Cancel", size) || ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_Escape));
  ImGui::SameLine();
  std::error_code ignored;
  bool const replaces = !reads(purpose_) && fs::is_regular_file(text_, ignored);
  chosen = primary_button(replaces ? "Replace" : texts.button, size) || chosen;
  bool const is_folder = purpose_ != PathPurpose::statistics_csv && fs::is_directory(text_, ignored);
  chosen = chosen && !text_.empty() && !is_folder;
  if (chosen || cancelled) { ImGui::CloseCurrentPopup(); }
  ImGui::EndPopup();
  if (chosen) { folder_ = folder_of(text_); }
  return chosen ? std::optional(Choice{purpose_, text_}) : std::nullopt;
}

}  // namespace slotscape
