#pragma once

#include "app/view3d/drawing_request.hpp"
#include "gpu/interop/shared_buffer.hpp"

#include <memory>
#include <span>
#include <vector>

namespace slotscape {

/// Draws instances in host memory on the CPU, for machines where OpenGL runs on the same CPU and would take longer. The
/// OpenGL context must be current in `draw` and at destruction.
class HostDrawing {
public:
  HostDrawing() : painter_(spatial::make_instance_painter(Backend::cpu)) {}

  /// The first `shown` instances are shown, the others are ghosts.
  void set(spatial::Model model, std::span<spatial::Instance const> instances, std::uint64_t shown)
  {
    painter_->set(model, instances, shown);
  }
  /// Returns the OpenGL buffer of the texels, for `ModelsPicture::texels`; valid until the next call.
  unsigned draw(ModelsPicture const& picture, ModelsViewSettings const& settings, OrbitCamera const& camera)
  {
    spatial::DrawingRequest const request = drawing_request(picture, settings, camera, Backend::cpu);
    texels_.resize(request.texels());
    painter_->draw(request, texels_.data());
    std::size_t const bytes = texels_.size() * sizeof(spatial::CanvasTexel);
    buffer_.fit(bytes);
    buffer_.write(texels_.data(), bytes);
    return buffer_.name();
  }

private:
  std::unique_ptr<spatial::InstancePainter> painter_;
  std::vector<spatial::CanvasTexel> texels_;
  SharedBuffer buffer_;
};

}  // namespace slotscape
