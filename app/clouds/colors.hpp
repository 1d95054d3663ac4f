#pragma once

#include "app/clouds/point_cloud.hpp"
#include "gpu/spatial/engine.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// How the attributes of points are displayed.
namespace slotscape::clouds {

/// The name of the points' own colour among their attributes.
inline constexpr std::string_view own_color = "colour";

/// The names that clouds can be coloured by, without duplicates: `own_colour` if a cloud has red, green and blue, then
/// the other attributes in the order of the files. Names that differ only in case are merged under the first one's
/// spelling.
std::vector<std::string> names_to_color_by(std::span<PointCloud const* const> clouds);

/// The range of a colour scale.
struct ValueRange {
  double low = 0.0;
  double high = 0.0;
  friend bool operator==(ValueRange const&, ValueRange const&) = default;
};

/// An attribute for which several clouds share one legend.
struct Coloring {
  enum class Kind : std::uint8_t { colors, classes, numbers };

  std::string name;
  Kind kind = Kind::numbers;
  ValueRange range;                   ///< for numbers: from the 2nd to the 98th percentile
  double within = 0.0;                ///< numbers up to this far from 0 are shown as 0
  std::vector<std::uint8_t> classes;  ///< classes that occur, ascending

  /// The value that stands for the end of the range.
  static constexpr std::uint32_t scale_end = 0xffff;
};
/// How clouds are coloured by the attribute of this name: as ASPRS classes if the name says so and the values are valid
/// classes. Nothing if no cloud has the attribute.
std::optional<Coloring> coloring_of(std::span<PointCloud const* const> clouds, std::string_view name);

/// The factor that converts colour channels to bytes. They may be bytes already, range from 0 to 1, or have 16 bits:
/// bytes times 257 or, if all are multiples of 256, bytes times 256.
double scale_to_bytes(std::span<Attribute const* const> parts);

/// One value per point: 0xRRGGBB for colours and classes, 0 to `Coloring::scale_end` for numbers; or
/// `AttributeView::missing`. Empty if the cloud has no such attribute.
std::vector<std::uint32_t> values_to_show(PointCloud const& cloud, Coloring const& coloring);
/// The points' own colours, 0xRRGGBB or `AttributeView::missing`, and the attributes that they come from.
struct OwnColors {
  std::vector<std::uint32_t> values;
  std::array<Attribute const*, 3> parts;

  /// Whether the colours represent the attributes exactly: all attributes are bytes.
  bool are_exact() const;
};
std::optional<OwnColors> own_colors_of(PointCloud const& cloud);
/// Whether the cloud has this attribute.
bool can_color(PointCloud const& cloud, Coloring const& coloring);
spatial::Blend blend_of(Coloring::Kind kind);

/// The classes of ASPRS LAS 1.4 R15, table 17, and class 12 as in LAS 1.2: "ground". The usual colours: brown ground,
/// green vegetation, red buildings, blue water.
std::string name_of_class(std::uint8_t number);
std::uint32_t color_of_class(std::uint8_t number);  ///< 0xRRGGBB

}  // namespace slotscape::clouds
