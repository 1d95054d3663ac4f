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

/// A model and a slot in its table.
struct ModelSlot {
  spatial::Model model;
  Slot slot;
  friend bool operator==(ModelSlot const&, ModelSlot const&) = default;
};

/// The slot maps of two models' tables, stacked or side by side, whichever makes them larger, with a legend below. Each
/// map has a caption and its own pan and zoom.
class VoxelMaps {
public:
  /// The kinds of marks on a slot.
  enum class Highlight : std::uint8_t { hovered, selected };

  explicit VoxelMaps(std::array<theme::Role, spatial::model_count> const& model_colors);

  using AnalyseTables = std::function<std::vector<Snapshot>(std::span<spatial::AnalysisRequest const>)>;
  /// Analyses the current tables with the presenters `first_presenter` and the next one: all tables of a frame in one
  /// call of `analyse_tables`. Slow tables take turns, one per frame. `place`: in the window. A colouring that a table
  /// does not support is replaced by its measure.
  void analyse(spatial::PerModel<InspectedTable*> const& tables, AnalyseTables const& analyse_tables,
               Presenters& presenters, std::size_t first_presenter, Look const& look, Rectangle const& place,
               ViewSettings const& view, double elapsed_seconds);
  /// Shows only the map of one model from now on, using the whole area; nothing: both.
  void show_alone(std::optional<spatial::Model> model);
  /// The presenters hold other pictures now, so the next `analyse` covers both tables.
  void come_back() { turns_.begin_anew(); }
  /// Draws with OpenGL to the bound framebuffer, using the same presenters.
  void draw_maps(Presenters& presenters, std::size_t first_presenter, int framebuffer_height);
  /// Draws captions, links, tooltips and the legend, which may change `view`, and handles the mouse.
  void draw(Look const& look, ViewSettings& view);

  /// --- links, which remain until set again.
  void highlight(spatial::Model model, std::optional<Slot> slot, Highlight kind);
  void show_lookups(spatial::Model model, std::vector<MapLookup> lookups);
  /// The slot under the mouse, as of the last `draw`.
  std::optional<ModelSlot> hovered_slot() const;
  /// The slot clicked since the last call.
  std::optional<ModelSlot> take_clicked_slot();

  /// Brings a slot into view, large enough to read.
  void fly_to(ModelSlot slot);
  void fit();
  bool in_flight() const;
  /// The table's statistics as of the last analysis.
  Statistics const& statistics(spatial::Model model) const { return maps_[model].state.statistics; }
  /// The position of a map in the window and its camera, as of the last `analyse`.
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
  MapState both_;  ///< state of the colour scale that both maps share
  std::array<theme::Role, spatial::model_count> model_colors_;
  std::span<spatial::Model const> shown_;
  Turns turns_;
  std::array<Rectangle, spatial::model_count> canvases_{};
  Rectangle legend_;
  std::optional<ModelSlot> clicked_;
};

}  // namespace slotscape
