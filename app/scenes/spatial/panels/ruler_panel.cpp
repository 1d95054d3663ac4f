#include "app/base/text.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/ruler.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/view3d/orbit_camera.hpp"
#include "app/widgets/charts.hpp"
#include "app/widgets/controls.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape {
namespace {

/// Tells the user what the next click will do.
std::string next_click(Ruler const& ruler)
{
  if (ruler.kind != RulerKind::angle) {
    return ruler.pending.empty() ? tr("Click a point, then a second one.") : tr("Click the second point.");
  }
  constexpr std::array<std::string_view, 3> steps{translatable("Click a point, then the corner, then a third one."),
                                                  translatable("Click the corner."),
                                                  translatable("Click the third point.")};
  return translated(steps[ruler.pending.size()]);
}

void measurement_rows(SpatialState& state)
{
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < state.ruler.done.size(); ++i) {
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::SmallButton("×")) { removed = i; }
    ImGui::SameLine();
    ImGui::TextUnformatted(fmt::format("{}  {}", i + 1, text_of(ruler_value(state, state.ruler.done[i]))).c_str());
    ImGui::PopID();
  }
  if (removed) { state.ruler.done.erase(state.ruler.done.begin() + static_cast<std::ptrdiff_t>(*removed)); }
}

/// Draws a row for each measured body, numbered after the `before` rows above. A button removes a body.
void body_rows(std::vector<ShownVoxels>& bodies, std::size_t before)
{
  std::optional<std::size_t> removed;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    ShownVoxels const& body = bodies[i];
    ImGui::PushID(static_cast<int>(before + i));
    if (ImGui::SmallButton("×")) { removed = i; }
    ImGui::SameLine();
    ImGui::BeginGroup();
    ImGui::TextUnformatted(
        fmt::format("{}  {}", before + i + 1, tr("{}: {} voxels", letter_of(body.model), grouped(body.voxels)))
            .c_str());
    ImGui::TextWrapped("%s", tr("volume {}", volume_text(body.volume(), body.unit)).c_str());
    ImGui::TextWrapped("%s", tr("surface {}", area_text(body.surface(), body.unit)).c_str());
    ImGui::TextWrapped("%s", tr("from above {}", area_text(body.footprint(), body.unit)).c_str());
    ImGui::EndGroup();
    ImGui::PopID();
  }
  if (removed) { bodies.erase(bodies.begin() + static_cast<std::ptrdiff_t>(*removed)); }
}

ImVec2 on_screen(ImVec2 corner, Point at)
{
  return {corner.x + static_cast<float>(at.x), corner.y + static_cast<float>(at.y)};
}

void draw_measured(Look const& look, Drawing& drawing, ImVec2 corner, OrbitCamera const& camera,
                   SpatialState const& state, std::vector<RulerPoint> const& points, std::string const& label)
{
  std::vector<ImVec2> places;
  for (RulerPoint const& point : points) {
    auto const at = camera.to_canvas(clouds::to_vector(place_in_scene(state, point)));
    if (!at) { return; }  // behind the eye
    places.push_back(on_screen(corner, *at));
  }
  if (places.size() > 1) {
    drawing.polyline(places, theme::with_alpha(theme::rim, 0.56f), look(4.0f));
    drawing.polyline(places, theme::text, look(2.0f));
  }
  for (ImVec2 const& at : places) {
    drawing.disc(at, look(4.5f), theme::with_alpha(theme::rim, 0.56f));
    drawing.disc(at, look(3.5f), theme::text);
  }
  if (label.empty() || places.size() < 2) { return; }
  ImVec2 const at =
      places.size() > 2 ? places[1] : ImVec2{(places[0].x + places[1].x) / 2.0f, (places[0].y + places[1].y) / 2.0f};
  ImVec2 const size = look.font->CalcTextSizeA(look.body, FLT_MAX, 0.0f, label.c_str());
  ImVec2 const low{at.x + look(8.0f), at.y + look(4.0f)};
  drawing.fill({low.x - look(3.0f), low.y - look(1.0f)}, {low.x + size.x + look(3.0f), low.y + size.y + look(1.0f)},
               theme::with_alpha(theme::panel, 0.8f), look(3.0f));
  drawing.text(low, look.body, theme::text, label);
}

Chart chart_of(HeightProfile const& profile)
{
  constexpr std::size_t most_dots = 2000;  // limit for each model, because dots are drawn in every frame
  std::string const unit = unit_text(profile.unit);
  auto const with_unit = [&](std::string const& name) { return unit.empty() ? name : name + ", " + unit; };
  Chart chart{.id = "profile",
              .title = tr("Height along the line"),
              .x = {with_unit(tr("along the line")), {0.0, std::max(profile.length, 1e-12)}},
              .y = {with_unit(tr("height above its start")), {0.0, 0.0}}};
  for (spatial::Model const model : both_models) {
    Line line{.points = {}, .dots = true, .widest_gap = 0.0};
    auto const& points = profile.points[model];
    std::size_t const step = points.size() / most_dots + 1;
    for (std::size_t i = 0; i < points.size(); i += step) {
      HeightProfile::Point const& point = points[i];
      line.points.push_back({point.along, point.height});
      chart.y.range.low = std::min(chart.y.range.low, point.height);
      chart.y.range.high = std::max(chart.y.range.high, point.height);
    }
    if (line.points.empty()) { continue; }
    chart.series.push_back({letter_of(model), packed(model_colors[static_cast<std::size_t>(model)]), std::move(line)});
  }
  if (chart.y.range.low == chart.y.range.high) { chart.y.range.high += 1.0; }
  if (chart.series.empty()) { chart.remark = tr("No points lie beside the line."); }
  chart.reading = read_lines;
  return chart;
}

}  // namespace

void ruler_panel(Look const& look, SpatialState& state)
{
  constexpr std::array<std::string_view, 4> choices{translatable("Off"), translatable("Distance"),
                                                    translatable("Angle"), translatable("Profile")};
  Ruler& ruler = state.ruler;
  heading(look, "RULER");
  int chosen = ruler.on ? static_cast<int>(ruler.kind) + 1 : 0;
  if (segmented(look, "ruler", choices, chosen, ImGui::GetContentRegionAvail().x)) {
    ruler.on = chosen != 0;
    if (ruler.on) { ruler.kind = static_cast<RulerKind>(chosen - 1); }
    ruler.pending.clear();
  }
  hint(look,
       "Click voxels to measure from centre to centre, or click points (L). Distances are in the units of the file.");
  if (ruler.on) { remark(look, next_click(ruler)); }
  if (text_button("Measure shown voxels")) { state.ask(MeasureShownVoxels{}); }
  hint(look,
       "Volume, surface and footprint of the voxels that are shown, for each model. The surface has the faces that no "
       "shown voxel of the model touches; the footprint is the area seen from above.");
  measurement_rows(state);
  body_rows(ruler.bodies, ruler.done.size());
  if (!ruler.has_measured()) { return; }
  if (text_button("Save as CSV…")) { state.ask(SaveMeasurements{}); }
  ImGui::SameLine();
  if (text_button("Clear")) {
    ruler.done.clear();
    ruler.bodies.clear();
  }
}

void profile_chart(Look const& look, SpatialState const& state, Charts& charts)
{
  auto const& done = state.ruler.done;
  auto const last =
      std::ranges::find_if(done.rbegin(), done.rend(), [](auto const& each) { return each.profile != nullptr; });
  if (last == done.rend()) { return; }
  charts.draw(look, chart_of(*last->profile), {ImGui::GetContentRegionAvail().x, look(measured_chart_height)});
}

void draw_ruler(Look const& look, Drawing& drawing, ImVec2 corner, OrbitCamera const& camera, SpatialState const& state)
{
  for (RulerMeasurement const& measurement : state.ruler.done) {
    draw_measured(look, drawing, corner, camera, state, measurement.points, text_of(ruler_value(state, measurement)));
  }
  draw_measured(look, drawing, corner, camera, state, state.ruler.pending, "");
}

}  // namespace slotscape
