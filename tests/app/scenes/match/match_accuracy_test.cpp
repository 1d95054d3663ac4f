#include "app/pictures/generated.hpp"
#include "app/pictures/transformed.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace slotscape::pictures {
namespace {

using namespace matching;

constexpr std::uint64_t picture_count = 20;

/// How many of what the environment variable SLOTSCAPE_MATCH_ROUNDS asks for, or few: each round takes seconds.
std::uint64_t rounds()
{
  char const* const wanted = std::getenv("SLOTSCAPE_MATCH_ROUNDS");
  return wanted == nullptr ? 1 : std::strtoull(wanted, nullptr, 10);
}

enum class Damage : std::uint8_t { none, noise, occlusion };

Picture damaged(Picture const& picture, Damage damage, std::uint64_t seed)
{
  switch (damage) {
    case Damage::none: return picture;
    case Damage::noise: return with_noise(picture, 0.3, seed);
    case Damage::occlusion: return with_occlusion(picture, 0.3, seed);
  }
  return picture;
}

/// Any rotation, a scale from 0.5 to 2, and a shift.
Similarity any_similarity(Picture const& reference, std::uint64_t seed)
{
  Dice dice(random64(seed, 4711));
  double const rotation = dice.between(-180.0, 180.0);
  double const scale = std::exp2(dice.between(-1.0, 1.0));
  double const x = dice.between(-60.0, 60.0);
  return about_middle(reference, usual_width, usual_height, rotation, scale, {x, dice.between(-45.0, 45.0)});
}

/// Within 1 degree, 2 % of scale, and 2 pixels in the middle of the query.
bool is_right(Similarity const& found, Similarity const& truth)
{
  Point const middle{usual_width / 2.0, usual_height / 2.0};
  Point const apart = in_reference(found, middle) - in_reference(truth, middle);
  return std::abs(std::remainder(found.rotation_degrees - truth.rotation_degrees, 360.0)) <= 1.0 &&
         std::abs(found.scale / truth.scale - 1.0) <= 0.02 && std::hypot(apart.x, apart.y) <= 2.0;
}

class MatchAccuracyTest : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
    engine = make_match_engine(GetParam());
  }
  MatchSnapshot const& match(Picture const& query)
  {
    engine->set_picture(Side::query, query);
    engine->match({}, {});
    return engine->snapshot();
  }

  std::unique_ptr<MatchEngine> engine;
};
INSTANTIATE_TEST_SUITE_P(On, MatchAccuracyTest, ::testing::Values(Backend::cpu, Backend::cuda),
                         [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; });

/// Each of 20 pictures, plain, with noise and occluded: 60 pairs a round.
TEST_P(MatchAccuracyTest, RecoversTurnedScaledAndDamagedPictures)
{
  int pairs = 0;
  int recovered = 0;
  for (std::uint64_t p = 0; p < picture_count; ++p) {
    Picture const reference = make_builtin(builtin_names().at(p));
    engine->set_picture(Side::reference, reference);
    for (std::uint64_t round = 0; round < rounds(); ++round) {
      Similarity const truth = any_similarity(reference, picture_count * round + p);
      Picture const query = transformed(reference, truth, usual_width, usual_height);
      for (Damage const damage : {Damage::none, Damage::noise, Damage::occlusion}) {
        MatchSnapshot const& snapshot = match(damaged(query, damage, picture_count * round + p));
        bool const right = snapshot.found && is_right(snapshot.candidates[0].transformation, truth);
        EXPECT_TRUE(right || !snapshot.found) << "a wrong match is worse than none: " << builtin_names()[p];
        ++pairs;
        recovered += right ? 1 : 0;
      }
    }
  }
  RecordProperty("pairs", pairs);
  RecordProperty("recovered", recovered);
  std::printf("%d of %d recovered\n", recovered, pairs);
  EXPECT_GE(recovered, 0.95 * pairs);
}

/// A pair of different pictures, one of them turned, scaled and damaged: 24 pairs a round.
TEST_P(MatchAccuracyTest, RefusesOtherPictures)
{
  int refused = 0;
  auto const pairs = static_cast<int>(24 * rounds());
  for (int pair = 0; pair < pairs; ++pair) {
    auto const seed = static_cast<std::uint64_t>(pair);
    std::uint64_t const first = seed % picture_count;
    std::uint64_t const second = (first + 1 + random_below(1, seed, picture_count - 1)) % picture_count;
    Picture const other = make_builtin(builtin_names().at(second));
    Picture const query = transformed(other, any_similarity(other, seed), usual_width, usual_height);
    engine->set_picture(Side::reference, make_builtin(builtin_names().at(first)));
    refused += match(damaged(query, static_cast<Damage>(pair % 3), seed)).found ? 0 : 1;
  }
  RecordProperty("pairs", pairs);
  RecordProperty("refused", refused);
  std::printf("%d of %d refused\n", refused, pairs);
  EXPECT_GE(refused, 0.95 * pairs);
}

/// What an exposure makes of a grey from 0 to 1.
struct Exposure {
  char const* name;
  double (*of)(double grey);
};
constexpr std::array exposures{Exposure{"two stops under", [](double grey) { return grey / 4.0; }},
                               Exposure{"four stops under", [](double grey) { return grey / 16.0; }},
                               Exposure{"little contrast around grey", [](double grey) { return 0.44 + grey / 8.0; }},
                               Exposure{"overexposed", [](double grey) { return std::min(1.6 * grey, 1.0); }},
                               Exposure{"gamma 2.2", [](double grey) { return std::pow(grey, 2.2); }},
                               Exposure{"gamma 0.45", [](double grey) { return std::pow(grey, 0.45); }}};

Picture exposed(Picture picture, Exposure const& exposure)
{
  for (std::uint8_t& grey : picture.pixels) {
    grey = static_cast<std::uint8_t>(std::lround(255.0 * exposure.of(grey / 255.0)));
  }
  return picture;
}

/// Either of the two is exposed otherwise.
TEST_P(MatchAccuracyTest, ExposureDecidesNothing)
{
  for (std::uint64_t p = 0; p < picture_count; p += 10) {
    Picture const reference = make_builtin(builtin_names().at(p));
    Similarity const truth = any_similarity(reference, p);
    Picture const query = transformed(reference, truth, usual_width, usual_height);
    for (Exposure const& exposure : exposures) {
      engine->set_picture(Side::reference, reference);
      MatchSnapshot const& there = match(exposed(query, exposure));
      EXPECT_TRUE(there.found && is_right(there.candidates[0].transformation, truth)) << exposure.name << ", query";
      engine->set_picture(Side::reference, exposed(reference, exposure));
      MatchSnapshot const& back = match(query);
      EXPECT_TRUE(back.found && is_right(back.candidates[0].transformation, truth)) << exposure.name << ", reference";
      Picture const other = make_builtin(builtin_names().at((p + 7) % picture_count));
      EXPECT_FALSE(match(exposed(other, exposure)).found) << exposure.name << ", another picture";
    }
  }
}

}  // namespace
}  // namespace slotscape::pictures
