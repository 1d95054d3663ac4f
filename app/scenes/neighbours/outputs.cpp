#include "app/base/npy.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/neighbours/scene.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/table_map/known_numbers.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>

namespace slotscape {
namespace {

std::string array_of(std::vector<std::uint32_t> const& numbers)
{
  return npy_of(std::vector<std::int64_t>(numbers.begin(), numbers.end()), {numbers.size()});
}

std::string points_array(std::vector<neighbours::Point> const& points, clouds::Position const& origin)
{
  std::vector<double> numbers;
  numbers.reserve(3 * points.size());
  for (neighbours::Point const& at : points) {
    numbers.insert(numbers.end(), {origin.x + at.x, origin.y + at.y, origin.z + at.z});
  }
  return npy_of(numbers, {points.size(), 3});
}

/// Whether the numbers are 0, 1, 2 ...
bool is_identity(std::vector<std::uint32_t> const& numbers)
{
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != i) { return false; }
  }
  return true;
}

}  // namespace

SceneStatistics NeighbourScene::statistics(FrameTimes const& frames)
{
  if (!has_results()) { throw Error(tr("There are no statistics until neighbours have been counted.")); }
  NeighboursResult const& result = state_.result;
  NeighbourSearchSettings const& search = state_.shown->search;
  neighbours::NeighbourEngine& engine = finder_->engine();
  neighbours::Neighbours const& counts = *result.counts;
  Json json;
  json["backend"] = to_text(engine.backend());
  json["device"] = engine.device_name();
  json["source"] = label_of_points(state_.shown->source.name);
  json["points"] = result.points->size();
  json["origin"] = {result.loaded->origin.x, result.loaded->origin.y, result.loaded->origin.z};
  clouds::add_units(json, result.loaded->system);
  json["radius"] = result.radius;
  json["k"] = search.k;
  json["method"] = to_text(search.method);
  json["divisor"] = search.divisor;
  json["neighbours"] = counts.neighbours;
  json["neighbours_per_point"] = static_cast<double>(counts.neighbours) / static_cast<double>(result.points->size());
  json["cells_read"] = counts.cells_read;
  json["candidates"] = counts.candidates;
  json["cells"] = result.cells.cells;
  json["bytes"] = result.cells.bytes;
  if (InspectedTable* const table = engine.table()) {
    Statistics const seen = table->statistics();
    json["table"] = {{"family", search.family},
                     {"hash", hash_json(search.hash)},
                     {"key_bits", result.cells.key_bits},
                     {"cells", result.cells.listed_cells},
                     {"slots", seen.slots},
                     {"load_factor", seen.load_factor()},
                     {"bytes", table->memory_bytes()},
                     {"probe_length", summary_json(seen.probe_length)},
                     {"hit_accesses", summary_json(seen.hit_accesses)}};
  }
  auto const& [cells, table] = result.cells.stage_seconds;
  json["stages_ms"] = {{"cells", 1e3 * cells},
                       {"table", 1e3 * table},
                       {"count", 1e3 * counts.seconds},
                       {"total", 1e3 * (cells + table + counts.seconds)}};
  json["point"] = {{"number", result.point},
                   {"cells_read", result.visit.cells.size()},
                   {"candidates", result.visit.candidates.size()},
                   {"neighbours", result.visit.neighbours.size()}};
  json["frames"] = times_json(frames.frame_seconds);
  return {std::move(json), {}};
}

void NeighbourScene::save_neighbours(std::filesystem::path const& file)
{
  if (!has_results()) { throw Error(tr("There are no neighbours yet: wait until they have been counted.")); }
  neighbours::Neighbours const found = finder_->engine().search(state_.shown->search.k, true, watched());
  std::vector<std::int64_t> const offsets(found.offsets.begin(), found.offsets.end());
  std::vector<float> distances(found.squared.size());
  std::ranges::transform(found.squared, distances.begin(), [](float squared) { return std::sqrt(squared); });
  LoadedPoints const& loaded = *state_.result.loaded;
  std::vector<std::pair<std::string, std::string>> arrays{{"offsets", npy_of(offsets, {offsets.size()})},
                                                          {"indices", array_of(found.indices)},
                                                          {"distances", npy_of(distances, {distances.size()})},
                                                          {"points",
                                                           points_array(*state_.result.points, loaded.origin)},
                                                          {"radius", npy_of(std::span(&state_.result.radius, 1), {})}};
  if (!is_identity(loaded.numbers)) { arrays.emplace_back("numbers", array_of(loaded.numbers)); }
  write_npz(file, arrays);
}

}  // namespace slotscape
