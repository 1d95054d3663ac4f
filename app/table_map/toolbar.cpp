#include "app/table_map/overlays.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/pair_format.hpp"

#include <fmt/format.h>
#include <imgui_stdlib.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

namespace slotscape {
namespace {

constexpr ImGuiWindowFlags strip_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

constexpr float one_row_width = 630.0f;

template <class Enum, std::size_t Count>
void enum_segments(Look const& look, char const* id, std::array<std::string_view, Count> const& labels,
                   std::array<Enum, Count> const& values, Enum& value)
{
  int chosen = 0;
  for (std::size_t i = 0; i < Count; ++i) {
    if (values[i] == value) { chosen = static_cast<int>(i); }
  }
  if (segmented(look, id, labels, chosen)) { value = values[static_cast<std::size_t>(chosen)]; }
}

std::optional<std::uint64_t> parse_number(std::string_view text)
{
  bool const hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  std::string_view const digits = hexadecimal ? text.substr(2) : text;
  std::uint64_t key = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), key, hexadecimal ? 16 : 10);
  bool const whole = error == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
  return whole ? std::optional(key) : std::nullopt;
}

/// Why the text is not a key of such a table; empty if it is one, or if there is no text yet.
std::string key_error(std::string_view text, int key_bits)
{
  if (text.empty()) { return {}; }
  auto const number = parse_number(text);
  if (number && *number <= largest_key(key_bits)) { return {}; }
  bool const reserved = number && (key_bits == 64 || *number <= 0xffffffffu);
  if (reserved) { return "reserved: no table can hold it"; }
  return fmt::format("A key is a number from 0 to {} (or 0x…)", largest_key(key_bits));
}

/// The measure's name, or its first word if the row would become too long.
std::string_view measure_label(TableState const& state)
{
  constexpr std::size_t longest = 12;
  std::string_view const name = family_of(state).measure.name;
  return name.size() <= longest ? name : name.substr(0, name.find(' '));
}

void color_segments(Look const& look, TableState& state)
{
  std::vector<std::string_view> labels{"State", measure_label(state), "Recent"};
  std::vector<ColorBy> values{ColorBy::state, ColorBy::probe_length, ColorBy::recent};
  if (family_of(state).clusters) {
    labels.insert(labels.begin() + 2, "Cluster");
    values.insert(values.begin() + 2, ColorBy::cluster_length);
  }
  ColorBy& value = state.settings.view.color_by;
  int chosen = static_cast<int>(std::ranges::find(values, value) - values.begin());
  if (segmented(look, "color_by", labels, chosen)) { value = values[static_cast<std::size_t>(chosen)]; }
}

/// Below the last item and flush with its right edge. Not a tooltip, because the map may have one at the same time.
void show_key_error(Look const& look, std::string const& text)
{
  ImVec2 const corner = ImGui::GetItemRectMax();
  ImGui::SetNextWindowPos({corner.x, corner.y + look(6.0f)}, ImGuiCond_Always, {1.0f, 0.0f});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::raised);
  ImGui::Begin("##key_error", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoInputs | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_AlwaysAutoResize);
  ImGui::TextUnformatted(text.c_str());
  ImGui::End();
  ImGui::PopStyleColor();
}

/// Looks up the entered key. Text that is not a key stays selected, to be typed over.
void take_entry(TableState& state, bool valid)
{
  Selection& selection = state.selection;
  if (!valid) {
    selection.lookup.reset();
    ImGui::SetKeyboardFocusHere(-1);
  } else if (auto const key = parse_number(selection.key_text)) {
    state.ask(LookUp{static_cast<Key>(*key)});
  }
}

void key_field(Look const& look, TableState& state)
{
  Selection& selection = state.selection;
  float const room = ImGui::GetContentRegionAvail().x;
  float const width = std::min(look(180.0f), room);
  align_right(width);
  ImGui::SetNextItemWidth(width);
  if (selection.focus_key_field) {
    ImGui::SetKeyboardFocusHere();
    selection.focus_key_field = false;
  }
  bool const valid = key_error(selection.key_text, state.settings.table.key_bits).empty();
  if (!valid) { ImGui::PushStyleColor(ImGuiCol_Text, theme::error); }
  bool const entered =
      ImGui::InputTextWithHint("##key", "Find key…", &selection.key_text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (!valid) { ImGui::PopStyleColor(); }
  std::string const wrong = key_error(selection.key_text, state.settings.table.key_bits);
  if (entered) { take_entry(state, wrong.empty()); }
  bool const escaped = ImGui::IsItemDeactivated() && ImGui::IsKeyPressed(ImGuiKey_Escape);
  if (escaped) { selection.key_text.clear(); }
  if (!wrong.empty() && !escaped) {
    show_key_error(look, wrong);
  } else {
    hint(look, "A key, in decimal or 0x hexadecimal. Enter flies to it and draws its probe path (K).");
  }
}

}  // namespace

float toolbar_height(Look const& look, float width)
{
  float const row = ImGui::GetFrameHeight();
  bool const two_rows = width < look(one_row_width);
  return row + look(16.0f) + (two_rows ? row + ImGui::GetStyle().ItemSpacing.y : 0.0f);
}

void draw_toolbar(Look const& look, TableState& state, Rectangle const& place)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(10.0f), look(8.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("##toolbar", nullptr, strip_flags);
  ViewSettings& view = state.settings.view;
  color_segments(look, state);
  if (static_cast<float>(place.width) >= look(one_row_width)) { ImGui::SameLine(); }
  enum_segments<Layout, 2>(look, "layout", {"Rows", "Hilbert"}, {Layout::rows, Layout::hilbert}, view.layout);
  ImGui::SameLine();
  enum_segments<Reduce, 2>(look, "reduce", {"Max", "Mean"}, {Reduce::max, Reduce::mean}, view.reduce);
  ImGui::SameLine();
  key_field(look, state);
  ImGui::End();
  ImGui::PopStyleVar(2);
}

}  // namespace slotscape
