#include "app/scenes/spatial/export_attributes.hpp"

#include "app/base/text.hpp"
#include "app/clouds/colors.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string>

namespace slotscape {
namespace {

using clouds::Attribute;
using clouds::NumberType;
using clouds::PlyPoints;
using clouds::PointCloud;
using spatial::Model;

/// The other model's attribute that shares a column with this one: each must be the match for the other's name.
Attribute const* counterpart_of(Attribute const& attribute, ExportedAttributes const& own,
                                ExportedAttributes const& others)
{
  Attribute const* const found = clouds::find_attribute(others.attributes, attribute.name());
  bool const mutual = found != nullptr && clouds::find_attribute(own.attributes, found->name()) == &attribute;
  return mutual ? found : nullptr;
}

/// Whether the colour columns fully represent an attribute.
bool is_covered_by_colors(std::optional<clouds::OwnColors> const& own, Attribute const& attribute)
{
  return own && own->are_exact() && std::ranges::find(own->parts, &attribute) != own->parts.end();
}

/// Replaces status colours by the file's colours, for the points `added` last.
void use_colors(clouds::OwnColors const& own, std::span<std::uint64_t const> added, PlyPoints& ply)
{
  std::size_t const first = ply.colors.size() - added.size();
  for (std::size_t i = 0; i < added.size(); ++i) {
    std::uint32_t const color = own.values[added[i]];
    if (color == spatial::AttributeView::missing) { continue; }
    ply.colors[first + i] = {static_cast<std::uint8_t>(color >> 16), static_cast<std::uint8_t>(color >> 8),
                             static_cast<std::uint8_t>(color)};
  }
}

/// An attribute's value per voxel: the mean over its points with a number or, because classes have no mean, the class
/// of its first point in the file.
Attribute of_voxels(Attribute const& attribute, bool are_classes, std::span<std::size_t const> voxel_of_point,
                    std::size_t voxels)
{
  std::vector<double> sums(voxels, 0.0);
  std::vector<double> counts(voxels, 0.0);
  for (std::size_t i = 0; i < voxel_of_point.size(); ++i) {
    std::size_t const voxel = voxel_of_point[i];
    double const value = attribute[i];
    if (voxel == in_no_voxel || std::isnan(value) || (are_classes && counts[voxel] > 0.0)) { continue; }
    sums[voxel] += value;
    counts[voxel] += 1.0;
  }
  Attribute column(attribute.name(), are_classes ? attribute.type() : NumberType::float64);
  for (std::size_t voxel = 0; voxel < voxels; ++voxel) { column.add(sums[voxel] / counts[voxel]); }
  return column;
}

/// Replaces status colours by the mean colours of the points, for the voxels added last.
void use_mean_colors(clouds::OwnColors const& own, std::span<std::size_t const> voxel_of_point, std::size_t voxels,
                     PlyPoints& ply)
{
  std::array<Attribute, 3> parts{Attribute("", NumberType::float64), Attribute("", NumberType::float64),
                                 Attribute("", NumberType::float64)};
  for (std::uint32_t const color : own.values) {
    bool const is_missing = color == spatial::AttributeView::missing;
    for (std::size_t part = 0; part < parts.size(); ++part) {
      auto const byte = static_cast<double>((color >> (8 * (2 - part))) & 0xffu);
      parts[part].add(is_missing ? std::numeric_limits<double>::quiet_NaN() : byte);
    }
  }
  std::size_t const first = ply.colors.size() - voxels;
  std::array<std::uint8_t clouds::Color::*, 3> const members{&clouds::Color::red, &clouds::Color::green,
                                                             &clouds::Color::blue};
  for (std::size_t part = 0; part < parts.size(); ++part) {
    Attribute const means = of_voxels(parts[part], false, voxel_of_point, voxels);
    for (std::size_t voxel = 0; voxel < voxels; ++voxel) {
      if (std::isnan(means[voxel])) { continue; }
      ply.colors[first + voxel].*members[part] = static_cast<std::uint8_t>(std::lround(means[voxel]));
    }
  }
}

}  // namespace

ExportedAttributes attributes_of_points(PointCloud const& cloud, std::span<std::uint64_t const> added, PlyPoints& ply)
{
  ExportedAttributes exported{added.size(), {}};
  auto const own = clouds::own_colors_of(cloud);
  if (own) { use_colors(*own, added, ply); }
  for (Attribute const& attribute : cloud.attributes) {
    if (!is_covered_by_colors(own, attribute)) { exported.attributes.push_back(attribute.at(added)); }
  }
  return exported;
}

ExportedAttributes attributes_of_voxels(PointCloud const& cloud, std::span<std::size_t const> voxel_of_point,
                                        std::size_t voxels, PlyPoints& ply)
{
  ExportedAttributes exported{voxels, {}};
  auto const own = clouds::own_colors_of(cloud);
  if (own) { use_mean_colors(*own, voxel_of_point, voxels, ply); }
  std::array const only{&cloud};
  for (Attribute const& attribute : cloud.attributes) {
    if (is_covered_by_colors(own, attribute)) { continue; }
    auto const coloring = clouds::coloring_of(only, attribute.name());
    bool const are_classes = coloring && coloring->kind == clouds::Coloring::Kind::classes;
    exported.attributes.push_back(of_voxels(attribute, are_classes, voxel_of_point, voxels));
  }
  return exported;
}

void add_attributes(spatial::PerModel<ExportedAttributes> const& exported, PlyPoints& ply)
{
  static std::set<std::string> const taken{"x",     "y",      "z",      "nx",     "ny",      "nz",      "red",
                                           "green", "blue",   "model",  "status", "scene_x", "scene_y", "scene_z",
                                           "row",   "cell_x", "cell_y", "cell_z", "points"};
  std::set<std::string> used;
  std::set<Attribute const*> done;
  for (Model const model : both_models) {
    ExportedAttributes const& own = exported[model];
    for (Attribute const& attribute : own.attributes) {
      if (done.contains(&attribute)) { continue; }
      Attribute const* const others = counterpart_of(attribute, own, exported[spatial::other(model)]);
      done.insert(others);
      std::string const word = clouds::ply_name(attribute.name());
      std::string const name = clouds::unused_name(taken.contains(lower_case(word)) ? "file_" + word : word, used);
      used.insert(name);
      bool const same_type = others == nullptr || others->type() == attribute.type();
      Attribute column(name, same_type ? attribute.type() : NumberType::float64);
      for (Model const from : both_models) {
        Attribute const* const values = from == model ? &attribute : others;
        for (std::size_t i = 0; i < exported[from].rows; ++i) {
          column.add(values != nullptr ? (*values)[i] : std::numeric_limits<double>::quiet_NaN());
        }
      }
      ply.attributes.push_back(std::move(column));
    }
  }
}

}  // namespace slotscape
