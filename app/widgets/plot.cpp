#include "app/widgets/plot.hpp"

#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <optional>
#include <utility>

namespace slotscape {
namespace {

constexpr float numbers_width = 46.0f;  ///< lengths are at scale 1
constexpr float line_thickness = 1.5f;
constexpr float mark_radius = 3.0f;
constexpr float diamond_radius = 4.5f;
constexpr float before_tick = 10.0f;  ///< distance from a tick to the start of its text, which is left of the tick
constexpr float room_after_last_tick = 14.0f;
constexpr float under_axis = 4.0f;
constexpr float beside_mark = 10.0f;

/// The space above the area: the title, the title of the vertical axis, and half the text of a tick.
float rows_above(std::string const& y_title)
{
  return y_title.empty() ? 2.0f : 3.0f;
}

/// The axis of a plot's rows, which runs downwards.
Axis axis_of(PlotRows const& rows)
{
  return {static_cast<double>(std::max<std::size_t>(rows.names.size(), 1)), 0.0};
}

}  // namespace

ImU32 Paper::color_of_line(std::size_t number) const
{
  return theme::lines[number % theme::lines.size()].on(look.background);
}

void Paper::text(ImVec2 at, std::string const& words, float wrap) const
{
  drawing.text(at, look.small, ink(), words, wrap);
}

ImVec2 Paper::size_of(std::string const& words, float wrap) const
{
  return look.font->CalcTextSizeA(look.small, FLT_MAX, wrap, words.c_str());
}

Axes::Axes(Paper const& paper, ImVec2 low, ImVec2 high, PlotAxis x, PlotAxis y)
    : paper_(paper),
      corner_(low),
      low_(low.x + paper.look(numbers_width), low.y + paper.look(rows_above(y.title) * Paper::row_height)),
      high_(high.x, high.y - paper.look(2.0f * Paper::row_height)),
      x_(std::move(x)),
      y_(std::move(y))
{
}

Axes::Axes(Paper const& paper, ImVec2 low, ImVec2 high, PlotAxis x, PlotRows rows)
    : Axes(paper, low, high, std::move(x), PlotAxis{axis_of(rows)})
{
  low_.x = corner_.x + rows.names_width;
  high_.y = std::min(high_.y, low_.y + rows.max_height * static_cast<float>(y_.range.low));
  rows_ = std::move(rows.names);
}

void Axes::draw(std::string const& title) const
{
  paper_.drawing.text(corner_, paper_.look.large, paper_.ink(), title);
  draw_across();
  if (rows_) {
    name_rows();
  } else {
    draw_upwards();
  }
}

/// Draws fewer ticks if their texts would overlap. The last text ends where the space ends, and is never cut.
void Axes::draw_across() const
{
  Look const& look = paper_.look;
  auto const width_of = [&](double tick) { return paper_.size_of(x_.text(tick)).x; };
  float const right = high_.x + look(room_after_last_tick);
  float const last = width_of(x_.range.high);
  float const shifted = std::max(0.0f, high_.x - look(before_tick) + last - right);
  float const widest = std::max(last, width_of(x_.range.value(0.5))) + shifted + look(8.0f);
  for (double const tick : ticks_of(x_.range, (high_.x - low_.x) / widest)) {
    float const down = place({tick, y_.range.low}).x;
    if (rows_) { paper_.drawing.line({down, low_.y}, {down, high_.y}, paper_.faint(), look(1.0f)); }
    float const left = std::min(down - look(before_tick), right - width_of(tick));
    paper_.text({left, high_.y + look(under_axis)}, x_.text(tick));
  }
  float const width = paper_.size_of(x_.title).x;
  bool const fits = width <= high_.x - low_.x;
  paper_.text({fits ? 0.5f * (low_.x + high_.x - width) : high_.x - width,
               high_.y + look(under_axis + Paper::row_height)},
              x_.title);
}

void Axes::draw_upwards() const
{
  Look const& look = paper_.look;
  for (double const tick : ticks_of(y_.range, (high_.y - low_.y) / look(Paper::row_height))) {
    float const across = place({x_.range.low, tick}).y;
    paper_.drawing.line({low_.x, across}, {high_.x, across}, paper_.faint(), look(1.0f));
    paper_.text({corner_.x, across - 0.5f * look.small}, y_.text(tick));
  }
  paper_.text({corner_.x, low_.y - look(1.45f * Paper::row_height)}, y_.title);
}

void Axes::name_rows() const
{
  paper_.drawing.clip({corner_.x, low_.y}, {low_.x - paper_.look(4.0f), high_.y});
  for (std::size_t row = 0; row < rows_->size(); ++row) {
    float const middle = place({x_.range.low, static_cast<double>(row) + 0.5}).y;
    paper_.text({corner_.x, middle - 0.5f * paper_.look.small}, (*rows_)[row]);
  }
  paper_.drawing.unclip();
}

ImVec2 Axes::place(ChartPoint const& point) const
{
  return {std::lerp(low_.x, high_.x, static_cast<float>(x_.range.share(point.x))),
          std::lerp(high_.y, low_.y, static_cast<float>(y_.range.share(point.y)))};
}

std::vector<ImVec2> Axes::places(std::vector<ChartPoint> const& points) const
{
  std::vector<ImVec2> places(points.size());
  std::ranges::transform(points, places.begin(), [this](ChartPoint const& point) { return place(point); });
  return places;
}

void Axes::line(std::vector<ChartPoint> const& points, std::size_t number) const
{
  if (points.size() < 2) { return; }
  paper_.drawing.polyline(places(points), paper_.color_of_line(number), paper_.look(line_thickness));
}

void Axes::marks(std::vector<ChartPoint> const& points, std::size_t number) const
{
  for (ImVec2 const& at : places(points)) { draw_mark(paper_, at, number); }
}

void draw_mark(Paper const& paper, ImVec2 at, std::size_t number, float alpha)
{
  float const r = paper.look(mark_radius);
  ImU32 const color = theme::with_alpha(paper.color_of_line(number), alpha);
  switch (theme::shape_of_line(number)) {
    case 0: return paper.drawing.disc(at, r, color);
    case 1: return paper.drawing.fill({at.x - r, at.y - r}, {at.x + r, at.y + r}, color);
    case 2: return paper.drawing.triangle({at.x - r, at.y + r}, {at.x + r, at.y + r}, {at.x, at.y - r}, color);
    default: return paper.drawing.circle(at, r, color, paper.look(1.2f));
  }
}

void draw_diamond(Paper const& paper, ImVec2 at)
{
  float const r = paper.look(diamond_radius);
  std::array<ImVec2, 5> const corners{ImVec2{at.x - r, at.y}, ImVec2{at.x, at.y - r}, ImVec2{at.x + r, at.y},
                                      ImVec2{at.x, at.y + r}, ImVec2{at.x - r, at.y}};
  paper.drawing.polyline(corners, paper.ink(), paper.look(1.2f));
}

namespace {

/// Writes the lines of a legend below one another.
class LegendColumn {
public:
  LegendColumn(Paper const& paper, ImVec2 low, float right)
      : paper_(paper), at_(low), wrap_(right - low.x - paper.look(beside_mark))
  {
  }

  float height_of(LegendLine const& line) const
  {
    float const more = paper_.size_of(line.text, wrap_).y - paper_.look.small;
    return paper_.look(Paper::row_height) + std::max(more, 0.0f);
  }
  void write(LegendLine const& line)
  {
    ImVec2 const mark(at_.x, at_.y + 0.5f * paper_.look.small);
    if (line.mark == LegendLine::Mark::line) { draw_mark(paper_, mark, line.number); }
    if (line.mark == LegendLine::Mark::diamond) { draw_diamond(paper_, mark); }
    paper_.text({at_.x + paper_.look(beside_mark), at_.y}, line.text, wrap_);
    at_.y += height_of(line);
  }
  float bottom() const { return at_.y; }

private:
  Paper paper_;
  ImVec2 at_;
  float wrap_;
};

}  // namespace

void draw_legend(Paper const& paper, ImVec2 low, ImVec2 high, std::vector<LegendLine> const& lines,
                 std::vector<LegendLine> const& below)
{
  LegendColumn column(paper, low, high.x);
  auto const height_of = [&](LegendLine const& line) { return column.height_of(line); };
  float room = high.y;  // lower end of the lines
  for (LegendLine const& line : below) { room -= height_of(line); }
  float all = column.bottom();
  for (LegendLine const& line : lines) { all += height_of(line); }
  if (all > room) { room -= paper.look(Paper::row_height); }  // leaves a row for the number of missing lines
  std::size_t drawn = 0;
  for (; drawn < lines.size() && column.bottom() + height_of(lines[drawn]) <= room; ++drawn) {
    column.write(lines[drawn]);
  }
  if (drawn < lines.size()) { column.write({tr("and {} more", lines.size() - drawn)}); }
  for (LegendLine const& line : below) { column.write(line); }
}

/// The total area of everything that the text covers.
float LabelPlaces::covered_by(Area const& text) const
{
  float area = 0.0f;
  for (Area const& other : taken_) {
    float const width = std::min(text.high.x, other.high.x) - std::max(text.low.x, other.low.x);
    float const height = std::min(text.high.y, other.high.y) - std::max(text.low.y, other.low.y);
    area += std::max(width, 0.0f) * std::max(height, 0.0f);
  }
  return area;
}

/// Tries above right, above left, below right and below left; then one row farther away, and so on.
ImVec2 LabelPlaces::place(ImVec2 mark, float radius, ImVec2 size)
{
  constexpr int rows = 4;
  std::optional<Area> best;
  float least = 0.0f;
  for (int i = 0; i < 4 * rows && (!best || least > 0.0f); ++i) {
    bool const is_right = i % 2 == 0;
    bool const is_above = i % 4 < 2;
    int const row = i / 4;
    float const away = radius + static_cast<float>(row) * size.y;
    ImVec2 const wanted{is_right ? mark.x + radius : mark.x - radius - size.x,
                        is_above ? mark.y - away - size.y : mark.y + away};
    ImVec2 const corner{std::max(std::min(wanted.x, high_.x - size.x), low_.x),
                        std::max(std::min(wanted.y, high_.y - size.y), low_.y)};
    Area const area{corner, {corner.x + size.x, corner.y + size.y}};
    float const covered = covered_by(area);
    if (best && covered >= least) { continue; }
    best = area;
    least = covered;
  }
  taken_.push_back(*best);
  return best->low;
}

}  // namespace slotscape
