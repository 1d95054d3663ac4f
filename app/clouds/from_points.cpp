#include "app/base/text.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/clouds/outliers.hpp"
#include "app/clouds/sampling.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

namespace slotscape::clouds {

namespace {

/// Whether all kept points have usable normals. If one normal is unusable, none of the file's normals can be trusted.
bool has_whole_normals(Geometry const& geometry, std::vector<std::uint64_t> const& kept)
{
  return geometry.normals.size() == geometry.positions.size() && std::ranges::all_of(kept, [&](std::uint64_t index) {
           float const length = spatial::length(geometry.normals[index]);
           return std::isfinite(length) && length > 1e-6f;
         });
}

std::vector<std::uint64_t> usable_points(Geometry const& geometry, std::string const& name, PointCloud& cloud)
{
  std::vector<std::uint64_t> kept;
  kept.reserve(geometry.positions.size());
  for (std::uint64_t i = 0; i < geometry.positions.size(); ++i) {
    if (usable(geometry.positions[i])) { kept.push_back(i); }
  }
  std::uint64_t const left_out = geometry.positions.size() - kept.size();
  if (geometry.positions.empty()) { throw Error(tr("{}: the file has no points; choose another", name)); }
  if (kept.empty()) {
    throw Error(tr("{}: none of its {} points has finite coordinates; export the file again", name, left_out));
  }
  if (left_out > 0) {
    cloud.notes.push_back(tr("Skipped {} of {} points: their coordinates are not finite numbers", grouped(left_out),
                             grouped(geometry.positions.size())));
  }
  return kept;
}

std::vector<Position> places_of(Geometry const& geometry, std::vector<std::uint64_t> const& kept)
{
  std::vector<Position> places;
  places.reserve(kept.size());
  for (std::uint64_t const index : kept) { places.push_back(geometry.positions[index]); }
  return places;
}

/// Leaves only the points in the box. Throws Error if there are none.
void crop(Geometry const& geometry, std::string const& name, Box const& box, std::vector<std::uint64_t>& kept,
          PointCloud& cloud)
{
  std::vector<Position> const before = places_of(geometry, kept);
  std::erase_if(kept, [&](std::uint64_t index) { return !box.contains(geometry.positions[index]); });
  if (kept.empty()) {
    auto const& [low, high] = box_around(before);
    throw Error(tr("{}: the crop box contains no points: they lie from {} {} {} to {} {} {}", name, low.x, low.y, low.z,
                   high.x, high.y, high.z));
  }
  std::uint64_t const inside = cloud.vertices - (before.size() - kept.size());
  cloud.notes.push_back(
      tr("Cropped to {} of {} points", grouped(inside), grouped(cloud.vertices + geometry.points_outside)));
  cloud.vertices = inside;
}

/// Counts points far outside; removes them from `kept` if they are to be ignored.
void judge_outliers(Geometry const& geometry, bool ignore, std::vector<std::uint64_t>& kept, PointCloud& cloud)
{
  std::vector<Position> const places = places_of(geometry, kept);
  Outliers const found = find_outliers(places);
  cloud.outliers = found.points.size();
  cloud.without_outliers = ignore && cloud.outliers != 0;
  if (std::string note = note_of_outliers(found, kept.size(), ignore); !note.empty()) {
    cloud.notes.push_back(std::move(note));
  }
  if (!cloud.without_outliers) { return; }
  std::uint64_t next = 0;
  auto const is_outlier = [&](std::uint64_t number) { return std::ranges::binary_search(found.points, number); };
  std::erase_if(kept, [&](std::uint64_t) { return is_outlier(next++); });
}

/// The number of points at exactly the position of an earlier one, by 64-bit hashes of the positions: the probability
/// that two of 2^24 different positions collide is below 1 in 10^5.
std::uint64_t repeated_places(std::vector<Position> const& places)
{
  std::vector<std::uint64_t> hashes;
  hashes.reserve(places.size());
  for (Position const& place : places) {
    std::uint64_t hash = 0;
    for (double const part : {place.x, place.y, place.z}) {
      hash = (hash ^ std::bit_cast<std::uint64_t>(part + 0.0)) * 0x9e3779b97f4a7c15ull;  // + 0.0: -0 becomes 0
      hash ^= hash >> 32;
    }
    hashes.push_back(hash);
  }
  std::ranges::sort(hashes);
  return static_cast<std::uint64_t>(hashes.end() - std::unique(hashes.begin(), hashes.end()));
}

}  // namespace

PointCloud cloud_of_points(Geometry const& geometry, std::string const& name, LoadSettings const& settings,
                           Progress const& progress)
{
  PointCloud cloud;
  cloud.notes = geometry.notes;
  if (geometry.polygons.count() > 0) {
    cloud.notes.push_back(
        tr("Skipped all {} faces: they have fewer than three corners", grouped(geometry.polygons.count())));
  }
  cloud.scanner = geometry.scanner;
  cloud.vertices = std::max<std::uint64_t>(geometry.points_in_file, geometry.positions.size());
  std::vector<std::uint64_t> kept = usable_points(geometry, name, cloud);
  if (settings.crop) { crop(geometry, name, *settings.crop, kept, cloud); }
  judge_outliers(geometry, settings.ignore_outliers, kept, cloud);
  progress.require(0.85);
  std::vector<Position> const places = places_of(geometry, kept);
  cloud.frame = frame_of(places);
  cloud.steps = coordinate_steps(places);
  if (std::uint64_t const repeated = repeated_places(places); repeated > 0) {
    cloud.notes.push_back(tr("{} of {} points coincide with another point", grouped(repeated), grouped(places.size())));
  }
  progress.require(0.87);
  std::vector<std::uint64_t> chosen(kept.size());
  std::iota(chosen.begin(), chosen.end(), std::uint64_t{0});
  if (kept.size() > settings.limit) { chosen = thinned(kept.size(), settings.limit, settings.seed); }
  std::uint64_t const read = settings.crop ? kept.size() : geometry.positions.size();
  if (std::uint64_t const usable = cloud.vertices - read + kept.size(); usable > chosen.size()) {
    cloud.notes.push_back(tr("Thinned evenly from {} points to {}", grouped(usable), grouped(chosen.size())));
  }
  progress.require(0.9);
  cloud.normals_from_source = has_whole_normals(geometry, kept);
  if (!geometry.normals.empty() && !cloud.normals_from_source) {
    cloud.notes.emplace_back(tr("Ignored the file's normals: not all of them are valid"));
  }
  cloud.positions.reserve(chosen.size());
  cloud.originals.reserve(chosen.size());
  std::vector<std::uint64_t> sources;
  sources.reserve(chosen.size());
  for (std::uint64_t const index : chosen) {
    sources.push_back(kept[index]);
    cloud.positions.push_back(to_vector(cloud.frame.local(places[index])));
    cloud.originals.push_back(places[index]);
    if (cloud.normals_from_source) { cloud.normals.push_back(spatial::normalized(geometry.normals[kept[index]])); }
  }
  bool const all_were_read = geometry.points_in_file <= geometry.positions.size();
  if (all_were_read) { cloud.numbers.assign(sources.begin(), sources.end()); }
  progress.require(0.95);
  for (Attribute const& attribute : geometry.attributes) { cloud.attributes.push_back(attribute.at(sources)); }
  return cloud;
}

}  // namespace slotscape::clouds
