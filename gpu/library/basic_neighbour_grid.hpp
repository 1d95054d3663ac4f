#pragma once

#include "gpu/neighbours/search.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace slotscape {

/// A point: x, y and z, three floats.
using GridPoint = neighbours::Point;

/// The options of a grid.
struct NeighbourGridOptions {
  float radius;         ///< of all searches, from 1e-15 to 1e15
  int divisor = 1;      ///< cells per radius, 1 to 4: smaller cells hold fewer candidates, but more cells are read
  Memory memory = {};   ///< as in `TableOptions`
  Memory scratch = {};  ///< as in `TableOptions`
};

/// The options of a search.
struct NeighbourOptions {
  std::uint32_t k = 0;  ///< only the k nearest within the radius; 0: all
};

/// A grid for use by single threads. It owns nothing and is valid until the next `build`.
struct NeighbourGridView {
  neighbours::CellsView cells;

  /// Calls f(number, squared_distance) for each point within the radius of `at`, in no particular order. A point of the
  /// grid is also its own neighbour. Coordinates must be finite.
  template <class F>
  SLOTSCAPE_HOST_DEVICE void for_each_neighbour(GridPoint at, F const& f) const
  {
    neighbours::passes::Queries const queries{nullptr, false, 0, cells.grid.squared_radius};
    neighbours::passes::Reading reading;
    queries.for_each_near(neighbours::passes::SortedSource{cells}, 0, {at, 0}, reading,
                          [&](float squared, std::uint32_t number) { f(number, squared); });
  }
  SLOTSCAPE_HOST_DEVICE std::uint32_t count_neighbours(GridPoint at) const
  {
    std::uint32_t count = 0;
    for_each_neighbour(at, [&](std::uint32_t, float) { ++count; });
    return count;
  }
};

/// The neighbours of queries, in memory of the grid's device (CSR): those of query i are in `numbers` and `squared`,
/// from offsets[i] up to offsets[i + 1], by ascending distance, and at equal distance by ascending number. The lists
/// must not outlive the grid.
template <exec::Executor Exec>
class NeighbourLists {
public:
  explicit NeighbourLists(neighbours::FoundNeighbours<Exec> found) : found_(std::move(found)) {}

  std::uint64_t queries() const { return found_.queries; }
  std::uint64_t size() const { return found_.totals.neighbours; }           ///< neighbours of all queries
  std::uint32_t const* offsets() const { return found_.offsets.data(); }    ///< number of queries + 1
  std::uint32_t const* numbers() const { return found_.numbers.data(); }    ///< of points
  float const* squared_distances() const { return found_.squared.data(); }  ///< of the neighbours
  std::uint64_t cells_read() const { return found_.totals.cells_read; }     ///< including empty cells
  std::uint64_t candidates() const { return found_.totals.candidates; }     ///< number of distances computed

private:
  neighbours::FoundNeighbours<Exec> found_;
};

/// Points in the cells of a grid, for searches within a radius (Green 2010, 'Particle Simulation using CUDA'; Teschner
/// et al. 2003). Results are exact: a neighbour's squared distance, each step rounded to single precision, is at most
/// that of the radius. They are the same on every device. docs/using-the-tables.md is the contract.
template <exec::Executor Exec>
class BasicNeighbourGrid {
public:
  using View = NeighbourGridView;
  using Lists = NeighbourLists<Exec>;

  /// Replaces the points; `points` is in the grid's memory and is no longer needed after the call. Throws Error, and
  /// leaves the grid empty: for more than 2^31 points, for a coordinate that is infinite or not a number, if there
  /// would be more than 2^27 cells along an axis or 2^62 in all, or if memory runs out.
  void build(GridPoint const* points, std::uint64_t count)
  {
    is_built_ = false;
    cells_.build(points, count, options_.radius, options_.divisor, neighbours::Listing::fitting);
    is_built_ = true;
  }
  std::uint64_t size() const { return is_built_ ? cells_.count() : 0; }
  float radius() const { return options_.radius; }
  std::uint64_t memory_bytes() const { return cells_.memory_bytes(); }

  /// Finds the neighbours of each point of the grid, without the point itself. Throws Error if there are more than 2^32
  /// - 2 neighbours, or more than memory can hold.
  Lists find_all(NeighbourOptions const& options = {})
  {
    require_points();
    return search(cells_.view().placed, cells_.count(), {options.k, true, true});
  }
  /// Finds the points near each of these places, which are in the grid's memory. Also throws Error for a coordinate
  /// that is infinite or not a number.
  Lists find(GridPoint const* queries, std::uint64_t count, NeighbourOptions const& options = {})
  {
    require_points();
    neighbours::bounds_of(*exec_, queries, count, "Query");
    of_queries_.build(queries, count, cells_.view().grid, neighbours::Listing::fitting);
    return search(of_queries_.view().placed, count, {options.k, false, true});
  }

  View view() const
  {
    require_points();
    return {cells_.view()};
  }

protected:
  BasicNeighbourGrid(NeighbourGridOptions const& options, std::unique_ptr<Exec> exec)
      : options_(options), exec_(std::move(exec)), cells_(*exec_), of_queries_(*exec_), search_(*exec_)
  {
    neighbours::require_radius(options.radius);
    neighbours::require_divisor(options.divisor);
  }
  Exec& exec() { return *exec_; }

private:
  void require_points() const
  {
    if (!is_built_) { throw Error("The grid has no points yet: call build first."); }
  }
  Lists search(neighbours::Placed const* queries, std::uint64_t count, neighbours::SearchRequest const& request)
  {
    neighbours::CellsView const& cells = cells_.view();
    Lists lists(search_.run(queries, count, cells.grid.squared_radius, request, std::max<std::uint64_t>(count, 1),
                            [&](std::uint64_t, std::uint64_t) { return neighbours::passes::SortedSource{cells}; }, {}));
    exec_->wait();
    return lists;
  }

  NeighbourGridOptions options_;
  std::unique_ptr<Exec> exec_;
  neighbours::Cells<Exec> cells_;
  neighbours::Cells<Exec> of_queries_;
  neighbours::NeighbourSearch<Exec> search_;
  bool is_built_ = false;
};

}  // namespace slotscape
