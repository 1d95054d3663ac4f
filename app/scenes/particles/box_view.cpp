#include "app/scenes/particles/box_view.hpp"

#include "app/widgets/theme.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

namespace slotscape {
namespace {

using particles::Quantity;
using spatial::Vector;

constexpr float box_extent = 2.0f;  // side of the box in world units
constexpr float per_metre = box_extent / particles::box_side;
constexpr float ball_radius = 0.5f;  // metres

Vector place_in_box(particles::Point at)
{
  auto const along = [](float coordinate) { return per_metre * coordinate - 0.5f * box_extent; };
  return {along(at.x), along(at.y), along(at.z)};
}

/// Consecutive numbers get very different colours.
Color color_of_number(float number)
{
  constexpr double golden = 0.6180339887498949;
  double const turns = static_cast<double>(number) * golden;
  return palette_color(Palette::turbo, turns - std::floor(turns));
}

/// Three circles.
void add_ball(particles::Stirrer const& ball, std::vector<HighlightLine>& lines)
{
  constexpr int corners = 40;
  auto const corner = [&](int axis, int number) {
    double const angle = 2.0 * std::numbers::pi * number / corners;
    std::array<float, 3> offset{};
    offset[static_cast<std::size_t>(axis)] = ball.radius * static_cast<float>(std::cos(angle));
    offset[static_cast<std::size_t>((axis + 1) % 3)] = ball.radius * static_cast<float>(std::sin(angle));
    return place_in_box({ball.center.x + offset[0], ball.center.y + offset[1], ball.center.z + offset[2]});
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (int i = 0; i < corners; ++i) {
      lines.push_back({corner(axis, i), corner(axis, i + 1), theme::selected_voxel});
    }
  }
}

}  // namespace

Color ColorScale::color_of(float number) const
{
  double const way = static_cast<double>(number) - low;
  return palette_color(palette, is_logarithmic ? std::log1p(way) / std::log1p(high - low) : way / (high - low));
}

std::optional<ColorScale> color_scale_of(Quantity quantity, float largest)
{
  constexpr double fast = 6.0;  // metres a second
  switch (quantity) {
    case Quantity::speed: return ColorScale{Palette::viridis, 0.0, fast};
    case Quantity::density: return ColorScale{Palette::viridis, 0.5, 1.5};
    case Quantity::probe_length: {
      double const end = std::bit_ceil(std::max(static_cast<std::uint32_t>(largest), 2u));
      return ColorScale{Palette::cividis, 0.0, end, true};
    }
    default: return std::nullopt;
  }
}

BoxView::BoxView() : view_(box_extent) {}

void BoxView::show(ParticleState const& state)
{
  if (shown_ == state.result.bodies) { return; }
  shown_ = state.result.bodies;
  float const radius = state.shown->start.radius;
  grid_ = {static_cast<std::uint32_t>(std::lround(particles::box_side / radius)), box_extent};
  auto const scale = color_scale_of(state.shown->quantity, state.result.largest);
  instances_.clear();
  for (particles::Body const& body : *shown_) {
    Color const color = scale ? scale->color_of(body.number) : color_of_number(body.number);
    instances_.push_back({place_in_box(body.at), rgb_of(color), 0});
  }
  view_.set(instances_, instances_.size());
}

void BoxView::draw_picture(ParticleState const& state, Color const& background, int framebuffer_height)
{
  if (!shown_) { return; }
  std::vector<HighlightLine> lines;
  if (state.stirrer.radius > 0.0f) { add_ball(state.stirrer, lines); }
  ModelsViewSettings const settings{.kind = spatial::InstanceKind::points,
                                    .point_size = 1.0f / particles::spacings_per_radius,
                                    .min_pixels = 1.0f};
  view_.draw_picture({.grid = grid_, .models = {}, .highlights = {}, .lines = lines, .background = background},
                     settings, framebuffer_height);
}

particles::Stirrer BoxView::follow_mouse()
{
  view_.begin("##particles_in_box", ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonMiddle);
  bool const stirs = ImGui::IsItemHovered() && ImGui::IsMouseDown(ImGuiMouseButton_Right);
  ImGui::End();
  return stirs ? stirrer_under_mouse() : particles::Stirrer{};
}

/// The stirrer lies in a plane that faces the eye, through the middle of the box's contents.
particles::Stirrer BoxView::stirrer_under_mouse() const
{
  ImVec2 const mouse = ImGui::GetIO().MousePos;
  Point const at{static_cast<double>(mouse.x) - view_.canvas().x, static_cast<double>(mouse.y) - view_.canvas().y};
  Vector const middle{0.0f, 0.0f, -0.25f * box_extent};
  glm::dvec3 const world = view_.camera().at_depth(at, view_.camera().depth(middle));
  auto const along = [](double coordinate) {
    double const metres = (coordinate + 0.5 * static_cast<double>(box_extent)) / static_cast<double>(per_metre);
    return std::clamp(static_cast<float>(metres), 0.0f, particles::box_side);
  };
  return {{along(world.x), along(world.y), along(world.z)}, ball_radius};
}

}  // namespace slotscape
