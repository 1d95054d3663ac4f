#include "gpu/sparse/ordering.hpp"
#include "tests/sparse/brute_force.hpp"

#include <algorithm>

namespace slotscape::sparse {
namespace {

TEST(MortonCode, TakesBitsOfEachAxisInTurn)
{
  std::mt19937 random(1);
  std::uniform_int_distribution<std::int32_t> coordinate(0, (1 << 21) - 1);
  for (int trial = 0; trial < 100; ++trial) {
    Site const site{0, coordinate(random), coordinate(random), coordinate(random)};
    std::uint64_t code = 0;
    for (int bit = 20; bit >= 0; --bit) {
      for (std::int32_t const axis : {site.x, site.y, site.z}) {
        code = code << 1 | static_cast<std::uint64_t>(axis >> bit & 1);
      }
    }
    EXPECT_EQ(morton_code(site), code);
  }
}

TEST(Ordering, MortonKeepsNeighboursTogether)
{
  Extents const extents{1, 32, 32, 32};
  std::vector<Site> const sites = test::random_sites(extents, 1.0, 2);
  auto const distance = [](Site const& a, Site const& b) {
    return std::max({std::abs(a.x - b.x), std::abs(a.y - b.y), std::abs(a.z - b.z)});
  };
  auto const widest_block = [&](Order order) {
    std::vector<Site> const ordered = in_order(sites, extents, order);
    int widest = 0;
    for (std::size_t i = 0; i < ordered.size(); ++i) {
      widest = std::max(widest, distance(ordered[i], ordered[i & ~63u]));
    }
    return widest;
  };
  EXPECT_EQ(widest_block(Order::morton), 3) << "64 sites are a cube of 4 x 4 x 4";
  EXPECT_EQ(widest_block(Order::row_major), 31) << "or two rows";
}

TEST(Extents, FlatteningAndBack)
{
  Extents const extents{3, 5, 7, 11};
  for (Key key = 0; key < Key{3} * 5 * 7 * 11; ++key) { EXPECT_EQ(extents.flatten(extents.site_of(key)), key); }
  EXPECT_EQ(extents.flatten({0, 0, 0, 1}), 1u);
  EXPECT_EQ(extents.flatten({0, 0, 1, 0}), 11u);
  EXPECT_EQ(extents.flatten({0, 1, 0, 0}), 77u);
  EXPECT_EQ(extents.flatten({1, 0, 0, 0}), 385u);
}

}  // namespace
}  // namespace slotscape::sparse
