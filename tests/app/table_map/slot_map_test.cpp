#include "app/table_map/slot_map.hpp"
#include "app/gl/context.hpp"
#include "app/gl/image.hpp"
#include "app/table_map/palette.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/interop/presenter.hpp"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <memory>
#include <numeric>
#include <tuple>

namespace slotscape {
namespace {

using Rgb = std::tuple<int, int, int>;

Rgb rgb(Color const& color)
{
  auto const byte = [](float channel) { return static_cast<int>(std::lround(channel * 255.0f)); };
  return {byte(color.red), byte(color.green), byte(color.blue)};
}

/// A table on the CPU, drawn offscreen.
class SlotMapTest : public testing::Test {
protected:
  static constexpr int side = 256;
  static constexpr std::uint64_t slot_count = std::uint64_t{side} * side;

  void SetUp() override
  {
    context_ = gl::open_offscreen({side, side});
    presenter_ = make_presenter(Backend::cpu, PresentChoice::automatic);
    map_ = std::make_unique<SlotMap>();
  }

  void TearDown() override
  {
    map_.reset();
    presenter_.reset();
    context_.reset();
  }

  void make_table(std::uint64_t slots, Deletion deletion, HashKind hash = HashKind::murmur3)
  {
    engine_ = make_engine(Backend::cpu, {.slots = slots, .deletion = deletion, .hash = hash});
  }

  void churn(std::uint64_t inserts, std::uint64_t erases)
  {
    engine_->set_keys({}, 11);
    engine_->run(BatchRequest::inserts(inserts));
    engine_->run(BatchRequest::erases(erases));
  }

  gl::Image draw(ViewSettings const& view, double scale_max = 8.0)
  {
    Camera camera(Grid::of(engine_->table().slots, view.layout), side, side);
    PictureRequest const request = camera.request(view);
    engine_->analyse(request, presenter_->map(bytes_of(request)).texels());
    presenter_->unmap(bytes_of(request));
    glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
    map_->draw(presenter_->buffer(), request, camera.placement(request), {view.palette, view.log_scale, scale_max},
               {0, 0, side, side}, side);
    context_->present();
    return gl::read_pixels(context_->framebuffer(), 0, 0, side, side);
  }

  static Rgb pixel(gl::Image const& image, int x, int y)
  {
    auto const at = static_cast<std::size_t>(y * image.width + x) * 4;
    return {image.pixels[at], image.pixels[at + 1], image.pixels[at + 2]};
  }

  static std::map<Rgb, std::uint64_t> count_colors(gl::Image const& image)
  {
    std::map<Rgb, std::uint64_t> counts;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) { ++counts[pixel(image, x, y)]; }
    }
    return counts;
  }

  std::unique_ptr<gl::Context> context_;
  std::unique_ptr<Presenter> presenter_;
  std::unique_ptr<SlotMap> map_;
  std::unique_ptr<Engine> engine_;
};

TEST_F(SlotMapTest, StatesAtOneSlotPerPixelAreTheStatistics)
{
  for (Deletion const deletion : {Deletion::empty_value, Deletion::tombstone_reuse}) {
    make_table(slot_count, deletion);
    churn(40000, 13000);
    Statistics const statistics = engine_->statistics();
    ASSERT_GT(statistics.tombstones, 0u);
    for (Layout const layout : {Layout::rows, Layout::hilbert}) {
      auto const counts = count_colors(draw({.layout = layout, .color_by = ColorBy::state}));
      EXPECT_EQ(counts.size(), 3u);
      EXPECT_EQ(counts.at(rgb(live_color)), statistics.live);
      EXPECT_EQ(counts.at(rgb(tombstone_color)), statistics.tombstones);
      EXPECT_EQ(counts.at(rgb(empty_color)), statistics.empty());
    }
  }
}

TEST_F(SlotMapTest, EachPixelShowsTheStateOfItsSlot)
{
  make_table(slot_count, Deletion::empty_value);
  churn(30000, 9000);
  for (Layout const layout : {Layout::rows, Layout::hilbert}) {
    Grid const grid = Grid::of(slot_count, layout);
    gl::Image const image = draw({.layout = layout, .color_by = ColorBy::state});
    std::vector<Slot> all(slot_count);
    std::iota(all.begin(), all.end(), Slot{0});
    for (SlotInfo const& slot : engine_->slots(all)) {
      Position const at = grid.position(slot.slot);
      Color const& color = slot.state == SlotState::live        ? live_color
                           : slot.state == SlotState::tombstone ? tombstone_color
                                                                : empty_color;
      ASSERT_EQ(pixel(image, static_cast<int>(at.x), static_cast<int>(at.y)), rgb(color)) << slot.slot;
    }
  }
}

TEST_F(SlotMapTest, AKnownTableGivesAKnownPicture)
{
  make_table(16, Deletion::empty_value, HashKind::identity);
  // Homes 0, 0, 0 and 5: slots 0, 1, 2 and 5 at probe lengths 0, 1, 2 and 0.
  std::vector<Key> const keys{0, 16, 32, 5};
  for (Key const key : keys) { engine_->insert(std::span(&key, 1), std::span(&key, 1)); }
  ViewSettings const view{.color_by = ColorBy::probe_length, .log_scale = false};
  gl::Image const image = draw(view, 2.0);
  auto const middle = [&](int column, int row) { return pixel(image, column * 64 + 32, row * 64 + 32); };
  auto const shade = [](int probe_length) {
    auto const color = palette_table(Palette::cividis)[static_cast<std::size_t>(std::lround(probe_length * 127.5))];
    return Rgb{color[0], color[1], color[2]};
  };
  EXPECT_EQ(middle(0, 0), shade(0));
  EXPECT_EQ(middle(1, 0), shade(1));
  EXPECT_EQ(middle(2, 0), shade(2));
  EXPECT_EQ(middle(3, 0), rgb(empty_color));
  EXPECT_EQ(middle(0, 1), rgb(empty_color));
  EXPECT_EQ(middle(1, 1), shade(0));
  EXPECT_EQ(middle(3, 3), rgb(empty_color));
}

TEST_F(SlotMapTest, TombstonesAreHatchedAndSlotsRuledWhenZoomedIn)
{
  make_table(16, Deletion::empty_value, HashKind::identity);
  Key const key = 5;
  engine_->insert(std::span(&key, 1), std::span(&key, 1));
  auto const live = count_colors(draw({.color_by = ColorBy::state}));
  EXPECT_EQ(live.at(rgb(live_color)), 63u * 63u);  // the first row and column of a slot's pixels are a line
  engine_->erase(std::span(&key, 1));
  auto const erased = count_colors(draw({.color_by = ColorBy::state}));
  EXPECT_FALSE(erased.contains(rgb(live_color)));
  EXPECT_LT(erased.at(rgb(tombstone_color)), 63u * 63u);
  EXPECT_GT(erased.at(rgb(tombstone_color)), 63u * 63u / 3u);
}

TEST_F(SlotMapTest, LinksAndPlacesOutsideHaveTheirOwnColors)
{
  for (ColorBy const color_by : {ColorBy::state, ColorBy::probe_length}) {
    PictureRequest const request{.color_by = color_by, .width = 2, .height = 1};
    TexelTarget const target = presenter_->map(bytes_of(request)).texels();
    target.texels[0] = {.shares = 0, .value = -1.0f, .flash = 0xff000000u, .slots = 1};
    target.texels[1] = {.shares = 0, .value = -1.0f, .flash = 0, .slots = 0};
    presenter_->unmap(bytes_of(request));
    glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
    map_->draw(presenter_->buffer(), request, {{0.0, 0.0}, 4.0}, {}, {0, 0, side, side}, side);
    context_->present();
    gl::Image const image = gl::read_pixels(context_->framebuffer(), 0, 0, side, side);
    EXPECT_EQ(pixel(image, 2, 2), rgb(link_color));
    EXPECT_EQ(pixel(image, 6, 2), rgb(canvas_color));
  }
}

TEST_F(SlotMapTest, ALongestProbeIsSeenHoweverManySlotsAPixelHolds)
{
  make_table(1u << 20, Deletion::empty_value, HashKind::identity);
  std::vector<Key> keys(64);
  for (std::size_t i = 0; i < keys.size(); ++i) { keys[i] = static_cast<Key>(777u + (i << 20)); }
  for (Key const& key : keys) { engine_->insert(std::span(&key, 1), std::span(&key, 1)); }
  auto const counts = count_colors(draw({.color_by = ColorBy::probe_length, .reduce = Reduce::max}, 63.0));
  auto const last = palette_table(Palette::cividis)[255];
  EXPECT_TRUE(counts.contains(Rgb{last[0], last[1], last[2]}));
}

}  // namespace
}  // namespace slotscape
