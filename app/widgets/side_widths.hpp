#pragma once

namespace slotscape {

/// The widths of the panels beside the canvas, at scale 1.
struct SideWidths {
  float left = 306.0f;
  float right = 338.0f;
};
inline constexpr SideWidths min_side_widths{260.0f, 280.0f};
inline constexpr SideWidths max_side_widths{900.0f, 1400.0f};

}  // namespace slotscape
