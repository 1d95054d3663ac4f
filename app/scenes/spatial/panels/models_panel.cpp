#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/loader.hpp"
#include "app/scenes/spatial/placing.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/view3d/pose_drag.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "app/widgets/look.hpp"
#include "app/widgets/setting_row.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <glm/trigonometric.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

using spatial::Model;

constexpr double min_points_offered = 1000.0;
constexpr double max_points_offered = 10'000'000.0;

/// The model's letter as a button in its colour; pressed if the model is chosen.
void letter_button(Look const& look, SpatialState& state, Model model)
{
  ImU32 const color = packed(model_colors[static_cast<std::size_t>(model)]);
  bool const chosen = state.chosen == model;
  ImGui::PushStyleColor(ImGuiCol_Button, chosen ? color : theme::frame);
  ImGui::PushStyleColor(ImGuiCol_ButtonHovered, chosen ? color : theme::frame_hovered);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, color);
  ImGui::PushStyleColor(ImGuiCol_Text, chosen ? theme::panel : color);
  float const side = ImGui::GetFrameHeight();
  if (ImGui::Button(letter_of(model), {side, side})) { state.chosen = model; }
  ImGui::PopStyleColor(4);
  hint(look, tr("The chosen model has the gizmo, and a dropped file replaces it ({}).", letter_of(model)));
}

void source_list(Look const& look, SpatialState& state, Model model)
{
  ModelSettings const& settings = state.settings.models[model];
  auto const use = [&](std::string source) {
    ModelSettings wanted = settings;
    wanted.source = std::move(source);
    wanted.unit = clouds::FileUnit::as_is;
    state.chosen = model;
    state.ask(UseModel{model, wanted});
  };
  bool const absent = is_absent(state, model);
  std::string const shown = absent ? tr("Add a second model…") : translated(label_of_source(settings.source));
  if (!ImGui::BeginCombo("##source", shown.c_str(), ImGuiComboFlags_HeightLargest)) {
    if (!absent) { hint(look, settings.source); }
    return;
  }
  for (clouds::Builtin const& builtin : clouds::builtins()) {
    bool const chosen = builtin.name == settings.source && !absent;
    if (ImGui::Selectable(translated_label(builtin.label).c_str(), chosen)) { use(std::string(builtin.name)); }
    hint(look, std::string(builtin.what));
  }
  ImGui::Separator();
  if (ImGui::Selectable(translated_label("Open a file…").c_str())) { state.ask(AskForModel{model}); }
  ImGui::EndCombo();
}

/// Shown if the number can be chosen; a file of points has a fixed number.
void points_row(Look const& look, SpatialState& state, Model model)
{
  clouds::PointCloud const& cloud = state.clouds[model];
  ModelSettings const& settings = state.settings.models[model];
  bool const sampled = clouds::is_builtin(settings.source) || cloud.triangles > 0;
  Setting<ModelSettings> const& points = setting_named<ModelSettings>("points");
  setting_label(look, points.text);
  if (!sampled) {
    ImGui::TextUnformatted(grouped(cloud.positions.size()).c_str());
    return;
  }
  double& entry = state.points_entry[model];
  if (entry == 0.0) { entry = static_cast<double>(settings.points); }
  slider(look, "##points", entry, min_points_offered, max_points_offered,
         grouped(static_cast<std::uint64_t>(std::llround(entry))), true,
         TypedLimits{points.range.low, points.range.high});
  if (ImGui::IsItemDeactivatedAfterEdit()) {
    ModelSettings wanted = settings;
    wanted.points = static_cast<std::uint64_t>(std::llround(entry));
    state.ask(UseModel{model, wanted});
  }
  if (!ImGui::IsItemActive()) { entry = static_cast<double>(settings.points); }
  hint(look, tr("{} Ctrl+click to type a number: {}.", translated(points.text.hint), range_text(points.range)));
}

/// Points far outside make all others small; this option ignores them.
void outliers_row(Look const& look, SpatialState& state, Model model)
{
  clouds::PointCloud const& cloud = state.clouds[model];
  ModelSettings const& settings = state.settings.models[model];
  bool const asked = settings.ignore_outliers && !clouds::is_builtin(settings.source);
  if (cloud.outliers == 0 && !asked) { return; }
  row_label(look, "Outliers");
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(cloud.outliers == 0 ? tr("none found") : grouped(cloud.outliers).c_str());
  if (cloud.outliers == 0) { return; }
  ImGui::SameLine();
  if (text_button(cloud.without_outliers ? translatable("Bring back") : translatable("Leave out"))) {
    ModelSettings wanted = settings;
    wanted.ignore_outliers = !cloud.without_outliers;
    state.ask(UseModel{model, wanted});
  }
  hint(look,
       cloud.without_outliers
           ? translatable(
                 "Points far from all others. They are left out, because the rest would look tiny beside them.")
           : translatable("Points far from all others, beside which the rest looks tiny. Leave these points out."));
}

void unit_row(Look const& look, SpatialState& state, Model model)
{
  if (clouds::is_builtin(state.settings.models[model].source)) { return; }
  ModelSettings wanted = state.settings.models[model];
  if (setting_row(look, "unit", wanted)) { state.ask(UseModel{model, wanted}); }
}

/// Displays -0.00 as 0.00, without changing the value until the user edits it.
bool drag_position(spatial::Vector& place)
{
  constexpr float half_of_last_digit = 0.005f;
  std::array<float, 3> const numbers{place.x, place.y, place.z};
  std::array<float, 3> shown = numbers;
  for (float& number : shown) { number = std::abs(number) < half_of_last_digit ? 0.0f : number; }
  std::array<float, 3> edited = shown;
  constexpr auto farthest = static_cast<float>(farthest_position);
  bool const moved =
      ImGui::DragFloat3("##position", edited.data(), 0.005f, -farthest, farthest, "%.2f", ImGuiSliderFlags_AlwaysClamp);
  auto const now = [&](std::size_t axis) { return edited[axis] != shown[axis] ? edited[axis] : numbers[axis]; };
  place = {now(0), now(1), now(2)};
  return moved;
}

/// The current place of the chosen model, whether set or reached by the animation.
void seen_rows(Look const& look, SpatialState& state)
{
  spatial::Pose seen = state.poses[state.chosen];
  row_label(look, "Position");
  bool moved = drag_position(seen.translation);
  hint(look, "Where the model's centre is now, in units of the scene. Drag sideways, or Ctrl+click to type.");
  row_label(look, "Scale");
  auto scale = static_cast<double>(seen.scale);
  if (slider(look, "##scale", scale, static_cast<double>(smallest_model_scale),
             static_cast<double>(largest_model_scale), fmt::format("{:.2f}", scale), true)) {
    seen.scale = static_cast<float>(scale);
    moved = true;
  }
  if (moved) { place_as_seen(state.settings, state.chosen, seen); }
}

void up_row(Look const& look, SpatialState& state)
{
  constexpr std::array<std::string_view, 2> axes{"y", "z"};
  row_label(look, "Up");
  int chosen = state.settings.models[state.chosen].up == clouds::UpAxis::y ? 0 : 1;
  if (segmented(look, "up", axes, chosen)) {
    choose_up_axis(state, state.chosen, chosen == 0 ? clouds::UpAxis::y : clouds::UpAxis::z);
  }
  hint(look,
       "The axis of the file that points upwards. It is guessed from the format, the coordinates and the shape: click "
       "the "
       "other one if the model lies on its side.");
}

/// For two files: their current placement, common or separate, the reason, and a choice.
void coordinates_row(Look const& look, SpatialState& state)
{
  if (auto const scale = scene_units_per_unit(state, state.chosen)) {
    remark(look, tr("1 in the scene is {} in the file of {}.",
                    with_units(clouds::text_of_length(1.0 / *scale), state.clouds[state.chosen].system),
                    letter_of(state.chosen)));
  }
  auto const placement = placement_of(state);
  if (!placement) { return; }
  if (may_share_coordinates(state)) {
    constexpr std::array<std::string_view, 2> choices{translatable("Same coordinates"), translatable("Each by itself")};
    int chosen = *placement == PlacedAs::same_coordinates ? 0 : *placement == PlacedAs::each_by_itself ? 1 : -1;
    if (segmented(look, "placed", choices, chosen, ImGui::GetContentRegionAvail().x)) {
      if (chosen == 0) {
        state.ask(PlaceByCoordinates{});
      } else {
        state.ask(PlaceEachByItself{});
      }
    }
    hint(look,
         "Place A and B by the coordinates of their files, at the same scale, like two tiles of one survey; or each in "
         "the middle, at its own scale.");
  }
  remark(look, text_of_placement(state));
}

void place_rows(Look const& look, SpatialState& state)
{
  seen_rows(look, state);
  ModelSettings& model = state.settings.models[state.chosen];
  up_row(look, state);
  row_label(look, "Rotate");
  float const reset_width = ImGui::CalcTextSize(tr("Reset")).x + 2.0f * ImGui::GetStyle().FramePadding.x;
  float const width = (ImGui::GetContentRegionAvail().x - reset_width - 3.0f * ImGui::GetStyle().ItemSpacing.x) / 3.0f;
  for (int axis = 0; axis < 3; ++axis) {
    glm::dvec3 about(0.0);
    about[axis] = 1.0;
    char const label[] = {static_cast<char>('x' + axis), '\0'};
    if (ImGui::Button(label, {width, 0.0f})) { model.place = turned(model.place, about, glm::radians(15.0)); }
    hint(look, tr("Rotate {} by 15 degrees about {}.", letter_of(state.chosen), label));
    ImGui::SameLine();
  }
  if (text_button("Reset", {reset_width, 0.0f})) { reset_model(state, state.chosen); }
  hint(look,
       "Move the model back to its first position (R): the position in its file, if A and B keep the coordinates of "
       "their files. This ends a paused animation.");
  coordinates_row(look, state);
}

/// The model, its source and what can be chosen for it.
void source_rows(Look const& look, SpatialState& state, Model model, bool is_alone)
{
  ImGuiStyle const& style = ImGui::GetStyle();
  auto const width_of = [&](char const* label) { return ImGui::CalcTextSize(label).x + 2.0f * style.FramePadding.x; };
  letter_button(look, state, model);
  ImGui::SameLine();
  float const remove = is_alone ? 0.0f : width_of("×") + style.ItemSpacing.x;
  ImGui::SetNextItemWidth(ImGui::GetContentRegionAvail().x - width_of(tr("Open…")) - style.ItemSpacing.x - remove);
  source_list(look, state, model);
  ImGui::SameLine();
  if (text_button("Open…")) { state.ask(AskForModel{model}); }
  if (!is_alone) {
    ImGui::SameLine();
    if (ImGui::Button("×")) { state.ask(ShowAlone{spatial::other(model)}); }
    hint(look, tr("Remove {}, and show {} alone.", letter_of(model), letter_of(spatial::other(model))));
  }
  points_row(look, state, model);
  outliers_row(look, state, model);
  unit_row(look, state, model);
}

}  // namespace

void models_panel(Look const& look, SpatialState& state)
{
  heading(look, "MODELS");
  bool const is_alone = is_one_alone(state);
  for (Model const model : both_models) {
    ImGui::PushID(letter_of(model));
    if (is_absent(state, model)) {
      ImGui::SetNextItemWidth(-FLT_MIN);
      source_list(look, state, model);
    } else {
      source_rows(look, state, model, is_alone);
    }
    ImGui::PopID();
  }
  if (is_absent(state, state.chosen)) { return; }
  ImGui::PushFont(look.font, look.small);
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", tr("Chosen: {}", title_of(state, state.chosen)).c_str());
  ImGui::PopFont();
  place_rows(look, state);
}

void animation_panel(Look const& look, SpatialState& state)
{
  AnimationSettings& animation = state.settings.animation;
  heading(look, "ANIMATION");
  float const side = ImGui::GetFrameHeight();
  bool const moves = animation.moves();
  if (icon_button(look, "run", moves ? Icon::pause : Icon::play, {side * 1.4f, side}, !moves)) { animation.toggle(); }
  hint(look, moves ? translatable("Pause (Space)") : translatable("Run (Space)"));
  ImGui::SameLine();
  ImGui::SetNextItemWidth(-FLT_MIN);
  bool const still = animation.motion == Motion::still;
  if (choose("##motion", animation.motion) && still) { animation.running = true; }
  hint(look, "How the models move by themselves. If you move one, the animation continues from there.");
  setting_row(look, "speed", animation, {.shown = fmt::format("{:.2f} ×", animation.speed)});
}

}  // namespace slotscape
