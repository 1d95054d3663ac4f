#include "app/table_map/tags.hpp"

#include "app/widgets/look.hpp"

#include <glm/vec2.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace slotscape {
namespace {

/// Possible directions of a label from its place. Corners come first, because leaders along an axis are lost in rows of
/// slots.
constexpr std::array<glm::vec2, 8> directions{{{0.7f, -0.7f},
                                               {0.7f, 0.7f},
                                               {-0.7f, -0.7f},
                                               {-0.7f, 0.7f},
                                               {1.0f, 0.0f},
                                               {-1.0f, 0.0f},
                                               {0.0f, -1.0f},
                                               {0.0f, 1.0f}}};
constexpr std::array<float, 3> distances{10.0f, 26.0f, 44.0f};

}  // namespace

Tags::Box Tags::box_at(ImVec2 place, float distance, int direction, ImVec2 size) const
{
  glm::vec2 const towards = directions[static_cast<std::size_t>(direction)];
  auto const side = [](float share) { return share > 0.1f ? 0.0f : share < -0.1f ? -1.0f : -0.5f; };
  ImVec2 const low{std::floor(place.x + towards.x * distance + side(towards.x) * size.x),
                   std::floor(place.y + towards.y * distance + side(towards.y) * size.y)};
  return {low, {low.x + size.x, low.y + size.y}};
}

bool Tags::is_free(Box const& box) const
{
  float const margin = on_.look(2.0f);
  ImVec2 const end{on_.corner.x + static_cast<float>(on_.camera.width()) - margin,
                   on_.corner.y + static_cast<float>(on_.camera.height()) - margin};
  bool const inside = box.low.x >= on_.corner.x + margin && box.low.y >= on_.corner.y + margin && box.high.x <= end.x &&
                      box.high.y <= end.y;
  return inside && std::ranges::none_of(taken_, [&](Box const& other) {
           return box.low.x < other.high.x + margin && other.low.x < box.high.x + margin &&
                  box.low.y < other.high.y + margin && other.low.y < box.high.y + margin;
         });
}

void Tags::add(ImVec2 place, float clear, std::string const& text, ImU32 color)
{
  Look const& look = on_.look;
  ImVec2 const pad{on_.look(4.0f), on_.look(1.0f)};
  ImVec2 const words = look.font->CalcTextSizeA(look.small, 1e9f, 0.0f, text.c_str());
  ImVec2 const size{std::ceil(words.x + 2.0f * pad.x), std::ceil(words.y + 2.0f * pad.y)};
  Box chosen = box_at(place, clear + on_.look(distances.front()), 0, size);
  [&] {
    for (float const distance : distances) {
      for (int direction = 0; direction < static_cast<int>(directions.size()); ++direction) {
        Box const box = box_at(place, clear + on_.look(distance), direction, size);
        if (is_free(box)) {
          chosen = box;
          return;
        }
      }
    }
  }();
  taken_.push_back(chosen);
  keep_clear(place, clear);

  ImVec2 const near{std::clamp(place.x, chosen.low.x, chosen.high.x), std::clamp(place.y, chosen.low.y, chosen.high.y)};
  float const length = std::max(std::hypot(near.x - place.x, near.y - place.y), 1.0f);
  ImVec2 const start{place.x + (near.x - place.x) / length * clear, place.y + (near.y - place.y) / length * clear};
  on_.drawing.line(start, near, theme::with_alpha(theme::rim, 0.75f), on_.look(3.0f));
  on_.drawing.line(start, near, color, on_.look(1.2f));
  on_.drawing.fill(chosen.low, chosen.high, theme::with_alpha(theme::panel, plate_alpha), on_.look(3.0f));
  on_.drawing.frame(chosen.low, chosen.high, color, on_.look(3.0f), on_.look(1.0f));
  on_.drawing.text({chosen.low.x + pad.x, chosen.low.y + pad.y}, look.small, color, text);
}

}  // namespace slotscape
