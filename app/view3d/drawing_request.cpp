#include "app/view3d/drawing_request.hpp"

#include "app/table_map/palette.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

spatial::Vector vector_of(Color const& color)
{
  return {color.red, color.green, color.blue};
}

spatial::Sight sight_of(OrbitCamera const& camera)
{
  return {.eye = from_glm(camera.eye()),
          .right = from_glm(camera.right()),
          .up = from_glm(camera.up()),
          .forward = from_glm(camera.forward()),
          .pixels_per_unit = static_cast<float>(camera.pixels_per_unit(1.0)),
          .near = static_cast<float>(camera.near()),
          .width = static_cast<std::uint32_t>(camera.width()),
          .height = static_cast<std::uint32_t>(camera.height())};
}

spatial::PaintColors colors_of(ModelsPicture const& picture, ModelsViewSettings const& settings,
                               OrbitCamera const& camera)
{
  spatial::PaintColors colors{.paint_by = settings.paint_by,
                              .shows_colors = picture.shows_colors,
                              .log_scale = settings.is_log_scale(picture.scale_max),
                              .scale_max = static_cast<float>(std::max(picture.scale_max, 1.0)),
                              .nowhere = vector_of(theme::outside_grid),
                              .neutral = vector_of(neutral_color),
                              .key_light = from_glm(key_light(camera))};
  std::ranges::transform(palette_table(settings.palette), colors.palette.begin(), [](auto const& entry) {
    return static_cast<std::uint32_t>(entry[0]) | static_cast<std::uint32_t>(entry[1]) << 8 |
           static_cast<std::uint32_t>(entry[2]) << 16;
  });
  std::ranges::transform(status_colors(settings, picture.of_changes).of, colors.status.begin(), vector_of);
  std::ranges::transform(model_colors, colors.models.begin(), vector_of);
  return colors;
}

}  // namespace

spatial::DrawingRequest drawing_request(ModelsPicture const& picture, ModelsViewSettings const& settings,
                                        OrbitCamera const& camera, Backend device)
{
  float const voxel = picture.grid.voxel();
  return {.sight = sight_of(camera),
          .colors = colors_of(picture, settings, camera),
          .kind = settings.kind,
          .voxel = voxel,
          .diameter = voxel * settings.point_size,
          .min_pixels = settings.min_pixels,
          .max_pixels = std::max(settings.min_pixels, settings.max_pixels),
          .smooth = settings.smooth_edges && (device == Backend::cuda || settings.smooth_on_cpu),
          .ghost_alpha = settings.ghosts ? ghost_alpha : 0.0f};
}

}  // namespace slotscape
