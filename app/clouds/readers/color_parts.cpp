#include "app/clouds/readers/color_parts.hpp"

#include <algorithm>

namespace slotscape::clouds {

void ColorParts::add(std::span<double const> parts)
{
  bool const first = count() == 0;
  bool const opaque = first ? parts.size() < 4 : parts_[3].count() == 0;
  for (std::size_t i = 0; i < (opaque ? 3 : 4); ++i) {
    double const part = i < parts.size() ? parts[i] : 1.0;
    parts_[i].add(part);
    largest_ = std::max(largest_, part);
    plausible_ = plausible_ && part >= 0.0 && part <= 255.0;
  }
}

std::vector<Attribute> ColorParts::attributes() const
{
  std::vector<Attribute> attributes;
  for (Attribute const& part : parts_) {
    if (part.count() == 0) { continue; }
    if (largest_ > 1.0) {
      attributes.push_back(part.narrowed());
      continue;
    }
    Attribute shares(part.name(), NumberType::float32);
    for (std::size_t i = 0; i < part.count(); ++i) { shares.add(part[i]); }
    attributes.push_back(std::move(shares));
  }
  return attributes;
}

}  // namespace slotscape::clouds
