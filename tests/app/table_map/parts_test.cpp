// The parts of a table on the map: borders where they meet, and their names.

#include "app/table_map/parts.hpp"
#include "app/base/files.hpp"
#include "app/export/slide.hpp"
#include "app/table_map/cells.hpp"
#include "gpu/engine/parts.hpp"
#include "tests/app/support/color_vision.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

namespace slotscape {
namespace {

using test::scene_of;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

TEST(Parts, CoverTheTableOfAFamilyThatHasSome)
{
  EXPECT_THAT(parts_of({.family = "linear_probing"}), IsEmpty());
  for (std::string const family : {"elastic", "funnel", "hash_fight"}) {
    for (std::uint64_t const slots : {16u, 100u, 4096u, 1u << 20}) {
      std::uint64_t next = 0;
      for (TablePart const& part : parts_of({.family = family, .slots = slots})) {
        EXPECT_EQ(part.first, next) << family << ", " << part.name;
        EXPECT_GT(part.slots, 0u) << family << ", " << part.name;
        next += part.slots;
      }
      EXPECT_EQ(next, slots) << family;
    }
  }
}

/// Draws nothing.
class NoDrawing final : public Drawing {
public:
  void fill(ImVec2, ImVec2, ImU32, float) override {}
  void frame(ImVec2, ImVec2, ImU32, float, float) override {}
  void polyline(std::span<ImVec2 const>, ImU32, float) override {}
  void triangle(ImVec2, ImVec2, ImVec2, ImU32) override {}
  void circle(ImVec2, float, ImU32, float) override {}
  void disc(ImVec2, float, ImU32) override {}
  void text(ImVec2, float, ImU32, std::string const&, float) override {}
  void clip(ImVec2, ImVec2) override {}
  void unclip() override {}
};

TEST(Parts, ABorderFollowsTheRowsAndStepsDownWhereAPartBeginsWithinOne)
{
  Camera const camera(Grid::of(256, Layout::rows), 160.0, 160.0);  // 16 x 16 slots of 10 pixels
  NoDrawing drawing;
  Look const look;
  Annotator const on{drawing, look, camera, {100.0f, 50.0f}};
  auto const corners = [&](Slot first) {
    std::vector<std::pair<float, float>> result;
    for (ImVec2 const& corner : border_before(on, first).line) { result.emplace_back(corner.x, corner.y); }
    return result;
  };
  using Corners = std::vector<std::pair<float, float>>;
  EXPECT_EQ(corners(128), (Corners{{260.0f, 130.0f}, {100.0f, 130.0f}})) << "a whole row";
  EXPECT_EQ(corners(132), (Corners{{260.0f, 130.0f}, {140.0f, 130.0f}, {140.0f, 140.0f}, {100.0f, 140.0f}}));
}

/// Arrows of steps leave keys and homes legible: they keep to the bands of slot numbers, and to borders.
TEST(Steps, RunAlongTheBordersOfWrittenCells)
{
  constexpr float side = 80.0f;
  Camera const camera(Grid::of(64, Layout::rows), 8.0 * side, 8.0 * side);
  NoDrawing drawing;
  Look const look;
  Annotator const on{drawing, look, camera, {100.0f, 50.0f}};
  float const band = band_height(on);
  ASSERT_LT(band, 0.3f * side);
  auto const is_clear = [&](ImVec2 at) {
    float const x = std::fmod(at.x - on.corner.x, side);
    float const y = std::fmod(at.y - on.corner.y, side);
    constexpr float border = 1.0f;
    return y <= band || y >= side - border || x <= border || x >= side - border;
  };
  for (Slot from = 0; from < 64; ++from) {
    for (Slot to = 0; to < 64; ++to) {
      if (from == to) { continue; }
      std::vector<ImVec2> const way = way_along_borders(on, from, to);
      ASSERT_LT(std::abs(way.front().x - on.slot_center(from).x), 1.0f);
      ASSERT_LT(std::abs(way.back().x - on.slot_center(to).x), 1.0f);
      for (std::size_t i = 1; i < way.size(); ++i) {
        for (float share = 0.0f; share <= 1.0f; share += 0.1f) {
          ImVec2 const at{way[i - 1].x + (way[i].x - way[i - 1].x) * share,
                          way[i - 1].y + (way[i].y - way[i - 1].y) * share};
          ASSERT_TRUE(is_clear(at)) << from << " to " << to << " at " << at.x << ", " << at.y;
        }
      }
    }
  }
}

/// What lies between was not read: over a single row, no part of an arc follows the borders of cells.
TEST(Steps, JumpInArcsOverARow)
{
  constexpr float side = 80.0f;
  Plane const row = Plane::of(16, {.arrangement = Arrangement::row}, 16.0 * side, side);
  Camera const camera(row, 16.0 * side, side);
  NoDrawing drawing;
  Look const look;
  Annotator const on{drawing, look, camera, {100.0f, 50.0f}};
  std::size_t jumps = 0;
  for (Slot from = 0; from < 16; ++from) {
    for (Slot to = 0; to < 16; ++to) {
      ImVec2 const start = on.slot_center(from);
      ImVec2 const end = on.slot_center(to);
      if (from == to || std::hypot(end.x - start.x, end.y - start.y) < 1.9f * side) { continue; }
      ++jumps;
      std::vector<ImVec2> const way = way_past_writing(on, from, to);
      ASSERT_LT(std::abs(way.front().x - start.x), 1.0f);
      ASSERT_LT(std::abs(way.back().x - end.x), 1.0f);
      float longest_along = 0.0f;
      for (std::size_t i = 1; i < way.size(); ++i) {
        float const across = std::abs(way[i].x - way[i - 1].x);
        float const down = std::abs(way[i].y - way[i - 1].y);
        bool const follows_a_border = std::min(across, down) < 0.01f;
        if (follows_a_border) { longest_along = std::max(longest_along, std::max(across, down)); }
      }
      EXPECT_LT(longest_along, 0.2f * side) << from << " to " << to;
    }
  }
  EXPECT_GT(jumps, 100u);
}

/// A text of an SVG picture, and the last rectangle that was filled below it.
struct LabelOnGround {
  std::string text;
  double size;  ///< of its letters, in pixels
  Color ink;
  Color ground;
  double opacity;  ///< of the ground
};
std::vector<LabelOnGround> labels_in(std::string const& picture)
{
  struct Ground {
    double left;
    double top;
    double width;
    double height;
    Color color;
    double opacity;
  };
  static std::regex const shape(
      R"re(<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"[^>]*? fill="#(\w{6})"(?: fill-opacity="([\d.]+)")?/>|<text x="([-\d.]+)" y="([-\d.]+)" font-size="([\d.]+)"[^>]*fill="#(\w{6})"[^>]*>([^<]*)<)re");
  auto const color = [](std::string const& hex) {
    return color_of(static_cast<std::uint32_t>(std::stoul(hex, nullptr, 16)));
  };
  std::vector<Ground> grounds;
  std::vector<LabelOnGround> labels;
  for (std::sregex_iterator each(picture.begin(), picture.end(), shape), end; each != end; ++each) {
    auto const number = [&](std::size_t group) { return std::stod((*each)[group]); };
    if ((*each)[1].matched) {
      double const opacity = (*each)[6].matched ? number(6) : 1.0;
      grounds.push_back({number(1), number(2), number(3), number(4), color((*each)[5]), opacity});
      continue;
    }
    double const x = number(7) + 1.0;
    double const y = number(8) - number(9) / 3.0;  // above the baseline
    auto const below = std::find_if(grounds.rbegin(), grounds.rend(), [&](Ground const& ground) {
      return x > ground.left && y > ground.top && x < ground.left + ground.width && y < ground.top + ground.height;
    });
    if (below == grounds.rend()) { continue; }
    labels.push_back({(*each)[11], number(9), color((*each)[10]), below->color, below->opacity});
  }
  return labels;
}

/// Labels on plates of their own, whatever lies below these: WCAG 2.1, success criterion 1.4.3.
void expect_legible_labels(std::string const& picture, std::string const& wanted)
{
  bool has_wanted = false;
  for (LabelOnGround const& label : labels_in(picture)) {
    bool const is_plate = label.opacity < 1.0;  // cells are opaque
    if (!is_plate) { continue; }
    has_wanted = has_wanted || label.text.find(wanted) != std::string::npos;
    for (float const below : {0.0f, 1.0f}) {
      auto const mixed = [&](float top) { return below + (top - below) * static_cast<float>(label.opacity); };
      Color const ground{mixed(label.ground.red), mixed(label.ground.green), mixed(label.ground.blue)};
      EXPECT_GE(test::contrast(label.ink, ground), 4.5) << label.text;
    }
  }
  EXPECT_TRUE(has_wanted) << "else this tests nothing: " << wanted;
}

TEST(Labels, AreLegibleOnTheirPlatesInBothThemes)
{
  test::TemporaryFolder const folder;
  KeySettings zipf;
  zipf.distribution = KeyDistribution::zipf;
  zipf.zipf_exponent = 2.0;  // of the insertions, six in ten are of one key
  TableSetup hot;
  hot.settings.table = {.slots = 128, .combine = Combine::add, .shards = 4};
  hot.settings.keys = zipf;
  hot.steps = {SetKeys{zipf}, BatchRequest::inserts(1000)};
  TableSetup arrays;
  arrays.settings.table = {.family = "elastic", .slots = 64};
  arrays.steps = {BatchRequest::inserts(40)};
  for (auto const& [set_up, wanted] : {std::pair{hot, ", hot"}, std::pair{arrays, "A1"}}) {
    auto const app = test::offscreen_app({1280, 720}, test::slots_scenario(set_up));
    app->current_scene().finish_steps({});
    app->frame(0.1);
    for (Background const background : {Background::dark, Background::light}) {
      app->pictures().save_slide(folder / "map.svg", {.background = background});
      expect_legible_labels(read_text_file(folder / "map.svg"), wanted);
    }
  }
}

/// To be read from the last row: a slide of 1080 lines has no letters below 24, where cells have the room.
TEST(Labels, AreLargeEnoughOnSlides)
{
  constexpr double em = 0.855;  // SVG's sizes are of an em
  test::TemporaryFolder const folder;
  auto const app = test::offscreen_app({1280, 720}, test::slots_scenario({.slots = 16, .hash = HashKind::identity}));
  scene_of<SlotsScene>(*app).simulation().submit(OnKey{Operation::insert, 21, 3});
  app->current_scene().finish_steps({});
  app->frame(0.1);
  app->pictures().save_slide(folder / "map.svg", SlideSettings{});
  std::multiset<std::string> seen;
  for (LabelOnGround const& label : labels_in(read_text_file(folder / "map.svg"))) {
    EXPECT_GE(label.size / em, 23.5) << label.text;
    seen.insert(label.text);
  }
  EXPECT_TRUE(seen.contains("15")) << "the last slot's number";
  EXPECT_EQ(seen.count("2"), 2u) << "the number of a slot, and the end of the scale";
}

/// Where a text of an SVG picture begins, in pixels: the first one that is this, as the legend comes last.
ImVec2 place_of(std::string const& picture, std::string const& text)
{
  std::regex const shape(R"re(<text x="([-\d.]+)" y="([-\d.]+)"[^>]*>)re" + text + "</text>");
  std::smatch found;
  if (!std::regex_search(picture, found, shape)) { return {-1.0f, -1.0f}; }
  return {std::stof(found[1]), std::stof(found[2])};
}

TableSetup cuckoo_by_hand(std::uint64_t slots)
{
  TableSetup set_up;
  set_up.settings.table = {.family = "cuckoo", .slots = slots, .parameters = {{"bucket", 1}, {"hashing", 2}}};
  return set_up;
}

/// Two arrays, each counted from 0 and below its function.
TEST(Parts, OfCuckooByHandAreArraysBelowTheirFunctions)
{
  test::TemporaryFolder const folder;
  auto const saved = [&](App& app) {
    app.pictures().save_slide(folder / "map.svg", SlideSettings{});
    return read_text_file(folder / "map.svg");
  };
  auto const count = [](std::string const& picture, std::string const& text) {
    std::size_t found = 0;
    for (std::size_t at = picture.find(text); at != std::string::npos; at = picture.find(text, at + 1)) { ++found; }
    return found;
  };
  for (bool const steps : {false, true}) {
    TableSetup set_up = cuckoo_by_hand(22);
    if (steps) { set_up.step_mode = StepRequest{{Operation::insert, 39, 0}}; }
    auto const app = test::offscreen_app({1280, 720}, test::slots_scenario(set_up));
    for (int frame = 0; frame < 3; ++frame) { app->frame(0.1); }
    std::string const picture = saved(*app);
    ImVec2 const first = place_of(picture, "T1: h1\\(k\\) = k mod 11");
    ImVec2 const second = place_of(picture, "T2: h2\\(k\\) = \\(k div 11\\) mod 11");
    EXPECT_GE(first.x, 0.0f);
    EXPECT_GT(second.y, first.y);
    EXPECT_EQ(count(picture, ">10</text>"), 2u) << "the last slot of each";
    EXPECT_EQ(count(picture, ">21</text>"), 0u) << "slots are not counted through";
  }
}

TEST(Parts, AreNamedOnTheMapOfTheirFamily)
{
  test::TemporaryFolder const folder;
  for (std::string const family : {"elastic", "robin_hood"}) {
    auto const app = test::offscreen_app({1280, 720}, test::slots_scenario({.family = family, .slots = 64}));
    app->frame(0.1);
    app->pictures().save_slide(folder / "map.svg", SlideSettings{});
    std::string const picture = read_text_file(folder / "map.svg");
    if (family == "elastic") {
      EXPECT_THAT(picture, HasSubstr(">A1</text>"));
      EXPECT_THAT(picture, HasSubstr(">A2</text>"));
    } else {
      EXPECT_THAT(picture, Not(HasSubstr(">A1</text>")));
    }
  }
}

}  // namespace
}  // namespace slotscape
