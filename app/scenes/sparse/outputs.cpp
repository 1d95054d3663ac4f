#include "app/base/npy.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/scenes/sparse/scene.hpp"
#include "app/simulation/hash_choice.hpp"
#include "app/table_map/known_numbers.hpp"
#include "gpu/base/error.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>

namespace slotscape {
namespace {

using sparse::Site;

std::string sites_array(std::vector<Site> const& sites)
{
  std::vector<std::int32_t> numbers;
  numbers.reserve(4 * sites.size());
  for (Site const& site : sites) { numbers.insert(numbers.end(), {site.batch, site.x, site.y, site.z}); }
  return npy_of(numbers, {sites.size(), 4});
}

std::string positions_array(std::vector<clouds::Position> const& positions)
{
  std::vector<double> numbers;
  numbers.reserve(3 * positions.size());
  for (clouds::Position const& at : positions) { numbers.insert(numbers.end(), {at.x, at.y, at.z}); }
  return npy_of(numbers, {positions.size(), 3});
}

Json layers_json(std::vector<sparse::SparseSnapshot> const& layers)
{
  Json json = Json::array();
  for (sparse::SparseSnapshot const& layer : layers) {
    double const seconds = std::accumulate(layer.stage_seconds.begin(), layer.stage_seconds.end(), 0.0);
    json.push_back({{"sites", layer.sites}, {"outputs", layer.outputs}, {"pairs", layer.pairs}, {"ms", 1e3 * seconds}});
  }
  return json;
}

}  // namespace

SceneStatistics SparseScene::statistics(FrameTimes const& frames)
{
  if (!has_results()) { throw Error(tr("There are no statistics until the convolution has run.")); }
  wait_for_layers();
  sparse::SparseSnapshot const& found = state_.snapshot;
  sparse::SparseSettings const& convolution = state_.shown->convolution;
  InspectedTable& table = convolver_->engine().table();
  Statistics const statistics = table.statistics();
  sparse::Extents const& extents = convolver_->engine().extents();
  Json json;
  json["backend"] = to_text(convolver_->engine().backend());
  json["device"] = convolver_->engine().device_name();
  json["source"] = label_of_sites(state_.shown->source.name);
  json["extents"] = {extents.batch, extents.x, extents.y, extents.z};
  json["lowest"] = {extents.low.batch, extents.low.x, extents.low.y, extents.low.z};
  json["origin"] = {sites_->origin.x, sites_->origin.y, sites_->origin.z};
  json["voxel_size"] = sites_->voxel_size;
  clouds::add_units(json, sites_->system);
  json["mode"] = to_text(convolution.mode);
  json["kernel"] = convolution.kernel;
  json["stride"] = convolution.stride;
  json["dilation"] = convolution.dilation;
  json["order"] = to_text(convolution.order);
  json["search"] = to_text(convolution.search);
  json["sites"] = found.sites;
  json["repeated"] = state_.repeated;
  json["points"] = state_.points;
  json["outputs"] = found.outputs;
  json["pairs"] = found.pairs;
  json["pairs_per_offset"] = found.pairs_per_offset;
  json["lookups"] = found.lookups;
  json["map_bytes"] = found.map_bytes;
  json["table"] = {{"family", convolution.family},
                   {"hash", hash_json(convolution.hash)},
                   {"key_bits", found.key_bits},
                   {"slots", statistics.slots},
                   {"load_factor", statistics.load_factor()},
                   {"bytes", table.memory_bytes()},
                   {"probe_length", summary_json(statistics.probe_length)},
                   {"hit_accesses", summary_json(statistics.hit_accesses)}};
  Json stages;
  for (std::size_t i = 0; i < sparse::stage_names.size(); ++i) {
    std::string name(sparse::stage_names[i]);
    std::ranges::transform(name, name.begin(),
                           [](char c) { return c == ' ' ? '_' : static_cast<char>(std::tolower(c)); });
    stages[name] = 1e3 * found.stage_seconds[i];
  }
  stages["total"] = 1e3 * std::accumulate(found.stage_seconds.begin(), found.stage_seconds.end(), 0.0);
  json["stages_ms"] = std::move(stages);
  if (state_.growth) {
    json["layers"] = {{"stride", convolution.stride},
                      {"submanifold", layers_json(state_.growth->submanifold)},
                      {"sparse", layers_json(state_.growth->full)}};
  }
  json["frames"] = times_json(frames.frame_seconds);
  std::string csv = "offset,x,y,z,pairs\n";
  for (std::uint32_t offset = 0; offset < found.pairs_per_offset.size(); ++offset) {
    Site const step = state_.kernel.offset(offset);
    csv += fmt::format("{},{},{},{},{}\n", offset, step.x, step.y, step.z, found.pairs_per_offset[offset]);
  }
  return {std::move(json), {{"offsets.csv", std::move(csv)}}};
}

/// For each point, array row or sample: its row in the input tensor, or -1 if it is in none.
std::vector<std::int64_t> SparseScene::rows_of_points()
{
  ShownTensor const tensor = shown_tensor();
  sparse::Extents const& extents = tensor.given_extents();
  std::vector<Site> const& given = tensor.given();
  std::vector<std::pair<Key, std::int64_t>> rows(given.size());
  for (std::size_t row = 0; row < given.size(); ++row) {
    rows[row] = {extents.flatten(given[row]), static_cast<std::int64_t>(row)};
  }
  std::ranges::sort(rows);
  std::vector<std::int64_t> of_site(sites_->sites.size());
  std::ranges::transform(sites_->sites, of_site.begin(), [&](Site const& site) {
    return std::ranges::lower_bound(rows, extents.flatten(site), {}, &std::pair<Key, std::int64_t>::first)->second;
  });
  std::vector<std::int64_t> of_point(sites_->site_of_point.size());
  std::ranges::transform(sites_->site_of_point, of_point.begin(),
                         [&](std::uint32_t site) { return site == no_site ? -1 : of_site[site]; });
  return of_point;
}

void SparseScene::save_kernel_map(std::filesystem::path const& file)
{
  if (!has_results()) { throw Error(tr("There is no kernel map yet: wait until the convolution has run.")); }
  sparse::SparseEngine& engine = convolver_->engine();
  std::vector<std::int32_t> offsets;
  std::vector<std::int32_t> pairs;
  std::vector<std::int64_t> sizes;
  pairs.reserve(2 * state_.snapshot.pairs);
  for (std::uint32_t offset = 0; offset < engine.kernel().offsets(); ++offset) {
    Site const step = engine.kernel().offset(offset);
    offsets.insert(offsets.end(), {step.x, step.y, step.z});
    std::vector<sparse::RowPair> const of_offset = engine.pairs(offset);
    sizes.push_back(static_cast<std::int64_t>(of_offset.size()));
    for (auto const& [in, out] : of_offset) {
      pairs.insert(pairs.end(), {static_cast<std::int32_t>(in), static_cast<std::int32_t>(out)});
    }
  }
  std::vector<std::int64_t> const rows = rows_of_points();
  std::array<double, 3> const origin{sites_->origin.x, sites_->origin.y, sites_->origin.z};
  std::vector<std::pair<std::string, std::string>> arrays{
      {"in_coords", sites_array(engine.inputs())},
      {"out_coords", sites_array(engine.outputs())},
      {"offsets", npy_of(offsets, {sizes.size(), 3})},
      {"nbmaps", npy_of(pairs, {pairs.size() / 2, 2})},
      {"nbsizes", npy_of(sizes, {sizes.size()})},
      {"stride", npy_of(std::span<std::int32_t const>(engine.kernel().stride), {3})},
      {"origin", npy_of(origin, {3})},
      {"voxel_size", npy_of(std::span(&sites_->voxel_size, 1), {})},
      {"point_rows", npy_of(rows, {rows.size()})}};
  if (!sites_->samples.empty()) { arrays.emplace_back("points", positions_array(sites_->samples)); }
  write_npz(file, arrays);
}

}  // namespace slotscape
