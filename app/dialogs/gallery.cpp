#include "app/dialogs/gallery.hpp"

#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/touch.hpp"
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
constexpr float two_sides_width = 820.0f;    ///< narrower windows show all shelves in one list
constexpr float two_columns_width = 520.0f;  ///< width of a list; narrower lists have one column

/// Draws text into part of a card, clipped to it.
void write(Look const& look, float size, ImVec2 at, ImVec2 high, ImU32 color, std::string const& text)
{
  ImVec4 const clip{at.x, at.y, high.x, high.y};
  ImGui::GetWindowDrawList()->AddText(look.font, size, at, color, text.data(), text.data() + text.size(), high.x - at.x,
                                      &clip);
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

/// The heights of a card's full texts at a given width.
struct CardText {
  float title;
  float about;
};
CardText text_of(Look const& look, GalleryCard const& card, float width)
{
  float const room = width - 2.0f * look(padding);
  return {size_of(look, look.body, translated(card.title), room - width_of_note(look, card)).y,
          card.about.empty() ? 0.0f : size_of(look, look.small, translated(card.about), room).y};
}

float height_of(Look const& look, GalleryCard const& card, float width)
{
  CardText const text = text_of(look, card, width);
  return text.title + look(14.0f) + (card.about.empty() ? 0.0f : text.about + 0.35f * look.body);
}

/// Returns whether the description is cut off.
bool draw_card(Look const& look, GalleryCard const& card, ImVec2 low, ImVec2 high)
{
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float const pad = look(padding);
  float const note = width_of_note(look, card);
  CardText const text = text_of(look, card, high.x - low.x);
  bool const fits = height_of(look, card, high.x - low.x) <= high.y - low.y + 1.0f;
  float const title = fits ? text.title : look.body;  // otherwise on one line
  float const title_top = card.about.empty() ? (low.y + high.y - title) / 2.0f : low.y + look(7.0f);
  write(look, look.body, {low.x + pad, title_top}, {high.x - pad - note, title_top + title + 0.25f * look.body},
        theme::text, translated(card.title));
  float const small_top = title_top + (look.body - look.small) / 2.0f;
  list.AddText(look.font, look.small, {high.x - note, small_top}, theme::text_dim, note_of(card).c_str());
  ImVec2 const about_low{low.x + pad, title_top + title + 0.35f * look.body};
  ImVec2 const about_high{high.x - pad, high.y - look(3.0f)};
  write(look, look.small, about_low, about_high, theme::text_dim, translated(card.about));
  bool const is_cut = text.about > about_high.y - about_low.y;
  if (card.done <= 0.0f) { return is_cut; }
  float const end = low.x + (high.x - low.x) * std::min(card.done, 1.0f);
  list.AddRectFilled({low.x, high.y - look(3.0f)}, {end, high.y}, theme::accent, look(2.0f));
  return is_cut;
}

/// The layout of a shelf's cards.
struct Columns {
  int count;
  float room;        ///< for all columns
  bool whole_texts;  ///< cards grow to fit their texts
};

ImVec2 card_size(Look const& look, GalleryShelf const& shelf, Columns const& columns)
{
  auto const count = static_cast<float>(columns.count);
  ImVec2 size{(columns.room - look(gap) * (count - 1.0f)) / count, look(shelf.card_height)};
  for (GalleryCard const& card : shelf.cards) {
    if (columns.whole_texts) { size.y = std::max(size.y, height_of(look, card, size.x)); }
  }
  return size;
}

float height_of(Look const& look, std::vector<GalleryShelf> const& shelves, Columns const& columns)
{
  float height = 0.0f;
  auto const count = static_cast<std::size_t>(columns.count);
  for (GalleryShelf const& shelf : shelves) {
    auto const rows = static_cast<float>((shelf.cards.size() + count - 1) / count);
    height += look(heading_height) + rows * (card_size(look, shelf, columns).y + look(gap));
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
  bool const is_cut = draw_card(look, card, low, high);
  if (is_cut) { hint(look, card.about); }
  return chosen;
}

/// `begins`: keyboard navigation starts at the first card.
std::function<void()> draw_shelf(Look const& look, GalleryShelf const& shelf, Columns const& columns, bool begins)
{
  std::function<void()> chosen;
  heading(look, shelf.title.c_str());
  ImVec2 const size = card_size(look, shelf, columns);
  ImGui::PushID(shelf.title.c_str());
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {look(gap), look(gap)});
  for (std::size_t i = 0; i < shelf.cards.size(); ++i) {
    if (i % static_cast<std::size_t>(columns.count) != 0) { ImGui::SameLine(); }
    ImGui::PushID(static_cast<int>(i));
    if (card_button(look, shelf.cards[i], size)) { chosen = shelf.cards[i].open; }
    if (begins && i == 0) { ImGui::SetItemDefaultFocus(); }
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return chosen;
}

/// Draws stacked shelves that scroll together. Returns the chosen action.
std::function<void()> draw_shelves(Look const& look, char const* id, ImVec2 size, Columns columns, bool begins,
                                   std::vector<GalleryShelf> const& shelves)
{
  std::function<void()> chosen;
  ImGui::BeginChild(id, size, ImGuiChildFlags_NavFlattened);
  columns.room = ImGui::GetContentRegionAvail().x;
  for (GalleryShelf const& shelf : shelves) {
    if (auto const here = draw_shelf(look, shelf, columns, std::exchange(begins, false))) { chosen = here; }
  }
  ImGui::EndChild();
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

void Gallery::show(std::vector<GalleryShelf> left, std::vector<GalleryShelf> right)
{
  left_ = std::move(left);
  right_ = std::move(right);
  open_ = true;
}

std::function<void()> Gallery::draw(Look const& look, bool& at_start)
{
  if (!open_) { return {}; }
  ImVec2 const screen = ImGui::GetMainViewport()->WorkSize;
  bool const has_two_sides = screen.x >= look(two_sides_width);
  ImVec2 const pad = has_two_sides ? ImVec2{look(22.0f), look(14.0f)} : ImVec2{look(14.0f), look(10.0f)};
  float const width = std::min(look(largest_width), screen.x - look(2.0f * margin));
  float const room = width - 2.0f * pad.x - ImGui::GetStyle().ScrollbarSize;
  Columns const list{room >= look(two_columns_width) ? 2 : 1, room, true};
  float const cards = has_two_sides ? std::max(height_of(look, left_, {2, room * left_share, false}),
                                               height_of(look, right_, {1, room * (1.0f - left_share), false}))
                                    : height_of(look, left_, list) + height_of(look, right_, list);
  float const height = std::min(cards + 2.0f * ImGui::GetFrameHeightWithSpacing(), screen.y - look(2.0f * margin));
  ImGui::SetNextWindowPos(ImGui::GetMainViewport()->GetWorkCenter(), ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, pad);
  ImGui::Begin("Gallery", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  float const footer = -ImGui::GetFrameHeightWithSpacing();
  std::function<void()> chosen;
  if (has_two_sides) {
    float const left = ImGui::GetContentRegionAvail().x * left_share - look(gap);
    chosen = draw_shelves(look, "left", {left, footer}, {2, 0.0f, false}, true, left_);
    ImGui::SameLine(0.0f, look(2.0f * gap));
    if (auto const here = draw_shelves(look, "right", {0.0f, footer}, {1, 0.0f, false}, false, right_)) {
      chosen = here;
    }
  } else {
    std::vector<GalleryShelf> all = left_;
    all.insert(all.end(), right_.begin(), right_.end());
    chosen = draw_shelves(look, "list", {0.0f, footer}, list, true, all);
  }
  bool const closes = draw_footer(look, at_start);
  ImGui::End();
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  if (closes || chosen) { open_ = false; }
  return chosen;
}

}  // namespace slotscape
