#pragma once

#include "gpu/base/random.hpp"
#include "gpu/matching/engine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace slotscape::matching::test {

/// A test body that runs on every backend, and is skipped, visibly, where there is no device for one.
class MatchTest : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
    engine = make_match_engine(GetParam());
  }
  void set(Picture const& reference, Picture const& query)
  {
    engine->set_picture(Side::reference, reference);
    engine->set_picture(Side::query, query);
  }
  MatchSnapshot const& match(MatchSettings const& settings = {})
  {
    EXPECT_TRUE(engine->match(settings, {}));
    return engine->snapshot();
  }
  std::unique_ptr<MatchEngine> engine;
};

#define SLOTSCAPE_MATCH_ON_EVERY_BACKEND(Suite)                                                                 \
  INSTANTIATE_TEST_SUITE_P(On, Suite, ::testing::Values(::slotscape::Backend::cpu, ::slotscape::Backend::cuda), \
                           [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; })

inline Picture flat(std::uint32_t width, std::uint32_t height, std::uint8_t grey = 200)
{
  return {width, height, std::vector<std::uint8_t>(std::size_t{width} * height, grey)};
}

inline void fill(Picture& picture, int left, int top, int right, int bottom, std::uint8_t grey)
{
  for (int y = std::max(top, 0); y < std::min<int>(bottom, static_cast<int>(picture.height)); ++y) {
    for (int x = std::max(left, 0); x < std::min<int>(right, static_cast<int>(picture.width)); ++x) {
      picture.pixels[static_cast<std::size_t>(y) * picture.width + static_cast<std::size_t>(x)] = grey;
    }
  }
}

/// Rectangles of random greys.
inline Picture rectangles(std::uint64_t seed, std::uint32_t width = 200, std::uint32_t height = 160, int count = 25)
{
  Picture picture = flat(width, height);
  for (int i = 0; i < count; ++i) {
    auto const draw = [&](std::uint64_t number, std::uint32_t bound) {
      return static_cast<int>(random_below(seed, static_cast<std::uint64_t>(i) * 8 + number, bound));
    };
    int const left = draw(0, width);
    int const top = draw(1, height);
    fill(picture, left, top, left + 8 + draw(2, width / 4), top + 8 + draw(3, height / 4),
         static_cast<std::uint8_t>(draw(4, 256)));
  }
  return picture;
}

/// The part of a picture from one of its pixels on.
inline Picture cut(Picture const& picture, std::uint32_t left, std::uint32_t top, std::uint32_t width,
                   std::uint32_t height)
{
  Picture part = flat(width, height);
  for (std::uint32_t y = 0; y < height; ++y) {
    for (std::uint32_t x = 0; x < width; ++x) {
      part.pixels[std::size_t{y} * width + x] = picture.pixels[std::size_t{y + top} * picture.width + left + x];
    }
  }
  return part;
}

/// Turned by a quarter, counter-clockwise.
inline Picture quarter_turn(Picture const& picture)
{
  Picture turned = flat(picture.height, picture.width);
  for (std::uint32_t y = 0; y < turned.height; ++y) {
    for (std::uint32_t x = 0; x < turned.width; ++x) {
      turned.pixels[std::size_t{y} * turned.width + x] =
          picture.pixels[std::size_t{x} * picture.width + (picture.width - 1 - y)];
    }
  }
  return turned;
}

/// The table and the votes of a match by their definition, from its features and bases.
class BruteForce {
public:
  BruteForce(MatchEngine& engine, double quantum) : quantum_(static_cast<float>(quantum))
  {
    std::vector<Feature> const& points = engine.features(Side::reference);
    std::vector<Basis> const& bases = engine.bases(Side::reference);
    for (std::uint32_t b = 0; b < bases.size(); ++b) {
      for (Bin const& bin : bins(points, bases[b])) { cells.emplace(engine.key_of(bin), b); }
    }
    std::size_t const most = std::max<std::size_t>(bases.size() / 8, 16);
    for (Basis const& basis : engine.bases(Side::query)) {
      std::vector<std::uint32_t> row(bases.size());
      for (Bin const& bin : bins(engine.features(Side::query), basis)) {
        auto const [first, last] = cells.equal_range(engine.key_of(bin));
        if (static_cast<std::size_t>(std::distance(first, last)) > most) { continue; }
        for (auto at = first; at != last; ++at) { ++row[at->second]; }
      }
      votes.insert(votes.end(), row.begin(), row.end());
    }
  }

  std::multimap<Key, std::uint32_t> cells;
  std::vector<std::uint32_t> votes;

private:
  /// Of all features but those of the basis.
  std::vector<Bin> bins(std::vector<Feature> const& points, Basis const& basis) const
  {
    Feature const a = points[basis.first];
    Feature const b = points[basis.second];
    float const x = b.x - a.x;
    float const y = b.y - a.y;
    float const per_cell = (x * x + y * y) * quantum_;
    std::vector<Bin> found;
    for (std::uint32_t i = 0; i < points.size(); ++i) {
      if (i == basis.first || i == basis.second) { continue; }
      float const dx = points[i].x - 0.5f * (a.x + b.x);
      float const dy = points[i].y - 0.5f * (a.y + b.y);
      found.push_back({static_cast<std::int32_t>(std::floor(x / per_cell * dx + y / per_cell * dy + 0.5f)),
                       static_cast<std::int32_t>(std::floor(x / per_cell * dy - y / per_cell * dx + 0.5f))});
    }
    return found;
  }

  float quantum_;
};

}  // namespace slotscape::matching::test
