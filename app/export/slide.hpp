#pragma once

#include "app/gl/context.hpp"
#include "app/scene/scene.hpp"

#include <filesystem>
#include <functional>

namespace slotscape {

inline constexpr int smallest_slide_side = 64;
inline constexpr int largest_slide_side = 16384;
inline constexpr double smallest_slide_scale = 0.75;
inline constexpr double largest_slide_scale = 16.0;

/// Settings for drawing the canvas for slides and print.
struct SlideSettings {
  int width = 1920;
  int height = 1080;
  double scale = 0.0;  ///< of text and lines; 0: scales with the picture
  Background background = Background::light;
};

/// The tools that scenes draw with, as in any frame.
struct SlideTools {
  Charts& charts;
  Presenters& presenters;
  std::function<void(Look const&, Drawing&)> overlay = {};  ///< drawn on top; empty: nothing
};

/// Draws the scene's canvas without panels and writes it as PNG or, if the file is named .svg, as a vector picture. The
/// OpenGL context must be current. Throws Error if that fails; the scene is unchanged.
void save_slide(Scene& scene, SlideTools const& tools, SlideSettings const& settings,
                std::filesystem::path const& file);

/// Writes a picture that a scene draws, on a light background. Throws as `save_slide` does.
void save_drawing(DrawingToSave const& drawing);

}  // namespace slotscape
