#pragma once

#include "app/gl/context.hpp"
#include "app/widgets/drawing.hpp"
#include "app/widgets/look.hpp"

#include <filesystem>
#include <functional>

namespace slotscape {

/// Writes what `draw` draws on a light background, as PNG or, if the file is named .svg, as a vector picture. Needs no
/// window, but OpenGL. Throws Error if that is impossible.
void write_drawing(std::filesystem::path const& file, gl::Size size,
                   std::function<void(Look const&, Drawing&)> const& draw);
/// The same of the size of a context, which is current.
void write_drawing(std::filesystem::path const& file, gl::Context& context,
                   std::function<void(Look const&, Drawing&)> const& draw);

/// Calls `draw` with a look for pictures on a light background, such as `SvgDrawing` needs it.
void on_paper(std::function<void(Look const&)> const& draw);

}  // namespace slotscape
