#include "app/shell/notices.hpp"

#include <algorithm>
#include <optional>

namespace slotscape {
namespace {

/// As wide as the canvas, down to the lower end of the scene's area, where legends are.
Rectangle place_of_notices(Rectangle const& canvas, Rectangle const& window)
{
  return {canvas.x, window.y, canvas.width, window.height};
}

}  // namespace

void Notices::take_place(Look const& look, Rectangle& window)
{
  int const height = std::min(toasts_.strip_height(look, window), window.height / 2);
  window.height -= height;
  strip_ = {window.x, window.y + window.height, window.width, height};
}

void Notices::draw(Frame const& frame, Rectangle const& canvas, bool covered)
{
  if (!shown_) { return toasts_.dismiss_all(); }
  auto const place = covered ? std::nullopt : std::optional(place_of_notices(canvas, frame.window));
  toasts_.draw(frame.look, strip_, place, frame.elapsed_seconds);
}

}  // namespace slotscape
