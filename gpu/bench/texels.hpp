#pragma once

#include "gpu/engine/inspected_table.hpp"

#include <memory>
#include <vector>

namespace slotscape::bench {

/// A picture in device memory, for use without OpenGL.
class Texels {
public:
  virtual ~Texels() = default;
  virtual TexelTarget target() = 0;
  /// The texels written so far.
  virtual std::vector<Texel> read() = 0;
};

/// Throws Error if the device does not exist, or its memory is too small.
std::unique_ptr<Texels> make_texels(Backend backend, std::uint64_t count);

}  // namespace slotscape::bench
