#pragma once

#include "app/view3d/models_view.hpp"
#include "gpu/spatial/drawing.hpp"

namespace slotscape {

/// What kernels draw of the picture: the same as `ModelsView` does with OpenGL. `device`: the one that draws.
spatial::DrawingRequest drawing_request(ModelsPicture const& picture, ModelsViewSettings const& settings,
                                        OrbitCamera const& camera, Backend device);

}  // namespace slotscape
