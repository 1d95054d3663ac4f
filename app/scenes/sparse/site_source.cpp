#include "app/scenes/sparse/site_source.hpp"

#include "app/base/files.hpp"
#include "app/base/npy.hpp"
#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/load_cloud.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <numbers>

namespace slotscape {
namespace {

using sparse::Site;

/// Two turns of a spiral, a few cells wide.
Sites spiral(std::int32_t grid)
{
  Sites sites{{}, {1, grid, grid, 1}};
  double const middle = static_cast<double>(grid) / 2.0;
  double const turns = 2.25;
  double const steps = 16.0 * middle * turns;
  for (double step = 0.0; step <= steps; step += 1.0) {
    double const share = step / steps;
    double const angle = 2.0 * std::numbers::pi * turns * share;
    double const radius = (0.12 + 0.8 * share) * middle;
    auto const cell = [&](double direction) {
      auto const at = static_cast<std::int32_t>(std::floor(middle + radius * direction));
      return std::clamp(at, 0, grid - 1);
    };
    sites.sites.push_back({0, cell(std::cos(angle)), cell(std::sin(angle)), 0});
  }
  sites.points = sites.sites.size();
  return sites;
}

/// Points lie in the unit sphere around the origin.
Sites voxelised(clouds::PointCloud const& cloud, std::int32_t grid)
{
  Sites sites{{}, {1, grid, grid, grid}, cloud.notes, cloud.positions.size()};
  auto const cell = [&](float at) {
    auto const number = static_cast<std::int32_t>(std::floor((static_cast<double>(at) + 1.0) / 2.0 * grid));
    return std::clamp(number, 0, grid - 1);
  };
  sites.sites.reserve(cloud.positions.size());
  for (clouds::Vector const& point : cloud.positions) {
    Site const site{0, cell(point.x), cell(point.y), cell(point.z)};
    if (sites.sites.empty() || sites.sites.back() != site) { sites.sites.push_back(site); }
  }
  return sites;
}

/// Coordinates below 0 are usual in some libraries: all are moved so that the smallest is 0.
Sites from_array(std::filesystem::path const& file)
{
  NpyTable const table = read_npy(file);
  std::string const name = file.filename().string();
  if (table.columns < 2 || table.columns > 4) {
    throw Error(fmt::format("{}: its rows have {} numbers; sites have batch, x, y and z, or x, y and z, or x and y",
                            name, table.columns));
  }
  if (table.rows == 0) { throw Error(name + ": it has no rows"); }
  if (table.rows > sparse::max_sites) {
    throw Error(fmt::format("{}: it has {} rows, and a tensor at most {} sites", name, grouped(table.rows),
                            grouped(sparse::max_sites)));
  }
  std::uint64_t const columns = table.columns;
  std::uint64_t const first_axis = columns == 4 ? 0 : 1;  // of batch, x, y, z
  std::int64_t low[4] = {};
  std::int64_t high[4] = {};
  for (std::uint64_t column = 0; column < columns; ++column) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t most = std::numeric_limits<std::int64_t>::min();
    for (std::uint64_t row = 0; row < table.rows; ++row) {
      least = std::min(least, table.numbers[row * columns + column]);
      most = std::max(most, table.numbers[row * columns + column]);
    }
    std::int64_t extent = 0;
    bool const overflows = __builtin_sub_overflow(most, std::min<std::int64_t>(least, 0), &extent);
    if (overflows || extent >= std::numeric_limits<std::int32_t>::max()) {
      throw Error(fmt::format("{}: coordinates from {} to {} do not fit in 32 bits", name, least, most));
    }
    low[first_axis + column] = std::min<std::int64_t>(least, 0);
    high[first_axis + column] = most;
  }
  Sites sites;
  auto const size = [&](int axis) { return static_cast<std::int32_t>(high[axis] - low[axis] + 1); };
  sites.extents = {size(0), size(1), size(2), size(3)};
  sites.sites.reserve(table.rows);
  for (std::uint64_t row = 0; row < table.rows; ++row) {
    std::int32_t at[4] = {};
    for (std::uint64_t column = 0; column < columns; ++column) {
      std::uint64_t const axis = first_axis + column;
      at[axis] = static_cast<std::int32_t>(table.numbers[row * columns + column] - low[axis]);
    }
    sites.sites.push_back({at[0], at[1], at[2], at[3]});
  }
  if (std::ranges::any_of(low, [](std::int64_t least) { return least < 0; })) {
    sites.notes.push_back(fmt::format("Coordinates below 0 were moved: ({}, {}, {}, {}) is now the origin.", low[0],
                                      low[1], low[2], low[3]));
  }
  return sites;
}

/// An array of coordinates with decimals is one of points. What is wrong with one that cannot be read, `from_array`
/// says.
bool holds_sites(std::string const& name)
{
  auto const use = clouds::use_of_array(name);
  return use == clouds::ArrayUse::none ? extension_of(name) == ".npy" : use != clouds::ArrayUse::points;
}

}  // namespace

bool is_builtin_source(std::string const& name)
{
  return name == spiral_name || clouds::is_builtin(name);
}

std::vector<std::string_view> builtin_sources()
{
  std::vector<std::string_view> names = clouds::builtin_names();
  names.push_back(spiral_name);
  return names;
}

std::string label_of_sites(std::string const& name)
{
  if (name == spiral_name) { return "Spiral (2-D)"; }
  for (clouds::Builtin const& builtin : clouds::builtins()) {
    if (builtin.name == name) { return std::string(builtin.label); }
  }
  return std::filesystem::path(name).filename().string();
}

FileKind sites_kind()
{
  return {"model or array of sites", clouds::cloud_file_extensions()};
}

Sites load_sites(SiteSource const& source, clouds::Progress& progress)
{
  auto const grid = static_cast<std::int32_t>(source.grid);
  if (source.name == spiral_name) { return spiral(grid); }
  if (holds_sites(source.name)) { return from_array(source.name); }
  return voxelised(clouds::open_cloud(source.name, {.points = source.points, .seed = source.seed}, progress), grid);
}

}  // namespace slotscape
