#pragma once

#include "gpu/spatial/vector.hpp"

namespace slotscape::spatial {

/// The part of the world that is shown: an axis-aligned box, optionally only its part behind a plane.
struct Section {
  bool shown = false;  ///< otherwise the whole world is shown
  Vector low{-1.2f, -1.2f, -1.2f};
  Vector high{1.2f, 1.2f, 1.2f};
  bool cuts = false;  ///< removes the part in front of the plane
  Vector normal{0.0f, 0.0f, 1.0f};
  float offset = 0.0f;  ///< the plane holds the points p with dot(normal, p) = offset

  /// Whether the section contains a point of the world. The faces belong to the section.
  SLOTSCAPE_HOST_DEVICE bool contains(Vector p) const
  {
    if (!shown) { return true; }
    bool const in_box = p.x >= low.x && p.x <= high.x && p.y >= low.y && p.y <= high.y && p.z >= low.z && p.z <= high.z;
    return in_box && (!cuts || dot(normal, p) <= offset);
  }
  friend bool operator==(Section const&, Section const&) = default;
};

}  // namespace slotscape::spatial
