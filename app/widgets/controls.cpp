#include "app/widgets/controls.hpp"

#include "app/widgets/chart.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace slotscape {
namespace {

constexpr float label_width = 92.0f;
constexpr float widest_label = 172.0f;  ///< a long label first takes room from its control, then shrinks
constexpr float label_gap = 12.0f;
constexpr float card_width = 292.0f;
constexpr float card_margin = 12.0f;  ///< distance from the edges of the canvas

/// The upper left corner of a card.
ImVec2 corner_of(Look const& look, CardPlace const& card, Rectangle const& canvas)
{
  float const margin = look(card_margin);
  auto const at = [&](int low, int length, float size, bool far) {
    return far ? static_cast<float>(low + length) - margin - size : static_cast<float>(low) + margin;
  };
  return {at(canvas.x, canvas.width, card.size.x, card.right), at(canvas.y, canvas.height, card.size.y, card.bottom)};
}

void begin_card_at(char const* id, ImVec2 corner, float width, ImU32 background)
{
  ImGui::SetNextWindowPos(corner);
  ImGui::SetNextWindowSize({width, 0.0f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, background);
  bool const has_edge = theme::current() == Background::light;  // white on white needs an edge
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, has_edge ? 1.0f : 0.0f);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::PopStyleVar();
}

/// A button in the upper right corner of the current window, which has this width.
bool close_button(Look const& look, float width)
{
  float const top = ImGui::GetCursorPosY();
  ImGui::SetCursorPos({width - look(close_button_room), look(8.0f)});
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32(0, 0, 0, 0));
  bool const pressed = icon_button(look, "close", Icon::close, {look(24.0f), look(24.0f)});
  ImGui::PopStyleColor();
  ImGui::SetCursorPosY(top);
  return pressed;
}

void draw_icon(ImDrawList& list, Icon icon, ImVec2 center, float size, ImU32 color)
{
  float const half = std::floor(size / 2.0f);
  float const bar = std::max(2.0f, std::floor(size * 0.3f));
  auto const at = [&](float x, float y) { return ImVec2{center.x + x, center.y + y}; };
  switch (icon) {
    case Icon::play: list.AddTriangleFilled(at(-half * 0.7f, -half), at(half, 0), at(-half * 0.7f, half), color); break;
    case Icon::pause:
      list.AddRectFilled(at(-half, -half), at(-half + bar, half), color, 1.0f);
      list.AddRectFilled(at(half - bar, -half), at(half, half), color, 1.0f);
      break;
    case Icon::step:
      list.AddTriangleFilled(at(-half, -half), at(half - bar, 0), at(-half, half), color);
      list.AddRectFilled(at(half - bar, -half), at(half, half), color, 1.0f);
      break;
    case Icon::back:
      list.AddTriangleFilled(at(half, half), at(-half + bar, 0), at(half, -half), color);
      list.AddRectFilled(at(-half, -half), at(-half + bar, half), color, 1.0f);
      break;
    case Icon::first:
      list.AddTriangleFilled(at(0, half), at(-half * 1.4f, 0), at(0, -half), color);
      list.AddTriangleFilled(at(half * 1.4f, half), at(0, 0), at(half * 1.4f, -half), color);
      break;
    case Icon::last:
      list.AddTriangleFilled(at(-half * 1.4f, -half), at(0, 0), at(-half * 1.4f, half), color);
      list.AddTriangleFilled(at(0, -half), at(half * 1.4f, 0), at(0, half), color);
      break;
    case Icon::close:
      list.AddLine(at(-half, -half), at(half, half), color, std::max(1.5f, size * 0.14f));
      list.AddLine(at(-half, half), at(half, -half), color, std::max(1.5f, size * 0.14f));
      break;
  }
}

void push_primary()
{
  ImGui::PushStyleColor(ImGuiCol_Button, theme::accent);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, theme::accent_hovered);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, theme::accent_active);
  ImGui::PushStyleColor(ImGuiCol_Text, theme::panel);
}

ImU32 faded(ImU32 packed)
{
  return ImGui::GetColorU32(theme::rgba(packed));
}

ImVec2 centered(ImVec2 at, ImVec2 size, ImVec2 text)
{
  return {std::floor(at.x + (size.x - text.x) / 2.0f), std::floor(at.y + (size.y - text.y) / 2.0f)};
}

void draw_centered(ImVec2 at, ImVec2 size, std::string const& text)
{
  ImVec2 const start = centered(at, size, ImGui::CalcTextSize(text.c_str()));
  ImGui::GetWindowDrawList()->AddText(start, faded(theme::text), text.c_str());
}

/// The bar of a slider, filled to `share`. Its end is not marked where the mark would look like part of `text`.
void draw_bar(Look const& look, ImVec2 at, ImVec2 size, double share, std::string const& text)
{
  float const rounding = ImGui::GetStyle().FrameRounding;
  float const mark = look(3.0f);
  ImVec2 const corner{at.x + size.x, at.y + size.y};
  bool const hot = ImGui::IsMouseHoveringRect(at, corner) && ImGui::IsWindowHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, corner, faded(hot ? theme::frame_hovered : theme::frame), rounding);
  float const end = at.x + std::max(size.x * static_cast<float>(std::clamp(share, 0.0, 1.0)), mark);
  list.AddRectFilled(at, {end, corner.y}, faded(theme::accent_dim), rounding);
  ImVec2 const text_size = ImGui::CalcTextSize(text.c_str());
  float const text_start = centered(at, size, text_size).x;
  bool const under_text = end > text_start - mark && end - mark < text_start + text_size.x + mark;
  if (!under_text) { list.AddRectFilled({end - mark, at.y}, {end, corner.y}, faded(theme::accent), look(2.0f)); }
}

}  // namespace

void heading(Look const& look, char const* text)
{
  ImGui::Dummy({0.0f, look(6.0f)});
  ImGui::PushFont(look.font, look.small);
  ImVec2 const at = ImGui::GetCursorScreenPos();
  ImGui::PushStyleColor(ImGuiCol_Text, theme::text_dim);
  ImGui::TextUnformatted(tr(text));
  ImGui::PopStyleColor();
  float const y = std::floor(at.y + ImGui::GetItemRectSize().y / 2.0f) + 1.0f;
  float const left = at.x + ImGui::GetItemRectSize().x + look(10.0f);
  float const right = at.x + ImGui::GetContentRegionAvail().x;
  ImGui::GetWindowDrawList()->AddLine({left, y}, {right, y}, theme::line);
  ImGui::PopFont();
}

bool disclosure(Look const& look, char const* text)
{
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  ImGuiID const id = ImGui::GetID(text);
  bool open = storage.GetBool(id, false);
  ImVec2 const at = ImGui::GetCursorScreenPos();
  float const height = ImGui::GetTextLineHeight() + look(4.0f);
  if (ImGui::InvisibleButton(text, {ImGui::GetContentRegionAvail().x, height}, ImGuiButtonFlags_EnableNav)) {
    open = !open;
    storage.SetBool(id, open);
  }
  ImU32 const color = ImGui::IsItemHovered() ? theme::text : theme::text_dim;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float const half = look(4.0f);
  ImVec2 const tip{at.x + half, std::floor(at.y + height / 2.0f)};
  if (open) {
    list.AddTriangleFilled({tip.x - half, tip.y - half * 0.6f}, {tip.x + half, tip.y - half * 0.6f},
                           {tip.x, tip.y + half}, color);
  } else {
    list.AddTriangleFilled({tip.x - half * 0.6f, tip.y - half}, {tip.x + half, tip.y},
                           {tip.x - half * 0.6f, tip.y + half}, color);
  }
  float const size = look.small;
  list.AddText(look.font, size, {at.x + look(16.0f), std::floor(tip.y - size / 2.0f)}, color, tr(text));
  return open;
}

namespace {

constexpr std::array label_edges{"label left", "label top", "label right", "label bottom"};

ImGuiID label_edge(std::size_t edge)
{
  return ImHashStr(label_edges[edge]);
}

/// Notes the position of the last item, which is a row's label, for the hint of the next control.
void note_label()
{
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  ImVec2 const low = ImGui::GetItemRectMin();
  ImVec2 const high = ImGui::GetItemRectMax();
  storage.SetFloat(label_edge(0), low.x);
  storage.SetFloat(label_edge(1), low.y);
  storage.SetFloat(label_edge(2), high.x);
  storage.SetFloat(label_edge(3), high.y);
}

/// Whether the mouse is over the label before the last item. Resets the label, so that only the first hint belongs to
/// it.
bool over_label()
{
  ImGuiStorage& storage = *ImGui::GetStateStorage();
  ImVec2 const low{storage.GetFloat(label_edge(0)), storage.GetFloat(label_edge(1))};
  ImVec2 const high{storage.GetFloat(label_edge(2)), storage.GetFloat(label_edge(3))};
  bool const same_row = low.y < ImGui::GetItemRectMax().y && high.y > ImGui::GetItemRectMin().y && low.x < high.x;
  if (!same_row) { return false; }
  storage.SetFloat(label_edge(2), low.x);
  return ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(low, high);
}

/// Places the hint below or above the last item, starting at its panel's edge: not over the map beside it.
void place_hint(Look const& look, std::string const& text, float wrap)
{
  ImGuiStyle const& style = ImGui::GetStyle();
  ImVec2 const window = ImGui::GetIO().DisplaySize;
  ImVec2 const letters = ImGui::CalcTextSize(text.c_str(), nullptr, false, wrap);
  ImVec2 const size{letters.x + 2.0f * style.WindowPadding.x, letters.y + 2.0f * style.WindowPadding.y};
  float const left = std::max(std::min(ImGui::GetWindowPos().x, window.x - size.x), 0.0f);
  float const below = ImGui::GetItemRectMax().y + look(6.0f);
  float const above = ImGui::GetItemRectMin().y - look(6.0f) - size.y;
  ImGui::SetNextWindowPos({left, below + size.y <= window.y ? below : std::max(above, 0.0f)});
}

}  // namespace

void row_label(Look const& look, char const* text)
{
  char const* const said = tr(text);
  float const width = ImGui::CalcTextSize(said).x;
  float const left = ImGui::GetCursorPosX();
  float const column = std::clamp(left + width + look(label_gap), look(label_width), look(widest_label));
  float const room = column - look(label_gap) - left;
  bool const narrow = width > room;
  ImGui::AlignTextToFramePadding();
  if (narrow) { ImGui::PushFont(look.font, std::floor(look.body * room / width)); }
  ImGui::PushStyleColor(ImGuiCol_Text, theme::text_dim);
  ImGui::TextUnformatted(said);
  note_label();
  ImGui::PopStyleColor();
  if (narrow) { ImGui::PopFont(); }
  ImGui::SameLine(column);
  ImGui::SetNextItemWidth(-FLT_MIN);
}

void remark(Look const& look, std::string const& text)
{
  ImGui::PushFont(look.font, look.small);
  ImGui::PushStyleColor(ImGuiCol_Text, theme::text_dim);
  ImGui::PushTextWrapPos(0.0f);
  ImGui::TextUnformatted(unbroken(translated(text)).c_str());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

std::string unbroken(std::string text)
{
  for (auto const& [apart, together] : {std::pair(" %", "\u00a0%"), std::pair("± ", "±\u00a0")}) {
    for (std::size_t at = text.find(apart); at != std::string::npos; at = text.find(apart, at)) {
      text.replace(at, std::string_view(apart).size(), together);
    }
  }
  return text;
}

void labelled_remark(Look const& look, char const* label, std::string const& text)
{
  ImGui::PushFont(look.font, look.small);
  ImGui::PushStyleColor(ImGuiCol_Text, theme::text_faint);
  ImGui::TextUnformatted(tr(label));
  ImGui::PopStyleColor();
  ImGui::PopFont();
  ImGui::SameLine(look(70.0f));
  remark(look, text);
}

void hint(Look const& look, std::string const& text)
{
  bool const of_label = over_label();
  if (!of_label && !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) { return; }
  float const wrap = look(300.0f);
  std::string const said = translated(text);
  if ((ImGui::GetCurrentWindow()->Flags & ImGuiWindowFlags_Popup) == 0) { place_hint(look, said, wrap); }
  ImGui::BeginTooltip();
  ImGui::PushTextWrapPos(wrap);
  ImGui::TextUnformatted(said.c_str());
  ImGui::PopTextWrapPos();
  ImGui::EndTooltip();
}

bool segmented(Look const& look, char const* id, std::span<std::string_view const> labels, int& chosen, float width)
{
  ImGuiStyle const& style = ImGui::GetStyle();
  auto const count = static_cast<float>(labels.size());
  float needed = 0.0f;
  for (std::string_view const label : labels) {
    needed += ImGui::CalcTextSize(translated(label).c_str()).x + look(20.0f);
  }
  float const extra = width > 0.0f ? (width - needed) / count : 0.0f;
  float const height = ImGui::GetFrameHeight();
  ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + needed + extra * count, at.y + height}, theme::frame, style.FrameRounding);
  bool changed = false;
  ImGui::PushID(id);
  ImGui::BeginGroup();
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    std::string const label = translated(labels[static_cast<std::size_t>(i)]);
    ImVec2 const text = ImGui::CalcTextSize(label.c_str());
    float const span = text.x + look(20.0f) + extra;
    ImGui::PushID(i);
    ImGui::SetCursorScreenPos(at);
    bool const pressed = ImGui::InvisibleButton("segment", {span, height}, ImGuiButtonFlags_EnableNav);
    ImGui::PopID();
    bool const selected = i == chosen;
    if (selected || ImGui::IsItemHovered()) {
      list.AddRectFilled({at.x + 2.0f, at.y + 2.0f}, {at.x + span - 2.0f, at.y + height - 2.0f},
                         ImGui::GetColorU32(selected ? theme::rgba(theme::accent_dim)
                                                     : theme::rgba(theme::frame_hovered)),
                         style.FrameRounding - 1.0f);
    }
    ImU32 const color = ImGui::GetColorU32(theme::rgba(selected ? theme::text : theme::text_dim));
    list.AddText({std::floor(at.x + (span - text.x) / 2.0f), std::floor(at.y + (height - text.y) / 2.0f)}, color,
                 label.c_str());
    if (pressed && !selected) {
      ImGui::MarkItemEdited(ImGui::GetItemID());
      chosen = i;
      changed = true;
    }
    at.x += span;
  }
  ImGui::EndGroup();
  ImGui::PopID();
  return changed;
}

bool pick(Look const& look, char const* id, std::span<std::string const> labels, int& chosen)
{
  float const room = ImGui::GetContentRegionAvail().x;
  float needed = 0.0f;
  for (std::string const& label : labels) { needed += ImGui::CalcTextSize(translated(label).c_str()).x + look(14.0f); }
  if (needed <= room) {
    std::vector<std::string_view> const views(labels.begin(), labels.end());
    return segmented(look, id, views, chosen, room);
  }
  bool changed = false;
  std::string const shown = translated(labels[static_cast<std::size_t>(chosen)]);
  if (!ImGui::BeginCombo(fmt::format("##{}", id).c_str(), shown.c_str())) { return false; }
  for (int i = 0; i < static_cast<int>(labels.size()); ++i) {
    std::string const label = translated_label(labels[static_cast<std::size_t>(i)]);
    if (!ImGui::Selectable(label.c_str(), i == chosen)) { continue; }
    changed = i != chosen;
    chosen = i;
  }
  ImGui::EndCombo();
  return changed;
}

bool slider(Look const& look, char const* id, double& value, double low, double high, std::string const& text, bool log,
            std::optional<TypedLimits> const& typed)
{
  ImVec2 const at = ImGui::GetCursorScreenPos();
  ImVec2 const size{ImGui::CalcItemWidth(), ImGui::GetFrameHeight()};
  ImGuiID const item = ImGui::GetID(id);
  bool const typing = ImGui::TempInputIsActive(item);
  draw_bar(look, at, size, typing ? 0.0 : Axis{low, high, log}.share(value), text);
  for (ImGuiCol const hidden : {ImGuiCol_FrameBg, ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive, ImGuiCol_SliderGrab,
                                ImGuiCol_SliderGrabActive}) {
    ImGui::PushStyleColor(hidden, IM_COL32(0, 0, 0, 0));
  }
  ImGui::PushStyleColor(ImGuiCol_Text, typing ? theme::text : IM_COL32(0, 0, 0, 0));
  ImGuiSliderFlags const flags = (log ? ImGuiSliderFlags_Logarithmic : 0) | ImGuiSliderFlags_NoRoundToFormat;
  char const* const digits = value == std::trunc(value) ? "%.17g" : "%.7g";
  double edited = value;
  bool const changed = ImGui::SliderScalar(id, ImGuiDataType_Double, &edited, &low, &high, digits, flags);
  ImGui::PopStyleColor(6);
  if (!typing) { draw_centered(at, size, text); }
  // A typed number takes effect only when it is complete; the Tab key leaves the field one frame later.
  bool const unfinished = ImGui::TempInputIsActive(item) && !ImGui::IsKeyPressed(ImGuiKey_Tab);
  if (!changed || unfinished) { return false; }
  TypedLimits const limits = typed.value_or(TypedLimits{low, high});
  value = std::clamp(edited, limits.low, limits.high);
  return true;
}

bool typing_into_slider()
{
  return ImGui::TempInputIsActive(ImGui::GetItemID());
}

void mark_on_slider(Look const& look, double value, double low, double high, ImU32 color)
{
  ImVec2 const corner = ImGui::GetItemRectMin();
  ImVec2 const end = ImGui::GetItemRectMax();
  auto const share = static_cast<float>(Axis{low, high, false}.share(value));
  float const x = std::floor(corner.x + (end.x - corner.x) * share);
  float const half = look(3.5f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddLine({x, corner.y}, {x, end.y}, theme::with_alpha(color, 0.7f));
  list.AddTriangleFilled({x - half, corner.y}, {x + half, corner.y}, {x, corner.y + 1.5f * half}, color);
}

bool primary_button(char const* label, ImVec2 size)
{
  push_primary();
  bool const pressed = ImGui::Button(translated_label(label).c_str(), size);
  ImGui::PopStyleColor(4);
  return pressed;
}

bool icon_button(Look const& look, char const* id, Icon icon, ImVec2 size, bool primary)
{
  if (primary) { push_primary(); }
  ImGui::PushID(id);
  bool const pressed = ImGui::Button("##icon", size);
  ImGui::PopID();
  ImVec2 const low = ImGui::GetItemRectMin();
  ImVec2 const high = ImGui::GetItemRectMax();
  draw_icon(*ImGui::GetWindowDrawList(), icon, {(low.x + high.x) / 2.0f, (low.y + high.y) / 2.0f}, look(11.0f),
            ImGui::GetColorU32(ImGuiCol_Text));
  if (primary) { ImGui::PopStyleColor(4); }
  return pressed;
}

CardPlace beside(Look const& look, CardPlace card, Rectangle const& canvas, ImVec2 middle, float radius)
{
  auto const covers = [&](bool right, bool bottom) {
    ImVec2 const low = corner_of(look, {right, bottom, card.size}, canvas);
    ImVec2 const nearest{std::clamp(middle.x, low.x, low.x + card.size.x),
                         std::clamp(middle.y, low.y, low.y + card.size.y)};
    return std::hypot(nearest.x - middle.x, nearest.y - middle.y) < radius;
  };
  for (auto const& [right, bottom] : {std::pair{card.right, card.bottom},
                                      {!card.right, card.bottom},
                                      {card.right, !card.bottom},
                                      {!card.right, !card.bottom}}) {
    if (!covers(right, bottom)) { return {right, bottom, card.size}; }
  }
  return card;
}

std::size_t covered_by(Look const& look, CardPlace const& card, Rectangle const& canvas,
                       std::span<Rectangle const> places)
{
  ImVec2 const low = corner_of(look, card, canvas);
  ImRect const area{low, {low.x + card.size.x, low.y + card.size.y}};
  return static_cast<std::size_t>(std::ranges::count_if(places, [&](Rectangle const& place) {
    ImVec2 const corner{static_cast<float>(place.x), static_cast<float>(place.y)};
    return area.Overlaps(
        {corner, {corner.x + static_cast<float>(place.width), corner.y + static_cast<float>(place.height)}});
  }));
}

CardPlace clear_of(Look const& look, CardPlace card, Rectangle const& canvas, std::span<Rectangle const> places,
                   std::span<Rectangle const> also)
{
  auto const covered = [&](CardPlace const& choice) {
    return std::pair(covered_by(look, choice, canvas, places), covered_by(look, choice, canvas, also));
  };
  CardPlace best = card;
  for (auto const& [right, bottom] :
       {std::pair{card.right, !card.bottom}, {!card.right, card.bottom}, {!card.right, !card.bottom}}) {
    CardPlace const other{right, bottom, card.size};
    if (covered(other) < covered(best)) { best = other; }
  }
  return best;
}

bool begin_card(Look const& look, char const* id, Rectangle const& canvas)
{
  CardPlace card;
  return begin_card(look, id, canvas, card);
}

bool begin_card(Look const& look, char const* id, Rectangle const& canvas, CardPlace& card)
{
  float const width = look(card_width);
  begin_card_at(id, corner_of(look, card, canvas), width, theme::panel);
  card.size = ImGui::GetWindowSize();
  return close_button(look, width);
}

void begin_notice(Look const& look, char const* id, Rectangle const& canvas, float width)
{
  float const margin = look(card_margin);
  float const shown = std::min(width, static_cast<float>(canvas.width) - 2.0f * margin);
  begin_card_at(id,
                {static_cast<float>(canvas.x + canvas.width) - shown - margin, static_cast<float>(canvas.y) + margin},
                shown, theme::with_alpha(theme::raised, 0.96f));
}

bool begin_notice(Look const& look, char const* id, Rectangle const& canvas, float width, CardPlace const& card)
{
  begin_card_at(id, corner_of(look, card, canvas), width, theme::with_alpha(theme::raised, 0.96f));
  return close_button(look, width);
}

void end_card()
{
  ImGui::End();
  ImGui::PopStyleColor();
}

void align_right(float width)
{
  float const room = ImGui::GetContentRegionAvail().x;
  if (room > width) { ImGui::SetCursorPosX(ImGui::GetCursorPosX() + room - width); }
}

void text_right(ImU32 color, std::string const& text)
{
  align_right(ImGui::CalcTextSize(text.c_str()).x);
  ImGui::PushStyleColor(ImGuiCol_Text, color);
  ImGui::TextUnformatted(text.c_str());
  ImGui::PopStyleColor();
}

}  // namespace slotscape
