#pragma once

#include "app/table_map/map_links.hpp"
#include "app/table_map/map_view.hpp"
#include "app/table_map/several_maps.hpp"
#include "gpu/interop/presenter.hpp"
#include "gpu/spatial/engine.hpp"

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace slotscape {

/// A slot in the table of a model.
struct ModelSlot {
  spatial::Model model;
  Slot slot;
  friend bool operator==(ModelSlot const&, ModelSlot const&) = default;
};

/// The slot maps of two models' tables, one above the other or side by side, whichever makes them larger, with a legend
/// below. Each has a caption and its own pan and zoom.
class VoxelMaps {
public:
  /// How a slot is marked.
  enum class Highlight : std::uint8_t { hovered, selected };

  explicit VoxelMaps(std::array<theme::Role, spatial::model_count> const& model_colors);

  using AnalyseTables = std::function<std::vector<Snapshot>(std::span<spatial::AnalysisRequest const>)>;
  /// Analyses the tables as they are now, with the presenters `first_presenter` and the one after it: all of a frame
  /// by one call of `analyse_tables`. Tables that take long are analysed in turn, one per frame. `place`: on the
  /// window. Colours that a table does not have become those of its measure.
  void analyse(spatial::PerModel<InspectedTable*> const& tables, AnalyseTables const& analyse_tables,
               Presenters& presenters, std::size_t first_presenter, Look const& look, Rectangle const& place,
               ViewSettings const& view, double elapsed_seconds);
  /// From now on, shows the map of one model alone, which has all of the place; nothing: both.
  void show_alone(std::optional<spatial::Model> model);
  /// The presenters hold other pictures now: the next `analyse` is of both tables.
  void come_back() { turns_.begin_anew(); }
  /// Draws with OpenGL to the bound framebuffer, by the same presenters.
  void draw_maps(Presenters& presenters, std::size_t first_presenter, int framebuffer_height);
  /// Captions, links, tooltips and the legend, which may change `view`; and what the mouse does.
  void draw(Look const& look, ViewSettings& view);

  /// --- links, each until it is set again.
  void highlight(spatial::Model model, std::optional<Slot> slot, Highlight kind);
  void show_lookups(spatial::Model model, std::vector<MapLookup> lookups);
  /// The slot under the mouse, since the last `draw`.
  std::optional<ModelSlot> hovered_slot() const;
  /// The slot that was clicked since the last call.
  std::optional<ModelSlot> take_clicked_slot();

  /// Brings a slot into view, large enough to read.
  void fly_to(ModelSlot slot);
  void fit();
  bool in_flight() const;
  /// Of the table when it was last analysed.
  Statistics const& statistics(spatial::Model model) const { return maps_[model].state.statistics; }
  /// Where a map is on the window, and what it shows, since the last `analyse`.
  Rectangle const& canvas(spatial::Model model) const { return maps_[model].view->canvas(); }
  Camera const& camera(spatial::Model model) const { return maps_[model].view->camera(); }

private:
  struct Map {
    std::unique_ptr<MapView> view;
    MapState state;
    MapLinks links;
    Rectangle caption;
  };

  void divide(Look const& look, Rectangle const& place, ViewSettings const& view);
  static void show(Map& map, ViewSettings const& view);
  void share_scale(ViewSettings const& view);
  void draw_caption(Look const& look, spatial::Model model);
  void draw_map(Look const& look, spatial::Model model);
  void draw_legend_of_both(Look const& look, ViewSettings& view);

  spatial::PerModel<Map> maps_;
  MapState both_;  ///< the colour scale that the maps share
  std::array<theme::Role, spatial::model_count> model_colors_;
  std::span<spatial::Model const> shown_;
  Turns turns_;
  std::array<Rectangle, spatial::model_count> canvases_{};
  Rectangle legend_;
  std::optional<ModelSlot> clicked_;
};

}  // namespace slotscape
