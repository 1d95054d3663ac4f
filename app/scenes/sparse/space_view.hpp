#pragma once

#include "app/clouds/point_cloud.hpp"
#include "app/scenes/sparse/tensor_view.hpp"
#include "app/view3d/orbit_view.hpp"
#include "app/widgets/drawing.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// The sites of a sparse tensor as voxels in space. Sites that only the convolution reaches are faint; what a chosen
/// output reads is in a cage.
class SpaceView {
public:
  SpaceView();

  /// Updates the voxels if the tensor has changed.
  void show(ShownTensor const& tensor, std::int32_t batch);
  /// Sets a cell's width in the file's units, and these units, for labels; 0 if unknown.
  void measure(double voxel_size, clouds::CoordinateSystem const& system);
  /// The side lengths of the grid in the file's units: "80.5 m"; empty if the width of a cell is unknown.
  std::array<std::string, 3> sides_in_file() const;
  /// Draws with OpenGL. `slice`: also draws the outline of that slice.
  struct Slice {
    SliceAxis across;
    std::int32_t coordinate;
  };
  void draw_picture(std::optional<ShownOutput> const& chosen, std::optional<Slice> const& slice,
                    Color const& background, int framebuffer_height);
  void draw_labels(Look const& look, Drawing& drawing) const;
  /// Draws labels, and handles the mouse.
  void draw(Look const& look);

  /// Whether there was a click since the last `take_click`, on a site of the finer grid or beside all sites.
  bool clicked() const { return click_.has_value(); }
  std::optional<SiteClick> take_click() { return std::exchange(click_, std::nullopt); }
  /// The first given site on the line of sight through a point of the canvas.
  std::optional<sparse::Site> site_under(Point on_canvas) const;
  OrbitView& view() { return view_; }
  OrbitView const& view() const { return view_; }

private:
  struct Shown {
    std::uint64_t version;
    std::int32_t batch;
    Color color;  ///< colour of sites at mid-height, in the current theme
    friend bool operator==(Shown const&, Shown const&) = default;
  };
  /// Highlights drawn over the voxels.
  struct Marks {
    std::vector<Highlight> cubes;
    std::vector<HighlightLine> lines;
  };

  /// Reached sites are drawn only if they are on the same grid as the given sites.
  bool shows_reached() const { return tensor_.kernel.stride[0] == 1; }
  spatial::Vector corner_of(sparse::Site const& site) const;
  spatial::Vector middle_of(sparse::Site const& site) const;
  void upload();
  /// Higher sites are paler, to distinguish surfaces above each other when seen from above.
  std::uint32_t paint_of(sparse::Site const& site) const;
  void mark_chosen(ShownOutput const& chosen, Marks& marks) const;
  void mark_slice(Slice const& slice, Marks& marks) const;

  ShownTensor tensor_;
  std::optional<Shown> shown_;
  sparse::Extents box_;  ///< the shown region
  spatial::VoxelGrid grid_;
  std::vector<Key> keys_;  ///< flattened and ascending: the batch's given sites
  double voxel_size_ = 0.0;
  clouds::CoordinateSystem system_;
  std::array<std::int32_t, 2> heights_{};  ///< the lowest and the highest z of the given sites
  OrbitView view_;
  std::optional<SiteClick> click_;
};

}  // namespace slotscape
