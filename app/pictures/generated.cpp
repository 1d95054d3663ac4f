#include "app/pictures/generated.hpp"

#include "app/pictures/canvas.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <array>
#include <numbers>

namespace slotscape::pictures {
namespace {

constexpr double pi = std::numbers::pi;
constexpr int builtins_of_kind = 8;
constexpr std::array<std::string_view, 3> kind_names{"shapes", "text", "map"};

/// The size of 1 pixel of a standard-size picture.
double unit_of(Canvas const& canvas)
{
  return std::min(canvas.width(), canvas.height()) / usual_height;
}

Point place_on(Canvas const& canvas, Dice& dice)
{
  double const x = dice.between(0.05, 0.95);
  return {x * canvas.width(), dice.between(0.05, 0.95) * canvas.height()};
}

/// A grey that contrasts well with `other`.
double contrast_to(double other, Dice& dice)
{
  double const away = dice.between(60.0, 150.0);
  bool const darker = other > 195.0 || (other > 60.0 && dice.chance(0.5));
  return std::clamp(darker ? other - away : other + away, 0.0, 255.0);
}

/// Corners alternating between two radii: a star, or a regular polygon if both are equal.
std::vector<Point> star(Point centre, int corners, double outer, double inner, double angle)
{
  std::vector<Point> points;
  for (int i = 0; i < corners; ++i) {
    double const radius = i % 2 == 0 ? outer : inner;
    points.push_back(centre + turned({radius, 0.0}, angle + 2.0 * pi * i / corners));
  }
  return points;
}

void draw_shape(Canvas& canvas, Dice& dice, double grey)
{
  double const unit = unit_of(canvas);
  Point const centre = place_on(canvas, dice);
  double const size = unit * dice.between(20.0, 65.0);
  double const angle = dice.between(0.0, 2.0 * pi);
  switch (dice.below(6)) {
    case 0: canvas.disc(centre, 0.8 * size, grey); break;
    case 1: canvas.ring(centre, 0.8 * size, 0.3 * size, grey); break;
    case 2: canvas.rectangle(centre, 2.0 * size, dice.between(0.5, 1.6) * size, angle, grey); break;
    case 3: canvas.polygon(star(centre, 3 + dice.below(4), size, size, angle), grey); break;
    case 4: canvas.polygon(star(centre, 2 * (4 + dice.below(4)), 1.2 * size, 0.55 * size, angle), grey); break;
    default:
      canvas.line(centre, centre + turned({2.5 * size, 0.0}, angle), unit * dice.between(8.0, 20.0), grey);
      break;
  }
}

void draw_shapes(Canvas& canvas, Dice& dice, double background)
{
  for (int i = 0; i < 34; ++i) { draw_shape(canvas, dice, contrast_to(background, dice)); }
}

/// Strokes from A to Z: each pair of digits is a point's column from 0 to 4 and its row from 0 to 6.
constexpr std::array<std::string_view, 26> letters{
    "06 20 46|14 34",
    "00 06 36 45 44 33 03|33 42 41 30 00",
    "41 30 10 01 05 16 36 45",
    "00 06 26 44 42 20 00",
    "40 00 06 46|03 33",
    "40 00 06|03 33",
    "41 30 10 01 05 16 36 45 43 23",
    "00 06|40 46|03 43",
    "10 30|20 26|16 36",
    "40 45 36 16 05",
    "00 06|40 03 46",
    "00 06 46",
    "06 00 23 40 46",
    "06 00 46 40",
    "10 30 41 45 36 16 05 01 10",
    "06 00 30 41 42 33 03",
    "10 30 41 45 36 16 05 01 10|34 46",
    "06 00 30 41 42 33 03|23 46",
    "41 30 10 01 02 13 33 44 45 36 16 05",
    "00 40|20 26",
    "00 05 16 36 45 40",
    "00 26 40",
    "00 16 22 36 40",
    "00 46|40 06",
    "00 23 40|23 26",
    "00 40 06 46",
};

/// `size` is the height of the letter.
void draw_letter(Canvas& canvas, std::string_view strokes, Point corner, double size, double thickness, double grey)
{
  std::vector<Point> stroke;
  for (std::size_t at = 0; at + 1 < strokes.size(); at += 3) {
    Point const place{static_cast<double>(strokes[at] - '0'), static_cast<double>(strokes[at + 1] - '0')};
    stroke.push_back(corner + (size / 6.0) * place);
    bool const ends = at + 2 >= strokes.size() || strokes[at + 2] == '|';
    if (!ends) { continue; }
    canvas.polyline(stroke, thickness, grey);
    stroke.clear();
  }
}

void draw_text(Canvas& canvas, Dice& dice, double background)
{
  double const unit = unit_of(canvas);
  double const grey = background > 128.0 ? dice.between(0.0, 60.0) : dice.between(200.0, 255.0);
  double y = unit * dice.between(12.0, 25.0);
  while (y < canvas.height()) {
    double const size = unit * (dice.chance(0.3) ? dice.between(60.0, 90.0) : dice.between(34.0, 52.0));
    double const thickness = size * dice.between(0.11, 0.17);
    double x = unit * dice.between(10.0, 60.0);
    int left_in_word = 2 + dice.below(7);
    while (x + 0.7 * size < canvas.width()) {
      draw_letter(canvas, letters[static_cast<std::size_t>(dice.below(26))], {x, y}, size, thickness, grey);
      x += 0.92 * size;
      if (--left_in_word == 0) {
        left_in_word = 2 + dice.below(7);
        x += 0.6 * size;
      }
    }
    y += 1.45 * size;
  }
}

/// Streets at irregular distances from one end of the map to the other.
std::vector<double> street_places(Dice& dice, double reach, double unit)
{
  std::vector<double> places;
  for (double at = -reach; at < reach; at += unit * dice.between(45.0, 100.0)) { places.push_back(at); }
  return places;
}

/// A town: blocks between slightly bent streets.
class Town {
public:
  Town(Canvas& canvas, Dice& dice)
      : canvas_(canvas),
        dice_(dice),
        unit_(unit_of(canvas)),
        angle_(dice.between(0.0, pi)),
        bend_(dice.between(0.0, 2.0 * pi)),
        reach_(0.6 * std::hypot(canvas.width(), canvas.height()))
  {
  }

  void draw()
  {
    std::vector<double> const across = street_places(dice_, reach_, unit_);
    std::vector<double> const along = street_places(dice_, reach_, unit_);
    for (std::size_t i = 1; i < across.size(); ++i) {
      for (std::size_t k = 1; k < along.size(); ++k) { draw_block(across[i - 1], along[k - 1], across[i], along[k]); }
    }
    draw_park();
    draw_river();
    for (int i = 0; i < 2; ++i) { draw_road(); }
  }

private:
  /// Maps coordinates in the grid of streets to the canvas.
  Point on_map(double u, double v) const
  {
    double const waves = 0.006 / unit_;
    double const height = 16.0 * unit_;
    Point const bent{u + height * std::sin(waves * v + bend_), v + height * std::sin(1.3 * waves * u - bend_)};
    return Point{canvas_.width() / 2.0, canvas_.height() / 2.0} + turned(bent, angle_);
  }

  void draw_block(double left, double top, double right, double bottom)
  {
    double const half_street = unit_ * dice_.between(4.0, 8.0);
    left += half_street;
    top += half_street;
    right -= half_street;
    bottom -= half_street;
    bool const is_split = dice_.chance(0.5);
    double const middle = left + (right - left) * dice_.between(0.35, 0.65);
    if (dice_.chance(0.12)) { return; }  // an open square without houses
    double const grey = dice_.between(90.0, 190.0);
    if (!is_split) {
      draw_building(left, top, right, bottom, grey);
      return;
    }
    draw_building(left, top, middle - 3.0 * unit_, bottom - (bottom - top) * dice_.between(0.0, 0.4), grey);
    draw_building(middle + 3.0 * unit_, top, right, bottom, dice_.between(90.0, 190.0));
  }
  void draw_building(double left, double top, double right, double bottom, double grey)
  {
    canvas_.polygon(std::array{on_map(left, top), on_map(right, top), on_map(right, bottom), on_map(left, bottom)},
                    grey);
  }

  void draw_park()
  {
    Point const centre = place_on(canvas_, dice_);
    double const radius = unit_ * dice_.between(45.0, 80.0);
    std::vector<Point> outline;
    outline.reserve(9);
    for (int i = 0; i < 9; ++i) {
      outline.push_back(centre + turned({radius * dice_.between(0.7, 1.2), 0.0}, 2.0 * pi * i / 9));
    }
    canvas_.polygon(outline, 205.0);
    for (int i = 0; i < 14; ++i) {
      double const away = radius * dice_.between(0.0, 0.75);
      Point const place = centre + turned({away, 0.0}, dice_.between(0.0, 2.0 * pi));
      canvas_.disc(place, unit_ * dice_.between(5.0, 10.0), 110.0);
    }
  }

  void draw_river()
  {
    double const angle = dice_.between(0.0, pi);
    double const aside = unit_ * dice_.between(-120.0, 120.0);
    double const phase = dice_.between(0.0, 2.0 * pi);
    std::vector<Point> bed;
    for (int i = -20; i <= 20; ++i) {
      Point const straight{reach_ * i / 20.0, aside + unit_ * 40.0 * std::sin(0.45 * i + phase)};
      bed.push_back(Point{canvas_.width() / 2.0, canvas_.height() / 2.0} + turned(straight, angle));
    }
    canvas_.polyline(bed, unit_ * dice_.between(22.0, 36.0), 60.0);
  }

  void draw_road()
  {
    double const at = reach_ * dice_.between(-0.6, 0.6);
    bool const is_across = dice_.chance(0.5);
    std::vector<Point> road;
    for (int i = -20; i <= 20; ++i) {
      double const along = reach_ * i / 20.0;
      road.push_back(is_across ? on_map(at, along) : on_map(along, at));
    }
    canvas_.polyline(road, 18.0 * unit_, 40.0);
    canvas_.polyline(road, 11.0 * unit_, 250.0);
  }

  Canvas& canvas_;
  Dice& dice_;
  double unit_;
  double angle_;
  double bend_;
  double reach_;
};

/// The kind and number in a name such as 'map-3'.
struct Builtin {
  Kind kind;
  std::uint64_t number;
};

Builtin const* find_builtin(std::string_view name)
{
  static std::vector<Builtin> const list = [] {
    std::vector<Builtin> all;
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
      for (std::uint64_t number = 1; number <= builtins_of_kind; ++number) {
        all.push_back({static_cast<Kind>(kind), number});
      }
    }
    return all;
  }();
  auto const& names = builtin_names();
  auto const found = std::ranges::find(names, name);
  return found == names.end() ? nullptr : &list[static_cast<std::size_t>(found - names.begin())];
}

}  // namespace

matching::Picture generate(Kind kind, std::uint64_t seed, std::uint32_t width, std::uint32_t height)
{
  Dice dice(random64(seed, static_cast<std::uint64_t>(kind)));
  double const background = kind == Kind::map ? 230.0 : dice.chance(0.7) ? dice.between(190.0, 245.0) : 40.0;
  Canvas canvas(width, height, background);
  switch (kind) {
    case Kind::shapes: draw_shapes(canvas, dice, background); break;
    case Kind::text: draw_text(canvas, dice, background); break;
    case Kind::map: Town(canvas, dice).draw(); break;
  }
  return canvas.picture();
}

std::vector<std::string> const& builtin_names()
{
  static std::vector<std::string> const names = [] {
    std::vector<std::string> all;
    for (std::string_view const kind : kind_names) {
      for (int number = 1; number <= builtins_of_kind; ++number) {
        all.push_back(std::string(kind) + "-" + std::to_string(number));
      }
    }
    return all;
  }();
  return names;
}

bool is_builtin(std::string_view name)
{
  return find_builtin(name) != nullptr;
}

matching::Picture make_builtin(std::string_view name, std::uint32_t width, std::uint32_t height)
{
  Builtin const* const found = find_builtin(name);
  if (found == nullptr) {
    throw Error(
        tr("There is no built-in picture '{0}': choose one of shapes-1 to shapes-{1}, text-1 to text-{1} and "
           "map-1 to map-{1}.",
           name, builtins_of_kind));
  }
  return generate(found->kind, found->number, width, height);
}

}  // namespace slotscape::pictures
