#pragma once

#include "gpu/engine/inspected_table.hpp"

#include <memory>
#include <vector>

namespace slotscape::bench {

/// A picture in the memory of a device, where there is no OpenGL.
class Texels {
public:
  virtual ~Texels() = default;
  virtual TexelTarget target() = 0;
  /// What has been written.
  virtual std::vector<Texel> read() = 0;
};

/// Throws Error if there is no such device, or its memory does not suffice.
std::unique_ptr<Texels> make_texels(Backend backend, std::uint64_t count);

}  // namespace slotscape::bench
