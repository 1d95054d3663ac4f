#pragma once

#include "app/base/findings.hpp"
#include "app/clouds/point_cloud.hpp"
#include "app/scene/file_question.hpp"
#include "app/scenes/neighbours/settings.hpp"
#include "gpu/base/progress.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// The display name of a source, and the kinds of files that contain points.
std::string label_of_points(std::string const& name);
std::vector<FileKind> point_kinds();

/// The points of a file or a shape. Coordinates far from 0 are counted from `origin`, so that single precision
/// suffices.
struct LoadedPoints {
  std::vector<neighbours::Point> points;
  clouds::Position origin;             ///< origin of the points, in the file's coordinates
  clouds::CoordinateSystem system;     ///< coordinate system of the file
  std::vector<std::uint32_t> numbers;  ///< as in `clouds::PointCloud`
  bool is_sampled = false;             ///< sampled on a shape or mesh, not the file's own points
  Findings findings;
  neighbours::Bounds bounds;  ///< around the points
};
/// Throws Cancelled, or an Error that names the file and says what to do.
LoadedPoints load_points(PointSource const& source, Progress const& progress);

/// The input of a search.
struct NeighboursQuery {
  PointSource source;
  NeighbourSearchSettings search;
  double seconds = 0.0;     ///< animation time of moving points
  std::uint32_t point = 0;  ///< the point whose neighbours are shown
  friend bool operator==(NeighboursQuery const&, NeighboursQuery const&) = default;
};

struct NeighboursResult {
  std::shared_ptr<LoadedPoints const> loaded;
  std::shared_ptr<std::vector<neighbours::Point> const> points;  ///< at their current positions
  double radius = 0.0;                                           ///< search radius, requested or chosen by the program
  neighbours::CellsSnapshot cells;
  std::shared_ptr<neighbours::Neighbours const> counts;  ///< counts of neighbours, without lists
  std::uint32_t point = 0;
  neighbours::Visit visit;
};

/// Loads points, sorts them into cells, counts neighbours and visits those of one point. Repeats only the stages that a
/// new query affects. Afterwards the engine holds the cells.
class NeighbourFinder {
public:
  explicit NeighbourFinder(Backend backend) : engine_(neighbours::make_neighbour_engine(backend)) {}

  /// Throws Error or Cancelled.
  NeighboursResult compute(NeighboursQuery const& query, Progress const& progress);
  neighbours::NeighbourEngine& engine() { return *engine_; }

private:
  void load(NeighboursQuery const& query, Progress const& progress);
  void move(NeighboursQuery const& query);
  void build(NeighboursQuery const& query, Progress const& progress);
  double radius_for(NeighbourSearchSettings const& search, Progress const& progress);

  std::unique_ptr<neighbours::NeighbourEngine> engine_;
  NeighboursResult result_;
  std::optional<PointSource> loaded_;  ///< inputs of the parts of `result_`; empty: not computed yet
  std::optional<double> moved_;
  std::optional<double> chosen_radius_;
  std::optional<neighbours::NeighbourSettings> built_;
  std::optional<std::uint32_t> counted_;
};

}  // namespace slotscape
