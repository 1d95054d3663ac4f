#include "app/base/text.hpp"
#include "app/bench/lists.hpp"
#include "app/bench/make_measurements.hpp"
#include "gpu/base/random.hpp"
#include "gpu/bench/neighbour_rivals.hpp"
#include "gpu/neighbours/engine.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace slotscape {
namespace {

constexpr int sampled_queries = 100;
constexpr double per_ball = 4.0 / 3.0 * std::numbers::pi;

/// Points in the unit cube, with 24 bits per coordinate.
std::vector<neighbours::Point> points_of_cube(std::uint64_t count, std::uint64_t seed)
{
  std::vector<neighbours::Point> points(count);
  auto const along = [&](std::uint64_t number) {
    return static_cast<float>(random_below(seed, number, 1u << 24)) / static_cast<float>(1u << 24);
  };
  for (std::uint64_t i = 0; i < count; ++i) { points[i] = {along(3 * i), along(3 * i + 1), along(3 * i + 2)}; }
  return points;
}

/// The radius at which a ball holds `neighbours` of these points on average.
float radius_for(std::uint64_t points, double neighbours)
{
  return static_cast<float>(std::cbrt(neighbours / per_ball / static_cast<double>(points)));
}

/// Compares the lists of sampled points with a brute-force search. in_order: lists are sorted by distance, then by
/// index.
void check_lists(std::vector<neighbours::Point> const& points, float radius, std::vector<std::uint64_t> const& offsets,
                 std::vector<std::uint32_t> const& indices, bool in_order, std::uint64_t seed)
{
  std::uint64_t right = 0;
  for (int i = 0; i < sampled_queries; ++i) {
    std::uint64_t const query = random_below(seed, static_cast<std::uint64_t>(i), points.size());
    std::vector<std::uint64_t> words;
    for (std::uint32_t other = 0; other < points.size(); ++other) {
      float const squared = neighbours::squared_distance(points[query], points[other]);
      if (squared <= radius * radius && other != query) { words.push_back(neighbours::word_of(squared, other)); }
    }
    std::ranges::sort(words);
    std::vector<std::uint32_t> expected(words.size());
    std::ranges::transform(words, expected.begin(), neighbours::number_of);
    auto const first = indices.begin() + static_cast<std::ptrdiff_t>(offsets[query]);
    auto const end = indices.begin() + static_cast<std::ptrdiff_t>(offsets[query + 1]);
    std::vector<std::uint32_t> found(first, end);
    right += (in_order ? found == expected : std::ranges::is_permutation(found, expected)) ? 1 : 0;
  }
  require_right("lists of neighbours", right, sampled_queries);
}

/// The facts that both kinds of search share.
class NeighbourBench : public CaseBench {
public:
  BenchRow facts(std::size_t, double) const override
  {
    return {{"neighbours", neighbours_}, {"cells_read", cells_read_}, {"candidates", candidates_}};
  }

protected:
  NeighbourBench(std::uint64_t points, double neighbours) : count_(points), radius_(radius_for(points, neighbours)) {}

  std::uint64_t count_;
  float radius_;
  std::uint64_t neighbours_ = 0;
  Json cells_read_;  ///< null for trees
  Json candidates_;
};

class GridBench final : public NeighbourBench {
public:
  GridBench(Backend backend, neighbours::NeighbourSettings settings, std::uint64_t points, double neighbours)
      : NeighbourBench(points, neighbours),
        engine_(neighbours::make_neighbour_engine(backend)),
        settings_(std::move(settings))
  {
    settings_.radius = radius_;
  }

  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    std::vector<neighbours::Point> const points = points_of_cube(count_, seed);
    engine_->set_points(points);
    try {
      neighbours::CellsSnapshot const built = engine_->build(settings_, progress);
      neighbours::Neighbours const found = engine_->search(0, true, progress);
      check_lists(points, radius_, found.offsets, found.indices, true, seed);
      neighbours_ = found.neighbours;
      cells_read_ = found.cells_read;
      candidates_ = found.candidates;
      double const build = std::accumulate(built.stage_seconds.begin(), built.stage_seconds.end(), 0.0);
      return std::vector{build, found.seconds, build + found.seconds};
    } catch (Cancelled const&) {
      return std::nullopt;
    }
  }

private:
  std::unique_ptr<neighbours::NeighbourEngine> engine_;
  neighbours::NeighbourSettings settings_;
};

class TreeBench final : public NeighbourBench {
public:
  TreeBench(std::uint64_t points, double neighbours) : NeighbourBench(points, neighbours) {}

  std::optional<std::vector<double>> run(std::uint64_t seed, Progress const& progress) override
  {
    if (progress.cancelled()) { return std::nullopt; }
    std::vector<neighbours::Point> const points = points_of_cube(count_, seed);
    bench::RivalNeighbours const found = bench::neighbours_by_nanoflann(points, radius_);
    check_lists(points, radius_, found.offsets, found.indices, false, seed);
    neighbours_ = found.indices.size();
    return std::vector{found.build_seconds, found.search_seconds, found.build_seconds + found.search_seconds};
  }
};

constexpr std::array<std::string_view, 3> methods{"sorted", "table", "nanoflann"};

/// All points within a radius of each point of a cube.
class NeighbourMeasurement final : public CaseMeasurement {
public:
  std::string_view name() const override { return "neighbours"; }
  std::string_view help() const override { return "points within a radius of each point, by cells and by a k-d tree"; }

  void add_options(CLI::App& command) override
  {
    command.add_option("--methods", typed_methods_, "sorted,table,nanoflann: all; nanoflann on a CPU")
        ->type_name("LIST");
    command.add_option("--points", typed_points_, "points: 100000,1000000 and, on a GPU, 10000000")->type_name("LIST");
    command.add_option("--divisors", typed_divisors_, "cells that a radius spans, 1 to 4: 1")->type_name("LIST");
    command.add_option("--mean", neighbours_, "neighbours of a point, on average")
        ->type_name("N")
        ->check(CLI::Range(1.0, 10000.0));
  }

  void interpret() override
  {
    methods_ =
        read_names("--methods", typed_methods_, {methods.begin(), methods.end()}, {methods.begin(), methods.end()});
    points_ = read_counts("--points", typed_points_, {}, 1000, std::uint64_t{1} << 31);
    divisors_ = read_counts("--divisors", typed_divisors_, {1}, 1, neighbours::max_divisor);
  }

  BenchColumns columns() const override
  {
    return columns_of({"method", "divisor", "points", "stage"}, {"neighbours", "cells_read", "candidates"});
  }

protected:
  std::vector<BenchCase> cases(Backend backend) const override
  {
    std::vector<std::uint64_t> usual{100'000, 1'000'000};
    if (backend == Backend::cuda) { usual.push_back(10'000'000); }
    std::vector<BenchCase> cases;
    for (std::uint64_t const points : points_.empty() ? usual : points_) {
      for (std::string const& method : methods_) {
        bool const is_tree = method == "nanoflann";
        if (is_tree && backend != Backend::cpu) { continue; }
        for (std::uint64_t const divisor : is_tree ? std::vector<std::uint64_t>{0} : divisors_) {
          cases.push_back(case_of(backend, method, divisor, points));
        }
      }
    }
    return cases;
  }

private:
  BenchCase case_of(Backend backend, std::string const& method, std::uint64_t divisor, std::uint64_t points) const
  {
    BenchCase row;
    row.what = fmt::format("{}, {} points", method, grouped(points));
    row.identity = on_device(backend);
    row.identity.update(BenchRow{{"method", method}, {"divisor", divisor}, {"points", points}});
    for (char const* const stage : {"build", "search", "all"}) { row.parts.push_back({{"stage", stage}}); }
    row.work = static_cast<double>(points);
    if (divisor == 0) {
      row.obstacle = bench::why_no_nanoflann;
      row.make = [points, mean = neighbours_] { return std::make_unique<TreeBench>(points, mean); };
      return row;
    }
    neighbours::NeighbourSettings const settings{.divisor = static_cast<int>(divisor),
                                                 .method = method == "table" ? neighbours::Method::table
                                                                             : neighbours::Method::sorted};
    row.make = [=, mean = neighbours_] { return std::make_unique<GridBench>(backend, settings, points, mean); };
    return row;
  }

  // options, as typed
  std::string typed_methods_;
  std::string typed_points_;
  std::string typed_divisors_;

  std::vector<std::string> methods_;
  std::vector<std::uint64_t> points_;  ///< empty: the default numbers
  std::vector<std::uint64_t> divisors_;
  double neighbours_ = 30.0;
};

}  // namespace

std::unique_ptr<Measurement> make_neighbour_measurement()
{
  return std::make_unique<NeighbourMeasurement>();
}

}  // namespace slotscape
