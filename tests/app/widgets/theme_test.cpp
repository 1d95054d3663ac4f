#include "app/gui/gui.hpp"
#include "app/view3d/view_settings.hpp"
#include "tests/app/support/color_vision.hpp"
#include "tests/app/support/temporary_folder.hpp"
#include "tests/support/paths.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {
namespace {

using test::all_visions;
using test::ciede2000;
using test::contrast;
using test::lab_seen;
using test::Vision;
using theme::Role;

constexpr std::array dark_and_light{Background::dark, Background::light};
constexpr double text_contrast = 4.5;  ///< WCAG 2.1, success criterion 1.4.3
constexpr double mark_contrast = 3.0;  ///< 1.4.11
/// One unit is about the least difference that is seen between large fields side by side. Marks are small, apart, and
/// named in a legend that lies elsewhere: ten of them are told apart without a second look.
constexpr double clear_difference = 10.0;

/// Colours that are shown on any of these.
struct Use {
  std::vector<Role> colors;
  std::vector<Role> on;
};

void expect_contrast(std::initializer_list<Use> uses, double least)
{
  for (Background const background : dark_and_light) {
    auto const shown = [&](Role const& role) { return color_of(role.rgb(background)); };
    for (Use const& use : uses) {
      for (Role const& color : use.colors) {
        for (Role const& below : use.on) {
          EXPECT_GE(contrast(shown(color), shown(below)), least)
              << std::hex << color.rgb(background) << " on " << below.rgb(background);
        }
      }
    }
  }
}

void expect_told_apart(std::span<Role const> roles, std::string const& what)
{
  for (Background const background : dark_and_light) {
    for (Vision const vision : all_visions) {
      auto const seen = [&](Role const& role) { return lab_seen(vision, color_of(role.rgb(background))); };
      for (std::size_t i = 0; i < roles.size(); ++i) {
        for (std::size_t j = i + 1; j < roles.size(); ++j) {
          EXPECT_GE(ciede2000(seen(roles[i]), seen(roles[j])), clear_difference)
              << what << ": " << std::hex << roles[i].rgb(background) << " and " << roles[j].rgb(background)
              << ", vision " << static_cast<int>(vision);
        }
      }
    }
  }
}

template <class... Each>
std::vector<Role> all_of(std::span<Role const> first, Each const&... others)
{
  std::vector<Role> roles(first.begin(), first.end());
  (roles.push_back(others), ...);
  return roles;
}

TEST(Differences, AreThoseOfThePaper)
{
  // Sharma, Wu and Dalal 2005, table 1.
  EXPECT_NEAR(ciede2000({50.0, 2.6772, -79.7751}, {50.0, 0.0, -82.7485}), 2.0425, 1e-4);
  EXPECT_NEAR(ciede2000({50.0, -1.3802, -84.2814}, {50.0, 0.0, -82.7485}), 1.0000, 1e-4);
  EXPECT_NEAR(ciede2000({50.0, -0.001, 2.49}, {50.0, 0.0011, -2.49}), 4.7461, 1e-4);
  EXPECT_NEAR(ciede2000({60.2574, -34.0099, 36.2677}, {60.4626, -34.1751, 39.4387}), 1.2644, 1e-4);
}

TEST(Theme, HasLegibleText)
{
  using namespace theme;
  expect_contrast({{{text},
                    {canvas_color, panel, raised, theme::frame, frame_hovered, frame_active, accent_dim, empty_color}},
                   {{text_dim}, {canvas_color, panel, raised, theme::frame, frame_hovered}},
                   {{text_faint}, {canvas_color, panel, raised}},
                   {{accent, warning, error, theory, theme::right}, {canvas_color, panel, raised}},
                   {{panel}, {accent, accent_hovered, accent_active, given_color}}},
                  text_contrast);
}

TEST(Theme, HasLegibleCategories)
{
  using namespace theme;
  expect_contrast({{all_of(series), {panel, raised, canvas_color}},
                   {{reference_color, query_color, found_color, basis_color}, {panel, raised}},
                   {{insert_flash, find_flash, erase_flash, effective_load_color, live_color}, {panel}},
                   {{step_read, step_metadata, step_write, step_fails, step_moves, past_step}, {panel, raised}},
                   {all_of(axes), {canvas_color}},
                   {all_of(neighbours, hovered_color, hit_color, miss_color), {panel}},
                   {all_of(model_colors), {panel, raised}}},
                  text_contrast);
}

TEST(Theme, HasMarksThatStandOut)
{
  using namespace theme;
  expect_contrast({{{live_color, tombstone_color, link_color}, {empty_color}},
                   {{insert_flash, find_flash, erase_flash}, {empty_color}},
                   {all_of(match_stages), {panel}},
                   {all_of(lines), {canvas_color}},
                   {{given_color, reached_color, hit_color, miss_color, pointed_color}, {panel}},
                   {{pointed_voxel, selected_voxel, cage, box}, {canvas_color}},
                   {{ink, accent}, {rim}}},
                  mark_contrast);
}

TEST(Theme, HasMapsAndChartsForAllKindsOfColorVision)
{
  using namespace theme;
  expect_told_apart(std::array{empty_color, tombstone_color, live_color, link_color}, "states of slots");
  expect_told_apart(std::array{insert_flash, find_flash, erase_flash, series[4]}, "operations");
  expect_told_apart(series, "series");
  expect_told_apart(std::array{accent, theory}, "measured and expected");
  expect_told_apart(std::array{live_color, effective_load_color}, "loads");
  expect_told_apart(std::array{step_read, step_metadata, step_write, step_fails, step_moves}, "steps");
  expect_told_apart(axes, "axes");
  expect_told_apart(neighbours, "neighbours");
  expect_told_apart(std::array{reference_color, query_color, found_color, basis_color}, "matching");
  expect_told_apart(std::array{hit_color, miss_color, pointed_color}, "lookups of an output");
  expect_told_apart(std::array{given_color, reached_color, panel}, "slices");
  expect_told_apart(model_colors, "models");
}

TEST(Theme, TellsNeighbouringStagesApart)
{
  for (std::size_t i = 1; i < theme::match_stages.size(); ++i) {
    expect_told_apart(std::span(theme::match_stages).subspan(i - 1, 2), "stages of matching");
  }
}

TEST(Theme, TellsLinesApartByColorOrShape)
{
  for (std::size_t i = 0; i < theme::lines.size(); ++i) {
    for (std::size_t j = i + 1; j < theme::lines.size(); ++j) {
      if (theme::shape_of_line(i) != theme::shape_of_line(j)) { continue; }
      expect_told_apart(std::array{theme::lines[i], theme::lines[j]}, "lines of one shape");
    }
  }
  for (std::size_t i = 0; i < 40; ++i) {
    for (std::size_t j = i + theme::lines.size(); j < 40; j += theme::lines.size()) {
      EXPECT_NE(theme::shape_of_line(i), theme::shape_of_line(j)) << i << " and " << j;
    }
  }
}

/// What code would draw in the same colour in both themes.
std::size_t literal_colors_in(std::filesystem::path const& file)
{
  constexpr std::string_view literal = "IM_COL32(";
  constexpr std::string_view transparent = "IM_COL32(0, 0, 0, 0)";
  std::string const code = test::content_of(file);
  std::size_t count = 0;
  for (std::size_t at = code.find(literal); at != std::string::npos; at = code.find(literal, at + 1)) {
    count += code.compare(at, transparent.size(), transparent) == 0 ? 0 : 1;
  }
  return count;
}

TEST(Theme, HasAllColorsOfTheProgram)
{
  for (auto const& entry : std::filesystem::recursive_directory_iterator(test::in_project("app"))) {
    std::filesystem::path const& file = entry.path();
    bool const is_code = file.extension() == ".cpp" || file.extension() == ".hpp";
    if (!is_code || file.filename() == "theme.hpp") { continue; }
    EXPECT_EQ(literal_colors_in(file), 0u) << file << ": colours belong in app/widgets/theme.hpp";
  }
}

TEST(Theme, IsThatOfTheInterface)
{
  EXPECT_EQ(theme::current(), Background::dark) << "without an interface";
  auto const context = gl::open_offscreen({64, 64});
  Gui gui(*context);
  EXPECT_EQ(ImU32{theme::text}, theme::text.on(Background::dark));
  gui.set_background(Background::light);
  EXPECT_EQ(gui.look().background, Background::light);
  EXPECT_EQ(ImU32{theme::text}, theme::text.on(Background::light));
  Color const empty = empty_color;
  EXPECT_EQ(empty, empty_color_on(Background::light));
  EXPECT_EQ(ImGui::GetColorU32(ImGuiCol_WindowBg), theme::panel.on(Background::light));
  gui.set_scale(2.0f);
  EXPECT_EQ(ImGui::GetColorU32(ImGuiCol_WindowBg), theme::panel.on(Background::light)) << "after another scale";
}

}  // namespace
}  // namespace slotscape
