#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/engine/inspected_table.hpp"
#include "gpu/neighbours/cell_grid.hpp"
#include "gpu/tables/settings.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape::neighbours {

/// How a search finds the cells.
enum class Method : std::uint8_t {
  sorted,  ///< points sorted by cell key, and where each cell begins (Green 2010)
  table    ///< the keys of cells with points are in a hash table (Teschner et al. 2003)
};

struct NeighbourSettings {
  float radius = 0.1f;  ///< `min_radius` to `max_radius`
  int divisor = 1;      ///< cells that a radius spans: 1 to `max_divisor`
  Method method = Method::sorted;
  std::string family = "linear_probing";  ///< of the table: any family that can hold that many keys
  double load_factor = 0.5;               ///< cells with points / slots: `min_load_factor` to `max_load_factor`
  HashChoice hash = {};
  friend bool operator==(NeighbourSettings const&, NeighbourSettings const&) = default;
};

inline constexpr double min_load_factor = 0.05;
inline constexpr double max_load_factor = 0.95;

/// Throws Error, with advice, if the settings are invalid.
void validate(NeighbourSettings const& settings);

/// The stages of `build` whose times are measured, in order.
inline constexpr std::array<std::string_view, 2> stage_names{"Cells", "Table"};

/// The result of a `build`.
struct CellsSnapshot {
  std::uint64_t points = 0;
  std::uint64_t cells = 0;         ///< of the grid
  std::uint64_t listed_cells = 0;  ///< cells whose places are stored: those with points, or all
  std::uint64_t bytes = 0;         ///< device memory of points and cells, without the table
  int key_bits = 0;                ///< of the table; 0 if there is none
  std::array<double, stage_names.size()> stage_seconds{};
};

/// The neighbours of queries, in host memory (CSR): those of query i are in `indices` and `squared` from offsets[i] up
/// to offsets[i + 1], by ascending distance, and at equal distance by ascending number. A neighbour's squared distance,
/// in single precision, is at most the square of the radius.
struct Neighbours {
  std::vector<std::uint64_t> offsets;  ///< number of queries + 1
  std::vector<std::uint32_t> indices;  ///< numbers of points
  std::vector<float> squared;          ///< squared distances
  std::uint64_t neighbours = 0;        ///< total of all queries
  std::uint64_t cells_read = 0;        ///< cells of the grid that were looked up, including empty ones
  std::uint64_t candidates = 0;        ///< number of distances computed
  double seconds = 0.0;                ///< wall-clock time of the search on the device
};

struct Neighbour {
  std::uint32_t number;
  float squared;
  friend bool operator==(Neighbour const&, Neighbour const&) = default;
};

/// One query, step by step.
struct Visit {
  struct Cell {
    std::uint64_t key;
    CellPlace place;
    std::uint32_t points;  ///< candidates in this cell
  };
  std::vector<Cell> cells;                ///< looked-up cells, by key
  std::vector<std::uint32_t> candidates;  ///< ascending
  std::vector<Neighbour> neighbours;      ///< as in `Neighbours`
};

/// Points in the cells of a grid, in the memory of one device, and searches for points within a radius of others. The
/// results are exact, and the same with every method, divisor and backend. Call it from one thread; each call blocks.
class NeighbourEngine {
public:
  virtual ~NeighbourEngine() = default;

  virtual Backend backend() const = 0;
  virtual std::string device_name() const = 0;

  /// Sets the points. Throws Error, and keeps the previous points, if there are more than 2^31.
  virtual void set_points(std::span<Point const> points) = 0;

  /// Sorts the points into cells. Throws Error, with advice, if a coordinate is infinite or not a number, or the
  /// settings are invalid; there are no cells then.
  virtual CellsSnapshot build(NeighbourSettings const& settings, Progress const& progress = {}) = 0;

  /// --- Results of the last `build`.
  virtual CellGrid const& grid() const = 0;
  /// Maps keys of cells to their numbers; null without `Method::table`.
  virtual InspectedTable* table() = 0;
  /// Finds the neighbours of each point, without the point itself. k: only the k nearest; 0: all. `lists`: false leaves
  /// out everything but counts. Throws Cancelled, and Error, with advice, if there is not enough memory for the result.
  virtual Neighbours search(std::uint32_t k, bool lists, Progress const& progress = {}) = 0;
  /// Finds the points near other places. Throws Error if a coordinate is infinite or not a number.
  virtual Neighbours search(std::span<Point const> queries, std::uint32_t k, bool lists,
                            Progress const& progress = {}) = 0;
  /// Finds the points near one place. The place may be point `self`, which is not its own neighbour.
  virtual Visit visit(Point const& query, std::uint32_t k, std::optional<std::uint32_t> self = {}) = 0;
};

/// Throws Error if the backend is unavailable.
std::unique_ptr<NeighbourEngine> make_neighbour_engine(Backend backend);

}  // namespace slotscape::neighbours
