#include "app/base/text.hpp"
#include "app/table_map/overlays.hpp"
#include "app/table_map/palette.hpp"
#include "app/widgets/look.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

constexpr ImGuiWindowFlags overlay_flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing;

std::string scale_text(Camera const& camera)
{
  double const slots = camera.slots_per_pixel();
  if (slots > 1.0 + 1e-9) { return tr("{} slots per pixel", short_number(slots)); }
  double const side = camera.slot_pixels();
  return side < 1.01 ? tr("1 slot per pixel") : tr("1 slot is {0:.3g} × {0:.3g} pixels", side);
}

/// The first slot of a square of the plane; its side is a power of two.
std::uint64_t first_slot(Grid const& grid, Position corner, std::uint32_t side)
{
  std::uint64_t const slot = grid.slot(corner);
  return grid.layout == Layout::rows ? slot : slot & ~(std::uint64_t{side} * side - 1);
}

/// Marks the visible part, which is drawn at least a few pixels large.
void draw_visible_part(Look const& look, Camera const& camera, ImVec2 corner, ImVec2 size)
{
  Point const low = camera.to_grid({0.0, 0.0});
  Point const high = camera.to_grid({camera.width(), camera.height()});
  auto const at = [&](Point grid) {
    double const x = std::clamp(grid.x / camera.plane().columns(), 0.0, 1.0);
    double const y = std::clamp(grid.y / camera.plane().rows(), 0.0, 1.0);
    return ImVec2{corner.x + size.x * static_cast<float>(x), corner.y + size.y * static_cast<float>(y)};
  };
  ImVec2 from = at(low);
  ImVec2 to = at(high);
  float const least = look(5.0f);
  if (to.x - from.x < least) { from.x = (from.x + to.x - least) / 2.0f, to.x = from.x + least; }
  if (to.y - from.y < least) { from.y = (from.y + to.y - least) / 2.0f, to.y = from.y + least; }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(from, to, theme::with_alpha(theme::accent, 0.25f));
  list.AddRect(from, to, theme::accent, 0.0f, 0, look(1.5f));
}

/// Draws an arranged table slot by slot.
void draw_slots(Camera const& camera, ImVec2 corner, ImVec2 size)
{
  ImDrawList& list = *ImGui::GetWindowDrawList();
  float const pixels = size.x / static_cast<float>(camera.plane().columns());
  for (Slot slot = 0; slot < camera.slots(); ++slot) {
    Position const position = camera.plane().position(slot);
    ImVec2 const at{corner.x + static_cast<float>(position.x) * pixels,
                    corner.y + static_cast<float>(position.y) * pixels};
    list.AddRectFilled(at, {at.x + pixels, at.y + pixels}, theme::frame);
  }
}

/// If the table does not fill the plane, draws its part square by square.
void draw_table(Camera const& camera, ImVec2 corner, ImVec2 size)
{
  if (camera.plane().kind() != Plane::Kind::grid) { return draw_slots(camera, corner, size); }
  Grid const& grid = camera.plane().grid();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (camera.slots() == std::uint64_t{grid.columns} * grid.rows) {
    return list.AddRectFilled(corner, {corner.x + size.x, corner.y + size.y}, theme::frame);
  }
  constexpr std::uint32_t squares = 32;
  std::uint32_t const side = std::max(grid.rows / squares, 1u);
  std::uint32_t const across = grid.columns / side;
  float const pixels = size.x / static_cast<float>(across);
  for (std::uint32_t y = 0; y < grid.rows / side; ++y) {
    for (std::uint32_t x = 0; x < across; ++x) {
      if (first_slot(grid, {x * side, y * side}, side) >= camera.slots()) { continue; }
      ImVec2 const at{corner.x + static_cast<float>(x) * pixels, corner.y + static_cast<float>(y) * pixels};
      list.AddRectFilled(at, {at.x + pixels, at.y + pixels}, theme::frame);
    }
  }
}

}  // namespace

std::optional<Point> draw_minimap(Look const& look, Camera const& camera, Rectangle const& canvas)
{
  std::string const text = scale_text(camera);
  bool const zoomed = camera.zoom() > 1.001;
  double const aspect = static_cast<double>(camera.plane().rows()) / camera.plane().columns();
  float const text_width = look.font->CalcTextSizeA(look.small, 1e9f, 0.0f, text.c_str()).x;
  float const width = std::max(look(128.0f), text_width);
  ImVec2 const map{width, std::floor(width * static_cast<float>(aspect))};
  float const pad = look(8.0f);
  float const margin = look(12.0f);
  ImVec2 const size{width + 2.0f * pad, look.small + 2.0f * pad + (zoomed ? map.y + look(6.0f) : 0.0f)};
  ImGui::SetNextWindowPos({static_cast<float>(canvas.x + canvas.width) - size.x - margin,
                           static_cast<float>(canvas.y + canvas.height) - size.y - margin});
  ImGui::SetNextWindowSize(size);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {pad, pad});
  ImGui::PushStyleColor(ImGuiCol_WindowBg, theme::with_alpha(theme::panel, 0.92f));
  ImGui::Begin("##minimap", nullptr, overlay_flags);
  std::optional<Point> clicked;
  if (zoomed) {
    ImVec2 const corner = ImGui::GetCursorScreenPos();
    ImGui::InvisibleButton("map", map);
    if (ImGui::IsItemActive()) {
      ImVec2 const mouse = ImGui::GetIO().MousePos;
      clicked = Point{(mouse.x - corner.x) / map.x, (mouse.y - corner.y) / map.y};
    }
    draw_table(camera, corner, map);
    draw_visible_part(look, camera, corner, map);
    ImGui::SetCursorPosY(pad + map.y + look(6.0f));
  }
  ImGui::PushFont(look.font, look.small);
  ImGui::TextColored(theme::rgba(theme::text_dim), "%s", text.c_str());
  ImGui::PopFont();
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
  return clicked;
}

}  // namespace slotscape
