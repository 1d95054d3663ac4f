#pragma once

#include "gpu/analysis/grid.hpp"
#include "gpu/base/types.hpp"

#include <optional>
#include <vector>

namespace slotscape {

/// The maximum number of heads for which a table is drawn as chains.
inline constexpr std::uint64_t max_drawn_heads = 256;

/// The maximum number of entries for which a directory is drawn.
inline constexpr std::uint64_t max_drawn_entries = 64;

/// The layout of the heads and nodes of a small table of chains, as in textbooks: the heads in one or several columns,
/// each with its chain to the right, and a free cell for an arrow before each node. Below them, after a free line, are
/// the nodes that belong to no chain yet.
///
/// Or the layout of a directory: the entries in one column, and each bucket, slot by slot, to the right of the first
/// entry that points to it.
class ChainPlaces {
public:
  enum class Of : std::uint8_t { chains, directory };

  /// Chooses the number of columns of heads that gives the largest cells in this area. chains: the nodes of each head's
  /// chain in order, or the slots of each entry's bucket.
  ChainPlaces(std::vector<std::vector<Slot>> const& chains, std::uint64_t nodes, double width, double height,
              Of of = Of::chains);

  std::uint32_t columns() const { return columns_; }
  std::uint32_t rows() const { return rows_; }
  bool is_directory() const { return of_ == Of::directory; }
  std::size_t heads() const { return chains_.size(); }
  std::vector<Slot> const& chain(std::size_t head) const { return chains_[head]; }
  /// Whether an earlier entry of the directory points to the same bucket.
  bool is_led_to_before(std::size_t head) const;
  Position head(std::size_t number) const;
  Position position(Slot node) const { return nodes_[node]; }
  /// The node in a cell, if any.
  std::optional<Slot> node(Position at) const;
  /// The nodes that belong to no chain, in the order of their cells.
  std::vector<Slot> const& unused() const { return unused_; }
  /// The free line above the unused nodes.
  std::uint32_t line_above_unused() const { return heads_a_column_; }

private:
  void arrange(double width, double height);
  void arrange_directory(double width, double height);
  void place_nodes();

  std::vector<std::vector<Slot>> chains_;
  Of of_;
  std::vector<Slot> unused_;
  std::vector<Position> nodes_;
  std::uint32_t column_width_ = 0;  ///< of a column of heads, in cells, including the free one behind it
  std::uint32_t heads_a_column_ = 0;
  std::uint32_t columns_ = 0;
  std::uint32_t rows_ = 0;
  std::vector<std::optional<Slot>> cells_;
};

}  // namespace slotscape
