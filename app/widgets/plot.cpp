#include "app/widgets/plot.hpp"

#include "app/base/text.hpp"
#include "app/widgets/look.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace slotscape {
namespace {

std::vector<Tick> log_ticks(Axis const& axis, int wanted)
{
  int const first = static_cast<int>(std::floor(std::log10(axis.low) + 1e-9));
  int const last = static_cast<int>(std::ceil(std::log10(axis.high) - 1e-9));
  int const every = std::max(1, (last - first) / std::max(wanted, 1));
  std::vector<Tick> result;
  for (int power = first; power <= last; ++power) {
    double const decade = std::pow(10.0, power);
    bool const labelled = (power - first) % every == 0;
    if (decade >= axis.low * 0.999 && decade <= axis.high * 1.001) {
      result.push_back({decade, labelled ? brief_number(decade) : std::string()});
    }
    for (int digit = 2; every == 1 && digit < 10; ++digit) {
      if (decade * digit > axis.low && decade * digit < axis.high) { result.push_back({decade * digit, {}}); }
    }
  }
  return result;
}

}  // namespace

double Axis::share(double value) const
{
  if (log) { return std::log(std::max(value, low * 1e-3) / low) / std::log(high / low); }
  return (value - low) / (high - low);
}

double Axis::value(double share) const
{
  return log ? low * std::pow(high / low, share) : low + (high - low) * share;
}

double round_up(double value)
{
  if (value <= 0.0) { return 1.0; }
  double const decade = std::pow(10.0, std::floor(std::log10(value)));
  for (double const digit : {1.0, 2.0, 5.0}) {
    if (digit * decade >= value * (1.0 - 1e-9)) { return digit * decade; }
  }
  return 10.0 * decade;
}

std::vector<Tick> ticks(Axis const& axis, int wanted)
{
  if (axis.log) { return log_ticks(axis, wanted); }
  double const step = round_up((axis.high - axis.low) / std::max(wanted, 1));
  std::vector<Tick> result;
  for (double value = std::ceil(axis.low / step - 1e-9) * step; value <= axis.high + step * 1e-6; value += step) {
    double const exact = std::abs(value) < step * 1e-6 ? 0.0 : value;
    result.push_back({exact, brief_number(exact)});
  }
  return result;
}

Plot::Plot(Look const& look, char const* id, ImVec2 size, Axis const& x, Axis const& y)
    : list_(ImGui::GetWindowDrawList()), small_(look.small), x_(x), y_(y)
{
  ImVec2 const corner = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(id, size);
  low_ = {std::floor(corner.x + look(38.0f)), std::floor(corner.y + look(6.0f))};
  high_ = {std::floor(corner.x + size.x - look(8.0f)), std::floor(corner.y + size.y - look(19.0f))};
  ImVec2 const mouse = ImGui::GetIO().MousePos;
  hovered_ = ImGui::IsItemHovered() && mouse.x >= low_.x && mouse.x <= high_.x;
  list_->AddRectFilled(low_, high_, theme::with_alpha(theme::raised, 0.7f), look(3.0f));
  draw_axes(look);
  if (hovered_) { list_->AddLine({mouse.x, low_.y}, {mouse.x, high_.y}, theme::with_alpha(theme::text, 0.25f)); }
}

ImVec2 Plot::place(double x, double y) const
{
  auto const clamp = [](double share) { return static_cast<float>(std::clamp(share, 0.0, 1.0)); };
  return {low_.x + clamp(x_.share(x)) * inner_width(), high_.y - clamp(y_.share(y)) * inner_height()};
}

void Plot::draw_axes(Look const& look)
{
  ImFont* const font = look.small;
  float const size = font->FontSize;
  float label_end = -1e9f;
  for (Tick const& tick : ticks(x_, static_cast<int>(inner_width() / look(52.0f)))) {
    float const at = std::floor(place(tick.value, y_.low).x);
    list_->AddLine({at, low_.y}, {at, high_.y}, theme::with_alpha(theme::line, tick.label.empty() ? 0.35f : 0.9f));
    if (tick.label.empty()) { continue; }
    float const width = font->CalcTextSizeA(size, 1e9f, 0.0f, tick.label.c_str()).x;
    float const left = std::clamp(at - width / 2.0f, low_.x - look(8.0f), high_.x - width + look(8.0f));
    if (left < label_end) { continue; }
    list_->AddText(font, size, {left, high_.y + look(3.0f)}, theme::text_dim, tick.label.c_str());
    label_end = left + width + look(6.0f);
  }
  for (Tick const& tick : ticks(y_, static_cast<int>(inner_height() / look(24.0f)))) {
    if (tick.label.empty()) { continue; }
    float const at = std::floor(place(x_.low, tick.value).y);
    list_->AddLine({low_.x, at}, {high_.x, at}, theme::with_alpha(theme::line, 0.9f));
    float const width = font->CalcTextSizeA(size, 1e9f, 0.0f, tick.label.c_str()).x;
    list_->AddText(font, size, {low_.x - width - look(5.0f), at - size / 2.0f}, theme::text_dim, tick.label.c_str());
  }
}

std::vector<std::uint32_t> Plot::heights(std::span<std::uint32_t const> counts, std::size_t first, bool gap) const
{
  int const columns = static_cast<int>(inner_width());
  std::vector<std::uint32_t> highest(static_cast<std::size_t>(std::max(columns, 1)), 0);
  for (std::size_t i = first; i < counts.size(); ++i) {
    if (counts[i] == 0) { continue; }
    auto const value = static_cast<double>(i);
    double const from = x_.log ? value : value - 0.5;
    double const to = x_.log ? value + 1.0 : value + 0.5;
    int const left = static_cast<int>(std::clamp(x_.share(from), 0.0, 1.0) * columns);
    int right = static_cast<int>(std::clamp(x_.share(to), 0.0, 1.0) * columns);
    if (gap && right - left >= 4) { --right; }
    for (int column = left; column < std::max(right, left + 1) && column < columns; ++column) {
      auto& height = highest[static_cast<std::size_t>(column)];
      height = std::max(height, counts[i]);
    }
  }
  return highest;
}

void Plot::bars(std::span<std::uint32_t const> counts, std::size_t first, ImU32 color)
{
  float left = low_.x;
  for (std::uint32_t const count : heights(counts, first, true)) {
    if (count != 0) { list_->AddRectFilled({left, place(0.0, count).y}, {left + 1.0f, high_.y}, color); }
    left += 1.0f;
  }
}

void Plot::steps(std::span<std::uint32_t const> counts, std::size_t first, ImU32 color, float thickness)
{
  std::vector<ImVec2> outline;
  float left = low_.x;
  for (std::uint32_t const count : heights(counts, first, false)) {
    float const top = place(0.0, count).y;
    if (count != 0) { list_->AddRectFilled({left, top}, {left + 1.0f, high_.y}, theme::with_alpha(color, 0.16f)); }
    outline.push_back({left, top});
    outline.push_back({left + 1.0f, top});
    left += 1.0f;
  }
  auto const on_ground = [&](ImVec2 corner) { return corner.y >= high_.y; };
  while (!outline.empty() && on_ground(outline.back())) { outline.pop_back(); }
  if (outline.empty()) { return; }
  outline.push_back({outline.back().x, high_.y});
  list_->AddPolyline(outline.data(), static_cast<int>(outline.size()), color, 0, thickness);
}

void Plot::line(std::span<PlotPoint const> points, ImU32 color, float thickness)
{
  std::vector<ImVec2> corners;
  corners.reserve(points.size());
  for (PlotPoint const& point : points) { corners.push_back(place(point.x, point.y)); }
  list_->AddPolyline(corners.data(), static_cast<int>(corners.size()), color, 0, thickness);
}

void Plot::stack(double from, double to, std::span<double const> parts, std::span<ImU32 const> colors)
{
  float const left = place(from, y_.low).x;
  float const right = std::max(place(to, y_.low).x, left + 1.0f);
  double sum = 0.0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    float const bottom = place(from, sum).y;
    sum += parts[i];
    list_->AddRectFilled({left, place(from, sum).y}, {right, bottom}, colors[i]);
  }
}

void Plot::line_with_gaps(std::span<PlotPoint const> points, ImU32 color)
{
  constexpr double widest_gap = 0.08;
  std::size_t start = 0;
  for (std::size_t i = 1; i <= points.size(); ++i) {
    if (i < points.size() && points[i].x - points[i - 1].x <= widest_gap) { continue; }
    line(points.subspan(start, i - start), color);
    start = i;
  }
}

void Plot::dots(std::span<PlotPoint const> points, ImU32 color, float radius)
{
  for (PlotPoint const& point : points) { list_->AddCircleFilled(place(point.x, point.y), radius, color, 8); }
}

void Plot::curve(std::function<double(double)> const& f, ImU32 color)
{
  std::vector<ImVec2> corners;
  int const columns = static_cast<int>(inner_width());
  for (int column = 0; column <= columns; column += 2) {
    double const x = x_.value(static_cast<double>(column) / columns);
    double const y = f(x);
    if (y < y_.low) {  // below the plot: clamped, it would seem to run along the bottom
      if (!corners.empty()) { break; }
      continue;
    }
    corners.push_back(place(x, y));
  }
  list_->AddPolyline(corners.data(), static_cast<int>(corners.size()), color, 0, 1.5f);
}

void Plot::vertical(double x, ImU32 color, std::string const& name, int turn, int turns)
{
  double const share = x_.share(x);
  if (share < 0.0 || share > 1.0) { return; }
  float const at = place(x, y_.low).x;
  constexpr float dash = 3.0f;
  auto const period = dash * static_cast<float>(std::max(turns, 2));
  for (float y = low_.y + dash * static_cast<float>(turn); y < high_.y; y += period) {
    list_->AddLine({at, y}, {at, std::min(y + dash, high_.y)}, color);
  }
  if (name.empty()) { return; }
  float const width = small_->CalcTextSizeA(small_->FontSize, 1e9f, 0.0f, name.c_str()).x;
  bool const left = at - width - 4.0f > low_.x;
  list_->AddText(small_, small_->FontSize, {left ? at - width - 4.0f : at + 4.0f, low_.y + 1.0f}, color, name.c_str());
}

void Plot::remark(std::string const& text)
{
  ImVec2 const size = ImGui::CalcTextSize(text.c_str());
  ImVec2 const middle{(low_.x + high_.x - size.x) / 2.0f, (low_.y + high_.y - size.y) / 2.0f};
  list_->AddText(middle, theme::text_faint, text.c_str());
}

std::optional<double> Plot::hovered() const
{
  if (!hovered_) { return std::nullopt; }
  return x_.value((ImGui::GetIO().MousePos.x - low_.x) / inner_width());
}

std::pair<std::uint64_t, std::uint64_t> Plot::bins_at(double x) const
{
  double const share = x_.share(x);
  double const low = x_.value(share - pixel_width() / 2.0);
  double const high = x_.value(share + pixel_width() / 2.0);
  double const shift = x_.log ? 0.0 : 0.5;
  auto const from = static_cast<std::uint64_t>(std::max(0.0, std::floor(low + shift)));
  return {from, std::max(from, static_cast<std::uint64_t>(std::max(0.0, std::ceil(high + shift) - 1.0)))};
}

void Plot::mark(PlotPoint point, ImU32 color)
{
  list_->AddCircleFilled(place(point.x, point.y), 3.5f, color, 12);
  list_->AddCircle(place(point.x, point.y), 4.5f, theme::panel, 12, 1.5f);
}

}  // namespace slotscape
