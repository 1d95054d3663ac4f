#include "app/base/setting.hpp"
#include "app/keys/keys_json.hpp"
#include "app/registry/scenes.hpp"
#include "app/scene/scenario.hpp"
#include "app/scene/setting_commands.hpp"
#include "app/scene/setting_options.hpp"
#include "app/scenes/match/settings.hpp"
#include "app/scenes/sparse/settings.hpp"
#include "app/scenes/spatial/settings.hpp"
#include "app/scenes/tune/settings.hpp"
#include "app/table_map/settings.hpp"
#include "app/table_scene/setup.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/typed_words.hpp"
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
    if (!scene.reference || scene.claims) { continue; }
    ++scenes_with_settings;
    page.put(fmt::format("<!-- settings of {} -->", scene.name), "<!-- end -->", markdown_of(scene.reference()));
  }
  EXPECT_EQ(scenes_with_settings, 9);
  page.put("<!-- settings of scenarios -->", "<!-- end -->", markdown_of(scenario_rows(scenes())));
  page.put("<!-- settings of table -->", "<!-- end -->", markdown_of(rows_of(usual_table())));
  page.put("<!-- settings of keys -->", "<!-- end -->", markdown_of(rows_of<KeySettings>()));
  page.put("<!-- settings of drive -->", "<!-- end -->", markdown_of(rows_of<DriveSettings>()));
  std::vector<SettingRow> view = rows_of<ViewSettings>();
  std::ranges::move(rows_of<Framing>(), std::back_inserter(view));
  page.put("<!-- settings of view -->", "<!-- end -->", markdown_of(view));
  page.expect_right();
  test::RenderedPage tuning("docs/manual/tune.md");
  tuning.put("<!-- settings of workload -->", "<!-- end -->", markdown_of(rows_of<tuning::Workload>()));
  tuning.put("<!-- settings of join -->", "<!-- end -->", markdown_of(rows_of<tuning::JoinSides>()));
  tuning.expect_right();
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
  EXPECT_THAT(test::message_of<Error>([&] { setting_named<Bowl>("width_inside").type("--width-inside", "2", bowl); }),
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
  EXPECT_EQ(markdown_of(rows_of<Bowl>()),
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
  EXPECT_EQ(range_text({number, 2e-5, 1000.0}), "0.00002 to 1000");
  EXPECT_EQ(range_text({number, static_cast<double>(2.5e-6f), 1000.0}), "0.0000025 to 1000");
  EXPECT_EQ(range_text({whole, 0.0, 0x1p64}), "0 to 2^64 − 1");
  EXPECT_EQ(range_text({number, 0.0, unlimited}), "0 or more");
  EXPECT_EQ(range_text({number, above_zero, unlimited}), "above 0");
  EXPECT_EQ(range_text({power_of_two, 1.0, 0x1p31}), "a power of two from 1 to 2^31");
}

struct Kitchen {
  Bowl bowl = {.depth = 5};
};

TEST(Settings, OfAnObjectAreNestedInItsRow)
{
  auto const bowl_of = [](auto& kitchen) -> auto&
  {
    return kitchen.bowl;
  };
  std::vector<Setting<Kitchen>> const settings{
      object_setting<Kitchen, Bowl>({.name = "bowl", .what = "for fruit:", .standard = "as below"}, bowl_of,
                                    settings_of<Bowl>().first(1))};
  EXPECT_EQ(markdown_of(rows_of<Kitchen>({}, settings)),
            "| field | values | default |\n| --- | --- | --- |\n"
            "| `bowl` | for fruit: | as below |\n"
            "| … `depth` | how deep it is: 1 to 7 | 5 |\n");
  Kitchen kitchen;
  Json const document = parse_json(R"({ "bowl": { "depth": 6 } })", "it");
  read_object<Kitchen>(JsonNode(document, "it"), fields_of_settings<Kitchen>(settings), kitchen);
  EXPECT_EQ(kitchen.bowl.depth, 6);
}

/// What files, the command line and controls take is the same, because it is said once.
TEST(Settings, HaveOneRange)
{
  auto const typed = [](auto settings, std::string_view name, std::string const& number) {
    setting_named<decltype(settings)>(name).type("--it", number, settings);
    return settings;
  };
  EXPECT_EQ(typed(KeySettings{}, "stride", "2147483648").stride, std::uint32_t{1} << 31);
  EXPECT_THAT(test::message_of<Error>([&] { typed(KeySettings{}, "stride", "12"); }),
              HasSubstr("a power of two from 1 to 2147483648"));
  EXPECT_EQ(typed(KeySettings{}, "zipf_exponent", "0.001").zipf_exponent, 0.001);
  EXPECT_THAT(test::message_of<Error>([&] { typed(KeySettings{}, "zipf_exponent", "0"); }), HasSubstr("above 0"));
  EXPECT_THAT(test::message_of<Error>([&] { typed(TableSettings{}, "shards", "17"); }), HasSubstr("from 1 to 16"));
  EXPECT_EQ(typed(TuneSettings{}, "seconds", "1").budget_seconds, tuning::shortest_budget);
  EXPECT_EQ(range_text(setting_named<tuning::JoinSides>("skew").range), "0 to 4");
  EXPECT_EQ(range_text(setting_named<tuning::Workload>("hit").range),
            range_text(setting_named<DriveSettings>("find").range));
}

/// The engine takes both ends of the ranges, and nothing beyond them.
template <class T>
void expect_ranges_of_engine(T const& usual, std::vector<std::string_view> const& names)
{
  for (std::string_view const name : names) {
    Setting<T> const& setting = setting_named<T>(name);
    double const below = setting.range.low - (setting.range.is_whole() ? 1.0 : 1e-6);
    double const above = setting.range.high + (setting.range.is_whole() ? 1.0 : 1e-6);
    for (double const value : {below, setting.range.low, setting.range.high, above}) {
      T settings = usual;
      setting.set(settings, value);
      if (value == below || value == above) {
        EXPECT_THROW(validate(settings), Error) << name << ' ' << value;
      } else {
        EXPECT_NO_THROW(validate(settings)) << name << ' ' << value;
      }
    }
  }
}

/// A turn is taken alike on the command line, in files and from its slider.
TEST(Settings, TakeAFullTurnEitherWay)
{
  Setting<QueryPose> const& turn = setting_named<QueryPose>("turn");
  QueryPose typed;
  turn.type("--turn", "270", typed);
  EXPECT_EQ(typed.turn, -90.0);
  Json const document = -350.0;
  QueryPose read;
  turn.field.read(JsonNode(document, "it"), read);
  EXPECT_EQ(read.turn, 10.0);
  QueryPose chosen;
  turn.set(chosen, 181.0);
  EXPECT_EQ(chosen.turn, -179.0);
  EXPECT_THAT(test::message_of<Error>([&] { turn.type("--turn", "361", typed); }), HasSubstr("-360 to 360"));
}

TEST(Settings, AreWrittenOnlyWhereTheyAreSet)
{
  Setting<Bowl> const filled =
      saved_only_if([](Bowl const& bowl) { return bowl.stones > 64; }, setting_named<Bowl>("stones"));
  EXPECT_TRUE(filled.field.write({}, {}).is_null());
  EXPECT_EQ(filled.field.write({.stones = 65}, {}), Json(65));
}

TEST(Settings, HaveTheRangesOfEngines)
{
  expect_ranges_of_engine(matching::MatchSettings{},
                          {"smoothing", "threshold", "features", "bases", "query_bases", "quantum", "attempts"});
  expect_ranges_of_engine(sparse::SparseSettings{.mode = sparse::Mode::sparse},
                          {"load_factor", "kernel", "stride", "dilation"});
  expect_ranges_of_engine(spatial::SpatialSettings{.grid = {}, .family = "linear_probing"}, {"load_factor"});
}

/// Older files have them.
TEST(Settings, OfMapsIgnoreCameras)
{
  for (auto const& [scene, map] : {std::pair("match", "map"), {"sparse", "map"}, {"spatial", "maps"}}) {
    Json const document = {{map, {{"zoom", 2.0}, {"palette", "turbo"}}}};
    EXPECT_NO_THROW(test::entry(scene).read(JsonNode(document, "it"))) << scene;
  }
}

TEST(Settings, OfTablesAreNamedInUndo)
{
  KeySettings const before;
  KeySettings after = before;
  after.stride = 128;
  EXPECT_EQ(changed_setting(before, after), "Stride");
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
