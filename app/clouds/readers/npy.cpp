#include "app/base/npy.hpp"

#include "app/base/files.hpp"
#include "app/base/text.hpp"
#include "app/clouds/load_cloud.hpp"
#include "app/clouds/readers/point_columns.hpp"
#include "app/clouds/readers/text.hpp"
#include "gpu/base/translation.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

namespace slotscape::clouds {

namespace {

/// Whether a column is a named field; columns of plain arrays are named by their numbers, with or without "column".
bool is_field(NpyColumn const& column)
{
  std::string_view name = column.name;
  if (name.starts_with("column ")) { next_word(name); }
  return !column.name.empty() && !count_in(trimmed(name));
}

/// The first three elements of a field of coordinates are x, y and z: "xyz[0]".
std::string name_of_field(std::string_view name)
{
  constexpr std::array<std::string_view, 8> of_places{"xyz",   "position", "positions",   "pos",
                                                      "point", "points",   "coordinates", "coords"};
  constexpr std::array<std::string_view, 3> of_normals{"normal", "normals", "n"};
  std::size_t const bracket = name.find('[');
  auto const part = bracket == std::string_view::npos ? std::nullopt : count_in(name.substr(bracket + 1, 1));
  std::string const field = lower_case(name.substr(0, bracket));
  bool const one_of_three = part && *part < 3 && name.size() == bracket + 3;
  if (one_of_three && std::ranges::find(of_places, field) != of_places.end()) { return {"xyz"[*part]}; }
  if (one_of_three && std::ranges::find(of_normals, field) != of_normals.end()) {
    return std::string("n") + "xyz"[*part];
  }
  return part ? fmt::format("{}_{}", name.substr(0, bracket), name.substr(bracket + 1, name.size() - bracket - 2))
              : given_name(name);
}

std::vector<std::string> names_of(std::vector<NpyColumn> const& columns)
{
  std::vector<std::string> names;
  if (std::ranges::none_of(columns, is_field)) { return names; }
  for (NpyColumn const& column : columns) { names.push_back(name_of_field(column.name)); }
  return names;
}

bool is_whole(NpyColumns const& array, NpyColumn const& column)
{
  if (column.kind == 'f') {
    for (std::uint64_t row = 0; row < array.rows; ++row) {
      double const number = number_of(array.value(column, row));
      if (number != std::floor(number)) { return false; }
    }
    return true;
  }
  return column.kind == 'b' || column.kind == 'i' || column.kind == 'u';
}

/// The indices of batch, x, y and z among the fields; only three if there is no batch.
std::vector<std::size_t> site_fields(std::vector<std::string> const& names)
{
  ColumnRoles const roles = roles_of(names);
  if (!roles.has_place()) { return {}; }
  std::vector<std::size_t> fields{*roles.place[0], *roles.place[1], *roles.place[2]};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::string const name = plain_name(names[i]);
    bool const is_batch = name == "batch" || name == "b" || name == "batch_index" || name == "batch_idx";
    if (is_batch && fields.size() == 3) { fields.insert(fields.begin(), i); }
  }
  return fields;
}

ArrayUse use_of_fields(NpyColumns const& array, std::vector<std::size_t> const& sites)
{
  bool const whole = std::ranges::all_of(sites, [&](std::size_t i) { return is_whole(array, array.columns[i]); });
  bool const are_integers = std::ranges::all_of(sites, [&](std::size_t i) { return array.columns[i].kind != 'f'; });
  if (!whole) { return ArrayUse::points; }
  return are_integers && sites.size() == array.columns.size() ? ArrayUse::sites : ArrayUse::whole_points;
}

ArrayUse use_of(NpyColumns const& array)
{
  if (auto const sites = site_fields(names_of(array.columns)); !sites.empty()) { return use_of_fields(array, sites); }
  if (array.columns.size() == 1) { return ArrayUse::column; }
  if (std::ranges::any_of(array.columns, is_field)) { return ArrayUse::other; }
  bool const whole = std::ranges::all_of(array.columns, [&](auto const& column) { return is_whole(array, column); });
  if (array.columns.front().kind != 'f') {
    bool const as_sites = array.columns.size() == 3 || array.columns.size() == 4;
    return whole && as_sites ? ArrayUse::sites : ArrayUse::other;
  }
  if (array.columns.size() < 3) { return ArrayUse::other; }
  return whole ? ArrayUse::whole_points : ArrayUse::points;
}

bool is_npy(std::filesystem::path const& file)
{
  std::error_code unreadable;
  if (!std::filesystem::is_regular_file(file, unreadable)) { return false; }  // reading a pipe would block
  std::array<char, 6> start{};
  std::ifstream(file, std::ios::binary).read(start.data(), start.size());
  return std::string_view(start.data(), start.size()) == "\x93NUMPY";
}

class Array {
public:
  explicit Array(Source const& source) : source_(source), array_(read_npy_columns(source.name))
  {
    for (NpyColumn const& column : array_.columns) {
      if (std::string_view("biuf").find(column.kind) != std::string_view::npos) {
        columns_.push_back(column);
      } else {
        skipped_.push_back(column.name.empty() ? tr("its column") : column.name);
      }
    }
  }

  Geometry read() const
  {
    constexpr std::size_t few_columns = 12;  // a plausible number for points
    PointColumns::Layout layout{.columns = columns_.size(), .names = names_of(columns_), .roles = {}, .counted = {}};
    layout.roles = roles_of(layout.names);
    check(layout);
    PointColumns points(std::move(layout));
    std::vector<std::optional<double>> row(columns_.size());
    for (std::uint64_t i = 0; i < array_.rows; ++i) {
      if (i % 65536 == 0) { source_.reached(i * source_.bytes.size() / array_.rows); }
      std::ranges::transform(columns_, row.begin(), [&](NpyColumn const& column) { return number(column, i); });
      points.add(row);
    }
    Geometry geometry = std::move(points).geometry(source_);
    if (!skipped_.empty()) {
      geometry.notes.push_back(tr("Skipped {}: only numbers are read", listed(skipped_, tr("and"))));
    }
    if (std::ranges::none_of(columns_, is_field) && array_.rows == 3 && columns_.size() > few_columns) {
      geometry.notes.push_back(
          tr("Three rows of {} numbers were read as three points: if they are x, y and z of {} points, save the "
             "array's .T",
             columns_.size(), columns_.size()));
    }
    return geometry;
  }

private:
  void check(PointColumns::Layout const& layout) const
  {
    if (!layout.names.empty() && !layout.roles.has_place()) {
      source_.fail("its fields are {}; name three of them x, y and z", listed(layout.names));
    }
    if (columns_.size() >= 3) { return; }
    source_.fail("its rows have {} numbers; points have x, y and z", columns_.size());
  }

  std::optional<double> number(NpyColumn const& column, std::uint64_t row) const
  {
    std::string const value = array_.value(column, row);
    if (column.kind == 'f') { return number_of(value); }
    std::uint64_t const bits = whole_of(column, value);
    return column.kind == 'i' ? static_cast<double>(static_cast<std::int64_t>(bits)) : static_cast<double>(bits);
  }

  Source const& source_;
  NpyColumns array_;
  std::vector<NpyColumn> columns_;  ///< the columns that hold numbers
  std::vector<std::string> skipped_;
};

}  // namespace

ArrayUse use_of_array(std::filesystem::path const& file)
{
  if (extension_of(file) != ".npy" && !is_npy(file)) { return ArrayUse::none; }
  try {
    return use_of(read_npy_columns(file));
  } catch (Error const&) {
    return ArrayUse::none;
  }
}

std::optional<SiteFields> read_site_fields(std::filesystem::path const& file)
{
  NpyColumns const array = read_npy_columns(file);
  std::vector<std::string> const names = names_of(array.columns);
  std::vector<std::size_t> const fields = site_fields(names);
  if (fields.empty()) { return std::nullopt; }
  SiteFields sites{{array.rows, fields.size(), {}}, {}};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::find(fields, i) == fields.end()) { sites.skipped.push_back(names[i]); }
  }
  sites.table.numbers.reserve(array.rows * fields.size());
  constexpr double largest = 9e18;
  for (std::uint64_t row = 0; row < array.rows; ++row) {
    for (std::size_t const i : fields) {
      NpyColumn const& column = array.columns[i];
      std::string const value = array.value(column, row);
      if (column.kind != 'f') {
        sites.table.numbers.push_back(static_cast<std::int64_t>(whole_of(column, value)));
        continue;
      }
      double const number = number_of(value);
      if (number != std::floor(number) || std::abs(number) > largest) {
        throw Error(tr("{}: row {} has {} in '{}'; sites need whole numbers", file.filename().string(), row + 1, number,
                       names[i]));
      }
      sites.table.numbers.push_back(static_cast<std::int64_t>(number));
    }
  }
  return sites;
}

bool is_array_of_coordinates(std::filesystem::path const& file)
{
  ArrayUse const use = use_of_array(file);
  return use == ArrayUse::sites || use == ArrayUse::points || use == ArrayUse::whole_points;
}

Geometry read_npy_points(Source const& source)
{
  return Array(source).read();
}

}  // namespace slotscape::clouds
