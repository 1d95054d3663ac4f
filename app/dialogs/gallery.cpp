#include "app/dialogs/gallery.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

constexpr float largest_width = 1140.0f;
constexpr float margin = 12.0f;
constexpr float left_share = 0.62f;
constexpr float gap = 8.0f;
constexpr float heading_height = 38.0f;
constexpr float padding = 11.0f;

/// A part of a card in which text is drawn.
void write(Look const& look, float size, ImVec2 at, ImVec2 high, ImU32 color, std::string const& text)
{
  ImVec4 const clip{at.x, at.y, high.x, high.y};
  ImGui::GetWindowDrawList()->AddText(look.font, size, at, color, text.data(), text.data() + text.size(), high.x - at.x,
                                      &clip);
}

float width_of(Look const& look, std::string const& text)
{
  return look.font->CalcTextSizeA(look.small, FLT_MAX, 0.0f, text.c_str()).x;
}

/// Returns whether what it is about is cut.
bool draw_card(Look const& look, GalleryCard const& card, ImVec2 low, ImVec2 high)
{
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float const pad = look(padding);
  float const middle = (low.y + high.y) / 2.0f;
  float const title_top = card.about.empty() ? middle - look.body / 2.0f : low.y + look(7.0f);
  float const note = card.note.empty() ? 0.0f : width_of(look, card.note) + pad;
  write(look, look.body, {low.x + pad, title_top}, {high.x - pad - note, title_top + look.body * 1.25f}, theme::text,
        translated(card.title));
  float const small_top = title_top + (look.body - look.small) / 2.0f;
  list.AddText(look.font, look.small, {high.x - note, small_top}, theme::text_dim, card.note.c_str());
  std::string const about = translated(card.about);
  ImVec2 const about_low{low.x + pad, title_top + look.body * 1.35f};
  ImVec2 const about_high{high.x - pad, high.y - look(3.0f)};
  write(look, look.small, about_low, about_high, theme::text_dim, about);
  float const needed = look.font->CalcTextSizeA(look.small, FLT_MAX, about_high.x - about_low.x, about.c_str()).y;
  bool const is_cut = needed > about_high.y - about_low.y;
  if (card.done <= 0.0f) { return is_cut; }
  float const end = low.x + (high.x - low.x) * std::min(card.done, 1.0f);
  list.AddRectFilled({low.x, high.y - look(3.0f)}, {end, high.y}, theme::accent, look(2.0f));
  return is_cut;
}

float height_of(Look const& look, GalleryShelf const& shelf, int columns)
{
  std::size_t const rows =
      (shelf.cards.size() + static_cast<std::size_t>(columns) - 1) / static_cast<std::size_t>(columns);
  return look(heading_height) + static_cast<float>(rows) * look(shelf.card_height + gap);
}

/// Returns whether the card was chosen.
bool card_button(Look const& look, GalleryCard const& card, ImVec2 size)
{
  ImVec2 const low = ImGui::GetCursorScreenPos();
  ImVec2 const high{low.x + size.x, low.y + size.y};
  bool const pressed = ImGui::InvisibleButton("card", size, ImGuiButtonFlags_EnableNav);
  bool const lit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  // Dear ImGui takes no Enter before an arrow has shown what is chosen; here the card shows it from the start.
  bool const chosen = pressed || (ImGui::IsItemFocused() && ImGui::IsKeyPressed(ImGuiKey_Enter, false));
  ImGui::GetWindowDrawList()->AddRectFilled(low, high, lit ? theme::frame_hovered : theme::frame, look(6.0f));
  bool const is_cut = draw_card(look, card, low, high);
  if (is_cut) { hint(look, card.about); }
  return chosen;
}

/// `begins`: keys choose from the first card on.
std::function<void()> draw_shelf(Look const& look, GalleryShelf const& shelf, int columns, bool begins)
{
  std::function<void()> chosen;
  heading(look, shelf.title.c_str());
  float const room = ImGui::GetContentRegionAvail().x;
  ImVec2 const size{(room - look(gap) * static_cast<float>(columns - 1)) / static_cast<float>(columns),
                    look(shelf.card_height)};
  ImGui::PushID(shelf.title.c_str());
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look(gap), look(gap)});
  for (std::size_t i = 0; i < shelf.cards.size(); ++i) {
    if (i % static_cast<std::size_t>(columns) != 0) { ImGui::SameLine(); }
    ImGui::PushID(static_cast<int>(i));
    if (card_button(look, shelf.cards[i], size)) { chosen = shelf.cards[i].open; }
    if (begins && i == 0) { ImGui::SetItemDefaultFocus(); }
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return chosen;
}

}  // namespace

void Gallery::show(GalleryShelf left, std::vector<GalleryShelf> right)
{
  left_ = std::move(left);
  right_ = std::move(right);
  open_ = true;
}

std::function<void()> Gallery::draw(Look const& look, bool& at_start)
{
  if (!open_) { return {}; }
  ImVec2 const screen = ImGui::GetMainViewport()->WorkSize;
  float right = 0.0f;
  for (GalleryShelf const& each : right_) { right += height_of(look, each, 1); }
  float const wanted = std::max(height_of(look, left_, 2), right) + 2.0f * ImGui::GetFrameHeightWithSpacing();
  ImVec2 const size{std::min(look(largest_width), screen.x - look(2.0f * margin)),
                    std::min(wanted, screen.y - look(2.0f * margin))};
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetWorkCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(22.0f), look(14.0f)});
  ImGui::Begin("Gallery", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  float const footer = ImGui::GetFrameHeightWithSpacing();
  float const room = ImGui::GetContentRegionAvail().x;
  std::function<void()> chosen;
  auto const side = [&](char const* id, float width, auto const& shelves) {
    ImGui::BeginChild(id, {width, -footer}, ImGuiChildFlags_NavFlattened);
    shelves();
    ImGui::EndChild();
  };
  auto const shelf = [&](GalleryShelf const& each, int columns, bool begins) {
    if (auto const here = draw_shelf(look, each, columns, begins)) { chosen = here; }
  };
  side("left", room * left_share - look(gap), [&] { shelf(left_, 2, true); });
  ImGui::SameLine(0.0f, look(2.0f * gap));
  side("right", 0.0f, [&] {
    for (GalleryShelf const& each : right_) { shelf(each, 1, false); }
  });
  ImGui::Checkbox(translated_label("Show at the start").c_str(), &at_start);
  ImGui::SameLine();
  float const button = look(110.0f);
  align_right(button);
  bool const closes = primary_button("Close", {button, 0.0f});
  bool const outside =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
      !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
      !ImGui::IsWindowAppearing();
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (closes || outside || chosen) { open_ = false; }
  return chosen;
}

}  // namespace slotscape
