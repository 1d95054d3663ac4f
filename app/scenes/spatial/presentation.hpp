#pragma once

#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/state.hpp"
#include "app/scenes/spatial/updates.hpp"
#include "gpu/interop/presenter.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace slotscape {

/// Passes the models to OpenGL: as a picture drawn by kernels, or as instances for OpenGL to draw.
class ModelsPresentation {
public:
  /// Presenters of the models, one after the other, or of the picture.
  static constexpr std::size_t first_presenter = spatial::model_count;

  /// The referenced objects must outlive this. The OpenGL context must be current.
  ModelsPresentation(SpatialState& state, SpatialCanvas& canvas, VoxelUpdates& updates);

  /// Requires results. Returns the seconds that presenting took.
  double present(Presenters& presenters);
  /// Whether the presenters hold a picture of this scene.
  bool has_picture() const { return has_picture_; }
  /// Draws the last presented picture, with outlines of the hovered and the selected voxel.
  void draw(Presenters& presenters, int framebuffer_height);
  void set_background(Background background) { background_ = background; }
  /// Call this after other scenes have used the presenters.
  void come_back() { written_.reset(); }

private:
  /// The inputs for which the instances in the presenters' buffers were written.
  struct Written {
    std::uint64_t update;
    spatial::InstanceKind kind;
    spatial::PaintBy paint_by;
    std::uint64_t attribute;  ///< attribute held by the engine
    Presenters const* presenters;
    friend bool operator==(Written const&, Written const&) = default;
  };
  /// The source of the attribute held by the engine.
  struct ShownAttribute {
    std::string name;
    std::uint64_t version;    ///< version of the clouds
    std::uint64_t distances;  ///< version of the distances
    double threshold;         ///< threshold of the distances
    friend bool operator==(ShownAttribute const&, ShownAttribute const&) = default;
  };

  void show_attribute();
  double present_picture(Presenters& presenters);
  double present_instances(Presenters& presenters);
  ModelsPicture picture() const;

  SpatialState& state_;
  SpatialCanvas& canvas_;
  VoxelUpdates& updates_;
  bool kernels_draw_;  ///< whether kernels draw the models; otherwise OpenGL does
  std::optional<Written> written_;
  std::optional<ShownAttribute> shown_attribute_;
  std::uint64_t attributes_shown_ = 0;
  spatial::PerModel<std::uint64_t> instances_{};  ///< number of instances written for OpenGL
  spatial::PerModel<std::uint64_t> shown_{};      ///< number of these instances that are shown
  bool has_picture_ = false;
  Background background_ = Background::dark;
};

/// The value at the end of the models' colour scale.
double models_scale_end(SpatialState const& state);

}  // namespace slotscape
