#include "app/scenes/spatial/map/voxel_maps.hpp"
#include "app/scenes/spatial/map/voxel_lookups.hpp"

#include "app/gl/image.hpp"
#include "app/gui/gui.hpp"
#include "app/table_map/map_state.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/spatial/voxel_grid.hpp"

#include <glad/gl.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>

namespace slotscape {
namespace {

using spatial::Model;

constexpr std::array<Model, 2> models{Model::a, Model::b};
constexpr Rectangle tall{300, 20, 420, 760};
constexpr Rectangle wide{20, 300, 960, 420};

/// Keys of the voxels of a sphere.
std::vector<Key> sphere(double center_x)
{
  std::set<Key> keys;
  for (double polar = 0.0; polar < M_PI; polar += 0.03) {
    for (double around = 0.0; around < 2.0 * M_PI; around += 0.03) {
      auto const at = [](double center, double away) { return static_cast<std::int32_t>(center + 16.0 * away); };
      keys.insert(spatial::key_of_cell<std::uint32_t>({at(center_x, std::sin(polar) * std::cos(around)),
                                                       at(32.0, std::sin(polar) * std::sin(around)),
                                                       at(32.0, std::cos(polar))}));
    }
  }
  return {keys.begin(), keys.end()};
}

std::unique_ptr<Engine> make_table(std::string const& family, std::uint64_t slots, std::vector<Key> const& keys)
{
  auto table = make_engine(Backend::cpu, {.family = family, .slots = slots});
  std::vector<Value> values(keys.size());
  for (std::size_t i = 0; i < values.size(); ++i) { values[i] = i; }
  table->insert(keys, values);
  return table;
}

/// Two tables of voxels, drawn offscreen.
class VoxelMapsTest : public testing::Test {
protected:
  static constexpr gl::Size window{1000, 800};

  spatial::PerModel<InspectedTable*> tables() { return {{a_.get(), b_.get()}}; }
  std::vector<Snapshot> snapshots(std::span<spatial::AnalysisRequest const> requests)
  {
    std::vector<Snapshot> snapshots;
    for (auto const& [model, picture, target] : requests) {
      snapshots.push_back(tables()[model]->analyse(picture, target));
    }
    return snapshots;
  }

  gl::Image frame(Rectangle const& place)
  {
    constexpr double seconds = 1.0 / 60.0;
    gui_.begin_frame(seconds);
    maps_.analyse(
        tables(), [this](auto requests) { return snapshots(requests); }, presenters_, 0, gui_.look(), place, view_,
        seconds);
    glBindFramebuffer(GL_FRAMEBUFFER, context_->framebuffer());
    glViewport(0, 0, window.width, window.height);
    glDisable(GL_SCISSOR_TEST);
    glClear(GL_COLOR_BUFFER_BIT);
    maps_.draw_maps(presenters_, 0, window.height);
    maps_.draw(gui_.look(), view_);
    gui_.end_frame();
    gui_.draw();
    context_->present();
    return gl::read_pixels(context_->framebuffer(), 0, 0, window.width, window.height);
  }
  /// The camera has arrived, and ImGui knows the windows.
  gl::Image settled_frame(Rectangle const& place)
  {
    gl::Image image;
    do {
      image = frame(place);
    } while (maps_.in_flight());
    return frame(place);
  }

  Point center(Model model, Slot slot) const
  {
    Camera const& camera = maps_.camera(model);
    Point const corner = camera.slot_corner(slot);
    double const half = camera.slot_pixels() / 2.0;
    return {maps_.canvas(model).x + corner.x + half, maps_.canvas(model).y + corner.y + half};
  }
  /// The mouse is at whole pixels.
  Point pixel_in(Model model, Slot slot) const
  {
    Point const corner = maps_.camera(model).slot_corner(slot);
    return {maps_.canvas(model).x + std::ceil(corner.x), maps_.canvas(model).y + std::ceil(corner.y)};
  }
  static void point_at(Point place)
  {
    ImGui::GetIO().MousePos = {static_cast<float>(place.x), static_cast<float>(place.y)};
  }

  static std::uint32_t pixel(gl::Image const& image, int x, int y)
  {
    auto const at = static_cast<std::size_t>(y * image.width + x) * 4;
    return IM_COL32(image.pixels[at], image.pixels[at + 1], image.pixels[at + 2], 0xff);
  }
  /// How many pixels of exactly this colour are at most so far from a place.
  static int count_near(gl::Image const& image, Point place, double distance, ImU32 color)
  {
    int count = 0;
    for (int y = 0; y < image.height; ++y) {
      for (int x = 0; x < image.width; ++x) {
        bool const near = std::hypot(x + 0.5 - place.x, y + 0.5 - place.y) <= distance;
        count += near && pixel(image, x, y) == color;
      }
    }
    return count;
  }
  static int count_changes(gl::Image const& before, gl::Image const& after, Rectangle const& place)
  {
    int count = 0;
    for (int y = place.y; y < place.y + place.height; ++y) {
      for (int x = place.x; x < place.x + place.width; ++x) { count += pixel(before, x, y) != pixel(after, x, y); }
    }
    return count;
  }

  std::vector<Key> voxels_of_a_ = sphere(26.0);
  std::vector<Key> voxels_of_b_ = sphere(38.0);
  std::unique_ptr<Engine> a_ = make_table("linear_probing", 16384, voxels_of_a_);
  std::unique_ptr<Engine> b_ = make_table("two_level_cuckoo", 16384, voxels_of_b_);
  std::unique_ptr<gl::Context> context_ = gl::open_offscreen(window);
  Gui gui_{*context_};
  Presenters presenters_{Backend::cpu, PresentChoice::automatic};
  VoxelMaps maps_{{theme::Role{0xff9933, 0xff9933}, theme::Role{0x4d99e6, 0x4d99e6}}};
  ViewSettings view_;
};

TEST_F(VoxelMapsTest, AreStackedWhereThePlaceIsTallAndSideBySideWhereItIsWide)
{
  frame(tall);
  EXPECT_EQ(maps_.canvas(Model::a).x, maps_.canvas(Model::b).x);
  EXPECT_GT(maps_.canvas(Model::b).y, maps_.canvas(Model::a).y + maps_.canvas(Model::a).height);
  frame(wide);
  EXPECT_EQ(maps_.canvas(Model::a).y, maps_.canvas(Model::b).y);
  EXPECT_GT(maps_.canvas(Model::b).x, maps_.canvas(Model::a).x + maps_.canvas(Model::a).width);
  for (Model const model : models) {
    Rectangle const& canvas = maps_.canvas(model);
    EXPECT_GE(canvas.y, wide.y);
    EXPECT_LE(canvas.y + canvas.height, wide.y + wide.height);
    EXPECT_LE(canvas.x + canvas.width, wide.x + wide.width);
  }
}

TEST_F(VoxelMapsTest, ShowWhatIsInTheTables)
{
  frame(tall);
  EXPECT_EQ(maps_.statistics(Model::a).live, voxels_of_a_.size());
  EXPECT_EQ(maps_.statistics(Model::b).live, voxels_of_b_.size());
  view_.color_by = ColorBy::state;
  gl::Image const image = settled_frame(tall);
  auto const packed = [](Color const& color) {
    auto const byte = [](float channel) { return static_cast<int>(std::lround(channel * 255.0f)); };
    return IM_COL32(byte(color.red), byte(color.green), byte(color.blue), 0xff);
  };
  for (Slot slot = 0; slot < 2000; slot += 37) {
    Point const at = center(Model::a, slot);
    bool const live = a_->slot(slot).state == SlotState::live;
    EXPECT_EQ(pixel(image, static_cast<int>(at.x), static_cast<int>(at.y)), packed(live ? live_color : empty_color));
  }
}

TEST_F(VoxelMapsTest, TellWhichSlotIsUnderTheMouse)
{
  for (Rectangle const& place : {tall, wide}) {
    settled_frame(place);
    for (Model const model : models) {
      for (Slot const slot : {0u, 5000u, 16383u}) {
        point_at(pixel_in(model, slot));
        settled_frame(place);
        EXPECT_EQ(maps_.hovered_slot(), (ModelSlot{model, slot}));
      }
    }
    point_at({5.0, 5.0});
    settled_frame(place);
    EXPECT_EQ(maps_.hovered_slot(), std::nullopt);
  }
}

TEST_F(VoxelMapsTest, GiveTheSlotThatWasClickedOnce)
{
  settled_frame(tall);
  point_at(pixel_in(Model::b, 777));
  settled_frame(tall);
  ImGui::GetIO().MouseDown[0] = true;
  frame(tall);
  ImGui::GetIO().MouseDown[0] = false;
  frame(tall);
  EXPECT_EQ(maps_.take_clicked_slot(), (ModelSlot{Model::b, 777}));
  EXPECT_EQ(maps_.take_clicked_slot(), std::nullopt);
}

TEST_F(VoxelMapsTest, HighlightsAreSeenThoughSlotsAreSmall)
{
  for (Rectangle const& place : {tall, wide}) {
    gl::Image const before = settled_frame(place);
    ASSERT_LT(maps_.camera(Model::b).slot_pixels(), 4.0);
    Slot const slot = 16384 / 2 + 70;
    maps_.highlight(Model::b, slot, VoxelMaps::Highlight::hovered);
    gl::Image const after = settled_frame(place);
    Point const at = center(Model::b, slot);
    EXPECT_GE(count_near(after, at, halo_radius + 2.0, hovered_color), 30);
    EXPECT_EQ(count_near(before, at, halo_radius + 2.0, hovered_color), 0);
    EXPECT_GE(count_changes(before, after, maps_.canvas(Model::b)), 200);
    EXPECT_EQ(count_changes(before, after, maps_.canvas(Model::a)), 0);
    maps_.highlight(Model::b, std::nullopt, VoxelMaps::Highlight::hovered);
    EXPECT_EQ(settled_frame(place).pixels, before.pixels);
  }
}

TEST_F(VoxelMapsTest, HighlightsOutsideTheCanvasArePointedTo)
{
  settled_frame(tall);
  maps_.fly_to({Model::a, 0});
  gl::Image const before = settled_frame(tall);
  Slot const last = 16383;
  ASSERT_FALSE(maps_.camera(Model::a).shows(last));
  maps_.highlight(Model::a, last, VoxelMaps::Highlight::selected);
  gl::Image const after = settled_frame(tall);
  Rectangle const& canvas = maps_.canvas(Model::a);
  Rectangle const lower_right{canvas.x + canvas.width / 2, canvas.y + canvas.height / 2, canvas.width / 2,
                              canvas.height / 2};
  EXPECT_GE(count_changes(before, after, lower_right), 50);
  EXPECT_EQ(count_changes(before, after, canvas), count_changes(before, after, lower_right));
}

TEST_F(VoxelMapsTest, SlotsThatTheTableDoesNotHaveAreLeftOut)
{
  gl::Image const before = settled_frame(tall);
  maps_.highlight(Model::a, 1u << 20, VoxelMaps::Highlight::selected);
  maps_.show_lookups(Model::a, {neighbour_lookup(0, {{1u << 20}, 5})});
  maps_.fly_to({Model::a, 1u << 20});
  EXPECT_EQ(settled_frame(tall).pixels, before.pixels);
}

TEST_F(VoxelMapsTest, LookupsOfNeighboursEndInARingOrACross)
{
  for (Rectangle const& place : {tall, wide}) {
    maps_.show_lookups(Model::a, {});
    gl::Image const before = settled_frame(place);
    for (bool const found : {true, false}) {
      ProbePath path{{3000, 9100}, std::nullopt};
      if (found) { path.value = 7; }
      MapLookup const lookup = neighbour_lookup(3, path);
      EXPECT_EQ(lookup.label, "+y");
      maps_.show_lookups(Model::a, {lookup});
      gl::Image const after = settled_frame(place);
      Point const end = center(Model::a, 9100);
      int const at_center = count_near(after, end, 1.5, lookup.color);
      EXPECT_EQ(at_center > 0, !found);  // a cross has its strokes there, a ring has none
      EXPECT_GE(count_near(after, end, halo_radius, lookup.color), 20);
      EXPECT_GE(count_near(after, center(Model::a, 3000), 3.0, lookup.color), 5);
      EXPECT_EQ(count_changes(before, after, maps_.canvas(Model::b)), 0);
    }
  }
}

TEST_F(VoxelMapsTest, ColorsThatATableDoesNotHaveBecomeThoseOfItsMeasure)
{
  view_.color_by = ColorBy::probe_length;
  gl::Image const by_measure = settled_frame(tall);
  view_.color_by = ColorBy::recent;
  EXPECT_EQ(settled_frame(tall).pixels, by_measure.pixels);
  EXPECT_EQ(view_.color_by, ColorBy::recent);
}

TEST_F(VoxelMapsTest, FollowTablesThatAreRebuiltInAnotherSize)
{
  settled_frame(tall);
  point_at(pixel_in(Model::a, 16383));
  settled_frame(tall);
  a_ = make_table("linear_probing", 4096, {1, 2, 3});
  settled_frame(tall);
  EXPECT_EQ(maps_.statistics(Model::a).live, 3u);
  EXPECT_EQ(maps_.camera(Model::a).slots(), 4096u);
}

TEST(ScaleOfMaps, EndsAtTheLastOfAFewNumberedPlaces)
{
  MapState state;
  state.statistics.probe_length.max = 3;
  state.settings.table.family = "two_level_cuckoo";
  EXPECT_EQ(scale_end(state), 3.0) << "of the sub-tables 0 to 3";
  EXPECT_EQ(scale_share(state, 3.0), 1.0);
  state.settings.view.scale_max = 16.0;
  EXPECT_EQ(scale_end(state), 16.0) << "as somebody has chosen it";
  state.settings.view.scale_max = 0.0;
  state.settings.table.family = "linear_probing";
  EXPECT_EQ(scale_end(state), 4.0) << "lengths grow while a table fills: by powers of two";
}

}  // namespace
}  // namespace slotscape
