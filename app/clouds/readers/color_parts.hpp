#pragma once

#include "app/clouds/attribute.hpp"

#include <array>
#include <span>
#include <vector>

namespace slotscape::clouds {

/// Colours in text files: three or four numbers each, from 0 to 255 or from 0 to 1.
class ColorParts {
public:
  /// Adds red, green, blue and possibly opacity of the next point or face. The first call decides whether there is a
  /// fourth channel.
  void add(std::span<double const> parts);
  std::size_t count() const { return parts_[0].count(); }
  /// "red", "green", "blue" and "alpha": bytes, or floats if no number is above 1.
  std::vector<Attribute> attributes() const;
  /// Whether all numbers are from 0 to 255.
  bool are_plausible() const { return plausible_; }

private:
  std::array<Attribute, 4> parts_{Attribute{"red", NumberType::float64}, Attribute{"green", NumberType::float64},
                                  Attribute{"blue", NumberType::float64}, Attribute{"alpha", NumberType::float64}};
  double largest_ = 0.0;
  bool plausible_ = true;
};

}  // namespace slotscape::clouds
