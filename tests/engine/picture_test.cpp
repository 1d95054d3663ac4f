#include "gpu/tables/slot_mark.hpp"

#include "tests/engine/brute_force.hpp"
#include "tests/engine/engine_fixture.hpp"

namespace slotscape::testing {
namespace {

class PictureTest : public EngineTest {
protected:
  /// A table with live keys and tombstones.
  static std::unique_ptr<Engine> make_used(std::uint64_t slots, Deletion deletion)
  {
    auto engine = make({.slots = slots, .deletion = deletion});
    std::mt19937 random(31);
    std::vector<Key> const keys = random_keys(slots * 3 / 4, random);
    engine->insert(keys, random_values(keys.size(), random));
    engine->erase(std::span(keys).first(keys.size() / 4));
    return engine;
  }
};

TEST_P(PictureTest, TexelsMatchTheirSlotsAtEveryLevel)
{
  for (Deletion const deletion : deletions) {
    for (std::uint64_t const slots : {16u, 17u, 100u, 512u, 577u, 1000u, 1024u, 4096u, 5000u}) {
      auto const engine = make_used(slots, deletion);
      std::vector<SlotInfo> const infos = all_slots(*engine);
      for (Layout const layout : {Layout::rows, Layout::hilbert}) {
        SCOPED_TRACE(::testing::Message() << slots << " slots, layout " << int(layout));
        expect_pictures(*engine, infos, layout);
        if (HasFatalFailure()) { return; }
      }
    }
  }
}

TEST_P(PictureTest, WindowsMayReachPastTheTable)
{
  auto const engine = make_used(512, Deletion::empty_value);
  std::vector<SlotInfo> const infos = all_slots(*engine);
  for (Layout const layout : {Layout::rows, Layout::hilbert}) {
    for (std::uint32_t level = 0; level < 4; ++level) {
      expect_picture(*engine, infos, {.layout = layout, .level = level, .x = 3, .y = 2, .width = 40, .height = 20});
      expect_picture(*engine, infos, {.layout = layout, .level = level, .x = 100, .y = 100, .width = 3, .height = 3});
      expect_picture(*engine, infos, {.layout = layout, .level = level, .width = 1, .height = 1});
    }
  }
}

TEST_P(PictureTest, WindowsOfALargeTableMayReachPastIt)
{
  auto const engine = make_used(5000, Deletion::tombstone_reuse);
  std::vector<SlotInfo> const infos = all_slots(*engine);
  for (Layout const layout : {Layout::rows, Layout::hilbert}) {
    for (std::uint32_t level = 3; level < 7; ++level) {
      expect_picture(*engine, infos, {.layout = layout, .level = level, .x = 1, .y = 1, .width = 20, .height = 3});
      expect_picture(*engine, infos, {.layout = layout, .level = level, .x = 100, .y = 0, .width = 3, .height = 3});
    }
  }
}

TEST_P(PictureTest, ATableWithoutAnEmptySlotIsDrawn)
{
  for (std::uint64_t const slots : {4090u, 4096u}) {
    auto engine = make({.slots = slots});
    std::mt19937 random(3);
    std::vector<Key> const keys = random_keys(slots, random);
    engine->insert(keys, random_values(keys.size(), random));
    std::vector<SlotInfo> const infos = all_slots(*engine);
    for (std::uint32_t level = 3; level < 7; ++level) {
      expect_picture(*engine, infos, {.level = level, .width = 16, .height = 8});
      expect_picture(*engine, infos, {.color_by = ColorBy::cluster_length, .level = level, .width = 16, .height = 8});
    }
  }
}

/// Chains of erased keys keep their nodes. After a picture of chains, the marks are those of places again.
TEST_P(PictureTest, ChainsAreColouredByTheirLengths)
{
  for (std::string const family : {"separate_chaining", "linear_hashing"}) {
    SCOPED_TRACE(family);
    auto const engine = make({.family = family, .slots = 1024, .parameters = {{"nodes", 4}}});
    engine->run(BatchRequest::inserts(3000));
    engine->run(BatchRequest::erases(500));
    std::vector<SlotInfo> const infos = all_slots(*engine);
    for (std::vector<Slot> const& chain : engine->nodes_by_head()) {
      for (Slot const node : chain) {
        if (infos[node].state == SlotState::live) { ASSERT_EQ(infos[node].chain_length, chain.size()); }
      }
    }
    for (std::uint32_t const level : {0u, 2u, 3u}) {
      for (Reduce const reduce : {Reduce::max, Reduce::mean}) {
        PictureRequest request{
            .color_by = ColorBy::chain_length, .reduce = reduce, .level = level, .width = 16, .height = 8};
        expect_picture(*engine, infos, request);
        request.color_by = ColorBy::probe_length;
        expect_picture(*engine, infos, request);
      }
    }
  }
  for (SlotInfo const& slot : all_slots(*make_used(64, Deletion::tombstone_reuse))) {
    EXPECT_EQ(slot.chain_length, 0u);
  }
}

TEST_P(PictureTest, ATexelOfOneSlotIsItsState)
{
  for (Deletion const deletion : deletions) {
    auto const engine = make_used(1024, deletion);
    for (Layout const layout : {Layout::rows, Layout::hilbert}) {
      Grid const grid = Grid::of(1024, layout);
      auto const texels = draw(*engine, {.layout = layout, .color_by = ColorBy::state, .width = 32, .height = 32});
      for (SlotInfo const& info : all_slots(*engine)) {
        Position const p = grid.position(info.slot);
        std::uint32_t const shares = texels[p.y * 32 + p.x].shares;
        ASSERT_EQ(shares & 0xffffu, info.state == SlotState::live ? 65535u : 0u);
        ASSERT_EQ(shares >> 16, info.state == SlotState::tombstone ? 65535u : 0u);
      }
    }
  }
}

TEST_P(PictureTest, ASingleSlotInALargeCellStillShows)
{
  auto const engine = make({.slots = 1u << 20});
  std::vector<Key> const key{12345};
  engine->insert(key, std::vector<Value>{1});
  auto const texels = draw(*engine, {.level = 10, .width = 1, .height = 1});
  EXPECT_EQ(texels[0].slots, 1u << 20);
  EXPECT_GT(texels[0].shares & 0xffffu, 0u);
  EXPECT_EQ(texels[0].shares >> 16, 0u);
}

TEST_P(PictureTest, RecentChangesFlashAndFade)
{
  auto const engine = make({.slots = 256});
  PictureRequest request{.color_by = ColorBy::recent, .width = 16, .height = 16};
  std::vector<Key> const keys{1, 2, 3};
  engine->insert(keys, std::vector<Value>{1, 2, 3});
  for (Texel const& texel : draw(*engine, request)) { ASSERT_EQ(texel.flash, 0u) << "not recorded yet"; }

  engine->record_recent(true);
  engine->insert(std::span(keys).first(1), std::vector<Value>{9});
  engine->find(std::span(keys).subspan(1, 1));
  engine->erase(std::span(keys).subspan(2, 1));
  auto const flash_of = [&](std::vector<Texel> const& texels, Key key) {
    return texels[engine->probe_path(key).slots.back()].flash;
  };
  auto texels = draw(*engine, request);
  EXPECT_EQ(flash_of(texels, 1), 255u);
  EXPECT_EQ(flash_of(texels, 2), 255u << 8);
  EXPECT_EQ(flash_of(texels, 3), 255u << 16);
  EXPECT_EQ(std::ranges::count_if(texels, [](Texel const& texel) { return texel.flash != 0; }), 3);

  request.fade = flash_full / 2;
  texels = draw(*engine, request);
  EXPECT_NEAR(flash_of(texels, 1), 128.0, 3.0);
  texels = draw(*engine, request);
  texels = draw(*engine, request);
  for (Texel const& texel : texels) { ASSERT_EQ(texel.flash, 0u); }

  request.fade = 0;
  engine->find(std::span(keys).first(1));
  engine->record_recent(false);
  for (Texel const& texel : draw(*engine, request)) { ASSERT_EQ(texel.flash, 0u); }
}

SLOTSCAPE_ON_EVERY_BACKEND(PictureTest);

}  // namespace
}  // namespace slotscape::testing
