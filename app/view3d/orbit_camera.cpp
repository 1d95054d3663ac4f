#include "app/view3d/orbit_camera.hpp"

#include <glm/ext/matrix_transform.hpp>
#include <glm/geometric.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

namespace slotscape {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double home_yaw = -1.05;
constexpr double home_pitch = 0.40;
constexpr double home_half_sight = 0.96;  // share of the extent, on each side of the target
constexpr double farthest_target = 1.0;   // share of the extent, on each axis
constexpr double near_share = 0.01;  // near plane for an eye among the voxels, relative to the distance from its target
constexpr double around_the_cube = 1.5;  // models may reach beyond the grid
constexpr double focus_margin = 1.3;

double smooth(double t)
{
  return t * t * (3.0 - 2.0 * t);
}

/// The angle of the shorter way around.
double turn_between(double from, double to)
{
  return std::remainder(to - from, 2.0 * pi);
}

/// A place on a path along which the view of the destination moves straight to its final position.
OrbitPlace between(OrbitPlace const& from, OrbitPlace const& to, double share)
{
  OrbitPlace place;
  place.distance = from.distance * std::pow(to.distance / from.distance, share);
  double const nearer = from.distance - to.distance;
  bool const zooms = std::abs(nearer) > 1e-3 * from.distance;
  double const moved = zooms ? (from.distance - place.distance) / nearer : share;
  place.target = from.target + moved * (to.target - from.target);
  place.yaw = from.yaw + share * turn_between(from.yaw, to.yaw);
  place.pitch = from.pitch + share * (to.pitch - from.pitch);
  return place;
}

/// The distance between the two points that are farthest apart.
double largest_distance(std::span<Point const> points)
{
  double largest = 0.0;
  for (Point const& a : points) {
    for (Point const& b : points) { largest = std::max(largest, std::hypot(a.x - b.x, a.y - b.y)); }
  }
  return largest;
}

}  // namespace

OrbitCamera::OrbitCamera(double extent, double width, double height) : extent_(extent)
{
  set_canvas(width, height);
  place_ = home();
}

void OrbitCamera::set_canvas(double width, double height)
{
  width_ = std::max(width, 1.0);
  height_ = std::max(height, 1.0);
}

void OrbitCamera::set_extent(double extent)
{
  extent_ = extent;
  keep_in_limits();
}

OrbitPlace OrbitCamera::home() const
{
  double const narrow = std::max(height_ / width_, 1.0);
  double const distance = narrow * home_half_sight * extent_ / std::tan(field_of_view / 2.0);
  return {glm::dvec3(0.0), home_yaw, home_pitch, distance};
}

void OrbitCamera::look(OrbitPlace const& place)
{
  flight_.reset();
  place_ = place;
  keep_in_limits();
}

void OrbitCamera::orbit(double dx, double dy)
{
  flight_.reset();
  double const radians_per_pixel = pi / std::min(width_, height_);
  place_.yaw -= dx * radians_per_pixel;
  place_.pitch += dy * radians_per_pixel;
  keep_in_limits();
}

void OrbitCamera::pan(Point from, Point to, std::optional<spatial::Vector> grabbed)
{
  flight_.reset();
  double const at = grabbed ? depth(*grabbed) : place_.distance;
  place_.target -= at_depth(to, at) - at_depth(from, at);
  keep_in_limits();
}

void OrbitCamera::zoom_at(Point at, double factor, std::optional<spatial::Vector> towards)
{
  flight_.reset();
  glm::dvec3 const fixed = at_depth(at, towards ? depth(*towards) : place_.distance);
  double const wanted = place_.distance / factor;
  double const limited = std::clamp(wanted, min_distance * extent_, max_distance * extent_);
  // Eye and target move towards the fixed point by the same factor.
  place_.target = fixed + limited / place_.distance * (place_.target - fixed);
  place_.distance = limited;
  keep_in_limits();
}

void OrbitCamera::focus(spatial::Vector point, double radius)
{
  double const distance = focus_margin * radius / std::sin(field_of_view / 2.0);
  double const limited = std::clamp(distance, min_distance * extent_, max_distance * extent_);
  fly_to({to_glm(point), place_.yaw, place_.pitch, limited});
}

OrbitPlace OrbitCamera::framing(std::span<spatial::Vector const> points) const
{
  constexpr double margin = 1.08;
  glm::dvec3 low = to_glm(points.front());
  glm::dvec3 high = low;
  for (spatial::Vector const& point : points) {
    low = glm::min(low, to_glm(point));
    high = glm::max(high, to_glm(point));
  }
  glm::dvec3 const middle = (low + high) / 2.0;
  double const tan_height = tan_half_height() / margin;
  double const tan_width = tan_height * width_ / height_;
  double distance = min_distance * extent_;
  for (spatial::Vector const& point : points) {
    glm::dvec3 const from = to_glm(point) - middle;
    double const aside =
        std::max(std::abs(glm::dot(from, right())) / tan_width, std::abs(glm::dot(from, up())) / tan_height);
    distance = std::max(distance, aside - glm::dot(from, forward()));
  }
  return {middle, place_.yaw, place_.pitch, std::clamp(distance, min_distance * extent_, max_distance * extent_)};
}

void OrbitCamera::frame(std::span<spatial::Vector const> points)
{
  fly_to(framing(points));
}

double OrbitCamera::length_when_framed(std::span<spatial::Vector const> points) const
{
  OrbitCamera framed = *this;
  framed.look(framing(points));
  std::vector<Point> seen;
  for (spatial::Vector const& point : points) {
    auto const at = framed.to_canvas(point);
    if (!at) { return 0.0; }
    seen.push_back(*at);
  }
  return largest_distance(seen);
}

void OrbitCamera::frame_from_best_side(std::span<spatial::Vector const> points)
{
  constexpr int sides = 16;
  constexpr double clearly = 1.1;
  OrbitCamera best = *this;
  double longest = clearly * length_when_framed(points);
  for (int side = 1; side < sides; ++side) {
    OrbitCamera other = *this;
    other.place_.yaw = std::remainder(place_.yaw + 2.0 * pi * side / sides, 2.0 * pi);
    double const length = other.length_when_framed(points);
    if (length > longest) {
      best = other;
      longest = length;
    }
  }
  fly_to(best.framing(points));
}

void OrbitCamera::reset()
{
  fly_to(home());
}

void OrbitCamera::fly_to(OrbitPlace const& place)
{
  flight_ = OrbitFlight{place_, place};
}

void OrbitCamera::set_turntable(double radians_per_second)
{
  turning_ = radians_per_second;
}

void OrbitCamera::advance(double elapsed_seconds)
{
  if (!flight_) {
    place_.yaw = std::remainder(place_.yaw + turning_ * elapsed_seconds, 2.0 * pi);
    return;
  }
  flight_->time += elapsed_seconds;
  place_ = between(flight_->from, flight_->to, smooth(std::min(flight_->time / flight_seconds, 1.0)));
  if (flight_->time >= flight_seconds) { flight_.reset(); }
  keep_in_limits();
}

void OrbitCamera::keep_in_limits()
{
  place_.target = glm::clamp(place_.target, -farthest_target * extent_, farthest_target * extent_);
  place_.distance = std::clamp(place_.distance, min_distance * extent_, max_distance * extent_);
  place_.pitch = std::clamp(place_.pitch, -pi / 2.0, pi / 2.0);
  place_.yaw = std::remainder(place_.yaw, 2.0 * pi);
}

glm::dvec3 OrbitCamera::forward() const
{
  double const flat = std::cos(place_.pitch);
  return {-flat * std::cos(place_.yaw), -flat * std::sin(place_.yaw), -std::sin(place_.pitch)};
}

glm::dvec3 OrbitCamera::right() const
{
  return {-std::sin(place_.yaw), std::cos(place_.yaw), 0.0};
}

glm::dvec3 OrbitCamera::up() const
{
  return glm::cross(right(), forward());
}

glm::dvec3 OrbitCamera::eye() const
{
  return place_.target - place_.distance * forward();
}

double OrbitCamera::tan_half_height() const
{
  return std::tan(field_of_view / 2.0) * height_ / std::min(width_, height_);
}

glm::dmat4 OrbitCamera::view() const
{
  glm::dvec3 const x = right();
  glm::dvec3 const y = up();
  glm::dvec3 const z = -forward();
  glm::dmat4 const turn{{x.x, y.x, z.x, 0.0}, {x.y, y.y, z.y, 0.0}, {x.z, y.z, z.z, 0.0}, {0.0, 0.0, 0.0, 1.0}};
  return glm::translate(turn, -eye());
}

double OrbitCamera::near() const
{
  double const to_cube = depth({}) - around_the_cube * extent_ * std::sqrt(3.0) / 2.0;
  return std::max(to_cube, near_share * place_.distance);
}

glm::dmat4 OrbitCamera::projection() const
{
  glm::dmat4 matrix(0.0);
  matrix[0][0] = height_ / width_ / tan_half_height();
  matrix[1][1] = 1.0 / tan_half_height();
  matrix[2][3] = -1.0;
  matrix[3][2] = near();
  return matrix;
}

glm::dvec3 OrbitCamera::direction(Point on_canvas) const
{
  double const per_pixel = 2.0 * tan_half_height() / height_;
  return forward() + per_pixel * (on_canvas.x - width_ / 2.0) * right() -
         per_pixel * (on_canvas.y - height_ / 2.0) * up();
}

spatial::Ray OrbitCamera::ray(Point on_canvas) const
{
  return {from_glm(eye()), from_glm(glm::normalize(direction(on_canvas)))};
}

std::optional<Point> OrbitCamera::to_canvas(spatial::Vector point) const
{
  double const before = depth(point);
  if (before <= 1e-6 * extent_) { return std::nullopt; }
  glm::dvec3 const from_eye = to_glm(point) - eye();
  double const pixels = pixels_per_unit(before);
  return Point{width_ / 2.0 + pixels * glm::dot(from_eye, right()), height_ / 2.0 - pixels * glm::dot(from_eye, up())};
}

double OrbitCamera::depth(spatial::Vector point) const
{
  return glm::dot(to_glm(point) - eye(), forward());
}

double OrbitCamera::pixels_per_unit(double depth) const
{
  return height_ / (2.0 * tan_half_height() * depth);
}

}  // namespace slotscape
