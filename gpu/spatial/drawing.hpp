#pragma once

#include "gpu/spatial/engine.hpp"

#include <array>
#include <memory>
#include <span>

/// Pictures of instances, drawn by kernels where OpenGL would be slower: it needs six triangles for a voxel, however
/// small the voxel is on the canvas, and data-centre GPUs have few units for triangles.
namespace slotscape::spatial {

/// A pinhole camera: the eye and its canvas. Pixels are counted from the upper left corner, y downwards.
struct Sight {
  Vector eye;
  Vector right;  ///< unit vectors
  Vector up;
  Vector forward;
  float pixels_per_unit = 1.0f;  ///< at a depth of one unit
  float near = 0.01f;            ///< depth of the near plane
  std::uint32_t width = 0;       ///< of the canvas, in pixels
  std::uint32_t height = 0;
};

/// The colours for `Instance::paint`. Red, green and blue range from 0 to 1.
struct PaintColors {
  PaintBy paint_by = PaintBy::status;
  bool shows_colors = false;  ///< for `PaintBy::attribute`: values are 0xRRGGBB
  bool log_scale = false;
  float scale_max = 1.0f;                     ///< value at the end of the palette
  std::array<std::uint32_t, 256> palette{};   ///< red in the lowest byte, then green, then blue
  std::array<Vector, status_count> status{};  ///< by VoxelStatus
  std::array<Vector, model_count> models{};
  Vector nowhere;    ///< colour of points outside the grid
  Vector neutral;    ///< colour of missing values
  Vector key_light;  ///< unit vector towards the light
};

/// How instances are drawn.
struct DrawingRequest {
  Sight sight;
  PaintColors colors;
  InstanceKind kind = InstanceKind::voxels;
  float voxel = 1.0f;     ///< side of a voxel, in world units
  float diameter = 1.0f;  ///< of a point, in world units
  float min_pixels = 1.0f;
  float max_pixels = 24.0f;  ///< limit on a point's diameter
  bool smooth = false;       ///< four samples per pixel
  float ghost_alpha = 0.0f;  ///< opacity of ghosts; 0: they are not drawn

  std::uint64_t texels() const { return std::uint64_t{sight.width} * sight.height; }
};

/// A pixel of the canvas. Pixels are stored row by row from the top.
struct CanvasTexel {
  std::uint32_t color =
      0;               ///< red in the lowest byte, then green, then blue; alpha is how much of the pixel is covered
  float depth = 0.0f;  ///< near plane / depth of the nearest instance, from 1 to 0; 0 where nothing is drawn
};
static_assert(sizeof(CanvasTexel) == 8);

/// Draws instances of both models from device memory. For the instances of a `SpatialEngine`, see
/// `SpatialEngine::draw`.
class InstancePainter {
public:
  virtual ~InstancePainter() = default;
  /// The first `shown` instances are shown, the others are ghosts.
  virtual void set(Model model, std::span<Instance const> instances, std::uint64_t shown) = 0;
  /// Writes `texels()` texels to `out`, in device memory.
  virtual void draw(DrawingRequest const& request, CanvasTexel* out) = 0;
};

/// Throws Error if there is no such device.
std::unique_ptr<InstancePainter> make_instance_painter(Backend backend);

}  // namespace slotscape::spatial
