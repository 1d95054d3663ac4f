#include "app/widgets/charts.hpp"

#include "app/base/text.hpp"
#include "app/widgets/controls.hpp"
#include "app/widgets/labels.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>
#include <imgui_internal.h>
#include <implot.h>

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr float icon_side = 9.0f;
constexpr float dash = 3.0f;  ///< sizes of lines and dots refer to the font size below
constexpr float usual_font_size = 12.5f;
constexpr std::size_t thinnest_bar = 3;   ///< pixels
constexpr double nearest_reach = 0.02;    ///< share of the axis: maximum distance from the cursor of a marked point
constexpr double min_zoom_change = 1e-4;  ///< share of the axis; smaller changes are not zooming

/// The range of an axis with the kind that the user chose.
Axis shown_range(ChartAxis const& axis, bool other)
{
  if (!other || std::isnan(axis.other_low)) { return axis.range; }
  return {axis.other_low, axis.range.high, !axis.range.log};
}

int format_tick(double value, char* text, int size, void* /*data*/)
{
  return std::snprintf(text, static_cast<std::size_t>(size), "%s", brief_number(value).c_str());
}

/// A title or a label in the current language, translated as a whole or in parts: "Probe length, slots from home".
std::string said(std::string const& text)
{
  std::size_t const comma = text.find(", ");
  std::string whole = translated(text);
  if (whole != text || comma == std::string::npos) { return whole; }
  return fmt::format("{}, {}", translated(text.substr(0, comma)), translated(text.substr(comma + 2)));
}

/// `visible`: the range that ImPlot shows, updated as the user zooms.
void set_up_axis(ImAxis which, ChartAxis const& axis, Axis const& range, bool labelled, Axis& visible)
{
  ImPlotAxisFlags const flags = ImPlotAxisFlags_NoMenus | ImPlotAxisFlags_NoSideSwitch | ImPlotAxisFlags_NoHighlight |
                                ImPlotAxisFlags_NoTickMarks | ImPlotAxisFlags_NoInitialFit;
  ImPlot::SetupAxis(which, labelled ? said(axis.label).c_str() : nullptr, flags);
  ImPlot::SetupAxisScale(which, range.log ? ImPlotScale_Log10 : ImPlotScale_Linear);
  ImPlot::SetupAxisFormat(which, format_tick);
  ImPlot::SetupAxisLinks(which, &visible.low, &visible.high);
  ImPlot::SetupAxisLimitsConstraints(which, range.low, range.high);
}

/// On a logarithmic axis that is too low for a label at every power of ten: labels every second, third and so on.
void thin_out_labels(ImAxis which, Axis const& visible, float height)
{
  constexpr float line = 1.7f;  // including the space above it
  if (!visible.log || !(visible.low > 0.0) || !(visible.high > visible.low)) { return; }
  double const room = std::floor(static_cast<double>(height / (line * ImGui::GetTextLineHeight())));
  std::vector<double> const labelled = powers_of_ten(visible, room);
  bool const is_thinned = labelled.size() > 1 && labelled[1] > 11.0 * labelled[0];
  if (!is_thinned) { return; }
  ImPlot::SetupAxisTicks(which, labelled.data(), static_cast<int>(labelled.size()));
}

bool differs(Axis const& seen, Axis const& set)
{
  return std::abs(set.share(seen.low)) > min_zoom_change || std::abs(set.share(seen.high) - 1.0) > min_zoom_change;
}

/// Draws series into the current plot.
class Artist {
public:
  /// `x` and `y`: the visible ranges.
  Artist(Axis const& x, Axis const& y) : x_(x), y_(y) {}

  void draw(ChartSeries const& series)
  {
    name_ = series.name.c_str();
    color_ = series.color;
    std::visit(*this, series.shape);
  }

  void operator()(Bars const& bars) const
  {
    int const columns = static_cast<int>(ImPlot::GetPlotSize().x);
    std::vector<std::uint32_t> heights = column_heights(bars, x_, columns, bars.outline <= 0.0f);
    widen_thin_bars(heights, thinnest_bar);
    std::vector<double> xs;
    std::vector<double> ys;
    for (std::size_t i = 0; i < heights.size(); ++i) {
      for (std::size_t const side : {i, i + 1}) {
        xs.push_back(x_.value(static_cast<double>(side) / columns));
        ys.push_back(std::max(heights[i] * bars.each, y_.low));
      }
    }
    area(xs, ys, bars.outline > 0.0f ? 0.16f : 1.0f);
    if (bars.outline <= 0.0f) { return; }
    while (!ys.empty() && ys.back() <= y_.low) { ys.pop_back(); }
    if (ys.empty()) { return; }
    ys.push_back(y_.low);
    xs.resize(ys.size());
    xs.back() = xs[xs.size() - 2];
    line(xs, ys, bars.outline);
  }

  void operator()(Line const& shape) const
  {
    std::vector<double> xs;
    std::vector<double> ys;
    for (ChartPoint const& point : shape.points) {
      if (!xs.empty() && point.x - xs.back() > shape.widest_gap) {
        xs.push_back(point.x);
        ys.push_back(std::nan(""));  // a gap
      }
      xs.push_back(point.x);
      ys.push_back(point.y);
    }
    line(xs, ys, 1.5f);
    if (shape.dots) {
      ImPlotSpec spec = own_spec();
      spec.Marker = ImPlotMarker_Circle;
      spec.MarkerSize = 1.6f * unit_;
      ImPlot::PlotScatter(name_, xs.data(), ys.data(), static_cast<int>(xs.size()), spec);
    }
  }

  void operator()(Curve const& curve) const
  {
    std::vector<double> xs;
    std::vector<double> ys;
    int const columns = static_cast<int>(ImPlot::GetPlotSize().x);
    for (int column = 0; column <= columns; column += 2) {
      xs.push_back(x_.value(static_cast<double>(column) / columns));
      double const y = curve.f(xs.back());
      ys.push_back(y_.log && y <= 0.0 ? std::nan("") : y);
    }
    line(xs, ys, 1.5f);
  }

  void operator()(Band const& band) const
  {
    std::vector<double> xs;
    std::vector<double> low;
    std::vector<double> high;
    for (std::size_t i = 0; i < band.ends.size(); ++i) {
      for (double const x : {band.ends[i] - 1.0, band.ends[i]}) {
        xs.push_back(x);
        low.push_back(band.low[i]);
        high.push_back(band.high[i]);
      }
    }
    ImPlot::PlotShaded(name_, xs.data(), low.data(), high.data(), static_cast<int>(xs.size()), own_spec());
  }

  void operator()(Vertical const& vertical) const
  {
    float const x = ImPlot::PlotToPixels(vertical.x, y_.low).x;
    float const end = ImPlot::GetPlotPos().y + ImPlot::GetPlotSize().y;
    float const length = dash * unit_;
    auto const period = length * static_cast<float>(std::max(vertical.turns, 2));
    std::vector<double> xs;
    std::vector<double> ys;
    for (float y = ImPlot::GetPlotPos().y + length * static_cast<float>(vertical.turn); y < end; y += period) {
      for (float const side : {y, std::min(y + length, end)}) {
        xs.push_back(vertical.x);
        ys.push_back(ImPlot::PixelsToPlot(x, side).y);
      }
    }
    line(xs, ys, 1.0f, ImPlotLineFlags_Segments);
  }

private:
  ImPlotSpec own_spec() const
  {
    ImPlotSpec spec;
    spec.LineColor = theme::rgba(color_);
    spec.FillColor = theme::rgba(color_);
    spec.Flags = ImPlotItemFlags_NoFit;
    return spec;
  }
  void area(std::vector<double> const& xs, std::vector<double> const& ys, float alpha) const
  {
    ImPlotSpec spec = own_spec();
    spec.FillAlpha = alpha;
    ImPlot::PlotShaded(name_, xs.data(), ys.data(), static_cast<int>(xs.size()), y_.low, spec);
  }
  void line(std::vector<double> const& xs, std::vector<double> const& ys, float thickness, int flags = 0) const
  {
    ImPlotSpec spec = own_spec();
    spec.LineWeight = thickness * unit_;
    spec.Flags |= flags;
    ImPlot::PlotLine(name_, xs.data(), ys.data(), static_cast<int>(xs.size()), spec);
  }

  float unit_ = ImGui::GetFontSize() / usual_font_size;  ///< larger on the canvas than in a panel
  Axis x_;
  Axis y_;
  char const* name_ = "";
  ImU32 color_ = 0;
};

void write_remark(std::string const& text)
{
  ImVec2 const size = ImGui::CalcTextSize(text.c_str());
  ImVec2 const corner = ImPlot::GetPlotPos();
  ImVec2 const room = ImPlot::GetPlotSize();
  ImPlot::GetPlotDrawList()->AddText({corner.x + (room.x - size.x) / 2.0f, corner.y + (room.y - size.y) / 2.0f},
                                     theme::text_dim, text.c_str());
}

/// Marks the point of a line nearest to the cursor, if it is close enough.
void mark_nearest(ChartSeries const& series, ChartCursor const& cursor)
{
  auto const* const line = std::get_if<Line>(&series.shape);
  ChartPoint const* const nearest = line == nullptr ? nullptr : cursor.nearest(*line);
  if (nearest == nullptr) { return; }
  ImVec2 const place = ImPlot::PlotToPixels(nearest->x, nearest->y);
  ImDrawList& list = *ImPlot::GetPlotDrawList();
  list.AddCircleFilled(place, 3.5f, series.color, 12);
  list.AddCircle(place, 4.5f, theme::panel, 12, 1.5f);
}

ChartCursor cursor_in_plot(Axis const& visible)
{
  float const mouse = ImGui::GetIO().MousePos.x;
  float const left = ImPlot::GetPlotPos().x;
  float const width = ImPlot::GetPlotSize().x;
  auto const at = [&](float x) { return visible.value((x - left) / width); };
  double const reach = nearest_reach * (visible.high - visible.low);
  return {at(mouse), {at(mouse - 0.5f), at(mouse + 0.5f), visible.log}, reach};
}

void draw_cursor(Look const& look, Chart const& chart, std::set<std::string> const& hidden, Axis const& visible)
{
  ChartCursor const cursor = cursor_in_plot(visible);
  ImVec2 const corner = ImPlot::GetPlotPos();
  float const x = ImGui::GetIO().MousePos.x;
  ImPlot::PushPlotClipRect();
  ImPlot::GetPlotDrawList()->AddLine({x, corner.y}, {x, corner.y + ImPlot::GetPlotSize().y},
                                     theme::with_alpha(theme::text, 0.25f));
  for (ChartSeries const& series : chart.series) {
    if (!hidden.contains(series.name)) { mark_nearest(series, cursor); }
  }
  ImPlot::PopPlotClipRect();
  if (!chart.reading || !chart.remark.empty()) { return; }
  ImGui::PushFont(look.font, look.body);
  ImGui::SetTooltip("%s", chart.reading(chart, cursor).c_str());
  ImGui::PopFont();
}

/// Two arrowheads that point away from or at each other.
void draw_size_icon(ImVec2 low, float side, bool inwards, ImU32 color)
{
  ImVec2 const high{low.x + side, low.y + side};
  float const arm = side * 0.62f;
  ImVec2 const top = inwards ? ImVec2{low.x + arm, low.y + side - arm} : ImVec2{high.x, low.y};
  ImVec2 const bottom = inwards ? ImVec2{low.x + side - arm, low.y + arm} : ImVec2{low.x, high.y};
  float const turn = inwards ? -arm : arm;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddTriangleFilled(top, {top.x, top.y + turn}, {top.x - turn, top.y}, color);
  list.AddTriangleFilled(bottom, {bottom.x, bottom.y - turn}, {bottom.x + turn, bottom.y}, color);
}

/// The names in the legend, each once, with its colour.
std::vector<ChartSeries const*> legend_of(Chart const& chart)
{
  std::vector<ChartSeries const*> entries;
  for (ChartSeries const& series : chart.series) {
    auto const same = [&](ChartSeries const* other) { return other->name == series.name; };
    if (std::ranges::none_of(entries, same)) { entries.push_back(&series); }
  }
  return entries;
}

}  // namespace

void Charts::View::show(std::string const& series, bool shown)
{
  if (shown) {
    hidden.erase(series);
  } else {
    hidden.insert(series);
  }
}

void Charts::begin_frame(Rectangle const& canvas)
{
  if (!std::exchange(drawn_large_, false)) { shrink(); }  // the chart's panel has disappeared
  canvas_ = canvas;
}

void Charts::toggle_size(std::string const& id)
{
  enlarged_ = enlarged_ == id ? "" : id;
  drawn_large_ = true;
}

void Charts::draw(Look const& look, Chart const& chart, ImVec2 size)
{
  View& view = views_[chart.id];
  ImGui::PushID(chart.id.c_str());
  draw_title(look, chart, view);
  if (chart.id == enlarged_) {
    ImGui::Dummy(size);
    draw_large(look, chart, view);
  } else {
    ImGui::PushFont(look.font, look.small);
    draw_plot(look, chart, view, size);
    ImGui::PopFont();
  }
  ImGui::PopID();
}

void Charts::draw_large(Look const& look, Chart const& chart, View& view)
{
  drawn_large_ = true;
  ImGui::SetNextWindowPos({static_cast<float>(canvas_.x), static_cast<float>(canvas_.y)});
  ImGui::SetNextWindowSize({static_cast<float>(canvas_.width), static_cast<float>(canvas_.height)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0.0f);
  ImGui::Begin("##enlarged chart", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PopStyleVar();
  // As large as axes and legend allow: legible from the back of a lecture room.
  float const room = std::min(static_cast<float>(canvas_.width), 1.2f * static_cast<float>(canvas_.height));
  ImGui::PushFont(look.font, std::floor(std::clamp(room / 24.0f, look.large, look.caption)));
  draw_title(look, chart, view);
  draw_plot(look, chart, view, ImGui::GetContentRegionAvail());
  ImGui::PopFont();
  ImGui::End();
}

void Charts::draw_title(Look const& look, Chart const& chart, View& view)
{
  float const side = std::floor(look(icon_side) * ImGui::GetFontSize() / look.body);
  ImVec2 const at = ImGui::GetCursorScreenPos();
  if (ImGui::InvisibleButton("size", {side + look(3.0f), ImGui::GetTextLineHeight()}, ImGuiButtonFlags_EnableNav)) {
    toggle_size(chart.id);
  }
  ImU32 const color = ImGui::IsItemHovered() ? theme::text : theme::text_dim;
  view.menu_by_key = ImGui::IsItemFocused() && (ImGui::IsKeyPressed(ImGuiKey_Menu, false) ||
                                                ImGui::IsKeyChordPressed(ImGuiMod_Shift | ImGuiKey_F10));
  hint(look, chart.id == enlarged_ ? translatable("Back to the panel (Esc)") : translatable("Fill the canvas"));
  draw_size_icon({at.x, std::floor(at.y + (ImGui::GetTextLineHeight() - side) / 2.0f)}, side, chart.id == enlarged_,
                 color);
  ImGui::SameLine(0.0f, look(4.0f));
  draw_legend(look, chart, view);
}

/// The title, and the names of the series on the right if they fit. The part of the title after its comma is dropped
/// first.
void Charts::draw_legend(Look const& look, Chart const& chart, View& view)
{
  std::vector<ChartSeries const*> const entries = legend_of(chart);
  float const small = ImGui::GetFontSize() * look.small / look.body;
  float const gap = small * 0.8f;
  ImGui::PushFont(look.font, small);
  float width = 0.0f;
  for (ChartSeries const* entry : entries) { width += ImGui::CalcTextSize(translated(entry->name).c_str()).x + gap; }
  ImGui::PopFont();
  float const room = ImGui::GetContentRegionAvail().x - (entries.size() < 2 ? 0.0f : width);
  std::string const title = said(chart.title);
  std::string const brief = title.substr(0, title.find(','));
  bool const names_fit = ImGui::CalcTextSize(brief.c_str()).x < room;
  bool const all_fits = !names_fit || ImGui::CalcTextSize(title.c_str()).x < room;
  ImGui::TextUnformatted(all_fits ? title.c_str() : brief.c_str());
  if (entries.size() < 2 || !names_fit) { return; }
  ImGui::PushFont(look.font, small);
  ImGui::SameLine();
  align_right(width - gap);
  for (ChartSeries const* entry : entries) {
    bool const hidden = view.hidden.contains(entry->name);
    ImGui::PushStyleColor(ImGuiCol_Text, hidden ? theme::text_faint : theme::with_alpha(entry->color, 1.0f));
    ImGui::TextUnformatted(translated(entry->name).c_str());
    ImGui::PopStyleColor();
    hint(look, hidden ? translatable("Click to show this series") : translatable("Click to hide this series"));
    if (ImGui::IsItemClicked()) { view.show(entry->name, hidden); }
    ImGui::SameLine(0.0f, gap);
  }
  ImGui::NewLine();
  ImGui::PopFont();
}

void Charts::draw_plot(Look const& look, Chart const& chart, View& view, ImVec2 size)
{
  Axis const x = shown_range(chart.x, view.other_x);
  Axis const y = shown_range(chart.y, view.other_y);
  bool const large = chart.id == enlarged_;
  ImGui::PushOverrideID(ImHashStr(chart.id.c_str()));  // the chart has one zoom on the canvas and in its panel
  constexpr ImPlotFlags flags = ImPlotFlags_CanvasOnly | ImPlotFlags_NoFrame;
  bool menu_wanted = false;
  if (!view.zoomed) {
    view.x = x;
    view.y = y;
  }
  // In a scrolling panel, the wheel scrolls the panel, and Ctrl with the wheel zooms.
  ImPlotInputMap& input = ImPlot::GetInputMap();
  input.ZoomMod = ImGui::GetScrollMaxY() > 0.0f ? ImGuiMod_Ctrl : ImGuiMod_None;
  input.OverrideMod = ImGuiMod_Super;  // with Ctrl, plots would ignore all input
  if (ImPlot::BeginPlot("##plot", size, flags)) {
    set_up_axis(ImAxis_X1, chart.x, x, large, view.x);
    set_up_axis(ImAxis_Y1, chart.y, y, large, view.y);
    thin_out_labels(ImAxis_Y1, {view.y.low, view.y.high, y.log}, size.y);
    ImPlot::SetupFinish();
    ImPlotRect const seen = ImPlot::GetPlotLimits();
    Axis const visible{seen.X.Min, seen.X.Max, x.log};
    Artist artist(visible, {seen.Y.Min, seen.Y.Max, y.log});
    for (ChartSeries const& series : chart.series) {
      if (!view.hidden.contains(series.name)) { artist.draw(series); }
    }
    if (!chart.remark.empty()) { write_remark(translated(chart.remark)); }
    bool const hovered = ImPlot::IsPlotHovered();
    if (hovered) { draw_cursor(look, chart, view.hidden, visible); }
    menu_wanted = hovered && ImGui::IsMouseClicked(ImGuiMouseButton_Right);
    bool const fits = hovered && ImGui::IsMouseDoubleClicked(ImGuiMouseButton_Left);
    ImPlot::EndPlot();
    view.zoomed = !fits && (view.zoomed || differs(view.x, x) || differs(view.y, y));
  }
  if (menu_wanted || view.menu_by_key) { ImGui::OpenPopup("menu"); }
  ImGui::PushFont(look.font, look.body);
  draw_menu(chart, view);
  ImGui::PopFont();
  ImGui::PopID();
}

void Charts::draw_menu(Chart const& chart, View& view)
{
  if (!ImGui::BeginPopup("menu")) { return; }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape)) { ImGui::CloseCurrentPopup(); }
  auto const log_entry = [&](char const* label, ChartAxis const& axis, bool& other) {
    if (!std::isnan(axis.other_low) &&
        ImGui::MenuItem(translated_label(label).c_str(), nullptr, shown_range(axis, other).log)) {
      other = !other;
      view.zoomed = false;
    }
  };
  bool const large = chart.id == enlarged_;
  if (ImGui::MenuItem(
          translated_label(large ? translatable("Back to the panel") : translatable("Fill the canvas")).c_str(),
          large ? "Esc" : nullptr)) {
    toggle_size(chart.id);
  }
  if (ImGui::MenuItem(translated_label("Show all").c_str(), tr("double click"), false, view.zoomed)) {
    view.zoomed = false;
  }
  log_entry(translatable("Logarithmic x axis"), chart.x, view.other_x);
  log_entry(translatable("Logarithmic y axis"), chart.y, view.other_y);
  ImGui::Separator();
  if (ImGui::MenuItem(translated_label("Copy as CSV").c_str())) { ImGui::SetClipboardText(to_csv(chart).c_str()); }
  if (ImGui::MenuItem(translated_label("Save as CSV…").c_str())) {
    request_ = {ChartToSave::As::csv, chart.title, to_csv(chart)};
  }
  if (ImGui::MenuItem(translated_label("Save as PNG…").c_str())) {
    if (!large) { toggle_size(chart.id); }
    request_ = {ChartToSave::As::png, chart.title, {}};
  }
  if (chart.series.size() > 1 && ImGui::BeginMenu(translated_label("Series").c_str())) {
    for (ChartSeries const* entry : legend_of(chart)) {
      bool const hidden = view.hidden.contains(entry->name);
      if (ImGui::MenuItem(translated_label(entry->name).c_str(), nullptr, !hidden)) { view.show(entry->name, hidden); }
    }
    ImGui::EndMenu();
  }
  ImGui::EndPopup();
}

}  // namespace slotscape
