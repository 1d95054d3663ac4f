#pragma once

#include "app/base/text.hpp"
#include "gpu/base/translation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>

namespace slotscape::pictures {

/// The depth of 16-bit samples: cameras and scanners store 10, 12 or 14 bits in them, some shifted up, some not.
class Depth {
public:
  static constexpr std::uint64_t widest = 65535;

  /// told: the number of significant bits according to the file, or 0.
  Depth(std::uint64_t largest, int told)
  {
    bool const is_told = told >= 1 && told < 16;
    for (int const bits : {8, 10, 12, 14}) {
      int const wanted = is_told ? told : bits;
      std::uint64_t const white = (std::uint64_t{1} << wanted) - 1;
      if (largest == 0 || largest > white) { continue; }
      white_ = white;
      bits_ = wanted;
      return;
    }
  }
  std::uint8_t grey(std::uint64_t sample) const
  {
    return static_cast<std::uint8_t>((std::min(sample, white_) * 255 + white_ / 2) / white_);
  }
  bool is_less() const { return white_ != widest; }
  /// Describes the depth, as a finding.
  std::string text() const { return tr("Only {} of its 16 bits are used, so {} is white.", bits_, grouped(white_)); }

private:
  std::uint64_t white_ = widest;
  int bits_ = 16;
};

}  // namespace slotscape::pictures
