#pragma once

#include "app/clouds/readers/text.hpp"

#include <cstdint>
#include <string_view>

namespace slotscape::clouds::off {

/// The properties of vertices that the keyword of an OFF file declares: [ST][C][N][4][n]OFF, as in Geomview.
struct Kind {
  bool texture = false;
  bool colors = false;
  bool normals = false;
  bool homogeneous = false;  ///< x y z w
  bool any_dimension = false;
};

struct Header {
  Kind kind;
  std::uint64_t vertices = 0;
  std::uint64_t faces = 0;
};

/// The next line with any content, without its comment; empty at the end.
std::string_view next_content(Lines& lines);

/// The keyword may be missing, and the counts may follow it directly: "OFF8 6 0". Throws Error if the file is too small
/// for its declared counts.
Header read_header(Source const& source, Lines& lines);

}  // namespace slotscape::clouds::off
