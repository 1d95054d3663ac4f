#include "app/base/fixed.hpp"
#include "app/base/text.hpp"
#include "app/scenes/match/gui.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

using matching::MatchSettings;
using matching::Side;

constexpr double usual_shift = 400.0;  ///< range of the sliders, in pixels
constexpr double usual_scales = 3.0;

void source_row(Look const& look, MatchState& state, Side side)
{
  std::string& source = state.settings.sources[index_of(side)];
  bool const is_query = side == Side::query;
  ImGui::PushID(static_cast<int>(side));
  row_label(look, is_query ? translatable("Query") : translatable("Reference"));
  float const button = ImGui::CalcTextSize("Open…").x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::BeginCombo("##picture", label_of_picture(source).c_str(), ImGuiComboFlags_HeightLargest)) {
    for (std::string_view const name : builtin_pictures()) {
      if (ImGui::Selectable(std::string(name).c_str(), source == name)) { source = name; }
    }
    ImGui::EndCombo();
  }
  hint(look,
       is_query ? translatable("The picture to find in the reference. Drop two files to replace both.")
                : translatable("The picture whose points go into the table. A file dropped on a picture replaces it."));
  ImGui::SameLine();
  if (text_button("Open…")) { state.ask(AskForPictures{side}); }
  hint(look, is_query ? translatable("A PNG, JPEG, BMP or PGM file (Ctrl+O).")
                      : translatable("A PNG, JPEG, BMP or PGM file (Ctrl+Shift+O)."));
  ImGui::PopID();
}

void example_row(Look const& look, MatchState& state)
{
  row_label(look, "Example");
  if (ImGui::BeginCombo("##example", tr("Choose…"), ImGuiComboFlags_HeightLargest)) {
    for (MatchExample const& example : match_examples()) {
      if (ImGui::Selectable(translated_label(example.name).c_str())) { show_example(example, state.settings); }
    }
    ImGui::EndCombo();
  }
  hint(look, "Pairs of built-in pictures, including one pair with nothing in common. N shows the next one.");
}

void video_rows(Look const& look, MatchState& state)
{
  std::size_t const frames = state.frame_count;
  if (frames < 2) { return; }
  MatchSceneSettings& settings = state.settings;
  row_label(look, "Frame");
  auto frame = static_cast<double>(settings.frame);
  auto const last = static_cast<double>(frames - 1);
  if (slider(look, "##frame", frame, 0.0, last, tr("{} of {}", settings.frame + 1, frames))) {
    settings.frame = static_cast<std::uint32_t>(std::lround(frame));
    settings.playing = false;
  }
  hint(look, "The pictures in the folder, sorted by name. Left and Right step, Space plays.");
  row_label(look, "");
  ImVec2 const size{look(34.0f), ImGui::GetFrameHeight()};
  auto const go_to = [&](std::size_t wanted) {
    settings.frame = static_cast<std::uint32_t>(std::min(wanted, frames - 1));
    settings.playing = false;
  };
  if (icon_button(look, "##first", Icon::first, size)) { go_to(0); }
  ImGui::SameLine();
  if (icon_button(look, "##back", Icon::back, size)) { go_to(settings.frame == 0 ? 0 : settings.frame - 1); }
  ImGui::SameLine();
  bool const runs = settings.playing && settings.frame + 1 < frames;
  if (icon_button(look, "##play", runs ? Icon::pause : Icon::play, size, true)) { state.ask(PlayVideo{}); }
  ImGui::SameLine();
  if (icon_button(look, "##step", Icon::step, size)) { go_to(settings.frame + 1); }
  auto const record = state.video.find(settings.frame);
  if (record != state.video.end() && !record->second.unreadable.empty()) {
    remark(look, "This frame cannot be read; another one is shown.");
    hint(look, record->second.unreadable);
  }
}

SettingControl shift_control(double shift)
{
  return {.shown = with_minus(fixed(shift, 1)) + " px", .low = -usual_shift, .high = usual_shift};
}

void basis_rows(Look const& look, MatchSettings& settings)
{
  constexpr double apart = 0.01;
  double const shortest = settings.shortest_basis;
  double const longest = settings.longest_basis;
  setting_row(look, "shortest_basis", settings, {.percent = true, .high = 1.0, .max = longest - apart});
  setting_row(look, "longest_basis", settings, {.percent = true, .low = 0.05, .min = shortest + apart});
}

}  // namespace

void pictures_panel(Look const& look, MatchState& state)
{
  heading(look, "PICTURES");
  source_row(look, state, Side::reference);
  source_row(look, state, Side::query);
  example_row(look, state);
  video_rows(look, state);
}

void query_panel(Look const& look, MatchState& state)
{
  QueryPose& pose = state.settings.pose;
  heading(look, "QUERY BY HAND");
  setting_row(look, "turn", pose, {.shown = with_minus(fixed(pose.turn, 1)) + "°", .low = -180.0, .high = 180.0});
  setting_row(look, "scale", pose,
              {.shown = fmt::format("{:.3f}", pose.scale), .low = 1.0 / usual_scales, .high = usual_scales});
  setting_row(look, "shift_x", pose, shift_control(pose.shift_x));
  setting_row(look, "shift_y", pose, shift_control(pose.shift_y));
  setting_row(look, "noise", pose, {.percent = true, .high = 0.6});
  setting_row(look, "occlusion", pose, {.percent = true, .high = 0.8});
  bool const is_posed = pose != QueryPose{};
  ImGui::BeginDisabled(!is_posed);
  if (text_button("As in file")) { pose = {}; }
  ImGui::EndDisabled();
  hint(look, "Show the query as it is in its file (R).");
}

void matching_panel(Look const& look, MatchState& state)
{
  MatchSettings& settings = state.settings.matching;
  heading(look, "MATCHING");
  setting_row(look, "method", settings, {.by = ChoiceBy::buttons});
  setting_row(look, "smoothing", settings, {.shown = fmt::format("{:.2f} px", settings.smoothing)});
  setting_row(look, "threshold", settings, {.percent = true});
  setting_row(look, "features", settings);
  setting_row(look, "bases", settings);
  setting_row(look, "query_bases", settings);
  basis_rows(look, settings);
  setting_row(look, "quantum", settings, {.shown = fmt::format("{:.3f}", settings.quantum)});
  setting_row(look, "attempts", settings);
  row_label(look, "Seed");
  std::uint64_t seed = settings.seed;
  float const button = ImGui::CalcTextSize("Next").x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::InputScalar("##seed", ImGuiDataType_U64, &seed)) { settings.seed = seed; }
  hint(look, "The seed for drawing bases.");
  ImGui::SameLine();
  if (text_button("Next")) { ++settings.seed; }
  hint(look, "Draw other bases (S).");
}

void shown_panel(Look const& look, MatchState& state)
{
  MatchSceneSettings& settings = state.settings;
  heading(look, "SHOW");
  float const second = ImGui::GetContentRegionAvail().x / 2.0f;
  auto const pair_of = [&](char const* first, bool& a, char const* other, bool& b) {
    ImGui::Checkbox(first, &a);
    ImGui::SameLine(second);
    ImGui::Checkbox(other, &b);
  };
  pair_of("Edges", settings.show_edges, "Points", settings.show_points);
  pair_of("Match", settings.show_overlay, "Slot map", settings.show_map);
  pair_of("Votes", settings.show_votes, "Fill row by row", settings.fill_votes);
  hint(look, "After a new match, votes fill in row by row. To skip this, click them or press V.");
}

}  // namespace slotscape
