#include "app/base/text.hpp"
#include "app/scenes/match/gui.hpp"
#include "app/widgets/controls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace slotscape {
namespace {

using matching::MatchSettings;
using matching::Method;
using matching::Side;

constexpr double usual_shift = 400.0;  ///< pixels that the sliders reach
constexpr double usual_scales = 3.0;

void source_row(Look const& look, MatchState& state, Side side)
{
  std::string& source = state.settings.sources[index_of(side)];
  bool const is_query = side == Side::query;
  ImGui::PushID(static_cast<int>(side));
  row_label(look, is_query ? "Query" : "Reference");
  float const button = ImGui::CalcTextSize("Open…").x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::BeginCombo("##picture", label_of_picture(source).c_str(), ImGuiComboFlags_HeightLargest)) {
    for (std::string_view const name : builtin_pictures()) {
      if (ImGui::Selectable(std::string(name).c_str(), source == name)) { source = name; }
    }
    ImGui::EndCombo();
  }
  hint(look, is_query ? "The picture that is looked for in the reference. Drop two files to replace both."
                      : "The picture whose points go into the table. A file dropped on a picture replaces it.");
  ImGui::SameLine();
  if (ImGui::Button("Open…")) { state.ask(AskForPictures{side}); }
  hint(look, is_query ? "A PNG, JPEG, BMP or PGM file (Ctrl+O)." : "A PNG, JPEG, BMP or PGM file (Ctrl+Shift+O).");
  ImGui::PopID();
}

void example_row(Look const& look, MatchState& state)
{
  row_label(look, "Example");
  if (ImGui::BeginCombo("##example", "Choose…", ImGuiComboFlags_HeightLargest)) {
    for (MatchExample const& example : match_examples()) {
      if (ImGui::Selectable(std::string(example.name).c_str())) { show_example(example, state.settings); }
    }
    ImGui::EndCombo();
  }
  hint(look, "Pairs of built-in pictures, and one of two that have nothing in common. N shows the next one.");
}

void video_rows(Look const& look, MatchState& state)
{
  std::size_t const frames = state.frames();
  if (frames < 2) { return; }
  MatchSceneSettings& settings = state.settings;
  row_label(look, "Frame");
  auto frame = static_cast<double>(settings.frame);
  auto const last = static_cast<double>(frames - 1);
  if (slider(look, "##frame", frame, 0.0, last, fmt::format("{} of {}", settings.frame + 1, frames))) {
    settings.frame = static_cast<std::uint32_t>(std::lround(frame));
    settings.playing = false;
  }
  hint(look, "The pictures of the folder in the order of their names. Left and Right step, Space plays.");
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
}

/// A slider over whole numbers; logarithmic where there are many.
template <class Number>
void whole_row(Look const& look, char const* label, char const* id, Number& value, std::uint64_t low,
               std::uint64_t high, std::string const& what)
{
  row_label(look, label);
  auto number = static_cast<double>(value);
  if (slider(look, id, number, static_cast<double>(low), static_cast<double>(high), grouped(value), high > 100)) {
    value = static_cast<Number>(std::lround(number));
  }
  hint(look, what);
}

void number_row(Look const& look, char const* label, char const* id, double& value, double low, double high,
                std::string const& text, std::string const& what, bool log = false)
{
  row_label(look, label);
  slider(look, id, value, low, high, text, log);
  hint(look, what);
}

void basis_rows(Look const& look, MatchSettings& settings)
{
  double shortest = settings.shortest_basis;
  number_row(look, "Shortest", "##shortest", shortest, shortest_of_bases, 1.0, percent(shortest),
             "Bases shorter than this share of the picture's shorter side are left out: their coordinates would be "
             "too uncertain.");
  settings.shortest_basis = std::min(shortest, settings.longest_basis - 0.01);
  double longest = settings.longest_basis;
  number_row(look, "Longest", "##longest", longest, 0.05, longest_of_bases, percent(longest),
             "Longer bases are left out: one of their points might be hidden.");
  settings.longest_basis = std::max(longest, settings.shortest_basis + 0.01);
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
  number_row(look, "Turn", "##turn", pose.turn, -180.0, 180.0, fmt::format("{:.1f}°", pose.turn),
             "Counter-clockwise, about the middle. In the picture: drag with the right button.");
  number_row(look, "Scale", "##scale", pose.scale, 1.0 / usual_scales, usual_scales, fmt::format("{:.3f}", pose.scale),
             "About the middle. In the picture: turn the wheel, or drag a corner to turn and scale.", true);
  number_row(look, "Right", "##right", pose.shift_x, -usual_shift, usual_shift, fmt::format("{:.1f} px", pose.shift_x),
             "Moves the query. In the picture: drag it.");
  number_row(look, "Down", "##down", pose.shift_y, -usual_shift, usual_shift, fmt::format("{:.1f} px", pose.shift_y),
             "Moves the query. In the picture: drag it.");
  number_row(look, "Noise", "##noise", pose.noise, 0.0, 0.6, percent(pose.noise),
             "The share of the pixels that are replaced by random greys.");
  number_row(look, "Hidden", "##hidden", pose.occlusion, 0.0, 0.8, percent(pose.occlusion),
             "The share of the picture that patches cover.");
  bool const is_posed = pose != QueryPose{};
  ImGui::BeginDisabled(!is_posed);
  if (ImGui::Button("As it is")) { pose = {}; }
  ImGui::EndDisabled();
  hint(look, "The query as it is in its file (R).");
}

void matching_panel(Look const& look, MatchState& state)
{
  MatchSettings& settings = state.settings.matching;
  heading(look, "MATCHING");
  row_label(look, "Method");
  constexpr std::array<std::string_view, 2> methods{"Hashing", "Sorting"};
  int method = static_cast<int>(settings.method);
  if (segmented(look, "method", methods, method)) { settings.method = static_cast<Method>(method); }
  hint(
      look,
      "How the bases of a cell are found: in a multi-value hash table, or in sorted items by binary search, with which "
      "the paper compares it. Both find the same (X).");
  number_row(look, "Smoothing", "##smoothing", settings.smoothing, min_smoothing, max_smoothing,
             fmt::format("{:.2f} px", settings.smoothing),
             "Pictures are smoothed before their edges are found, so that noise makes none.", true);
  number_row(look, "Threshold", "##threshold", settings.threshold, min_threshold, 1.0, percent(settings.threshold),
             "Of edges: the share of the picture's largest gradient that makes a pixel one.");
  whole_row(look, "Points", "##points", settings.features, min_features, max_features,
            "At most so many points of each picture, spread over its edges.");
  whole_row(look, "Bases", "##bases", settings.bases, 1, max_bases,
            "Pairs of points of the reference. The points' coordinates under each go into the table.");
  whole_row(look, "Query bases", "##query_bases", settings.query_bases, 1, max_query_bases,
            "Pairs of points of the query, which vote for those of the reference.");
  basis_rows(look, settings);
  number_row(look, "Quantum", "##quantum", settings.quantum, min_quantum, max_quantum,
             fmt::format("{:.3f}", settings.quantum),
             "The size of a cell of (u, v), in lengths of the basis. Small cells miss points that moved a little; "
             "large ones list too many bases.",
             true);
  whole_row(look, "Attempts", "##attempts", settings.attempts, 1, max_attempts,
            "With other bases, until a match is found.");
  row_label(look, "Seed");
  std::uint64_t seed = settings.seed;
  float const button = ImGui::CalcTextSize("Next").x + 2.0f * ImGui::GetStyle().FramePadding.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - button - ImGui::GetStyle().ItemSpacing.x);
  if (ImGui::InputScalar("##seed", ImGuiDataType_U64, &seed)) { settings.seed = seed; }
  hint(look, "Of the bases that are drawn.");
  ImGui::SameLine();
  if (ImGui::Button("Next")) { ++settings.seed; }
  hint(look, "Other bases (S).");
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
  hint(look, "Votes fill up a row after the other when a match is new. A click on them, or V, ends that.");
}

}  // namespace slotscape
