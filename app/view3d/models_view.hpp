#pragma once

#include "app/gl/program.hpp"
#include "app/gl/texture.hpp"
#include "app/gl/vertices.hpp"
#include "app/table_map/slot_map.hpp"
#include "app/view3d/canvas_target.hpp"
#include "app/view3d/line_batch.hpp"
#include "app/view3d/orbit_camera.hpp"
#include "app/view3d/view_settings.hpp"

#include <span>

namespace slotscape {

/// Instances of one model in an OpenGL buffer (a presenter's), of the kind given in the settings.
struct ModelInstances {
  unsigned buffer = 0;
  std::uint64_t count = 0;  ///< 0: the model is not drawn
  std::uint64_t shown = 0;  ///< the first ones are shown; the others are ghosts
};

/// A voxel outlined in front of everything else.
struct Highlight {
  spatial::Vector center;
  Color color{1.0f, 1.0f, 1.0f};
};
struct HighlightLine {
  spatial::Vector from;
  spatial::Vector to;
  Color color{1.0f, 1.0f, 1.0f};
};

/// The alpha of hidden instances, if they are drawn.
inline constexpr float ghost_alpha = 0.06f;

/// The direction towards the light: a unit vector.
glm::dvec3 key_light(OrbitCamera const& camera);

/// The content of a frame.
struct ModelsPicture {
  spatial::VoxelGrid grid;
  spatial::PerModel<ModelInstances> models;
  unsigned texels = 0;        ///< an OpenGL buffer of `CanvasTexel` in which kernels have already drawn the models
  double scale_max = 1.0;     ///< value at the end of the palette, if colours stand for a value
  bool shows_colors = false;  ///< colours come from an attribute with values 0xRRGGBB
  bool of_changes = false;    ///< statuses are those of `spatial::Changes`
  std::span<Highlight const> highlights;
  std::span<HighlightLine const> lines;
  Color background = canvas_color;
};

/// Draws the instances of two models, from where the device has written them, as voxels or points into part of a
/// framebuffer; or draws the picture that kernels have made of them. The OpenGL context must be current at
/// construction, in every call, and at destruction.
class ModelsView {
public:
  ModelsView();
  ~ModelsView();
  ModelsView(ModelsView const&) = delete;
  ModelsView& operator=(ModelsView const&) = delete;

  /// Draws to `canvas` in the bound framebuffer, which is `framebuffer_height` high. The camera's canvas has the size
  /// of `canvas`.
  void draw(ModelsPicture const& picture, ModelsViewSettings const& settings, OrbitCamera const& camera,
            Rectangle const& canvas, int framebuffer_height);
  void reload_if_changed();  ///< reloads shaders during development

private:
  /// How instances are drawn: voxels so small that they look like points are drawn as points.
  enum class Shape : std::uint8_t { points, cubes };
  Shape shape_of(ModelsPicture const& picture, ModelsViewSettings const& settings, OrbitCamera const& camera) const;
  gl::Program const& program_of(Shape shape) const;
  void draw_models(ModelsPicture const& picture, ModelsViewSettings const& settings, OrbitCamera const& camera,
                   bool ghosts);
  /// Shades the picture drawn so far by its depth.
  void draw_eye_dome(gl::Size size);
  void draw_drawn(ModelsPicture const& picture, ModelsViewSettings const& settings, OrbitCamera const& camera,
                  DrawnCanvas const& canvas);
  void set_paint(gl::Program const& program, ModelsPicture const& picture, ModelsViewSettings const& settings,
                 OrbitCamera const& camera, bool ghosts) const;
  void set_geometry(Shape shape, ModelsPicture const& picture, ModelsViewSettings const& settings,
                    OrbitCamera const& camera) const;

  gl::Program cubes_{"voxels"};
  gl::Program points_{"points"};
  gl::Program drawn_{"drawn_models"};
  gl::Program eye_dome_{"eye_dome"};
  LineBatch lines_;
  CanvasTarget target_;
  gl::TexelTexture texels_{gl::two_words};
  bool on_cpu_;  // OpenGL renders on the CPU
  unsigned palettes_;
  gl::Vertices cube_vertices_;
  gl::Vertices point_vertices_;
  gl::Vertices whole_canvas_;
  unsigned cube_corners_ = 0;  // element buffer
};

}  // namespace slotscape
