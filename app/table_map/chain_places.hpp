#pragma once

#include "gpu/analysis/grid.hpp"
#include "gpu/base/types.hpp"

#include <optional>
#include <vector>

namespace slotscape {

/// Tables of at most this many heads are drawn as chains.
inline constexpr std::uint64_t max_drawn_heads = 256;

/// Where the heads and nodes of a small table of chains lie, as textbooks draw them: the heads one below the other, in
/// one or several columns, each with its chain on its right, cell after cell with a free one before each for an arrow.
/// Below them, after a free line, are the nodes that are in no chain yet.
class ChainPlaces {
public:
  /// In as many columns of heads as give the largest cells in this room. chains: the nodes of each head's chain, in
  /// order.
  ChainPlaces(std::vector<std::vector<Slot>> const& chains, std::uint64_t nodes, double width, double height);

  std::uint32_t columns() const { return columns_; }
  std::uint32_t rows() const { return rows_; }
  std::size_t heads() const { return chains_.size(); }
  std::vector<Slot> const& chain(std::size_t head) const { return chains_[head]; }
  Position head(std::size_t number) const;
  Position position(Slot node) const { return nodes_[node]; }
  /// The node in a cell.
  std::optional<Slot> node(Position at) const;
  /// Nodes that are in no chain, in the order of their cells.
  std::vector<Slot> const& unused() const { return unused_; }
  /// The free line above them.
  std::uint32_t line_above_unused() const { return heads_a_column_; }

private:
  void arrange(double width, double height);
  void place_nodes();

  std::vector<std::vector<Slot>> chains_;
  std::vector<Slot> unused_;
  std::vector<Position> nodes_;
  std::uint32_t column_width_ = 0;  ///< of a column of heads, in cells, with the free one behind it
  std::uint32_t heads_a_column_ = 0;
  std::uint32_t columns_ = 0;
  std::uint32_t rows_ = 0;
  std::vector<std::optional<Slot>> cells_;
};

}  // namespace slotscape
