#include "app/base/setting.hpp"
#include "app/registry/scenes.hpp"
#include "app/scene/setting_commands.hpp"
#include "app/scene/setting_options.hpp"
#include "app/table_map/settings.hpp"
#include "tests/app/typed_words.hpp"
#include "tests/support/rendered_page.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace slotscape {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(SettingsPage, HasTheSettingsOfEveryScene)
{
  test::RenderedPage page("docs/scenarios.md");
  int scenes_with_settings = 0;
  for (SceneEntry const& scene : scenes()) {
    if (!scene.reference) { continue; }
    ++scenes_with_settings;
    page.put(fmt::format("<!-- settings of {} -->", scene.name), "<!-- end -->", markdown_of(scene.reference()));
  }
  EXPECT_GE(scenes_with_settings, 5);
  std::vector<SettingRow> drive;
  add_rows<DriveSettings>(drive);
  page.put("<!-- settings of drive -->", "<!-- end -->", markdown_of(drive));
  page.put("<!-- settings of view -->", "<!-- end -->", markdown_of(view_reference()));
  page.expect_right();
}

enum class Shape : std::uint8_t { round, square, long_one };

struct Bowl {
  int depth = 3;
  double width = 0.5;
  Shape shape = Shape::round;
  std::uint32_t stones = 64;
  float warmth = 2.4f;
  bool lid = true;
};

}  // namespace

template <>
std::span<EnumName<Shape> const> enum_names()
{
  static constexpr std::array<EnumName<Shape>, 3> names{
      {{Shape::round, "round", "Round"}, {Shape::square, "square", "Square"}, {Shape::long_one, "long", "Long"}}};
  return names;
}

template <>
std::span<Setting<Bowl> const> settings_of()
{
  static auto const settings = std::to_array<Setting<Bowl>>({
      whole_setting({.name = "depth", .what = "how deep it is", .argument = "N"}, &Bowl::depth, 1, 7),
      number_setting(
          {.name = "width_inside", .what = "how wide it is", .argument = "X", .note = "less where it is round"},
          &Bowl::width, 0.05, 0.95),
      choice_setting({.name = "shape",
                      .what = "its shape",
                      .argument = "SHAPE",
                      .less = {"A", "Shape before"},
                      .more = {"B", "Next shape"}},
                     &Bowl::shape, "shape"),
      whole_setting({.name = "stones", .what = "what lies in it"}, &Bowl::stones, 4, 100, Scale::log),
      number_setting({.name = "warmth"}, &Bowl::warmth, 0.5, 40.0, Scale::log),
      flag_setting({.name = "lid", .what = "whether it has one"}, &Bowl::lid),
  });
  return settings;
}

namespace {

double next_of(std::string_view name, double value, bool more)
{
  return next_value_of(setting_named<Bowl>(name).range, value, more);
}

TEST(Settings, AreReadFromOptionsWithinTheirRange)
{
  CLI::App app;
  SettingOptions<Bowl> options;
  options.add_to(app);
  EXPECT_THAT(app.help(), AllOf(HasSubstr("--depth N"), HasSubstr("how deep it is: 1 to 7"),
                                HasSubstr("--width-inside X"), HasSubstr("its shape: round, square or long")));
  EXPECT_THAT(app.help(), Not(HasSubstr("stones")));
  app.parse("--depth 7 --shape long", false);
  Bowl bowl;
  options.read(bowl);
  EXPECT_EQ(bowl.depth, 7);
  EXPECT_EQ(bowl.shape, Shape::long_one);
  EXPECT_EQ(bowl.width, 0.5);
  EXPECT_TRUE(options.has("shape"));
  EXPECT_FALSE(options.has("width_inside"));
  EXPECT_THAT(test::message_of<Error>([&] { setting_named<Bowl>("width_inside").type("2", bowl); }),
              AllOf(HasSubstr("--width-inside: '2'"), HasSubstr("0.05 to 0.95")));
}

TEST(Settings, StepWithinTheirRange)
{
  EXPECT_EQ(next_of("depth", 7.0, true), 7.0);
  EXPECT_EQ(next_of("depth", 7.0, false), 6.0);
  EXPECT_DOUBLE_EQ(next_of("width_inside", 0.1, true), 0.15);
  EXPECT_EQ(next_of("shape", 2.0, true), 0.0);
  EXPECT_EQ(next_of("shape", 0.0, false), 2.0);
  EXPECT_EQ(next_of("stones", 64.0, true), 100.0);
  EXPECT_EQ(next_of("stones", 5.0, false), 4.0);
  EXPECT_EQ(next_of("stones", 11.0, false), 5.0);
  EXPECT_EQ(next_of("warmth", 5.0, false), 2.5) << "only whole numbers are rounded";
  EXPECT_EQ(next_of("lid", 1.0, true), 0.0);
  EXPECT_EQ(next_of("lid", 0.0, false), 1.0);
}

TEST(Settings, ChangeByTheirKeys)
{
  Bowl bowl;
  int changes = 0;
  std::vector<Command> const commands = setting_commands(bowl, "BOWL", [&] { ++changes; });
  ASSERT_EQ(commands.size(), 2u);
  EXPECT_EQ(commands[0].keys, "A");
  EXPECT_EQ(commands[1].keys, "B");
  commands[1].run();
  EXPECT_EQ(bowl.shape, Shape::square);
  commands[0].run();
  EXPECT_EQ(bowl.shape, Shape::round);
  EXPECT_EQ(changes, 2);
}

TEST(Settings, SayWhatTheyAre)
{
  std::vector<SettingRow> rows;
  add_rows<Bowl>(rows);
  EXPECT_EQ(markdown_of(rows),
            "| field | values | default |\n| --- | --- | --- |\n"
            "| `depth` | how deep it is: 1 to 7 | 3 |\n"
            "| `width_inside` | how wide it is: 0.05 to 0.95; less where it is round | 0.5 |\n"
            "| `shape` | its shape: `round`, `square` or `long` | `round` |\n"
            "| `stones` | what lies in it: 4 to 100 | 64 |\n"
            "| `warmth` | 0.5 to 40 | 2.4 |\n"
            "| `lid` | whether it has one: `true` or `false` | `true` |\n");
}

TEST(Settings, NameTheOneThatWasChanged)
{
  DriveSettings const before;
  DriveSettings after = before;
  EXPECT_EQ(changed_setting(before, after), "");
  after.hit_share = 0.25;
  EXPECT_EQ(changed_setting(before, after), "Hit share");
  after.purge = true;
  EXPECT_EQ(changed_setting(before, after), "") << "of several, none";
  after = before;
  after.hold_load = true;
  after.target_load = 0.75;
  EXPECT_EQ(changed_setting(before, after), "Hold α") << "one control sets both";
}

TEST(Settings, CountNoDigitsOfTheirLimits)
{
  using enum SettingRange::Kind;
  EXPECT_EQ(range_text({whole, 1.0, 4294967296.0}), "1 to 2^32");
  EXPECT_EQ(range_text({number, -1e9, 1e12}), "−10^9 to 10^12");
  EXPECT_EQ(range_text({number, 0.1, 1000.0}), "0.1 to 1000");
}

TEST(Settings, OfAnObjectAreNestedInItsRow)
{
  std::vector<SettingRow> rows;
  Bowl const deep{.depth = 5};
  add_rows_of_object(rows, {"bowl", "for fruit:", "as below"}, deep, settings_of<Bowl>().first(1));
  EXPECT_EQ(markdown_of(rows),
            "| field | values | default |\n| --- | --- | --- |\n"
            "| `bowl` | for fruit: | as below |\n"
            "| … `depth` | how deep it is: 1 to 7 | 5 |\n");
}

TEST(Settings, ThatAreFlagsAreSetFromTheirNumber)
{
  Bowl bowl;
  Setting<Bowl> const& lid = setting_named<Bowl>("lid");
  EXPECT_EQ(lid.get(bowl), 1.0);
  lid.set(bowl, 0.0);
  EXPECT_FALSE(bowl.lid);
}

}  // namespace
}  // namespace slotscape
