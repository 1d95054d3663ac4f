#pragma once

#include "app/clouds/geometry.hpp"

#include <cstdint>
#include <limits>
#include <map>
#include <vector>

namespace slotscape::clouds {

/// The normal of a triangle by its winding, with a length of twice the triangle's area.
Position area_vector(Triangle const& triangle, std::vector<Position> const& places);

/// The connected parts of a mesh, and which side of each is solid. Files contain triangles of either winding, parts
/// that face inwards, and closed parts that lie inside others or overlap.
class MeshParts {
public:
  /// Removes duplicate triangles, numbers the parts, and turns triangles until neighbours agree and closed parts face
  /// outwards, or inwards for a cavity inside another part. places: the corners' positions, all finite. Throws
  /// Cancelled.
  MeshParts(std::vector<Triangle>& triangles, std::vector<Position> const& places, Progress const& progress);

  /// The number of removed duplicates, in parts that contain nearly all triangles twice, to be visible from both sides.
  std::uint64_t copies() const { return copies_; }
  /// The number of triangles removed because another one is in the same place: walls between solids, with one side for
  /// each solid.
  std::uint64_t walls_between() const { return walls_between_; }
  /// The number of triangles wound against the rest of their part.
  std::uint64_t turned() const { return turned_; }
  /// Whether any edge has only one triangle, or more than two of the same part.
  bool has_holes() const;
  /// Whether a closed part faced the wrong way.
  bool flipped() const { return flipped_; }

  /// The number of closed parts inside others that may be cavities or solids: they are treated as solids.
  std::uint64_t ambiguous() const { return ambiguous_; }

  /// Whether the surface bounds nothing here: other parts enclose the place, so that both of its sides are solid, or
  /// neither is. normal: of length 1, from the winding of the triangle.
  bool is_buried(Position const& place, Position const& normal, std::uint32_t part) const;

  /// A side of a triangle, identified by the two corners that it joins. Its number is 3 · the triangle's + 0, 1 or 2.
  struct Side {
    std::uint64_t corners;
    std::uint32_t number;
    bool forward;  ///< runs from the smaller corner to the larger
  };

private:
  struct Part {
    double volume = 0.0;        ///< six times the volume; negative if the part faces inwards
    double area = 0.0;          ///< twice the area
    double turned_area = 0.0;   ///< twice the area of triangles that disagree with the first one in the file
    double doubled_area = 0.0;  ///< twice the area of triangles that the file contains with both windings
    Position opening = {};      ///< the sum of the area vectors
    Position agreeing = {};     ///< the same sum if all triangles agreed with the first
    bool watertight = true;

    bool is_closed() const;
    /// Whether more than half of the area disagrees with the first triangle.
    bool most_disagree() const;
    /// Whether the triangles' winding distinguishes a cavity from a solid.
    bool has_known_orientation() const;
  };
  struct Surroundings {
    bool is_solid = false;
    std::uint32_t nearest = std::numeric_limits<std::uint32_t>::max();  ///< number of the smallest part around this one
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
  void make_winding_consistent(std::vector<Triangle>& triangles);
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

  std::vector<bool> faces_both_ways_;  ///< by triangle: whether the file contains both windings
  std::vector<bool> disagree_;         ///< by triangle: whether it disagrees with the first of its part
  std::vector<Part> all_;
  std::vector<Wall> walls_;
  std::size_t side_ = 0;               ///< squares per side of the grid on z = 0 that indexes the walls
  std::vector<std::uint32_t> starts_;  ///< start of each square's walls
  std::vector<std::uint32_t> walls_of_square_;
  std::uint64_t copies_ = 0;
  std::uint64_t walls_between_ = 0;
  std::uint64_t turned_ = 0;
  std::uint64_t ambiguous_ = 0;
  bool flipped_ = false;
};

}  // namespace slotscape::clouds
