#pragma once

namespace slotscape {

/// The widths of the panels beside the canvas, at scale 1.
struct SideWidths {
  float left = 306.0f;
  float right = 338.0f;
  float lecture = 420.0f;  ///< the right panel in a lecture, which is read from afar
  float sheet = 0.45f;     ///< the sheet's share of the height of an upright window
};
inline constexpr SideWidths min_side_widths{260.0f, 280.0f, 280.0f};
inline constexpr SideWidths max_side_widths{900.0f, 1400.0f, 1400.0f};

}  // namespace slotscape
