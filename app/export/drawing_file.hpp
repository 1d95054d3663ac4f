#pragma once

#include "app/gl/context.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <filesystem>
#include <functional>

namespace slotscape {

/// Draws on a light background with `draw`, and writes the result as PNG or, if the file is named .svg, as a vector
/// picture. Needs OpenGL, but no window. Throws Error if that fails.
void write_drawing(std::filesystem::path const& file, gl::Size size,
                   std::function<void(Look const&, Drawing&)> const& draw);
/// Writes a drawing of the size of a context, which must be current.
void write_drawing(std::filesystem::path const& file, gl::Context& context,
                   std::function<void(Look const&, Drawing&)> const& draw);

/// Calls `draw` with a look for pictures on a light background, as required by `SvgDrawing`.
void on_paper(std::function<void(Look const&)> const& draw);

}  // namespace slotscape
