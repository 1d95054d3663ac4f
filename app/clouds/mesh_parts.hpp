#pragma once

#include "app/clouds/geometry.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace slotscape::clouds {

/// Twice the area of a triangle, along the normal that its winding gives it.
Position area_vector(Triangle const& triangle, std::vector<Position> const& places);

/// The connected parts of a mesh, and which side of each is solid. Files come with triangles that are wound either way,
/// with parts that face inwards, and with closed parts that lie within others or overlap.
class MeshParts {
public:
  /// Leaves out copies of triangles, numbers the parts, and turns triangles until neighbours agree, and closed parts
  /// until they face outwards: inwards where one is a cavity within another. places: of the corners, all finite. Throws
  /// Cancelled.
  MeshParts(std::vector<Triangle>& triangles, std::vector<Position> const& places, Progress const& progress);

  /// Copies of other triangles that were left out, of parts that have nearly all twice, to be seen from both sides.
  std::uint64_t copies() const { return copies_; }
  /// Triangles that were left out because another is in the same place: walls between solids, with a side of each.
  std::uint64_t walls_between() const { return walls_between_; }
  /// Triangles that did not agree with the rest of their part.
  std::uint64_t turned() const { return turned_; }
  /// Whether there are edges with one triangle only, or with more than two of a part.
  bool has_holes() const;
  /// Whether a closed part faced the wrong way.
  bool flipped() const { return flipped_; }

  /// Closed parts inside others that may be cavities as well as solids: they count as solids.
  std::uint64_t ambiguous() const { return ambiguous_; }

  /// Whether both sides of the surface are solid, or none is, because other parts enclose the place: then it bounds
  /// nothing. normal: of length 1, from the winding of the triangle.
  bool is_buried(Position const& place, Position const& normal, std::uint32_t part) const;

  /// A side of a triangle: 3 · its number + 0, 1 or 2, by the two corners that it joins.
  struct Side {
    std::uint64_t corners;
    std::uint32_t number;
    bool forward;  ///< from the smaller corner to the larger
  };

private:
  struct Part {
    double volume = 0.0;        ///< six times; below 0 if it faces inwards
    double area = 0.0;          ///< twice
    double turned_area = 0.0;   ///< of triangles that disagree with the first of the file
    double doubled_area = 0.0;  ///< of triangles that the file has facing both ways
    Position opening = {};      ///< the sum of its area vectors
    Position agreeing = {};     ///< the same if all agreed with the first
    bool watertight = true;

    bool is_closed() const;
    /// Whether more than half of it disagrees with its first triangle.
    bool most_disagree() const;
    /// Whether its triangles tell a cavity from a solid.
    bool says_its_side() const;
  };
  struct Surroundings {
    bool is_solid = false;
    std::uint32_t nearest = std::numeric_limits<std::uint32_t>::max();  ///< the smallest part around it
  };
  /// A triangle of a closed part, with its corners.
  struct Wall {
    std::array<Position, 3> corners;
    std::uint32_t part;
  };

  void leave_out_copies(std::vector<Triangle>& triangles, std::vector<Position> const& corners,
                        std::vector<std::uint32_t> const& numbers);
  void find_parts(std::vector<Triangle>& triangles, std::vector<std::uint32_t> const& numbers,
                  Progress const& progress);
  void measure(std::vector<Triangle> const& triangles, std::vector<Position> const& places);
  void turn_alike(std::vector<Triangle>& triangles);
  void find_holes(std::vector<Triangle> const& triangles, std::vector<Side> const& sides);
  void merge_open(std::vector<Triangle>& triangles, std::vector<Position> const& places,
                  std::vector<std::uint32_t> const& numbers);
  void turn_outwards(std::vector<Triangle>& triangles, std::vector<Position> const& places);
  Surroundings surroundings_of(std::uint32_t number, std::vector<std::uint32_t> const& own,
                               std::vector<Triangle> const& triangles, std::vector<Position> const& places,
                               std::vector<bool> const& turns) const;
  void build_walls(std::vector<Triangle> const& triangles, std::vector<Position> const& places);
  template <class Take>
  void each_crossing(Position const& place, Take const& take) const;
  std::map<std::uint32_t, int> enclosing(Position const& place) const;
  std::size_t column_of(double x) const;

  std::vector<bool> faces_both_ways_;  ///< in the file, by triangle
  std::vector<bool> disagree_;         ///< with the first triangle of their part, by triangle
  std::vector<Part> all_;
  std::vector<Wall> walls_;
  std::size_t side_ = 0;               ///< walls are found by the square of the plane z = 0 that they are over
  std::vector<std::uint32_t> starts_;  ///< of the walls over each square
  std::vector<std::uint32_t> walls_of_square_;
  std::uint64_t copies_ = 0;
  std::uint64_t walls_between_ = 0;
  std::uint64_t turned_ = 0;
  std::uint64_t ambiguous_ = 0;
  bool flipped_ = false;
};

}  // namespace slotscape::clouds
