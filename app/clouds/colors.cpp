#include "app/clouds/colors.hpp"

#include "app/clouds/readers/column_names.hpp"

#include <algorithm>
#include <array>
#include <bitset>
#include <cmath>
#include <set>

namespace slotscape::clouds {

namespace {

using spatial::AttributeView;
using Parts = std::array<Attribute const*, 3>;

constexpr std::array<std::array<std::string_view, 3>, 3> names_of_parts{
    {{"red", "green", "blue"}, {"r", "g", "b"}, {"diffuse_red", "diffuse_green", "diffuse_blue"}}};
constexpr std::array<std::string_view, 3> names_of_opacity{"alpha", "a", "diffuse_alpha"};
constexpr std::size_t class_count = 256;

Attribute const* find(PointCloud const& cloud, std::string_view name)
{
  return find_attribute(cloud.attributes, name);
}

std::optional<Parts> color_parts(PointCloud const& cloud)
{
  for (auto const& names : names_of_parts) {
    Parts parts{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
      auto const found = std::ranges::find_if(cloud.attributes, [&](Attribute const& attribute) {
        return plain_name(attribute.name()) == names[i];
      });
      if (found != cloud.attributes.end()) { parts[i] = &*found; }
    }
    if (std::ranges::count(parts, nullptr) == 0) { return parts; }
  }
  return std::nullopt;
}

bool has(PointCloud const& cloud, std::string_view name)
{
  return name == own_color && color_parts(cloud) ? true : find(cloud, name) != nullptr;
}

bool are_multiples(std::span<Attribute const* const> parts, double divisor)
{
  return std::ranges::all_of(parts, [&](Attribute const* part) {
    for (std::size_t i = 0; i < part->count(); ++i) {
      double const value = (*part)[i];
      if (!std::isnan(value) && std::fmod(value, divisor) != 0.0) { return false; }
    }
    return true;
  });
}

}  // namespace

double scale_to_bytes(std::span<Attribute const* const> parts)
{
  if (std::ranges::all_of(parts, [](Attribute const* part) { return part->type() == NumberType::uint8; })) {
    return 1.0;
  }
  double largest = 0.0;
  for (Attribute const* const part : parts) {
    for (std::size_t i = 0; i < part->count(); ++i) { largest = std::max(largest, (*part)[i]); }
  }
  bool const whole = std::ranges::none_of(parts, [](Attribute const* part) {
    return part->type() == NumberType::float32 || part->type() == NumberType::float64;
  });
  if (largest <= 1.0 && !whole) { return 255.0; }
  if (largest <= 255.0) { return 1.0; }
  constexpr double shifted = 256.0;  // a shift, as in LAS 1.4 R15 (2.6.7); other programs repeat the byte
  return 1.0 / (are_multiples(parts, shifted) ? shifted : 257.0);
}

namespace {

std::vector<std::uint32_t> colors_of(Parts const& parts)
{
  double const scale = scale_to_bytes(parts);
  std::vector<std::uint32_t> colors;
  colors.reserve(parts[0]->count());
  for (std::size_t i = 0; i < parts[0]->count(); ++i) {
    std::uint32_t color = 0;
    for (Attribute const* const part : parts) {
      double const value = scale * (*part)[i];
      if (std::isnan(value)) {
        color = AttributeView::missing;
        break;
      }
      color = color << 8 | static_cast<std::uint32_t>(std::lround(std::clamp(value, 0.0, 255.0)));
    }
    colors.push_back(color);
  }
  return colors;
}

bool is_named_like_classes(std::string_view name)
{
  std::string const plain = plain_name(name);
  return plain.ends_with("classification") || plain == "class";
}

/// Marks the classes that occur; returns false if a value is not a class.
bool add_classes(Attribute const& attribute, std::bitset<class_count>& found)
{
  for (std::size_t i = 0; i < attribute.count(); ++i) {
    double const value = attribute[i];
    if (std::isnan(value)) { continue; }
    if (!(value >= 0.0 && value < class_count) || value != std::floor(value)) { return false; }
    found.set(static_cast<std::size_t>(value));
  }
  return true;
}

/// Adds a sample of the values, large enough for the percentiles of a colour scale.
void add_sample(Attribute const& attribute, std::vector<double>& sample)
{
  constexpr std::size_t enough = 200'000;
  std::size_t const step = attribute.count() / enough + 1;
  for (std::size_t i = 0; i < attribute.count(); i += step) {
    if (double const value = attribute[i]; std::isfinite(value)) { sample.push_back(value); }
  }
}

/// A few extreme values must not leave all others in one colour; but where nearly all values are equal, the extremes
/// are what is worth seeing.
ValueRange range_of(std::vector<double> sample)
{
  if (sample.empty()) { return {}; }
  auto const at = [&](double share) {
    auto const place = sample.begin() + std::lround(share * static_cast<double>(sample.size() - 1));
    std::ranges::nth_element(sample, place);
    return *place;
  };
  ValueRange const usual{at(0.02), at(0.98)};
  return usual.low < usual.high ? usual : ValueRange{at(0.0), at(1.0)};
}

std::uint32_t value_on_scale(double value, Coloring const& coloring)
{
  if (std::isnan(value)) { return AttributeView::missing; }
  if (std::abs(value) <= coloring.within) { value = 0.0; }
  ValueRange const& range = coloring.range;
  double const width = range.high - range.low;
  double const share = width > 0.0 ? std::clamp((value - range.low) / width, 0.0, 1.0) : 0.5;
  return static_cast<std::uint32_t>(std::lround(share * Coloring::scale_end));
}

}  // namespace

std::vector<std::string> names_to_color_by(std::span<PointCloud const* const> clouds)
{
  std::vector<std::string> names;
  std::set<Attribute const*> shown_in_color;
  auto const is_listed = [&](PointCloud const& cloud, Attribute const& attribute) {
    return std::ranges::any_of(names, [&](std::string const& name) { return find(cloud, name) == &attribute; });
  };
  for (PointCloud const* const cloud : clouds) {
    auto const parts = color_parts(*cloud);
    if (!parts) { continue; }
    if (names.empty()) { names.emplace_back(own_color); }
    shown_in_color.insert(parts->begin(), parts->end());
    for (Attribute const& attribute : cloud->attributes) {
      bool const opacity = std::ranges::find(names_of_opacity, plain_name(attribute.name())) != names_of_opacity.end();
      if (opacity) { shown_in_color.insert(&attribute); }
    }
  }
  for (PointCloud const* const cloud : clouds) {
    for (Attribute const& attribute : cloud->attributes) {
      if (shown_in_color.contains(&attribute) || is_listed(*cloud, attribute)) { continue; }
      names.push_back(attribute.name());
    }
  }
  return names;
}

std::optional<Coloring> coloring_of(std::span<PointCloud const* const> clouds, std::string_view name)
{
  if (std::ranges::none_of(clouds, [&](PointCloud const* cloud) { return has(*cloud, name); })) { return std::nullopt; }
  Coloring coloring{.name = std::string(name), .kind = Coloring::Kind::numbers, .range = {}, .classes = {}};
  bool const of_colors = std::ranges::any_of(clouds, [&](PointCloud const* cloud) {
    return name == own_color && color_parts(*cloud).has_value();
  });
  if (of_colors) {
    coloring.kind = Coloring::Kind::colors;
    return coloring;
  }
  std::vector<double> sample;
  std::bitset<class_count> classes;
  bool of_classes = is_named_like_classes(name);
  for (PointCloud const* const cloud : clouds) {
    Attribute const* const attribute = find(*cloud, name);
    if (attribute == nullptr) { continue; }
    of_classes = of_classes && add_classes(*attribute, classes);
    add_sample(*attribute, sample);
  }
  if (of_classes) {
    coloring.kind = Coloring::Kind::classes;
    for (std::size_t number = 0; number < class_count; ++number) {
      if (classes[number]) { coloring.classes.push_back(static_cast<std::uint8_t>(number)); }
    }
    return coloring;
  }
  coloring.range = range_of(std::move(sample));
  return coloring;
}

std::vector<std::uint32_t> values_to_show(PointCloud const& cloud, Coloring const& coloring)
{
  if (coloring.kind == Coloring::Kind::colors) {
    auto const parts = color_parts(cloud);
    return parts ? colors_of(*parts) : std::vector<std::uint32_t>();
  }
  Attribute const* const attribute = find(cloud, coloring.name);
  std::vector<std::uint32_t> values;
  if (attribute == nullptr) { return values; }
  values.reserve(attribute->count());
  for (std::size_t i = 0; i < attribute->count(); ++i) {
    double const value = (*attribute)[i];
    bool const of_class = coloring.kind == Coloring::Kind::classes && !std::isnan(value);
    values.push_back(of_class ? color_of_class(static_cast<std::uint8_t>(value)) : value_on_scale(value, coloring));
  }
  return values;
}

bool OwnColors::are_exact() const
{
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t part = 0; part < parts.size(); ++part) {
      std::uint32_t const byte = values[i] >> (8 * (parts.size() - 1 - part)) & 0xffu;
      if (values[i] == AttributeView::missing || (*parts[part])[i] != byte) { return false; }
    }
  }
  return true;
}

std::optional<OwnColors> own_colors_of(PointCloud const& cloud)
{
  auto const parts = color_parts(cloud);
  if (!parts) { return std::nullopt; }
  return OwnColors{colors_of(*parts), *parts};
}

bool can_color(PointCloud const& cloud, Coloring const& coloring)
{
  bool const of_colors = coloring.kind == Coloring::Kind::colors;
  return of_colors ? color_parts(cloud).has_value() : find(cloud, coloring.name) != nullptr;
}

spatial::Blend blend_of(Coloring::Kind kind)
{
  switch (kind) {
    case Coloring::Kind::colors: return spatial::Blend::colors;
    case Coloring::Kind::classes: return spatial::Blend::first;
    case Coloring::Kind::numbers: break;
  }
  return spatial::Blend::numbers;
}

}  // namespace slotscape::clouds
