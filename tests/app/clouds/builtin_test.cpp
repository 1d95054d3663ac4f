#include "app/clouds/builtin.hpp"

#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

namespace slotscape::clouds {
namespace {

using slotscape::test::message_of;
using ::testing::AllOf;
using ::testing::HasSubstr;

PointCloud made(std::string_view name, std::uint64_t points, std::uint64_t seed = 1)
{
  Progress const progress = Progress::tracked();
  return make_builtin(name, points, seed, progress);
}

class BuiltinTest : public ::testing::TestWithParam<std::string_view> {};
std::string name_of(::testing::TestParamInfo<std::string_view> const& info)
{
  return std::string(info.param);
}
INSTANTIATE_TEST_SUITE_P(All, BuiltinTest, ::testing::ValuesIn(builtin_names()), name_of);

TEST_P(BuiltinTest, HasAsManyPointsAsAskedForWithinTheUnitSphere)
{
  for (std::uint64_t const points : {1u, 2u, 7u, 1000u, 20011u}) {
    PointCloud const cloud = made(GetParam(), points);
    EXPECT_EQ(cloud.positions.size(), points);
    EXPECT_EQ(cloud.normals.size(), points);
    EXPECT_EQ(cloud.frame, Frame{});
    EXPECT_TRUE(cloud.normals_from_source);
    for (Vector const& p : cloud.positions) { ASSERT_LE(spatial::length(p), 1.00001f); }
    for (Vector const& n : cloud.normals) { ASSERT_NEAR(spatial::length(n), 1.0f, 1e-5f); }
  }
}

TEST_P(BuiltinTest, IsTheSameForTheSameSeed)
{
  EXPECT_EQ(made(GetParam(), 500, 3).positions, made(GetParam(), 500, 3).positions);
  EXPECT_NE(made(GetParam(), 500, 3).positions, made(GetParam(), 500, 4).positions);
}

/// By Gauss, the fluxes of a constant field through a closed surface cancel out, and that of the position is three
/// times the volume.
TEST_P(BuiltinTest, IsClosedAndItsNormalsPointOutwards)
{
  PointCloud const cloud = made(GetParam(), 100'000);
  Position sum;
  double volume = 0.0;
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    Position const normal = to_position(cloud.normals[i]);
    sum = sum + normal;
    volume += dot(to_position(cloud.positions[i]), normal);
  }
  EXPECT_LT(length(sum) / 100'000, 0.004);
  EXPECT_GT(volume / 100'000, 0.05);
}

/// Of points spread at random, a cell that should have 20 has 20 +- 4.5.
TEST_P(BuiltinTest, PointsAreSpreadMoreEvenlyThanAtRandom)
{
  constexpr int cells = 12;
  auto const cell_of = [](Vector p) {
    auto const index = [](float x) { return static_cast<int>((x + 1.0f) * 0.5f * cells); };
    return (index(p.z) * cells + index(p.y)) * cells + index(p.x);
  };
  std::map<int, double> reference;
  constexpr int many = 2'000'000;
  for (Vector const& p : made(GetParam(), many, 9).positions) { reference[cell_of(p)] += 1.0 / many; }
  std::map<int, double> counts;
  constexpr int few = 20'000;
  for (Vector const& p : made(GetParam(), few).positions) { counts[cell_of(p)] += 1.0; }
  double chi_square = 0.0;
  int considered = 0;
  for (auto const& [cell, share] : reference) {
    if (share * few < 5.0) { continue; }
    chi_square += std::pow(counts[cell] - share * few, 2) / (share * few);
    ++considered;
  }
  RecordProperty("chi_square_for_each_cell", std::to_string(chi_square / considered));
  EXPECT_GT(considered, 100);
  EXPECT_LT(chi_square / considered, 0.6);
}

TEST(Builtins, PointsAndNormalsAgreeWithTheSignedDistance)
{
  for (std::string_view const name : {"sphere", "torus", "cube"}) {
    PointCloud const cloud = made(name, 5000);
    for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
      Position const p = to_position(cloud.positions[i]);
      Position const n = to_position(cloud.normals[i]);
      ASSERT_NEAR(*distance_to_builtin(name, p), 0.0, 1e-6) << name;
      ASSERT_NEAR(*distance_to_builtin(name, p + 0.01 * n), 0.01, 1e-5) << name;
      ASSERT_NEAR(*distance_to_builtin(name, p - 0.01 * n), -0.01, name == "cube" ? 0.01 : 1e-5) << name;
    }
  }
  EXPECT_FALSE(distance_to_builtin("gyroid", {}).has_value());
}

/// A surface's area from the share of points in a part whose area is known.
TEST(Builtins, AreasHaveTheirShareOfPoints)
{
  std::array<int, 8> octants{};
  for (Vector const& p : made("sphere", 80'000).positions) { ++octants[(p.x > 0) + 2 * (p.y > 0) + 4 * (p.z > 0)]; }
  for (int const count : octants) { EXPECT_NEAR(count, 10'000, 40); }
  // The outer half of a torus has pi R + 2 r of 2 pi R: more than a half.
  int outer = 0;
  for (Vector const& p : made("torus", 80'000).positions) { outer += std::hypot(p.x, p.y) > 0.7f; }
  EXPECT_NEAR(outer / 80'000.0, 0.5 + 0.3 / (3.14159265 * 0.7), 0.002);
  std::array<int, 6> faces{};
  for (Vector const& n : made("cube", 60'000).normals) {
    ++faces[n.x != 0 ? (n.x > 0) : n.y != 0 ? 2 + (n.y > 0) : 4 + (n.z > 0)];
  }
  for (int const count : faces) { EXPECT_NEAR(count, 10'000, 1); }
}

/// Where points are even, the normals of a gyroid's walls are the gradients of its level set.
TEST(Builtins, GyroidPointsAreOnItsTwoSurfaces)
{
  PointCloud const cloud = made("gyroid", 10'000);
  int on_ball = 0;
  for (std::size_t i = 0; i < cloud.positions.size(); ++i) {
    Position const p = 5.5 * to_position(cloud.positions[i]);
    double const level = std::sin(p.x) * std::cos(p.y) + std::sin(p.y) * std::cos(p.z) + std::sin(p.z) * std::cos(p.x);
    bool const ball = std::abs(spatial::length(cloud.positions[i]) - 1.0f) < 1e-5f && level < 1e-5;
    on_ball += ball;
    ASSERT_TRUE(ball || std::abs(level) < 1e-5) << level;
  }
  EXPECT_GT(on_ball, 1000);
  EXPECT_LT(on_ball, 6000);
}

TEST(Builtins, NamesAreForgivingAndWrongOnesAreCorrected)
{
  EXPECT_TRUE(is_builtin("Torus-Knot"));
  EXPECT_EQ(made("SPHERE", 5).name, "sphere");
  EXPECT_THAT(message_of<Error>([] { made("shpere", 5); }), HasSubstr("did you mean 'sphere'"));
  EXPECT_THAT(message_of<Error>([] { made("cube", 0); }), AllOf(HasSubstr("0 points"), HasSubstr("16777216")));
  EXPECT_THAT(message_of<Error>([] { made("cube", 1u << 25); }), HasSubstr("33554432 points"));
  for (Builtin const& builtin : builtins()) {
    EXPECT_FALSE(builtin.label.empty() || builtin.what.empty()) << builtin.name;
  }
}

}  // namespace
}  // namespace slotscape::clouds
