#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/scenes/sparse/tensor_view.hpp"
#include "app/view3d/host_drawing.hpp"
#include "app/view3d/orbit_camera.hpp"
#include "app/view3d/orbit_mouse.hpp"
#include "app/widgets/drawing.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// The sites of a sparse tensor as voxels in space; sites that a sparse convolution reaches, faintly; and what a chosen
/// output reads, in a cage.
class SpaceView {
public:
  SpaceView();

  /// Brings the voxels up to date if the tensor has changed.
  void show(ShownTensor const& tensor, std::int32_t batch);
  /// A cell's width in the units of the file, and what these are, for labels; 0: it has none.
  void measure(double voxel_size, clouds::CoordinateSystem const& system);
  /// How long a side of the grid is there: "80.5 m"; empty if cells have no width.
  std::array<std::string, 3> sides_in_file() const;
  void place(Rectangle const& canvas, double elapsed_seconds);
  /// Draws with OpenGL. `slice`: the outline of that slice is drawn, too.
  struct Slice {
    SliceAxis across;
    std::int32_t coordinate;
  };
  void draw_picture(std::optional<ShownOutput> const& chosen, std::optional<Slice> const& slice,
                    Color const& background, int framebuffer_height);
  void draw_labels(Look const& look, Drawing& drawing) const;
  /// Draws labels, and handles the mouse.
  void draw(Look const& look);

  /// What was clicked since the last call: a site of the finer grid, or nothing.
  bool clicked() const { return click_.has_value(); }
  std::optional<SiteClick> take_click() { return std::exchange(click_, std::nullopt); }
  /// The first given site on the line of sight through a point of the canvas.
  std::optional<sparse::Site> site_under(Point on_canvas) const;
  void show_all() { camera_.reset(); }
  bool moving() const { return camera_.moving(); }
  OrbitCamera& camera() { return camera_; }
  Rectangle const& canvas() const { return canvas_; }

private:
  struct Shown {
    std::uint64_t version;
    std::int32_t batch;
    ImU32 color;  ///< of sites in the middle, in the present theme
    friend bool operator==(Shown const&, Shown const&) = default;
  };
  /// What is drawn over the voxels.
  struct Marks {
    std::vector<Highlight> cubes;
    std::vector<HighlightLine> lines;
  };

  /// Sites that the convolution has reached are drawn where they are on the grid of the given ones.
  bool shows_reached() const { return tensor_.kernel.stride[0] == 1; }
  spatial::Vector corner_of(sparse::Site const& site) const;
  spatial::Vector middle_of(sparse::Site const& site) const;
  void upload();
  /// Higher sites are paler, so that surfaces over one another are told apart from above.
  std::uint32_t paint_of(sparse::Site const& site) const;
  void mark_chosen(ShownOutput const& chosen, Marks& marks) const;
  void mark_slice(Slice const& slice, Marks& marks) const;

  ShownTensor tensor_;
  std::optional<Shown> shown_;
  sparse::Extents box_;  ///< what is shown
  spatial::VoxelGrid grid_;
  std::vector<Key> keys_;  ///< flattened, ascending: of the given sites of the batch
  double voxel_size_ = 0.0;
  clouds::CoordinateSystem system_;
  std::array<std::int32_t, 2> heights_{};  ///< the lowest and the highest z of the given sites
  OrbitCamera camera_;
  OrbitPlace opened_;  ///< where the camera was put at first
  ModelsView view_;
  std::optional<HostDrawing> host_drawing_;  ///< where OpenGL runs on the CPU
  SharedBuffer buffer_;                      ///< of the instances, elsewhere
  std::uint64_t given_ = 0;
  std::uint64_t instances_ = 0;
  Rectangle canvas_;
  OrbitMouse mouse_;
  std::optional<SiteClick> click_;
};

}  // namespace slotscape
