#include "app/scenes/sparse/site_source.hpp"

#include "app/base/files.hpp"
#include "app/base/npy.hpp"
#include "app/base/text.hpp"
#include "app/clouds/builtin.hpp"
#include "app/clouds/coordinate_steps.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/clouds/outliers.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <numbers>
#include <numeric>

namespace slotscape {
namespace {

using sparse::Site;

/// Each site is its own point.
void number_sites(Sites& sites)
{
  sites.site_of_point.resize(sites.sites.size());
  std::iota(sites.site_of_point.begin(), sites.site_of_point.end(), 0u);
}

/// Two turns of a spiral, a few cells wide.
Sites spiral(std::int32_t grid)
{
  Sites sites{{}, {1, grid, grid, 1, {}, true}};
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
  number_sites(sites);
  return sites;
}

/// The cells into which points fall: the cell of site c begins at origin + size × c.
struct Cells {
  clouds::Position origin;
  double size = 1.0;
  std::array<std::int32_t, 3> counts{};

  Site site_at(clouds::Position const& point) const
  {
    clouds::Position const from = point - origin;
    auto const along = [&](double distance, std::size_t axis) {
      return static_cast<std::int32_t>(std::clamp(std::floor(distance / size), 0.0, counts[axis] - 1.0));
    };
    return {0, along(from.x, 0), along(from.y, 1), along(from.z, 2)};
  }
};

/// The grid surrounds the model's bounding sphere with a small margin. Points at its upper end are then in the last
/// cells, and points in its middle, on a border in even grids, are in the upper cells.
Cells cells_of_grid(clouds::Frame const& frame, std::int32_t grid)
{
  constexpr double more = 1e-6;
  constexpr double low = -1.0 - 1.5 * more;
  return {frame.original(clouds::Position{low, low, low}), 2.0 * (1.0 + more) / grid / frame.scale, {grid, grid, grid}};
}

/// The cells surround all points. They begin at multiples of their size, so that cells of two files of the same place
/// match; slightly below, so that a point on a border belongs to the upper cell: 0.3 is in the fourth cell of width
/// 0.1.
Cells cells_of_width(clouds::PointCloud const& cloud, double size, std::string const& label)
{
  clouds::Box const box = clouds::box_of(cloud);
  double const margin = clouds::margin_below_borders(clouds::rounding_of(cloud), size);
  auto const low = [&](double at) { return std::floor((at + margin) / size) * size - margin; };
  Cells cells{{low(box.low.x), low(box.low.y), low(box.low.z)}, size, {}};
  clouds::Position const all = box.high - cells.origin;
  std::size_t axis = 0;
  for (double const length : {all.x, all.y, all.z}) {
    double const count = std::floor(length / size) + 1.0;
    if (!(count <= sparse::max_coordinate)) {
      std::string const advice = clouds::advice_on_outliers(cloud);
      std::string const why = tr("{}: with voxels of {:.4g}, the grid would have {:.4g} along {}; choose larger ones",
                                 label, size, count, "xyz"[axis]);
      throw Error(advice.empty() ? why : fmt::format("{}. {}", why, tr("It {}", advice)));
    }
    cells.counts[axis++] = static_cast<std::int32_t>(count);
  }
  return cells;
}

Sites voxelised(clouds::PointCloud const& cloud, std::string const& label, SiteSource const& source)
{
  Cells const cells = source.voxel > 0.0 ? cells_of_width(cloud, source.voxel, label)
                                         : cells_of_grid(cloud.frame, static_cast<std::int32_t>(source.grid));
  auto const [x, y, z] = cells.counts;
  Sites sites{{}, {1, x, y, z}, {}, cloud.positions.size()};
  for (std::string const& note : cloud.notes) { sites.findings.push_back(fmt::format("{}: {}", label, note)); }
  std::string const steps = clouds::note_of_steps(cloud, cells.size, fmt::format("voxels of {:.4g}", cells.size));
  if (!steps.empty()) { sites.findings.push_back(fmt::format("{}: {}", label, steps)); }
  sites.origin = cells.origin;
  sites.voxel_size = cells.size;
  sites.system = cloud.system;
  sites.outliers = cloud.outliers;
  bool const are_numbered = !cloud.numbers.empty();
  std::size_t const points = cloud.positions.size();
  sites.sites.reserve(points);
  sites.site_of_point.assign(are_numbered ? std::max<std::size_t>(cloud.vertices, points) : points, no_site);
  for (std::size_t i = 0; i < points; ++i) {
    clouds::Position const point = cloud.original(i);
    Site const site = cells.site_at(point);
    if (sites.sites.empty() || sites.sites.back() != site) { sites.sites.push_back(site); }
    std::size_t const number = are_numbered ? cloud.numbers[i] : i;
    sites.site_of_point[number] = static_cast<std::uint32_t>(sites.sites.size() - 1);
    if (!are_numbered) { sites.samples.push_back(point); }
  }
  return sites;
}

void require_rows_of_sites(NpyRows const& table, std::string const& name)
{
  if (table.columns < 2 || table.columns > 4) {
    throw Error(tr("{}: its rows have {} numbers; sites have batch, x, y and z, or x, y and z, or x and y", name,
                   table.columns));
  }
  if (table.rows == 0) { throw Error(tr("{}: it has no rows", name)); }
  if (table.rows > sparse::max_sites) {
    throw Error(tr("{}: it has {} rows, but a tensor has at most {} sites", name, grouped(table.rows),
                   grouped(sparse::max_sites)));
  }
}

/// Returns a row's batch, x, y and z. Missing ones are 0.
std::array<std::int64_t, 4> coordinates(NpyRows const& table, std::uint64_t row)
{
  std::array<std::int64_t, 4> at{};
  std::copy_n(table.numbers.begin() + static_cast<std::ptrdiff_t>(row * table.columns), table.columns,
              at.begin() + (table.columns == 4 ? 0 : 1));
  return at;
}

/// The tightest box around all sites, so that a translation does not affect keys and slots.
sparse::Extents box_around(NpyRows const& table, std::string const& name)
{
  auto low = coordinates(table, 0);
  auto high = low;
  for (std::uint64_t row = 1; row < table.rows; ++row) {
    auto const at = coordinates(table, row);
    for (std::size_t axis = 0; axis < at.size(); ++axis) {
      low[axis] = std::min(low[axis], at[axis]);
      high[axis] = std::max(high[axis], at[axis]);
    }
  }
  std::array<std::int32_t, 4> lowest{};
  std::array<std::int32_t, 4> size{};
  for (std::size_t axis = 0; axis < low.size(); ++axis) {
    if (low[axis] < -sparse::max_coordinate || high[axis] > sparse::max_coordinate) {
      throw Error(tr(
          "{}: its coordinates range from {} to {}, but must be from −{} to {}. Subtract the minimum along each axis",
          name, low[axis], high[axis], grouped(sparse::max_coordinate), grouped(sparse::max_coordinate)));
    }
    lowest[axis] = static_cast<std::int32_t>(low[axis]);
    size[axis] = static_cast<std::int32_t>(high[axis] - low[axis] + 1);
  }
  return {size[0], size[1], size[2], size[3], {lowest[0], lowest[1], lowest[2], lowest[3]}, table.columns == 2};
}

/// Some libraries use coordinates below 0. These are kept, because strides count from 0.
Sites from_array(std::filesystem::path const& file)
{
  std::optional<clouds::SiteFields> const fields = clouds::read_site_fields(file);
  NpyRows const table = fields ? fields->table : read_npy(file);
  std::string const name = file.filename().string();
  require_rows_of_sites(table, name);
  Sites sites;
  if (fields && !fields->skipped.empty()) {
    sites.findings.push_back(
        tr("{}: Skipped {}: sites consist of x, y, z and batch", name, listed(fields->skipped, tr("and"))));
  }
  sites.extents = box_around(table, name);
  sites.sites.reserve(table.rows);
  for (std::uint64_t row = 0; row < table.rows; ++row) {
    auto const at = coordinates(table, row);
    auto const number = [&](std::size_t axis) { return static_cast<std::int32_t>(at[axis]); };
    sites.sites.push_back({number(0), number(1), number(2), number(3)});
  }
  number_sites(sites);
  if (table.columns > 2 && sites.extents.z == 1) {
    sites.findings.push_back(
        tr("{}: All sites have z = {}. They are still three-dimensional, so kernels are as deep as they are wide. For "
           "a flat tensor, save x and y alone.",
           name, sites.extents.low.z));
  }
  return sites;
}

/// Coordinates with decimals are points, not sites. So are floating-point numbers without decimals if voxels have a
/// size. `from_array` reports what is wrong with an unreadable array.
bool holds_sites(std::string const& name, bool has_voxels)
{
  auto const use = clouds::use_of_array(name);
  if (use == clouds::ArrayUse::whole_points && has_voxels) { return false; }
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
  if (name == spiral_name) { return translatable("Spiral (2-D)"); }
  for (clouds::Builtin const& builtin : clouds::builtins()) {
    if (builtin.name == name) { return std::string(builtin.label); }
  }
  return std::filesystem::path(name).filename().string();
}

std::vector<FileKind> sites_kinds()
{
  return {{translatable("model"), clouds::cloud_file_extensions()}, {translatable("array of sites"), {".npy"}}};
}

Sites load_sites(SiteSource const& source, Progress const& progress)
{
  bool const has_own_cells = source.name == spiral_name || holds_sites(source.name, source.voxel > 0.0);
  if (has_own_cells && source.voxel > 0.0) {
    std::string const why =
        tr("{}: it consists of cells already; a voxel size is only for points", label_of_sites(source.name));
    throw Error(source.name == spiral_name
                    ? why
                    : fmt::format("{}. {}", why,
                                  tr("If its whole numbers are points, save them as floating-point numbers: "
                                     "array.astype('float64')")));
  }
  if (source.name == spiral_name) { return spiral(static_cast<std::int32_t>(source.grid)); }
  if (has_own_cells) { return from_array(source.name); }
  clouds::LoadSettings const settings{.points = source.points,
                                      .seed = source.seed,
                                      .ignore_outliers = source.ignore_outliers};
  return voxelised(clouds::open_cloud(source.name, settings, progress), label_of_sites(source.name), source);
}

}  // namespace slotscape
