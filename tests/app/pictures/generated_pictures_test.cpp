#include "app/pictures/generated.hpp"
#include "app/pictures/transformed.hpp"
#include "gpu/base/error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace slotscape::pictures {
namespace {

using matching::Picture;
using matching::Similarity;

double share_that_differs(Picture const& a, Picture const& b)
{
  double differing = 0.0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i) { differing += a.pixels[i] != b.pixels[i] ? 1.0 : 0.0; }
  return differing / static_cast<double>(a.pixels.size());
}

TEST(GeneratedPicturesTest, AreTwentyOrMoreThatAllDiffer)
{
  std::set<std::vector<std::uint8_t>> seen;
  for (std::string const& name : builtin_names()) {
    EXPECT_TRUE(is_builtin(name));
    Picture const picture = make_builtin(name, 160, 120);
    EXPECT_EQ(picture.pixels.size(), 160u * 120u);
    EXPECT_EQ(picture, make_builtin(name, 160, 120)) << "the same each time";
    EXPECT_TRUE(seen.insert(picture.pixels).second) << name;
  }
  EXPECT_GE(seen.size(), 20u);
  EXPECT_FALSE(is_builtin("map-99"));
  EXPECT_THROW(make_builtin("map-99"), Error);
}

TEST(TransformedTest, NothingChangesUnderTheIdentity)
{
  Picture const picture = generate(Kind::map, 1, 90, 70);
  EXPECT_EQ(transformed(picture, {}, 90, 70), picture);
}

TEST(TransformedTest, QuarterTurnsAreCounterClockwise)
{
  Picture picture{40, 30, std::vector<std::uint8_t>(1200)};
  picture.pixels[0] = 255;  // upper left
  // The query is turned counter-clockwise to become the reference: its upper right corner becomes the upper left one.
  Similarity const turn = about_middle(picture, 30, 40, 90.0, 1.0);
  Picture const query = transformed(picture, turn, 30, 40);
  EXPECT_EQ(query.pixels[29], 255);
  Point const corner = in_reference(turn, {30.0, 0.0});
  EXPECT_NEAR(corner.x, 0.0, 1e-9);
  EXPECT_NEAR(corner.y, 0.0, 1e-9);
}

TEST(TransformedTest, SmallerPicturesAreMeans)
{
  Picture stripes{64, 64, std::vector<std::uint8_t>(4096)};
  for (std::size_t i = 0; i < stripes.pixels.size(); ++i) { stripes.pixels[i] = i % 2 == 0 ? 0 : 200; }
  Picture const half = transformed(stripes, about_middle(stripes, 16, 16, 0.0, 2.0), 16, 16);
  for (std::uint8_t const grey : half.pixels) { EXPECT_NEAR(grey, 100, 2); }
}

TEST(TransformedTest, WhatIsOutsideIsGrey)
{
  Picture const white{20, 20, std::vector<std::uint8_t>(400, 255)};
  Picture const query = transformed(white, about_middle(white, 20, 20, 0.0, 2.0), 20, 20, 77);
  EXPECT_EQ(query.pixels[0], 77);
  EXPECT_EQ(query.pixels[10 * 20 + 10], 255);
}

TEST(TransformedTest, NoiseAndOcclusionTakeTheirShare)
{
  Picture const picture = generate(Kind::shapes, 2);
  EXPECT_NEAR(share_that_differs(picture, with_noise(picture, 0.3, 1)), 0.3, 0.01);
  double const covered = share_that_differs(picture, with_occlusion(picture, 0.3, 1));
  EXPECT_GT(covered, 0.25);
  EXPECT_LT(covered, 0.4);
  EXPECT_EQ(with_noise(picture, 0.0, 1), picture);
  EXPECT_EQ(with_occlusion(picture, 0.0, 1), picture);
}

}  // namespace
}  // namespace slotscape::pictures
