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

/// What the attributes of points look like.
namespace slotscape::clouds {

/// The name of the points' own colour among their attributes.
inline constexpr std::string_view own_color = "colour";

/// What clouds can be coloured by, each once: `own_colour` where one has red, green and blue, then the other
/// attributes, in the order of the files. Where two files differ in capital letters, the first one's name stands for
/// both.
std::vector<std::string> names_to_color_by(std::span<PointCloud const* const> clouds);

/// The ends of a scale.
struct ValueRange {
  double low = 0.0;
  double high = 0.0;
  friend bool operator==(ValueRange const&, ValueRange const&) = default;
};

/// An attribute that several clouds share one legend for.
struct Coloring {
  enum class Kind : std::uint8_t { colors, classes, numbers };

  std::string name;
  Kind kind = Kind::numbers;
  ValueRange range;                   ///< of numbers: from the 2nd to the 98th percentile
  std::vector<std::uint8_t> classes;  ///< that occur, ascending

  /// What stands for the end of the range in the values.
  static constexpr std::uint32_t scale_end = 0xffff;
};
/// How clouds are coloured by the attribute of this name: as ASPRS classes if it is named like them and holds such
/// numbers. Nothing if no cloud has it.
std::optional<Coloring> coloring_of(std::span<PointCloud const* const> clouds, std::string_view name);

/// What makes bytes of the parts of colours, which may be bytes already, go from 0 to 1, or have 16 bits: bytes times
/// 257 or, if all of them are multiples of 256, bytes times 256.
double scale_to_bytes(std::span<Attribute const* const> parts);

/// One value for each point: 0xRRGGBB of colours and classes, 0 to `Colouring::scale_end` of numbers; or
/// `AttributeView::missing`. Empty if the cloud has no such attribute.
std::vector<std::uint32_t> values_to_show(PointCloud const& cloud, Coloring const& coloring);
/// The points' own colours, 0xRRGGBB or `AttributeView::missing`, and the attributes that they come from.
struct OwnColors {
  std::vector<std::uint32_t> values;
  std::array<Attribute const*, 3> parts;

  /// Whether these colours say all that the attributes do: each of these is a byte.
  bool are_exact() const;
};
std::optional<OwnColors> own_colors_of(PointCloud const& cloud);
/// Whether the cloud has that attribute.
bool can_color(PointCloud const& cloud, Coloring const& coloring);
spatial::Blend blend_of(Coloring::Kind kind);

/// The classes of ASPRS LAS 1.4 R15, table 17, and 12 as in LAS 1.2: "ground". Colours as is usual: brown ground,
/// green vegetation, red buildings, blue water.
std::string name_of_class(std::uint8_t number);
std::uint32_t color_of_class(std::uint8_t number);  ///< 0xRRGGBB

}  // namespace slotscape::clouds
