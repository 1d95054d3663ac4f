#include "app/lessons/word_list.hpp"

#include "app/base/alike.hpp"
#include "app/base/encoding.hpp"
#include "app/base/files.hpp"
#include "app/lessons/rich_text.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace slotscape::lessons {
namespace {

constexpr std::string_view item = "- **";

bool begins_with(Explanation const& words, std::string_view text)
{
  return look_of(words).find(text) == item.size() - 2;
}

}  // namespace

std::vector<Explanation> read_word_list(std::filesystem::path const& file)
{
  std::vector<Explanation> words;
  std::istringstream lines(read_text_file(file));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(item)) { words.push_back(line.substr(2)); }
  }
  if (words.empty()) { throw Error(fmt::format("{} has no line that begins with \"{}\"", path_text(file), item)); }
  return words;
}

std::vector<Explanation> words_with(std::vector<Explanation> const& all, std::string_view text)
{
  std::string const wanted = look_of(text);
  std::vector<Explanation> found;
  std::ranges::copy_if(all, std::back_inserter(found),
                       [&](Explanation const& each) { return look_of(each).find(wanted) != std::string::npos; });
  std::stable_partition(found.begin(), found.end(), [&](Explanation const& each) { return begins_with(each, wanted); });
  return found;
}

void WordList::show(std::vector<Explanation> words)
{
  words_ = std::move(words);
  wanted_.clear();
}

void WordList::draw(Look const& look)
{
  if (!open()) { return; }
  ImVec2 const screen = ImGui::GetMainViewport()->Size;
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(look(640.0f), screen.x - look(20.0f)), screen.y * 0.8f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::with_alpha(theme::raised, 0.98f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(22.0f), look(14.0f)});
  ImGui::Begin("##words", nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings);
  bool const appears = ImGui::IsWindowAppearing();
  if (appears) { ImGui::SetKeyboardFocusHere(); }
  ImGui::SetNextItemWidth(-1.0f);
  ImGui::InputTextWithHint("##wanted", tr("Search for a word"), &wanted_);
  ImGui::BeginChild("list");
  std::vector<Explanation> const found = words_with(words_, wanted_);
  for (Explanation const& each : found) {
    rich_text(look, look.body, each);
    ImGui::Dummy({0.0f, look(4.0f)});
  }
  if (found.empty()) { ImGui::TextDisabled("%s", tr("No word or explanation matches.")); }
  ImGui::EndChild();
  bool const outside =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) && !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows);
  if (outside && !appears) { close(); }
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
}

}  // namespace slotscape::lessons
