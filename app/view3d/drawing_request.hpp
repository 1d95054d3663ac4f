#pragma once

#include "app/view3d/models_view.hpp"
#include "gpu/spatial/drawing.hpp"

namespace slotscape {

/// The request for kernels to draw the picture as `ModelsView` does with OpenGL. `device`: the device that draws.
spatial::DrawingRequest drawing_request(ModelsPicture const& picture, ModelsViewSettings const& settings,
                                        OrbitCamera const& camera, Backend device);

}  // namespace slotscape
