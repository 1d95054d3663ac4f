#include "app/clouds/mesh_parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

namespace slotscape::clouds {
namespace {

/// Balls in one mesh.
struct Mesh {
  std::vector<Position> places;
  std::vector<Triangle> triangles;

  void add_ball(Position const& middle, double radius, bool inwards = false)
  {
    constexpr std::uint32_t rings = 12;
    constexpr std::uint32_t sectors = 16;
    auto const first = static_cast<std::uint32_t>(places.size());
    for (std::uint32_t ring = 0; ring <= rings; ++ring) {
      double const polar = std::numbers::pi * ring / rings;
      for (std::uint32_t sector = 0; sector < sectors; ++sector) {
        double const around = 2.0 * std::numbers::pi * sector / sectors;
        bool const is_pole = ring == 0 || ring == rings;
        double const out = is_pole ? 0.0 : std::sin(polar);
        places.push_back(middle + radius * Position{out * std::cos(around), out * std::sin(around), std::cos(polar)});
      }
    }
    auto const corner = [&](std::uint32_t ring, std::uint32_t sector) {
      return first + ring * sectors + sector % sectors;
    };
    for (std::uint32_t ring = 0; ring < rings; ++ring) {
      for (std::uint32_t sector = 0; sector < sectors; ++sector) {
        std::vector<std::uint32_t> face;
        if (ring + 1 != rings) { face.push_back(corner(ring + 1, sector + 1)); }
        if (ring != 0) { face.push_back(corner(ring, sector + 1)); }
        face.push_back(corner(ring, sector));
        face.push_back(corner(ring + 1, sector));
        if (inwards) { std::ranges::reverse(face); }
        add(face);
      }
    }
  }

  /// Cut from its first corner.
  void add(std::vector<std::uint32_t> const& face)
  {
    std::uint32_t const polygon = triangles.empty() ? 0 : triangles.back().polygon + 1;
    for (std::size_t i = 2; i < face.size(); ++i) {
      std::array<std::uint32_t, 3> const corners{face[0], face[i - 1], face[i]};
      triangles.push_back({corners, corners, polygon});
    }
  }

  Position middle(Triangle const& triangle) const
  {
    return (1.0 / 3.0) * (places[triangle.corners[0]] + places[triangle.corners[1]] + places[triangle.corners[2]]);
  }
  Position normal(Triangle const& triangle) const
  {
    Position const& origin = places[triangle.corners[0]];
    return normalized(cross(places[triangle.corners[1]] - origin, places[triangle.corners[2]] - origin));
  }
  /// How many triangles near a sphere face away from its middle.
  std::size_t outwards(Position const& center, double radius) const
  {
    return count(center, radius,
                 [&](Triangle const& triangle) { return dot(normal(triangle), middle(triangle) - center) > 0.0; });
  }
  /// Of the triangles with this corner.
  std::uint32_t part_at(Position const& corner) const
  {
    auto const has_it = [&](std::uint32_t number) { return places[number] == corner; };
    auto const found = std::ranges::find_if(triangles, [&](Triangle const& triangle) {
      return std::ranges::any_of(triangle.corners, has_it);
    });
    return found->part;
  }
  std::size_t buried(MeshParts const& parts, Position const& center, double radius) const
  {
    return count(center, radius, [&](Triangle const& triangle) {
      return parts.is_buried(middle(triangle), normal(triangle), triangle.part);
    });
  }
  template <class Which>
  std::size_t count(Position const& center, double radius, Which const& which) const
  {
    std::size_t sum = 0;
    for (Triangle const& triangle : triangles) {
      bool const is_near = std::abs(length(middle(triangle) - center) - radius) < 0.1 * radius;
      sum += is_near && which(triangle) ? 1 : 0;
    }
    return sum;
  }
};

constexpr std::size_t of_ball = 352;
constexpr Position left{-0.5, 0.0, 0.0};
constexpr Position right{0.5, 0.0, 0.0};

TEST(MeshParts, EachIsTurnedOutwards)
{
  Mesh mesh;
  mesh.add_ball(left, 0.4);
  mesh.add_ball(right, 0.3, true);
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_TRUE(parts.flipped());
  EXPECT_EQ(parts.turned(), 0u);
  EXPECT_EQ(mesh.outwards(left, 0.4), of_ball);
  EXPECT_EQ(mesh.outwards(right, 0.3), of_ball);
  EXPECT_EQ(mesh.buried(parts, left, 0.4) + mesh.buried(parts, right, 0.3), 0u);
}

TEST(MeshParts, NeighboursAgree)
{
  Mesh mesh;
  mesh.add_ball({}, 0.9);
  std::size_t turned = 0;
  for (std::size_t i = 0; i < mesh.triangles.size(); i += 3, ++turned) {
    std::swap(mesh.triangles[i].corners[0], mesh.triangles[i].corners[1]);
  }
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_EQ(parts.turned(), turned);
  EXPECT_EQ(mesh.outwards({}, 0.9), of_ball);
}

TEST(MeshParts, TrianglesWithCornersOfTheirOwnAreNeighbours)
{
  Mesh of_corners;
  of_corners.add_ball({}, 0.9, true);
  Mesh mesh;
  for (Triangle const& triangle : of_corners.triangles) {
    auto const first = static_cast<std::uint32_t>(mesh.places.size());
    for (std::uint32_t const corner : triangle.corners) { mesh.places.push_back(of_corners.places[corner]); }
    mesh.add({first, first + 1, first + 2});
  }
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_TRUE(parts.flipped());
  EXPECT_EQ(mesh.outwards({}, 0.9), of_ball);
}

TEST(MeshParts, ACavityFacesInwardsAndBoundsTheSolid)
{
  for (bool const inside_out : {false, true}) {
    Mesh mesh;
    mesh.add_ball({}, 0.9, inside_out);
    mesh.add_ball({}, 0.4, !inside_out);
    MeshParts const parts(mesh.triangles, mesh.places, {});
    EXPECT_EQ(parts.flipped(), inside_out);
    EXPECT_EQ(mesh.outwards({}, 0.9), of_ball);
    EXPECT_EQ(mesh.outwards({}, 0.4), 0u);
    EXPECT_EQ(mesh.buried(parts, {}, 0.9) + mesh.buried(parts, {}, 0.4), 0u);
  }
}

TEST(MeshParts, WhatLiesInsideASolidBoundsNothing)
{
  Mesh nested;
  nested.add_ball({}, 0.9);
  nested.add_ball({}, 0.4);
  MeshParts const parts(nested.triangles, nested.places, {});
  EXPECT_EQ(nested.buried(parts, {}, 0.9), 0u);
  EXPECT_EQ(nested.buried(parts, {}, 0.4), of_ball);

  Mesh overlapping;
  Position const near_left{-0.2, 0.0, 0.0};
  Position const near_right{0.2, 0.013, 0.007};
  overlapping.add_ball(near_left, 0.4);
  overlapping.add_ball(near_right, 0.4);
  MeshParts const both(overlapping.triangles, overlapping.places, {});
  for (Triangle const& triangle : overlapping.triangles) {
    Position const at = overlapping.middle(triangle);
    Position const other = length(at - near_left) < length(at - near_right) ? near_left : near_right;
    double const distance = std::min(length(at - near_left), length(at - near_right));
    if (std::abs(distance - 0.4) < 0.03) { continue; }  // where they meet
    EXPECT_EQ(both.is_buried(at, overlapping.normal(triangle), triangle.part), length(at - other) < 0.4);
  }
}

TEST(MeshParts, CopiesOfTrianglesAreLeftOut)
{
  Mesh mesh;
  mesh.add_ball({}, 0.9);
  mesh.add_ball({}, 0.9, true);
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_EQ(parts.copies(), of_ball);
  EXPECT_EQ(mesh.triangles.size(), of_ball);
  EXPECT_EQ(mesh.outwards({}, 0.9), of_ball);
  EXPECT_EQ(mesh.buried(parts, {}, 0.9), 0u);
  EXPECT_FALSE(parts.has_holes());
}

/// A box with corners on whole numbers, so that neighbours share them.
void add_box(Mesh& mesh, Position const& low, bool inwards)
{
  auto const corner = [&](int x, int y, int z) {
    Position const at = low + Position{0.25 * x, 0.25 * y, 0.25 * z};
    auto const found = std::ranges::find(mesh.places, at);
    if (found != mesh.places.end()) { return static_cast<std::uint32_t>(found - mesh.places.begin()); }
    mesh.places.push_back(at);
    return static_cast<std::uint32_t>(mesh.places.size() - 1);
  };
  std::vector<std::vector<std::uint32_t>> faces{{corner(0, 0, 0), corner(0, 1, 0), corner(1, 1, 0), corner(1, 0, 0)},
                                                {corner(0, 0, 1), corner(1, 0, 1), corner(1, 1, 1), corner(0, 1, 1)},
                                                {corner(0, 0, 0), corner(1, 0, 0), corner(1, 0, 1), corner(0, 0, 1)},
                                                {corner(0, 1, 0), corner(0, 1, 1), corner(1, 1, 1), corner(1, 1, 0)},
                                                {corner(0, 0, 0), corner(0, 0, 1), corner(0, 1, 1), corner(0, 1, 0)},
                                                {corner(1, 0, 0), corner(1, 1, 0), corner(1, 1, 1), corner(1, 0, 1)}};
  for (auto& face : faces) {
    if (inwards) { std::ranges::reverse(face); }
    mesh.add(face);
  }
}

TEST(MeshParts, AWallBetweenTwoSolidsIsLeftOutAndTheRestIsOneSolid)
{
  for (bool const first : {false, true}) {
    for (bool const second : {false, true}) {
      Mesh mesh;
      add_box(mesh, {}, first);
      add_box(mesh, {0.25, 0.0, 0.0}, second);
      MeshParts const parts(mesh.triangles, mesh.places, {});
      EXPECT_EQ(parts.walls_between(), 4u);
      EXPECT_EQ(parts.copies(), 0u);
      EXPECT_FALSE(parts.has_holes());
      ASSERT_EQ(mesh.triangles.size(), 20u);
      Position const center{0.25, 0.125, 0.125};
      for (Triangle const& triangle : mesh.triangles) {
        EXPECT_GT(dot(mesh.normal(triangle), mesh.middle(triangle) - center), 0.0);
      }
    }
  }
}

/// A box between two corners, each face of two triangles, which may be cut along the other diagonal.
void add_box(Mesh& mesh, Position const& low, Position const& high, bool inwards, bool cut_otherwise = false)
{
  auto const first = static_cast<std::uint32_t>(mesh.places.size());
  for (std::uint32_t i = 0; i < 8; ++i) {
    mesh.places.push_back({i % 2 == 0 ? low.x : high.x, i / 2 % 2 == 0 ? low.y : high.y, i / 4 == 0 ? low.z : high.z});
  }
  constexpr std::array<std::array<std::uint32_t, 4>, 6> faces{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (auto const& [a, b, c, d] : faces) {
    std::vector<std::uint32_t> face{first + a, first + b, first + c, first + d};
    if (inwards) { std::ranges::reverse(face); }
    if (inwards != cut_otherwise) { std::rotate(face.begin(), face.begin() + 1, face.end()); }
    mesh.add({face[0], face[1], face[2]});
    mesh.add({face[0], face[2], face[3]});
  }
}

/// The same triangles in another order, with other first corners.
Mesh shuffled(Mesh mesh, std::uint32_t seed)
{
  std::mt19937 random(seed);
  std::ranges::shuffle(mesh.triangles, random);
  std::uint32_t polygon = 0;
  for (Triangle& triangle : mesh.triangles) {
    std::rotate(triangle.corners.begin(), triangle.corners.begin() + random() % 3, triangle.corners.end());
    triangle.normals = triangle.corners;
    triangle.polygon = polygon++;
  }
  return mesh;
}

/// How many triangles bound the solid, and how many of them face away from its middle.
struct Bounds {
  std::size_t all = 0;
  std::size_t outwards = 0;
  friend bool operator==(Bounds const&, Bounds const&) = default;
};
Bounds bounds_of(Mesh& mesh, Position const& middle, std::uint64_t& ambiguous)
{
  MeshParts const parts(mesh.triangles, mesh.places, {});
  ambiguous = parts.ambiguous();
  Bounds bounds;
  for (Triangle const& triangle : mesh.triangles) {
    if (parts.is_buried(mesh.middle(triangle), mesh.normal(triangle), triangle.part)) { continue; }
    ++bounds.all;
    bounds.outwards += dot(mesh.normal(triangle), mesh.middle(triangle) - middle) > 0.0 ? 1 : 0;
  }
  return bounds;
}

TEST(MeshParts, AnInwardBodyThatReachesOutOfAnotherIsNoCavityInAnyOrder)
{
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    Mesh mesh;
    add_box(mesh, {-0.6, -0.6, -0.6}, {0.2, 0.6, 0.6}, false);
    add_box(mesh, {-0.2, -0.6, -0.6}, {0.6, 0.6, 0.6}, true);
    Mesh in_order = shuffled(mesh, seed);
    std::uint64_t ambiguous = 0;
    Bounds const bounds = bounds_of(in_order, {}, ambiguous);
    EXPECT_EQ(bounds.all, bounds.outwards) << seed;
    EXPECT_GE(bounds.all, 20u) << seed;  // the ends, and four sides of each
    EXPECT_EQ(ambiguous, 0u);
  }
}

TEST(MeshParts, ACoreThatFillsItsCavityLeavesASolidInAnyOrder)
{
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    Mesh mesh;
    add_box(mesh, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, false);
    add_box(mesh, {-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}, true);
    add_box(mesh, {-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}, false, seed % 2 != 0);
    Mesh in_order = shuffled(mesh, seed);
    std::uint64_t ambiguous = 0;
    EXPECT_EQ(bounds_of(in_order, {}, ambiguous), (Bounds{12, 12})) << seed;
    EXPECT_EQ(ambiguous, 0u);
  }
}

/// Half of the triangles of the inner box are wound the other way: they say neither.
TEST(MeshParts, APartThatMayBeACavityOrASolidIsTold)
{
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    Mesh mesh;
    add_box(mesh, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, false);
    add_box(mesh, {-0.25, -0.25, -0.25}, {0.25, 0.25, 0.25}, false);
    for (std::size_t i = 12; i < 24; i += 2) { std::swap(mesh.triangles[i].corners[0], mesh.triangles[i].corners[1]); }
    Mesh in_order = shuffled(mesh, seed);
    std::uint64_t ambiguous = 0;
    EXPECT_EQ(bounds_of(in_order, {}, ambiguous), (Bounds{12, 12})) << seed;
    EXPECT_EQ(ambiguous, 1u) << seed;
  }
}

/// A pocket of which one side is also one of the solid around it.
TEST(MeshParts, APocketThatTouchesTheSurfaceIsOpen)
{
  for (std::uint32_t seed = 0; seed < 24; ++seed) {
    Mesh mesh;
    add_box(mesh, {-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}, false);
    add_box(mesh, {-0.25, -0.25, 0.0}, {0.25, 0.25, 0.5}, true);
    Mesh in_order = shuffled(mesh, seed);
    MeshParts const parts(in_order.triangles, in_order.places, {});
    EXPECT_FALSE(parts.flipped());
    EXPECT_TRUE(parts.is_buried({0.1, 0.05, 0.5}, {0.0, 0.0, 1.0}, in_order.part_at({0.5, 0.5, 0.5}))) << seed;
    EXPECT_FALSE(parts.is_buried({0.4, 0.35, 0.5}, {0.0, 0.0, 1.0}, in_order.part_at({0.5, 0.5, 0.5}))) << seed;
    EXPECT_FALSE(parts.is_buried({0.1, 0.05, 0.0}, {0.0, 0.0, 1.0}, in_order.part_at({0.25, 0.25, 0.0}))) << seed;
  }
}

TEST(MeshParts, OfFacesOfWhichSomeHaveTwoSidesOneIsKept)
{
  Mesh mesh;
  mesh.add_ball({}, 0.9);
  for (std::size_t i = 0; i < of_ball / 2; ++i) {
    auto const [a, b, c] = mesh.triangles[i].corners;
    if (i + 1 < of_ball && mesh.triangles[i + 1].polygon == mesh.triangles[i].polygon) {
      mesh.add({mesh.triangles[i + 1].corners[2], c, b, a});
      ++i;
    } else if (i == 0 || mesh.triangles[i - 1].polygon != mesh.triangles[i].polygon) {
      mesh.add({c, b, a});
    }
  }
  ASSERT_GT(mesh.triangles.size(), of_ball + of_ball / 4);
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_EQ(parts.walls_between(), 0u);
  EXPECT_EQ(mesh.triangles.size(), of_ball);
  EXPECT_FALSE(parts.has_holes());
  EXPECT_EQ(mesh.outwards({}, 0.9), of_ball);
}

TEST(MeshParts, ACavityBehindAHoleStaysOne)
{
  Mesh mesh;
  mesh.add_ball({}, 0.9);
  mesh.triangles.erase(mesh.triangles.begin() + 50);
  mesh.add_ball({}, 0.4, true);
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_FALSE(parts.flipped());
  EXPECT_EQ(mesh.outwards({}, 0.4), 0u);
  EXPECT_EQ(mesh.buried(parts, {}, 0.4), 0u);
}

TEST(MeshParts, WhatStandsInACavityIsASolid)
{
  Mesh mesh;
  mesh.add_ball({}, 0.9);
  mesh.add_ball({}, 0.6, true);
  mesh.add_ball({}, 0.3, true);
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_EQ(mesh.outwards({}, 0.6), 0u);
  EXPECT_EQ(mesh.outwards({}, 0.3), of_ball);
  EXPECT_EQ(mesh.buried(parts, {}, 0.9) + mesh.buried(parts, {}, 0.6) + mesh.buried(parts, {}, 0.3), 0u);
}

TEST(MeshParts, AShellThatIsInsideOutIsTurnedWithItsCavity)
{
  Mesh mesh;
  mesh.add_ball(left, 0.4);
  mesh.add_ball(left, 0.2, true);
  mesh.add_ball(right, 0.39, true);
  mesh.add_ball(right, 0.19);
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_EQ(mesh.outwards(left, 0.4) + mesh.outwards(right, 0.39), 2 * of_ball);
  EXPECT_EQ(mesh.outwards(left, 0.2) + mesh.outwards(right, 0.19), 0u);
}

TEST(MeshParts, TrianglesThatOnlyNearlyMeetAreTurnedTogether)
{
  Mesh of_corners;
  of_corners.add_ball({}, 0.9, true);
  Mesh mesh;
  double shift = 0.0;
  for (Triangle const& triangle : of_corners.triangles) {
    auto const first = static_cast<std::uint32_t>(mesh.places.size());
    for (std::uint32_t const corner : triangle.corners) {
      shift = std::fmod(shift + 0.618e-6, 1e-6);
      mesh.places.push_back(of_corners.places[corner] + Position{shift, 0.0, 0.0});
    }
    mesh.add({first, first + 1, first + 2});
  }
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_TRUE(parts.flipped());
  EXPECT_EQ(mesh.outwards({}, 0.9), of_ball);
}

TEST(MeshParts, AHoleIsNoted)
{
  Mesh mesh;
  mesh.add_ball({}, 0.9, true);
  mesh.triangles.erase(mesh.triangles.begin() + 50, mesh.triangles.begin() + 52);
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_TRUE(parts.has_holes());
  EXPECT_EQ(mesh.outwards({}, 0.9), of_ball - 2);
}

TEST(MeshParts, OpenSurfacesStayAsTheyAre)
{
  Mesh mesh;
  mesh.places = {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {1.0, 1.0, 0.0}, {0.0, 1.0, 0.0}};
  mesh.add({0, 3, 2, 1});  // from below
  MeshParts const parts(mesh.triangles, mesh.places, {});
  EXPECT_FALSE(parts.flipped());
  EXPECT_EQ(parts.turned(), 0u);
  EXPECT_LT(mesh.normal(mesh.triangles[0]).z, 0.0);
}

}  // namespace
}  // namespace slotscape::clouds
