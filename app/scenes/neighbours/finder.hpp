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

/// The display name of a source, and the files that points can be read from.
std::string label_of_points(std::string const& name);
std::vector<FileKind> point_kinds();

/// The points of a file or a shape. Coordinates far from 0 are counted from `origin`, so that single precision holds
/// them.
struct LoadedPoints {
  std::vector<neighbours::Point> points;
  clouds::Position origin;             ///< of these coordinates, in those of the file
  clouds::CoordinateSystem system;     ///< of the file
  std::vector<std::uint32_t> numbers;  ///< as in `clouds::PointCloud`
  bool is_sampled = false;             ///< of a shape or mesh: these are not the points of the file
  Findings findings;
  neighbours::Bounds bounds;  ///< around the points
};
/// Throws Error that names the file and says what to do, and Cancelled.
LoadedPoints load_points(PointSource const& source, Progress const& progress);

/// What is to be shown.
struct NeighboursQuery {
  PointSource source;
  NeighbourSearchSettings search;
  double seconds = 0.0;     ///< for which points have moved
  std::uint32_t point = 0;  ///< whose neighbours are shown
  friend bool operator==(NeighboursQuery const&, NeighboursQuery const&) = default;
};

struct NeighboursResult {
  std::shared_ptr<LoadedPoints const> loaded;
  std::shared_ptr<std::vector<neighbours::Point> const> points;  ///< as they have moved
  double radius = 0.0;                                           ///< that was asked for, or chosen
  neighbours::CellsSnapshot cells;
  std::shared_ptr<neighbours::Neighbours const> counts;  ///< without lists
  std::uint32_t point = 0;
  neighbours::Visit visit;
};

/// Opens points, brings them into cells, counts neighbours, and looks at those of one point; again only what another
/// query changes. The engine then has the cells.
class NeighbourFinder {
public:
  explicit NeighbourFinder(Backend backend) : engine_(neighbours::make_neighbour_engine(backend)) {}

  /// Throws Error, and Cancelled.
  NeighboursResult compute(NeighboursQuery const& query, Progress const& progress);
  neighbours::NeighbourEngine& engine() { return *engine_; }

private:
  void load(NeighboursQuery const& query, Progress const& progress);
  void move(NeighboursQuery const& query);
  void build(NeighboursQuery const& query, Progress const& progress);
  double radius_for(NeighbourSearchSettings const& search, Progress const& progress);

  std::unique_ptr<neighbours::NeighbourEngine> engine_;
  NeighboursResult result_;
  std::optional<PointSource> loaded_;  ///< what each part of the result is of
  std::optional<double> moved_;
  std::optional<double> chosen_radius_;
  std::optional<neighbours::NeighbourSettings> built_;
  std::optional<std::uint32_t> counted_;
};

}  // namespace slotscape
