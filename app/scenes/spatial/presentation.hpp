#pragma once

#include "app/scenes/spatial/canvas.hpp"
#include "app/scenes/spatial/state.hpp"
#include "app/scenes/spatial/updates.hpp"
#include "gpu/interop/presenter.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace slotscape {

/// Brings the models to OpenGL: as a picture that kernels draw, or as instances that OpenGL draws.
class ModelsPresentation {
public:
  /// Of each model, one after the other, or of the picture.
  static constexpr std::size_t first_presenter = spatial::model_count;

  /// The references outlive it. The OpenGL context is current.
  ModelsPresentation(SpatialState& state, SpatialCanvas& canvas, VoxelUpdates& updates);

  /// While there are results. Returns the seconds that presenting took.
  double present(Presenters& presenters);
  /// Whether the presenters hold a picture of this scene.
  bool has_picture() const { return has_picture_; }
  /// Draws what was presented last, and outlines what is pointed at and selected.
  void draw(Presenters& presenters, int framebuffer_height);
  void set_background(Background background) { background_ = background; }
  /// Other scenes have used the presenters.
  void come_back() { written_.reset(); }

private:
  /// The inputs for which the instances in the presenters' buffers were written.
  struct Written {
    std::uint64_t update;
    spatial::InstanceKind kind;
    spatial::PaintBy paint_by;
    std::uint64_t attribute;  ///< which one the engine had
    Presenters const* presenters;
    friend bool operator==(Written const&, Written const&) = default;
  };
  /// What the attribute that the engine has was made of.
  struct ShownAttribute {
    std::string name;
    std::uint64_t version;  ///< of the clouds
    friend bool operator==(ShownAttribute const&, ShownAttribute const&) = default;
  };

  void show_attribute();
  double present_picture(Presenters& presenters);
  double present_instances(Presenters& presenters);
  ModelsPicture picture() const;

  SpatialState& state_;
  SpatialCanvas& canvas_;
  VoxelUpdates& updates_;
  bool kernels_draw_;  ///< the models; otherwise OpenGL does
  std::optional<Written> written_;
  std::optional<ShownAttribute> shown_attribute_;
  std::uint64_t attributes_shown_ = 0;
  spatial::PerModel<std::uint64_t> instances_{};  ///< that were written for OpenGL to draw
  spatial::PerModel<std::uint64_t> shown_{};      ///< of these instances
  bool has_picture_ = false;
  Background background_ = Background::dark;
};

/// The value at the end of the models' colour scale.
double models_scale_end(SpatialState const& state);

}  // namespace slotscape
