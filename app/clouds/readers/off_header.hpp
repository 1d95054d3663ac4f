#pragma once

#include "app/clouds/readers/text.hpp"

#include <cstdint>
#include <string_view>

namespace slotscape::clouds::off {

/// What the keyword of an OFF file says about its vertices: [ST][C][N][4][n]OFF, as Geomview has it.
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

/// The keyword may be missing, and the counts may stand right behind it: "OFF8 6 0". Throws Error if the file cannot
/// hold what it declares.
Header read_header(Source const& source, Lines& lines);

}  // namespace slotscape::clouds::off
