#include "app/view3d/view_settings.hpp"
#include "tests/app/support/color_vision.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace slotscape {
namespace {

using test::all_visions;
using test::lab_seen;
using test::Vision;

/// The smallest difference (CIE 1976) between two of the colours, each in any of these shades.
double closest_pair(std::span<theme::Role const> roles, Background background, Vision vision,
                    std::span<double const> shades)
{
  std::vector<Color> colors;
  for (theme::Role const& role : roles) { colors.push_back(color_of(role.rgb(background))); }
  double closest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < colors.size(); ++i) {
    for (std::size_t j = i + 1; j < colors.size(); ++j) {
      for (double const first : shades) {
        for (double const second : shades) {
          closest =
              std::min(closest, glm::distance(lab_seen(vision, colors[i], first), lab_seen(vision, colors[j], second)));
        }
      }
    }
  }
  return closest;
}

constexpr std::array lit{1.0};
constexpr std::array lit_and_shaded{1.0, 0.85, 0.7, 0.5};

TEST(ColorVision, SimulatesWhatIsKnown)
{
  // White stays white, and people without long-wave cones see red as a dark brown.
  for (Vision const vision : all_visions) {
    glm::dvec3 const white = lab_seen(vision, {1.0f, 1.0f, 1.0f});
    EXPECT_NEAR(white.x, 100.0, 0.5);
    EXPECT_NEAR(white.y, 0.0, 1.0);
    EXPECT_NEAR(white.z, 0.0, 1.0);
  }
  EXPECT_LT(lab_seen(Vision::protanopia, {1.0f, 0.0f, 0.0f}).x, lab_seen(Vision::normal, {1.0f, 0.0f, 0.0f}).x - 10.0);
  Color const red{0.80f, 0.25f, 0.20f};
  Color const green{0.45f, 0.48f, 0.20f};
  auto const apart = [&](Vision vision) { return glm::distance(lab_seen(vision, red), lab_seen(vision, green)); };
  EXPECT_LT(apart(Vision::deuteranopia), 0.5 * apart(Vision::normal));
}

constexpr std::array both_backgrounds{Background::dark, Background::light};

TEST(StatusColors, AreToldApartByAllKindsOfColorVision)
{
  for (Background const on : both_backgrounds) {
    for (Vision const vision : all_visions) {
      EXPECT_GT(closest_pair(StatusColors::standard.of, on, vision, lit), 25.0) << static_cast<int>(vision);
      EXPECT_GT(closest_pair(StatusColors::color_blind.of, on, vision, lit), 35.0) << static_cast<int>(vision);
      EXPECT_GT(closest_pair(model_colors, on, vision, lit), 60.0) << static_cast<int>(vision);
    }
  }
}

TEST(StatusColors, OfferASetThatIsToldApartInLightAndShadeToo)
{
  for (Background const on : both_backgrounds) {
    for (Vision const vision : all_visions) {
      EXPECT_GT(closest_pair(StatusColors::color_blind.of, on, vision, lit_and_shaded), 20.0)
          << static_cast<int>(vision);
      EXPECT_GT(closest_pair(model_colors, on, vision, lit_and_shaded), 45.0) << static_cast<int>(vision);
    }
  }
}

TEST(StatusColors, StandOutFromTheBackground)
{
  for (Background const on : both_backgrounds) {
    double const shade = on == Background::dark ? 0.6 : 1.0;  // where the two are nearest to each other
    for (StatusColors const& set : {StatusColors::standard, StatusColors::color_blind}) {
      for (theme::Role const& role : set.of) {
        for (Vision const vision : all_visions) {
          EXPECT_GT(glm::distance(lab_seen(vision, color_of(role.rgb(on)), shade),
                                  lab_seen(vision, canvas_color_on(on))),
                    20.0);
        }
      }
    }
  }
}

TEST(StatusColors, FollowTheSettings)
{
  EXPECT_EQ(&status_colors({}), &StatusColors::standard);
  EXPECT_EQ(&status_colors({.color_blind = true}), &StatusColors::color_blind);
}

}  // namespace
}  // namespace slotscape
