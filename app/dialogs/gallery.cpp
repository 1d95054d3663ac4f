#include "app/dialogs/gallery.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/touch.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <utility>

namespace slotscape {
namespace {

constexpr float largest_width = 1200.0f;
constexpr float margin = 12.0f;
constexpr float gap = 8.0f;
constexpr float title_height = 30.0f;
constexpr float heading_height = 38.0f;
constexpr float padding = 11.0f;
constexpr float side_by_side_width = 1000.0f;  ///< narrower windows show the parts in tabs
constexpr float two_columns_width = 520.0f;    ///< width of a tab; narrower ones have one column

void write(Look const& look, float size, ImVec2 at, float width, ImU32 color, std::string const& text)
{
  ImGui::GetWindowDrawList()->AddText(look.font, size, at, color, text.data(), text.data() + text.size(), width);
}

ImVec2 size_of(Look const& look, float size, std::string const& text, float width = 0.0f)
{
  return look.font->CalcTextSizeA(size, FLT_MAX, width, text.c_str());
}

std::string const& note_of(GalleryCard const& card)
{
  return card.keys.empty() || by_touch() ? card.note : card.keys;
}

float width_of_note(Look const& look, GalleryCard const& card)
{
  std::string const& note = note_of(card);
  return note.empty() ? 0.0f : size_of(look, look.small, note).x + look(padding);
}

/// Where the texts of a card of a given width are, from its upper left corner.
struct CardText {
  float title_width;
  float about_width;
  float about_top;
  float height;
};
CardText text_of(Look const& look, GalleryCard const& card, float width)
{
  float const room = width - 2.0f * look(padding);
  float const title_width = room - width_of_note(look, card);
  float const title_end = look(7.0f) + size_of(look, look.body, translated(card.title), title_width).y;
  if (card.about.empty()) { return {title_width, room, title_end, title_end + look(7.0f)}; }
  float const about_top = title_end + 0.35f * look.body;
  return {title_width, room, about_top,
          about_top + size_of(look, look.small, translated(card.about), room).y + look(7.0f)};
}

void draw_card(Look const& look, GalleryCard const& card, ImVec2 low, ImVec2 high)
{
  ImDrawList& list = *ImGui::GetWindowDrawList();
  CardText const text = text_of(look, card, high.x - low.x);
  float const left = low.x + look(padding);
  float const top = low.y + look(7.0f);
  write(look, look.body, {left, top}, text.title_width, theme::text, translated(card.title));
  ImVec2 const note{high.x - width_of_note(look, card), top + (look.body - look.small) / 2.0f};
  list.AddText(look.font, look.small, note, theme::text_dim, note_of(card).c_str());
  write(look, look.small, {left, low.y + text.about_top}, text.about_width, theme::text_dim, translated(card.about));
  if (card.done <= 0.0f) { return; }
  float const end = low.x + (high.x - low.x) * std::min(card.done, 1.0f);
  list.AddRectFilled({low.x, high.y - look(3.0f)}, {end, high.y}, theme::accent, look(2.0f));
}

/// Columns of cards that share a width.
struct Columns {
  std::size_t count;
  float room;
};

/// The size of the cards in the row that begins with this card: they are as high as the longest text needs.
ImVec2 card_size(Look const& look, GalleryShelf const& shelf, Columns const& columns, std::size_t first)
{
  auto const count = static_cast<float>(columns.count);
  ImVec2 size{(columns.room - look(gap) * (count - 1.0f)) / count, 0.0f};
  std::size_t const end = std::min(first + columns.count, shelf.cards.size());
  for (std::size_t i = first; i < end; ++i) { size.y = std::max(size.y, text_of(look, shelf.cards[i], size.x).height); }
  return size;
}

float height_of(Look const& look, GalleryPart const& part, Columns const& columns)
{
  float height = look(title_height);
  for (GalleryShelf const& shelf : part.shelves) {
    if (!shelf.title.empty()) { height += look(heading_height); }
    for (std::size_t first = 0; first < shelf.cards.size(); first += columns.count) {
      height += card_size(look, shelf, columns, first).y + look(gap);
    }
  }
  return height;
}

/// Returns whether the card was chosen.
bool card_button(Look const& look, GalleryCard const& card, ImVec2 size)
{
  ImVec2 const low = ImGui::GetCursorScreenPos();
  ImVec2 const high{low.x + size.x, low.y + size.y};
  bool const pressed = ImGui::InvisibleButton("card", size, ImGuiButtonFlags_EnableNav);
  bool const lit = ImGui::IsItemHovered() || ImGui::IsItemFocused();
  // Dear ImGui ignores Enter until an arrow key has shown the selection; the card shows it from the start.
  bool const chosen = pressed || (ImGui::IsItemFocused() && ImGui::IsKeyPressed(ImGuiKey_Enter, false));
  ImGui::GetWindowDrawList()->AddRectFilled(low, high, lit ? theme::frame_hovered : theme::frame, look(6.0f));
  draw_card(look, card, low, high);
  return chosen;
}

/// `begins`: keyboard navigation starts at the first card.
std::function<void()> draw_shelf(Look const& look, GalleryShelf const& shelf, Columns const& columns, bool begins)
{
  std::function<void()> chosen;
  if (!shelf.title.empty()) { heading(look, shelf.title.c_str()); }
  ImGui::PushID(shelf.title.c_str());
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look(gap), look(gap)});
  ImVec2 size;
  for (std::size_t i = 0; i < shelf.cards.size(); ++i) {
    bool const begins_row = i % columns.count == 0;
    if (begins_row) { size = card_size(look, shelf, columns, i); }
    if (!begins_row) { ImGui::SameLine(); }
    ImGui::PushID(static_cast<int>(i));
    if (card_button(look, shelf.cards[i], size)) { chosen = shelf.cards[i].open; }
    if (begins && i == 0) { ImGui::SetItemDefaultFocus(); }
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return chosen;
}

/// Draws the shelves of a part, which scroll together. Returns the chosen action.
std::function<void()> draw_shelves(Look const& look, GalleryPart const& part, ImVec2 size, std::size_t columns,
                                   bool begins)
{
  std::function<void()> chosen;
  ImGui::BeginChild(part.title.c_str(), size, ImGuiChildFlags_NavFlattened);
  float const room = ImGui::GetContentRegionAvail().x;
  for (GalleryShelf const& shelf : part.shelves) {
    if (auto const here = draw_shelf(look, shelf, {columns, room}, std::exchange(begins, false))) { chosen = here; }
  }
  ImGui::EndChild();
  return chosen;
}

/// The columns of each part. Side by side, all columns have the same width, but for the gaps.
std::vector<Columns> columns_of(Look const& look, std::vector<GalleryPart> const& parts, float room, bool is_wide)
{
  std::size_t const in_tab = room >= look(two_columns_width) ? 2 : 1;
  std::vector<Columns> columns(parts.size(), {in_tab, room});
  if (!is_wide) { return columns; }
  std::size_t all = 0;
  for (GalleryPart const& part : parts) { all += part.columns; }
  float const gaps = 2.0f * look(gap) * static_cast<float>(parts.size() - 1);
  for (std::size_t i = 0; i < parts.size(); ++i) {
    std::size_t const count = parts[i].columns;
    columns[i] = {count, (room - gaps) * static_cast<float>(count) / static_cast<float>(all)};
  }
  return columns;
}

/// bottom: the room left below, as a negative height.
std::function<void()> draw_side_by_side(Look const& look, std::vector<GalleryPart> const& parts,
                                        std::vector<Columns> const& columns, float bottom)
{
  std::function<void()> chosen;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) { ImGui::SameLine(0.0f, look(2.0f * gap)); }
    ImGui::BeginGroup();
    ImGui::PushFont(look.font, look.large);
    ImGui::TextUnformatted(translated(parts[i].title).c_str());
    ImGui::PopFont();
    ImVec2 const size{columns[i].room, bottom};
    if (auto const here = draw_shelves(look, parts[i], size, columns[i].count, i == 0)) { chosen = here; }
    ImGui::EndGroup();
  }
  return chosen;
}

std::function<void()> draw_tabs(Look const& look, std::vector<GalleryPart> const& parts,
                                std::vector<Columns> const& columns, float bottom)
{
  std::function<void()> chosen;
  if (!ImGui::BeginTabBar("parts")) { return chosen; }
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!ImGui::BeginTabItem(translated_label(parts[i].title).c_str())) { continue; }
    if (auto const here = draw_shelves(look, parts[i], {0.0f, bottom}, columns[i].count, i == 0)) { chosen = here; }
    ImGui::EndTabItem();
  }
  ImGui::EndTabBar();
  return chosen;
}

/// Returns whether the user closes the gallery.
bool draw_footer(Look const& look, bool& at_start)
{
  ImGui::Checkbox(translated_label("Show at startup").c_str(), &at_start);
  ImGui::SameLine();
  float const button = look(110.0f);
  align_right(button);
  bool const closes = primary_button("Close", {button, 0.0f});
  bool const outside =
      ImGui::IsMouseClicked(ImGuiMouseButton_Left) &&
      !ImGui::IsWindowHovered(ImGuiHoveredFlags_ChildWindows | ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
      !ImGui::IsWindowAppearing();
  return closes || outside;
}

}  // namespace

void Gallery::show(std::vector<GalleryPart> parts)
{
  parts_ = std::move(parts);
  open_ = true;
}

std::function<void()> Gallery::draw(Look const& look, bool& at_start)
{
  if (!open_) { return {}; }
  ImVec2 const screen = ImGui::GetMainViewport()->WorkSize;
  bool const is_wide = screen.x >= look(side_by_side_width);
  ImVec2 const pad = is_wide ? ImVec2{look(22.0f), look(14.0f)} : ImVec2{look(14.0f), look(10.0f)};
  float const width = std::min(look(largest_width), screen.x - look(2.0f * margin));
  std::vector<Columns> const columns = columns_of(look, parts_, width - 2.0f * pad.x, is_wide);
  float cards = 0.0f;
  for (std::size_t i = 0; i < parts_.size(); ++i) { cards = std::max(cards, height_of(look, parts_[i], columns[i])); }
  float const height = std::min(cards + 2.0f * ImGui::GetFrameHeightWithSpacing(), screen.y - look(2.0f * margin));
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetWorkCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, pad);
  ImGui::Begin("Gallery", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  float const bottom = -ImGui::GetFrameHeightWithSpacing();
  auto chosen = is_wide ? draw_side_by_side(look, parts_, columns, bottom) : draw_tabs(look, parts_, columns, bottom);
  bool const closes = draw_footer(look, at_start);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (closes || chosen) { open_ = false; }
  return chosen;
}

}  // namespace slotscape
