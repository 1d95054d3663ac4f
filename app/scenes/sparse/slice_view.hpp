#pragma once

#include "app/scenes/sparse/tensor_view.hpp"
#include "app/widgets/look.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace slotscape {

/// A slice of a sparse tensor, perpendicular to one axis: its sites as cells, the outputs of a convolution, and what a
/// chosen output reads. Drawn with Dear ImGui; the wheel zooms, dragging pans, a double click shows all.
class SliceView {
public:
  /// Recomputes the slice if the tensor or the plane has changed.
  void cut(ShownTensor const& tensor, SliceAxis across, double at, std::int32_t batch);
  /// The slice's position along its axis, in cells of the finer grid: as an index below `depth`, and as a coordinate.
  std::int32_t index() const { return index_; }
  std::int32_t depth() const { return depth_; }
  std::int32_t coordinate() const { return lowest_ + index_; }
  /// The relative position of a site of the finer grid along the axis, 0 to 1.
  static double share_of(ShownTensor const& tensor, SliceAxis across, sparse::Site const& site);

  void draw(Look const& look, Rectangle const& place, std::optional<ShownOutput> const& chosen);
  void fit() { moved_ = false; }
  void zoom_by(double factor);

  /// The centre of an output as last drawn, or where it would be in its slice.
  ImVec2 middle_of(sparse::Site const& output) const;
  /// Whether there was a click since the last call of `take_click`.
  bool clicked() const { return click_.has_value(); }
  std::optional<SiteClick> take_click() { return std::exchange(click_, std::nullopt); }

private:
  /// Maps cells to pixels: `scale` pixels a cell, with (u, v) in the middle of the canvas.
  struct Camera {
    double scale = 1.0;
    double u = 0.0;
    double v = 0.0;
  };
  /// A site in the slice: u to the right, v upwards, in cells of its own grid.
  struct Cell {
    std::int32_t u;
    std::int32_t v;
    std::uint32_t row;
  };
  struct Cut {
    std::uint64_t version;
    SliceAxis across;
    std::int32_t index;
    std::int32_t batch;
    friend bool operator==(Cut const&, Cut const&) = default;
  };

  /// The visible part of the plane, in cells of the finer grid.
  struct Box {
    std::int32_t u = 0;
    std::int32_t v = 0;
    std::int32_t width = 1;
    std::int32_t height = 1;
    friend bool operator==(Box const&, Box const&) = default;
  };

  /// The sites of one grid in the slice.
  struct Sites {
    std::int32_t stride = 1;        ///< width of a cell in cells of the finer grid
    std::int32_t depth_stride = 1;  ///< width of a cell across the slice, in the same unit
    std::vector<Cell> cells;        ///< cells in the order of v, then of u
    std::unordered_map<std::uint64_t, std::uint32_t> rows;

    /// Returns the row of the site at a cell of the finer grid.
    std::optional<std::uint32_t> row_at(std::int32_t u, std::int32_t v) const;
  };

  Sites gather(std::vector<sparse::Site> const& sites, bool coarse) const;
  void follow_mouse(Rectangle const& place, bool hovered, bool active);
  ImVec2 corner_of(double u, double v) const;
  void draw_cells(ImDrawList& list, Sites const& sites, ImU32 color) const;
  void draw_rows(ImDrawList& list, Look const& look) const;
  void draw_chosen(ImDrawList& list, Look const& look, ShownOutput const& chosen) const;
  sparse::Site hovered_site() const;  ///< on the finer grid
  bool is_in_slice(sparse::Site const& site, Sites const& of) const;
  void draw_tooltip() const;

  ShownTensor tensor_;
  std::optional<Cut> cut_;
  std::int32_t index_ = 0;
  std::int32_t depth_ = 1;
  std::int32_t lowest_ = 0;  ///< coordinate of the slice with index 0
  Box box_;
  Sites inputs_;
  Sites outputs_;

  Camera camera_;
  bool moved_ = false;  ///< the user has moved the picture; otherwise everything is in view
  Rectangle place_;
  std::optional<std::pair<std::int32_t, std::int32_t>> hovered_;  ///< a cell of the finer grid
  bool dragged_ = false;
  std::optional<SiteClick> click_;
};

}  // namespace slotscape
