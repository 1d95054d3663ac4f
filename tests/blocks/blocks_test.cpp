// Voxels or blocks: both tables answer as a set of voxels does, whatever the pattern, and count what they read.

#include "gpu/base/error.hpp"
#include "gpu/blocks/engine.hpp"
#include "gpu/tables/hash.hpp"
#include "tests/neighbours/brute_force.hpp"

#include <gmock/gmock.h>

#include <array>
#include <cmath>
#include <limits>
#include <set>

namespace slotscape::blocks {
namespace {

using neighbours::Point;
using neighbours::test::random_points;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Voxel = std::array<std::int64_t, 3>;

/// What the engine is to find, computed from a set of voxels; rays by all of their crossings with borders, in order.
class Reference {
public:
  Reference(std::vector<Point> const& points, BlocksSettings const& settings) : settings_(settings)
  {
    std::array<double, 3> low{1e300, 1e300, 1e300};
    for (Point const& at : points) {
      std::array const coordinates{at.x, at.y, at.z};
      for (std::size_t axis = 0; axis != 3; ++axis) { low[axis] = std::min<double>(low[axis], coordinates[axis]); }
    }
    for (Point const& at : points) {
      std::array const coordinates{at.x, at.y, at.z};
      Voxel voxel{};
      for (std::size_t axis = 0; axis != 3; ++axis) {
        double const along = (coordinates[axis] - low[axis]) * (1.0 / double{settings.voxel});
        voxel[axis] = static_cast<std::int64_t>(std::floor(along));
        size_[axis] = std::max(size_[axis], voxel[axis] + 1);
      }
      occupied_.insert({voxel[2], voxel[1], voxel[0]});  // in the order of keys
      blocks_.insert({voxel[0] / 8, voxel[1] / 8, voxel[2] / 8});
    }
  }

  Voxel const& size() const { return size_; }
  std::size_t voxels() const { return occupied_.size(); }
  std::size_t blocks() const { return blocks_.size(); }

  Accesses random() const
  {
    std::vector<Voxel> const all(occupied_.begin(), occupied_.end());
    Accesses sums;
    for (std::uint64_t i = 0; i != settings_.accesses; ++i) {
      Voxel voxel{};
      if (i % 2 == 0) {
        Voxel const& one = all[below(all.size(), i, 0)];
        voxel = {one[2], one[1], one[0]};
      } else {
        for (std::size_t axis = 0; axis != 3; ++axis) {
          voxel[axis] = static_cast<std::int64_t>(below(static_cast<std::uint64_t>(size_[axis]), i, 1 + axis));
        }
      }
      ++sums.voxels;
      sums.found += has(voxel) ? 1 : 0;
      sums.checksum += seeded_hash(i, std::uint64_t{has(voxel)});
    }
    return sums;
  }

  Accesses neighbouring() const
  {
    std::vector<Voxel> const all(occupied_.begin(), occupied_.end());
    std::uint64_t const around = std::clamp<std::uint64_t>(settings_.accesses / 26, 1, all.size());
    Accesses sums;
    for (std::uint64_t i = 0; i != around; ++i) {
      Voxel const& centre = all[i * (all.size() / around)];
      std::uint64_t answer = 0;
      for (std::int64_t at = 0; at != 27; ++at) {
        Voxel const voxel{centre[2] + at % 3 - 1, centre[1] + at / 3 % 3 - 1, centre[0] + at / 9 - 1};
        if (at == 13 || !is_inside(voxel)) { continue; }
        ++sums.voxels;
        if (!has(voxel)) { continue; }
        ++sums.found;
        answer |= std::uint64_t{1} << at;
      }
      sums.checksum += seeded_hash(i, answer);
    }
    return sums;
  }

  Accesses rays() const
  {
    Accesses sums;
    for (std::uint64_t i = 0; i != settings_.rays; ++i) {
      std::vector<Voxel> const path = path_of(i);
      std::uint64_t answer = ~std::uint64_t{0};
      for (Voxel const& voxel : path) {
        ++sums.voxels;
        if (!has(voxel)) { continue; }
        ++sums.found;
        answer = static_cast<std::uint64_t>((voxel[2] * size_[1] + voxel[1]) * size_[0] + voxel[0]);
        break;
      }
      sums.checksum += seeded_hash(i, answer);
    }
    return sums;
  }

private:
  bool has(Voxel const& voxel) const { return occupied_.contains({voxel[2], voxel[1], voxel[0]}); }
  bool is_inside(Voxel const& voxel) const
  {
    for (std::size_t axis = 0; axis != 3; ++axis) {
      if (voxel[axis] < 0 || voxel[axis] >= size_[axis]) { return false; }
    }
    return true;
  }
  double fraction(std::uint64_t i, std::uint64_t which) const
  {
    return std::ldexp(static_cast<double>(seeded_hash(settings_.seed + which, i) >> 11), -53);
  }
  std::uint64_t below(std::uint64_t limit, std::uint64_t i, std::uint64_t which) const
  {
    return static_cast<std::uint64_t>(fraction(i, which) * static_cast<double>(limit));
  }

  std::vector<Voxel> path_of(std::uint64_t i) const
  {
    struct Crossing {
      double way;
      std::size_t axis;
      std::int64_t step;
    };
    std::vector<Crossing> crossings;
    std::uint64_t const side = below(6, i, 0);
    Voxel voxel{};
    for (std::size_t axis = 0; axis != 3; ++axis) {
      auto const size = static_cast<double>(size_[axis]);
      double const from = side / 2 == axis ? static_cast<double>(side % 2) * size : fraction(i, 1 + axis) * size;
      double const to = fraction(i, 4 + axis) * size;
      voxel[axis] = std::min(static_cast<std::int64_t>(from), size_[axis] - 1);
      for (std::int64_t border = 0; border <= size_[axis]; ++border) {
        double const way = (static_cast<double>(border) - from) / (to - from);
        bool const is_ahead = to > from ? border > voxel[axis] : border <= voxel[axis];
        if (is_ahead) { crossings.push_back({way, axis, to > from ? 1 : -1}); }
      }
    }
    std::ranges::sort(crossings, [](Crossing const& a, Crossing const& b) {
      return a.way != b.way ? a.way < b.way : a.axis < b.axis;
    });
    std::vector<Voxel> path{voxel};
    for (Crossing const& crossing : crossings) {
      voxel[crossing.axis] += crossing.step;
      if (!is_inside(voxel)) { break; }
      path.push_back(voxel);
    }
    return path;
  }

  BlocksSettings settings_;
  std::set<Voxel> occupied_;
  std::set<Voxel> blocks_;
  Voxel size_{};
};

class BlocksTest : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
    engine = make_blocks_engine(GetParam());
  }

  void expect_right(std::vector<Point> const& points, BlocksSettings const& settings)
  {
    Reference const expected(points, settings);
    Comparison const found = engine->compare(points, settings);
    EXPECT_EQ(found.points, points.size());
    for (std::size_t axis = 0; axis != 3; ++axis) {
      EXPECT_EQ(found.size[axis], static_cast<std::uint64_t>(expected.size()[axis]));
    }
    EXPECT_EQ(found.voxels.entries, expected.voxels());
    EXPECT_EQ(found.blocks.entries, expected.blocks());
    EXPECT_EQ(found.blocks.mask_bytes, 64 * expected.blocks());
    std::array const wanted{expected.random(), expected.neighbouring(), expected.rays()};
    for (std::size_t i = 0; i != wanted.size(); ++i) {
      for (Structure const* const structure : {&found.voxels, &found.blocks}) {
        SCOPED_TRACE(std::string(pattern_names[i]) + (structure == &found.voxels ? ", voxels" : ", blocks"));
        Accesses const& accesses = structure->patterns[i];
        EXPECT_EQ(accesses.voxels, wanted[i].voxels);
        EXPECT_EQ(accesses.found, wanted[i].found);
        EXPECT_EQ(accesses.checksum, wanted[i].checksum);
        EXPECT_GE(accesses.slots, accesses.lookups) << "each reads one slot at least";
        if (structure == &found.voxels) { EXPECT_EQ(accesses.lookups, accesses.voxels); }
        EXPECT_LE(accesses.lookups, accesses.voxels);
      }
    }
  }

  std::unique_ptr<BlocksEngine> engine;
};
INSTANTIATE_TEST_SUITE_P(On, BlocksTest, ::testing::Values(Backend::cpu, Backend::cuda),
                         [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; });

/// On a sphere, as a scanned surface is.
std::vector<Point> sphere(std::size_t count)
{
  std::vector<Point> points = random_points(count, {-1, -1, -1}, {1, 1, 1}, 3);
  for (Point& at : points) {
    float const length = std::sqrt(at.x * at.x + at.y * at.y + at.z * at.z);
    at = {at.x / length, at.y / length, at.z / length};
  }
  return points;
}

TEST_P(BlocksTest, BothAnswerAsASetOfVoxelsDoes)
{
  std::vector<Point> const surface = sphere(5000);
  for (float const voxel : {0.02f, 0.1f, 0.7f, 5.0f}) {
    SCOPED_TRACE(voxel);
    expect_right(surface, {.voxel = voxel, .accesses = 3000, .rays = 300});
  }
  expect_right(random_points(3000, {0, 0, 0}, {100, 3, 1}, 1),
               {.voxel = 0.5f, .accesses = 2000, .rays = 200, .seed = 7});
  expect_right({{1.0f, 2.0f, 3.0f}}, {.voxel = 0.1f, .accesses = 10, .rays = 10});
}

TEST_P(BlocksTest, HashAndLoadChangeNoAnswer)
{
  std::vector<Point> const surface = sphere(4000);
  for (HashKind const hash : {HashKind::identity, HashKind::murmur3, HashKind::fibonacci}) {
    for (double const load : {0.2, 0.9}) {
      expect_right(surface, {.voxel = 0.05f, .load_factor = load, .hash = hash, .accesses = 1000, .rays = 100});
    }
  }
}

TEST_P(BlocksTest, KeysOfLargeGridsTake64Bits)
{
  expect_right(random_points(500, {0, 0, 0}, {60000, 60000, 60000}, 5), {.voxel = 1.0f, .accesses = 500, .rays = 3});
}

TEST_P(BlocksTest, NeighboursShareBlocks)
{
  Comparison const found = engine->compare(sphere(60000), {.voxel = 0.02f, .accesses = 100'000, .rays = 2000});
  auto const share = [](Accesses const& accesses) {
    return static_cast<double>(accesses.lookups) / static_cast<double>(accesses.voxels);
  };
  EXPECT_DOUBLE_EQ(share(found.voxels.of(Pattern::neighbouring)), 1.0);
  EXPECT_DOUBLE_EQ(share(found.blocks.of(Pattern::random)), 1.0) << "each comes alone";
  EXPECT_LT(share(found.blocks.of(Pattern::neighbouring)), 0.5);
  EXPECT_LT(share(found.blocks.of(Pattern::rays)), 0.4) << "a ray stays in a block for some voxels";
  EXPECT_LT(found.blocks.bytes(), found.voxels.bytes()) << "of a surface without gaps";
}

TEST_P(BlocksTest, SaysWhatCannotBe)
{
  auto const trying = [&](std::vector<Point> const& points, BlocksSettings const& settings) {
    return [&, points, settings] { engine->compare(points, settings); };
  };
  std::vector<Point> const two{{0, 0, 0}, {1, 1, 1}};
  EXPECT_THAT(trying({}, {.voxel = 1.0f}), ThrowsMessage<Error>(HasSubstr("no points")));
  EXPECT_THAT(trying(two, {}), ThrowsMessage<Error>(HasSubstr("side of a voxel")));
  EXPECT_THAT(trying(two, {.voxel = std::nanf("")}), ThrowsMessage<Error>(HasSubstr("side of a voxel")));
  EXPECT_THAT(trying(two, {.voxel = 1.0f, .load_factor = 1.0}), ThrowsMessage<Error>(HasSubstr("load factor")));
  EXPECT_THAT(trying(two, {.voxel = 1.0f, .accesses = 0}), ThrowsMessage<Error>(HasSubstr("accesses")));
  EXPECT_THAT(trying(two, {.voxel = 1e-6f}), ThrowsMessage<Error>(HasSubstr("choose larger ones")));
  float const infinite = std::numeric_limits<float>::infinity();
  EXPECT_THAT(trying({{0, 0, 0}, {0, infinite, 0}}, {.voxel = 1.0f}), ThrowsMessage<Error>(HasSubstr("Point 1")));
}

}  // namespace
}  // namespace slotscape::blocks
