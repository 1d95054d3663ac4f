#pragma once

#include "app/table_map/settings.hpp"

#include <memory>
#include <optional>

namespace slotscape {

class ChainPlaces;

/// Tables of at most this many slots are arranged to fill the canvas.
inline constexpr std::uint64_t max_arranged_slots = 128;
bool is_arranged(std::uint64_t slots, ViewSettings const& view);

/// The layout of a table's slots: in cells of equal size, in columns and rows.
class Plane {
public:
  enum class Kind : std::uint8_t {
    grid,    ///< the layout of the analysis
    lines,   ///< line by line, with any number of columns
    ring,    ///< clockwise around the edge from the top left, so that the last slot comes to lie beside the first, or
             ///< beside the one cell that an odd number of slots leaves free
    arrays,  ///< each part of the table in a line of its own, below a free line
    chains   ///< each node in the chain to which it belongs
  };

  explicit Plane(Grid const& grid) : grid_(grid), columns_(grid.columns), rows_(grid.rows) {}
  /// For a table of chains, whose nodes have these places. grid: the layout of the nodes in the analysis.
  Plane(Grid const& grid, std::shared_ptr<ChainPlaces const> chains);
  /// The layout according to the settings, with the cells that fill this area best. part: the number of slots in each
  /// part that is a separate array; 0 if there are none.
  static Plane of(std::uint64_t slots, ViewSettings const& view, double width, double height, std::uint64_t part = 0);

  /// Keeps the layout of `before` if its cells are not much smaller in this area, so that a small table is not
  /// rearranged whenever a panel or a caption appears or disappears.
  static Plane of(std::uint64_t slots, ViewSettings const& view, double width, double height, Plane const& before,
                  std::uint64_t part = 0);

  Kind kind() const { return kind_; }
  /// The slots' layout in the analysis.
  Grid const& grid() const { return grid_; }
  /// Null unless the kind is `chains`.
  ChainPlaces const* chains() const { return chains_.get(); }
  std::uint32_t columns() const { return columns_; }
  std::uint32_t rows() const { return rows_; }
  Position position(Slot slot) const;
  /// Empty if the plane has no cell there. The slot may be beyond the table's last.
  std::optional<Slot> slot(Position at) const;

private:
  Plane(Grid const& grid, Kind kind, std::uint32_t columns, std::uint32_t rows)
      : grid_(grid), kind_(kind), columns_(columns), rows_(rows)
  {
  }
  static Plane lines_of(std::uint64_t slots, Grid const& grid, double width, double height);
  static Plane ring_of(std::uint64_t slots, Grid const& grid, double width, double height);

  Grid grid_;
  Kind kind_ = Kind::grid;
  std::uint32_t columns_;
  std::uint32_t rows_;
  std::shared_ptr<ChainPlaces const> chains_ = {};
};

}  // namespace slotscape
