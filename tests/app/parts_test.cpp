// The parts of a table on the map: borders where they meet, and their names.

#include "app/table_map/parts.hpp"
#include "app/base/files.hpp"
#include "app/export/slide.hpp"
#include "gpu/engine/parts.hpp"
#include "tests/app/program.hpp"
#include "tests/app/temporary_folder.hpp"

#include <gmock/gmock.h>

namespace slotscape {
namespace {

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

TEST(Parts, AreNamedOnTheMapOfTheirFamily)
{
  test::TemporaryFolder const folder;
  for (std::string const family : {"elastic", "robin_hood"}) {
    auto const app = test::offscreen_app({1280, 720}, test::slots_scenario({.family = family, .slots = 64}));
    app->frame(0.1);
    app->save_slide(folder / "map.svg", SlideSettings{});
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
