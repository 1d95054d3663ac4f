#pragma once

#include "gpu/neighbours/cell_table.hpp"
#include "gpu/neighbours/search.hpp"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace slotscape::neighbours {

template <exec::Executor Exec>
class NeighbourEngineOf final : public NeighbourEngine {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  NeighbourEngineOf() : cells_(exec_), of_queries_(exec_), search_(exec_), laps_(exec_) {}

  Backend backend() const override { return Exec::backend; }
  std::string device_name() const override { return exec_.name(); }

  void set_points(std::span<Point const> points) override
  {
    require_count(points.size());
    is_built_ = false;
    points_ = to_device(points);
  }

  CellsSnapshot build(NeighbourSettings const& settings, Progress const& progress) override
  {
    is_built_ = false;
    table_.reset();
    validate(settings);
    bool const in_table = settings.method == Method::table;
    progress.require(0.0);
    laps_.start();
    cells_.build(points_.data(), points_.size(), settings.radius, settings.divisor,
                 in_table ? Listing::occupied : Listing::fitting);
    laps_.lap();
    progress.require(0.5);
    if (in_table) { table_ = make_cell_table(exec_, cells_.view(), settings); }
    laps_.lap();
    is_built_ = true;
    CellsSnapshot snapshot{points_.size(), cells_.view().grid.cells(), cells_.view().listed, cells_.memory_bytes(),
                           table_ ? table_->key_bits() : 0};
    std::ranges::copy(laps_.seconds(), snapshot.stage_seconds.begin());
    return snapshot;
  }

  CellGrid const& grid() const override
  {
    require_cells();
    return cells_.view().grid;
  }
  InspectedTable* table() override { return table_ ? &table_->inspected() : nullptr; }

  Neighbours search(std::uint32_t k, bool lists, Progress const& progress) override
  {
    require_cells();
    return search(cells_.view().placed, cells_.count(), {k, true, lists}, progress);
  }
  Neighbours search(std::span<Point const> queries, std::uint32_t k, bool lists, Progress const& progress) override
  {
    require_cells();
    require_count(queries.size());
    Buffer<Point> const on_device = to_device(queries);
    bounds_of(exec_, on_device.data(), on_device.size(), "Query");
    of_queries_.build(on_device.data(), on_device.size(), grid(), Listing::fitting);
    return search(of_queries_.view().placed, queries.size(), {k, false, lists}, progress);
  }

  Visit visit(Point const& query, std::uint32_t k, std::optional<std::uint32_t> self) override
  {
    require_cells();
    if (!is_finite(query)) { throw Error("The query has a coordinate that is infinite or not a number."); }
    Visit visit;
    grid().for_each_row(query, [&](std::uint64_t first_key, std::uint64_t count) {
      for (std::uint64_t key = first_key; key < first_key + count; ++key) {
        visit.cells.push_back({key, grid().place_of(key), 0});
      }
    });
    std::vector<PlacedRange> const ranges = ranges_of(visit, query);
    for (std::size_t i = 0; i < ranges.size(); ++i) { visit.cells[i].points = ranges[i].end - ranges[i].first; }
    take_neighbours(visit, gathered(ranges), query, k, self);
    return visit;
  }

private:
  /// Maximum number of queries in one pass: small on a CPU, so that passes end soon.
  static constexpr std::uint64_t sorted_part = std::uint64_t{1} << (Exec::backend == Backend::cuda ? 24 : 16);

  static void require_count(std::uint64_t count)
  {
    if (count > max_points) { throw Error("There are more than 2^31 points: choose fewer."); }
  }
  void require_cells() const
  {
    if (!is_built_) { throw std::logic_error("no cells before the first build"); }
  }
  Buffer<Point> to_device(std::span<Point const> points)
  {
    Buffer<Point> on_device(exec_, points.size());
    exec_.upload(on_device.data(), points);
    return on_device;
  }

  Neighbours search(Placed const* queries, std::uint64_t count, SearchRequest const& request, Progress const& progress)
  {
    auto const begin = std::chrono::steady_clock::now();
    float const squared_radius = cells_.view().grid.squared_radius;
    auto const found =
        table_ ? search_.run(
                     queries, count, squared_radius, request, table_->max_queries(cells_.view().grid),
                     [&](std::uint64_t first, std::uint64_t part) {
                       return table_->look_up(cells_.view(), queries + first, part);
                     },
                     progress)
               : search_.run(
                     queries, count, squared_radius, request, sorted_part,
                     [&](std::uint64_t, std::uint64_t) { return passes::SortedSource{cells_.view()}; }, progress);
    exec_.wait();
    double const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    Neighbours neighbours = to_host(found, request.lists);
    neighbours.seconds = seconds;
    return neighbours;
  }

  Neighbours to_host(FoundNeighbours<Exec> const& found, bool lists)
  {
    Neighbours neighbours;
    neighbours.neighbours = found.totals.neighbours;
    neighbours.cells_read = found.totals.cells_read;
    neighbours.candidates = found.totals.candidates;
    std::vector<std::uint32_t> const offsets = downloaded(found.offsets.data(), found.queries + 1);
    neighbours.offsets.assign(offsets.begin(), offsets.end());
    if (!lists) {
      std::exclusive_scan(neighbours.offsets.begin(), neighbours.offsets.end(), neighbours.offsets.begin(),
                          std::uint64_t{0});
      return neighbours;
    }
    neighbours.indices = downloaded(found.numbers.data(), found.totals.neighbours);
    neighbours.squared = downloaded(found.squared.data(), found.totals.neighbours);
    return neighbours;
  }
  template <class T>
  std::vector<T> downloaded(T const* from, std::uint64_t count)
  {
    std::vector<T> to(count);
    exec_.download(std::span(to), from);
    return to;
  }

  /// The ranges of the points in each cell of a visit.
  std::vector<PlacedRange> ranges_of(Visit const& visit, Point const& query)
  {
    std::uint64_t const count = visit.cells.size();
    Buffer<PlacedRange> ranges(exec_, count);
    if (table_) {
      Buffer<Placed> one(exec_, 1);
      Placed const placed{query, 0};
      exec_.upload(one.data(), std::span(&placed, 1));
      exec_.for_each(count, passes::RangesOfFound{table_->look_up(cells_.view(), one.data(), 1), ranges.data()});
    } else {
      std::vector<std::uint64_t> keys(count);
      std::ranges::transform(visit.cells, keys.begin(), &Visit::Cell::key);
      Buffer<std::uint64_t> on_device(exec_, count);
      exec_.upload(on_device.data(), std::span<std::uint64_t const>(keys));
      exec_.for_each(count, passes::RangesOfKeys{cells_.view(), on_device.data(), ranges.data()});
    }
    return downloaded(static_cast<PlacedRange const*>(ranges.data()), count);
  }
  std::vector<Placed> gathered(std::vector<PlacedRange> const& ranges)
  {
    std::vector<std::uint32_t> places;
    for (auto const& [first, end] : ranges) {
      for (std::uint32_t place = first; place < end; ++place) { places.push_back(place); }
    }
    Buffer<std::uint32_t> from(exec_, places.size());
    exec_.upload(from.data(), std::span<std::uint32_t const>(places));
    Buffer<Placed> placed(exec_, places.size());
    exec_.for_each(places.size(), passes::Gather{cells_.view().placed, from.data(), placed.data()});
    return downloaded(static_cast<Placed const*>(placed.data()), places.size());
  }
  void take_neighbours(Visit& visit, std::vector<Placed> const& candidates, Point const& query, std::uint32_t k,
                       std::optional<std::uint32_t> self) const
  {
    for (Placed const& candidate : candidates) {
      visit.candidates.push_back(candidate.number);
      float const squared = squared_distance(query, candidate.at);
      if (squared <= grid().squared_radius && candidate.number != self) {
        visit.neighbours.push_back({candidate.number, squared});
      }
    }
    std::ranges::sort(visit.candidates);
    std::ranges::sort(visit.neighbours, {}, [](Neighbour const& near) { return word_of(near.squared, near.number); });
    if (k != 0 && visit.neighbours.size() > k) { visit.neighbours.resize(k); }
  }

  Exec exec_;
  Buffer<Point> points_;
  Cells<Exec> cells_;
  Cells<Exec> of_queries_;
  NeighbourSearch<Exec> search_;
  std::unique_ptr<CellTable<Exec>> table_;
  typename Exec::Laps laps_;
  bool is_built_ = false;
};

}  // namespace slotscape::neighbours
