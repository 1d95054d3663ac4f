#include "app/scenes/slots/view/furniture.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/theme.hpp"

#include <imgui_stdlib.h>

#include <array>
#include <charconv>
#include <optional>

namespace slotscape {
namespace {

constexpr ImGuiWindowFlags strip_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                         ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBringToFrontOnFocus;

constexpr float one_row_width = 590.0f;

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

std::optional<Key> parse_key(std::string_view text)
{
  bool const hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  std::string_view const digits = hexadecimal ? text.substr(2) : text;
  Key key = 0;
  auto const [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), key, hexadecimal ? 16 : 10);
  bool const whole = error == std::errc{} && end == digits.data() + digits.size() && !digits.empty();
  return whole && key != empty_key && key != tombstone_key ? std::optional(key) : std::nullopt;
}

void key_field(Look const& look, SlotsState& state)
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
  bool const valid = selection.key_text.empty() || parse_key(selection.key_text).has_value();
  if (!valid) { ImGui::PushStyleColor(ImGuiCol_Text, theme::error); }
  bool const entered =
      ImGui::InputTextWithHint("##key", "Find key…", &selection.key_text,
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
  if (!valid) { ImGui::PopStyleColor(); }
  hint(look, valid ? "A key, decimal or 0x hexadecimal; Enter flies to it and draws its probe path (K)."
                   : "Not a key: 0 to 4294967293, decimal or 0x hexadecimal.");
  if (!entered) { return; }
  if (auto const key = parse_key(selection.key_text)) { state.ask(LookUp{*key}); }
}

}  // namespace

float toolbar_height(Look const& look, float width)
{
  float const row = ImGui::GetFrameHeight();
  bool const two_rows = width < look(one_row_width);
  return row + look(16.0f) + (two_rows ? row + ImGui::GetStyle().ItemSpacing.y : 0.0f);
}

void draw_toolbar(Look const& look, SlotsState& state, Rectangle const& place)
{
  ImGui::SetNextWindowPos({static_cast<float>(place.x), static_cast<float>(place.y)});
  ImGui::SetNextWindowSize({static_cast<float>(place.width), static_cast<float>(place.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {look(10.0f), look(8.0f)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("##toolbar", nullptr, strip_flags);
  ViewSettings& view = state.settings.view;
  enum_segments<ColorBy, 4>(look, "color_by", {"State", "Probe", "Cluster", "Recent"},
                            {ColorBy::state, ColorBy::probe_length, ColorBy::cluster_length, ColorBy::recent},
                            view.color_by);
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
