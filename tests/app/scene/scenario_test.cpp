#include "gpu/base/error.hpp"

#include "app/base/temporary_file.hpp"
#include "app/keys/file_keys.hpp"
#include "app/simulation/names.hpp"
#include "app/table_scene/formats.hpp"
#include "gpu/engine/engine.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/strict_family.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <gmock/gmock.h>

#include <fmt/format.h>

#include <algorithm>

namespace slotscape {
namespace {

namespace fs = std::filesystem;

using test::content_of;
using test::message_of;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TableSetup parse(std::string const& text)
{
  return test::parse_setup<TableSetup>(text);
}

TableSetup parse_fields(std::string const& fields)
{
  return parse(R"({ "version": 1, )" + fields + " }");
}

TableSetup parse_step_list(std::string const& steps)
{
  return parse_fields(R"("steps": [ )" + steps + " ]");
}

std::string format(TableSetup const& set_up)
{
  return format_scenario(test::slots_scenario(set_up));
}

std::string scenario_error(std::string const& text)
{
  return message_of<Error>([&] { parse(text); });
}

std::string wrong_field(std::string const& fields)
{
  return message_of<Error>([&] { parse_fields(fields); });
}

std::string wrong_step(std::string const& step)
{
  return message_of<Error>([&] { parse_step_list(step); });
}

BatchRequest const& batch(TableSetup const& scenario, std::size_t step)
{
  return std::get<BatchRequest>(scenario.steps.at(step));
}

TEST(Scenario, ReadsTheExample)
{
  TableSetup const scenario = parse(R"(
    { "version": 1,
      "table": { "family": "linear_probing", "slots": 1048576, "deletion": "empty_value", "hash": "murmur3" },
      "steps": [ { "op": "insert", "count": 524288, "keys": "uniform" },
                 { "op": "find",   "count": 100000, "keys": "hits" },
                 { "op": "erase",  "count": 100000, "keys": "random_live" },
                 { "op": "rehash", "slots": 2097152 } ],
      "view": { "color_by": "probe_length", "layout": "rows", "zoom": 1.0 } })");
  EXPECT_EQ(scenario.settings.table.slots, 1048576u);
  ASSERT_THAT(scenario.steps, SizeIs(4));
  EXPECT_EQ(batch(scenario, 0), BatchRequest::inserts(524288));
  EXPECT_EQ(batch(scenario, 1), BatchRequest::finds(100000, KeyChoice::hits));
  EXPECT_EQ(batch(scenario, 2), BatchRequest::erases(100000));
  EXPECT_EQ(std::get<Rehash>(scenario.steps[3]).slots, 2097152u);
}

TEST(Scenario, KeepsDefaultsForWhatIsNotSaid)
{
  TableSetup const scenario = parse(R"({ "version": 1 })");
  EXPECT_EQ(scenario.settings.table, usual_table());
  EXPECT_EQ(scenario.settings.table.slots, 65536u);
  EXPECT_EQ(scenario.settings.seed, 1u);
  EXPECT_THAT(scenario.steps, IsEmpty());
}

/// As in textbooks, and as in the window, whichever way a table comes to be.
TEST(Scenario, ErasedKeysLeaveSlotsThatAreReusedWhereNothingIsSaid)
{
  EXPECT_EQ(std::any_cast<TableSetup>(test::entry("slots").first()).settings.table.deletion, Deletion::tombstone_reuse);
  for (char const* const text : {R"({ "version": 1 })", R"({ "version": 1, "table": { "slots": 11 } })"}) {
    EXPECT_EQ(parse(text).settings.table.deletion, Deletion::tombstone_reuse) << text;
  }
  auto const compared = test::parse_setup<CompareSetup>(
      R"({ "version": 1, "tables": [ { "slots": 16 }, { "slots": 16, "deletion": "empty_value" } ] })");
  EXPECT_EQ(compared.tables[0].deletion, Deletion::tombstone_reuse);
  EXPECT_EQ(compared.tables[1].deletion, Deletion::empty_value) << "what is said holds";
}

/// One press of a key does not fill or empty a small table, unless the file says how many operations it is.
TEST(Scenario, ABatchIsAnEighthOfASmallTable)
{
  auto const batch_of = [](std::string const& fields) {
    return parse(R"({ "version": 1, "table": { "slots": )" + fields + " }").settings.drive.batch;
  };
  EXPECT_EQ(batch_of("4 }"), 1u);
  EXPECT_EQ(batch_of("11 }"), 1u);
  EXPECT_EQ(batch_of("1024 }"), 128u);
  EXPECT_EQ(batch_of("1048576 }"), 4096u);
  EXPECT_EQ(batch_of(R"(11 }, "drive": { "batch": 5 })"), 5u);
  EXPECT_EQ(batch_of(R"(11 }, "drive": { "rate": 5 })"), 1u);
}

TEST(Scenario, ReadsEveryOperation)
{
  TableSetup const scenario = parse_step_list(R"(
    { "op": "mix", "count": 1e3, "insert": 2, "find": 1, "erase": 1, "keys": "mixed", "hit_share": 0.75,
      "erase_keys": "misses" },
    { "op": "purge" }, { "op": "rehash", "slots": 32 }, { "op": "purge" }, { "op": "clear" },
    { "op": "fill", "load": 0.9 }, { "op": "find", "count": 0 }, { "op": "find", "count": 5, "keys": "uniform" },
    { "op": "erase", "count": 4294967296, "keys": "stream" })");
  ASSERT_THAT(scenario.steps, SizeIs(9));
  EXPECT_EQ(batch(scenario, 0), (BatchRequest{1000, 0.5, 0.25, 0.25, KeyChoice::mixed, KeyChoice::misses, 0.75}));
  EXPECT_EQ(std::get<Rehash>(scenario.steps[1]), Rehash{});
  EXPECT_EQ(std::get<Rehash>(scenario.steps[2]).slots, 32u);
  EXPECT_EQ(std::get<Rehash>(scenario.steps[3]), Rehash{});
  EXPECT_TRUE(std::holds_alternative<Clear>(scenario.steps[4]));
  EXPECT_EQ(std::get<FillTo>(scenario.steps[5]).load, 0.9);
  EXPECT_EQ(batch(scenario, 6), BatchRequest::finds(0, KeyChoice::hits));
  EXPECT_EQ(batch(scenario, 7), BatchRequest::finds(5, KeyChoice::stream));
  EXPECT_EQ(batch(scenario, 8), BatchRequest::erases(std::uint64_t{1} << 32, KeyChoice::stream));
}

/// A value of a parameter other than the usual one.
std::uint32_t unusual(Parameter const& parameter)
{
  return *std::ranges::find_if(parameter.choices, [&](std::uint32_t value) { return value != parameter.fallback; });
}

TEST(Scenario, RepeatsSteps)
{
  auto const steps_of = [](std::string const& steps) {
    return test::parse_setup<TableSetup>(R"({ "version": 1, "table": { "slots": 64 }, "steps": [ )" + steps + " ] }")
        .steps;
  };
  std::string const twice = R"({ "op": "insert", "key": 5 }, { "op": "clear" })";
  EXPECT_EQ(steps_of(R"({ "op": "repeat", "times": 2, "steps": [ )" + twice + " ] }"), steps_of(twice + ", " + twice));
  EXPECT_EQ(steps_of(R"({ "op": "repeat", "times": 3, "steps": [ { "op": "repeat", "times": 4, "steps": [ )" + twice +
                     " ] } ] }")
                .size(),
            24u);
  auto const wrong = [&](std::string const& step) { return test::message_of<Error>([&] { steps_of(step); }); };
  EXPECT_THAT(wrong(R"({ "op": "repeat", "times": 0, "steps": [] })"), HasSubstr("times"));
  EXPECT_THAT(wrong(R"({ "op": "repeat", "times": 2, "steps": [ { "op": "step", "operation": "find", "key": 1 } ] })"),
              HasSubstr("outside"));
  EXPECT_THAT(wrong(R"({ "op": "repeat", "times": 10000, "steps": [ )" + twice + " ] }"), HasSubstr("10000"));
  EXPECT_THAT(wrong(R"({ "op": "repeat", "times": 2, "steps": [ { "op": "inset" } ] })"), HasSubstr("steps[0].op"));
}

TEST(Scenario, TakesWhatEachFamilyHas)
{
  for (std::string const& name : family_names()) {
    FamilyInfo const& family = family_info(name);
    TableSettings table{.family = name, .slots = 64, .hash = HashKind::xxhash, .key_bits = family.wide ? 64 : 32};
    for (Parameter const& parameter : family.parameters) {
      table.parameters[std::string(parameter.name)] = unusual(parameter);
    }
    TableSetup written;
    written.settings.table = table;
    EXPECT_EQ(parse(format(written)).settings.table, table) << format(written);
    for (Parameter const& parameter : family.parameters) {
      EXPECT_THAT(wrong_field(fmt::format(R"("table": {{ "family": "{}", "{}": 4000000000 }})", name, parameter.name)),
                  AllOf(HasSubstr(fmt::format("table.{}: 4000000000 is invalid", parameter.name)),
                        HasSubstr(std::to_string(parameter.fallback))));
      EXPECT_THAT(wrong_field(fmt::format(R"("table": {{ "family": "{}", "paramter": 1 }})", name)),
                  AllOf(HasSubstr("table.paramter: unknown field"), HasSubstr(std::string(parameter.name))));
    }
    std::string const odd = fmt::format(R"("table": {{ "family": "{}", "slots": 1001 }})", name);
    if (family.slot_counts == SlotCounts::any) {
      EXPECT_EQ(parse_fields(odd).settings.table.slots, 1001u);
    } else {
      EXPECT_THAT(wrong_field(odd), AllOf(HasSubstr("table.slots: 1001"), HasSubstr("for example"), HasSubstr(" or ")));
    }
    EXPECT_THAT(wrong_field(fmt::format(R"("table": {{ "family": "{}", "key_bits": 48 }})", name)),
                AllOf(HasSubstr("table.key_bits: 48 is invalid: it must be 32"), HasSubstr(family.wide ? "64" : name)));
  }
}

/// A textbook's exercise with 11 slots needs the textbook's probe sequence.
TEST(Scenario, SaysWhichParameterTakesAnyNumberOfSlots)
{
  std::string const eleven = R"("table": { "family": "quadratic", "slots": 11)";
  EXPECT_THAT(wrong_field(eleven + " }"),
              AllOf(HasSubstr("table.slots: 11 is invalid: it must be a power of two from 4 to"),
                    HasSubstr("or any number, if the table has \"sequence\": 2 (h + i\u00b2)")));
  EXPECT_EQ(parse_fields(eleven + R"(, "sequence": 2 })").settings.table.slots, 11u);
}

TEST(Scenario, TakesTheFirstInsertsKeysForTheStream)
{
  TableSetup const scenario = parse_step_list(R"(
    { "op": "find", "count": 1 },
    { "op": "insert", "count": 2, "keys": { "distribution": "strided", "stride": 128 } },
    { "op": "insert", "count": 3 },
    { "op": "insert", "count": 4, "keys": { "distribution": "strided", "stride": 128 } })");
  EXPECT_EQ(scenario.settings.keys.distribution, KeyDistribution::strided);
  EXPECT_EQ(scenario.settings.keys.stride, 128u);
  EXPECT_THAT(scenario.steps, SizeIs(4));
}

TEST(Scenario, TakesNegativeKeys)
{
  TableSetup const scenario = parse_fields(R"("table": { "slots": 64, "key_bits": 64 }, "steps": [
    { "op": "insert", "keys": [-5, [-9223372036854775805, 3], 7] }, { "op": "find", "key": -5 } ])");
  EXPECT_EQ(*std::get<OnKeys>(scenario.steps[0]).pairs,
            (std::vector<Pair>{{18446744073709551611u, 0}, {9223372036854775811u, 3}, {7, 0}}));
  EXPECT_EQ(std::get<OnKey>(scenario.steps[1]).key, 18446744073709551611u);
  EXPECT_THAT(wrong_field(R"("table": { "key_bits": 32 }, "steps": [ { "op": "find", "key": -5 } ])"),
              HasSubstr("negative keys need a table of 64-bit keys"));
}

TEST(Scenario, ChangesTheStreamOnlyWhereAStepNamesAnother)
{
  TableSetup const scenario = parse_fields(R"("keys": { "stride": 4 }, "steps": [
    { "op": "insert", "count": 1, "keys": "strided" }, { "op": "insert", "count": 1, "keys": "strided" },
    { "op": "insert", "count": 1 }, { "op": "insert", "count": 1, "keys": "zipf" } ])");
  ASSERT_THAT(scenario.steps, SizeIs(6));
  EXPECT_EQ(scenario.settings.keys.distribution, KeyDistribution::uniform);
  KeySettings const first = std::get<SetKeys>(scenario.steps[0]).keys;
  EXPECT_EQ(first.distribution, KeyDistribution::strided);
  EXPECT_EQ(first.stride, 4u);
  EXPECT_EQ(std::get<SetKeys>(scenario.steps[4]).keys.distribution, KeyDistribution::zipf);
}

TEST(Scenario, ReadsEveryNameOfEveryEnum)
{
  auto const each = [](auto const& names, char const* room, char const* field) {
    for (auto const& name : names) {
      EXPECT_NO_THROW(parse_fields(fmt::format(R"("{}": {{ "{}": "{}" }})", room, field, name.text)));
    }
  };
  each(enum_names<Deletion>(), "table", "deletion");
  each(enum_names<HashKind>().first(compiled_in_hashes.size()), "table", "hash");  // a formula is an object
  each(enum_names<Combine>(), "table", "combine");
  each(enum_names<KeyChoice>(), "drive", "find_keys");
  each(enum_names<Layout>(), "view", "layout");
  each(enum_names<ColorBy>(), "view", "color_by");
  each(enum_names<Arrangement>(), "view", "arrangement");
  each(enum_names<Reduce>(), "view", "reduce");
  each(enum_names<Palette>(), "view", "palette");
  each(enum_names<KeyDistribution>().first(6), "keys", "distribution");
}

TableSceneSettings settings_without_defaults()
{
  TableSceneSettings settings;
  settings.table = {"linear_probing", 4096, Deletion::tombstone_reuse, HashKind::xxhash};
  settings.keys = {KeyDistribution::clustered, 8, 1.25, 512, nullptr, ""};
  settings.seed = 0xffffffffffffffffu;
  settings.drive = {true, true, 123.5, 0.1, 7.0, 0.3, KeyChoice::stream, 0.2, true, 0.95, 99, 3.25, true};
  settings.view = {.layout = Layout::hilbert,
                   .arrangement = Arrangement::ring,
                   .color_by = ColorBy::recent,
                   .reduce = Reduce::mean,
                   .palette = Palette::viridis,
                   .log_scale = false,
                   .scale_max = 64.0,
                   .show_minimap = false,
                   .write_slots = false,
                   .write_values = false,
                   .write_homes = false,
                   .write_measures = false};
  return settings;
}

std::vector<Action> steps_of_every_kind()
{
  KeySettings strided;
  strided.distribution = KeyDistribution::strided;
  KeySettings zipf = strided;
  zipf.distribution = KeyDistribution::zipf;
  zipf.zipf_exponent = 1.1;
  BatchRequest const mix{1000, 0.1, 0.7, 0.2, KeyChoice::mixed, KeyChoice::stream, 1.0 / 3.0, true};
  BatchRequest odd_insert = BatchRequest::inserts(5);
  odd_insert.erase_keys = KeyChoice::misses;
  return {BatchRequest::inserts(10),
          SetKeys{strided},
          BatchRequest::inserts(20),
          SetKeys{zipf},
          BatchRequest::finds(30, KeyChoice::misses),
          BatchRequest::finds(31, KeyChoice::stream),
          BatchRequest::finds(32, KeyChoice::mixed),
          SetKeys{zipf},
          SetKeys{strided},
          BatchRequest::inserts(40),
          SetKeys{strided},
          BatchRequest::inserts(50),
          BatchRequest::erases(60),
          BatchRequest::erases(61, KeyChoice::stream),
          BatchRequest::erases(62, KeyChoice::misses),
          mix,
          odd_insert,
          Rehash{4096},
          Rehash{8192},
          Rehash{},
          Clear{},
          FillTo{0.7},
          SetKeys{zipf}};
}

TEST(Scenario, ComesBackAsItWasWritten)
{
  TableSetup const written{settings_without_defaults(), {1.0 / 3.0, {0.1, 0.9}}, steps_of_every_kind()};
  std::string const text = format(written);
  TableSetup const read = parse(text);
  EXPECT_EQ(format(read), text);
  EXPECT_EQ(read.steps, written.steps) << text;
  EXPECT_EQ(read.settings.table, written.settings.table);
  EXPECT_EQ(read.settings.seed, written.settings.seed);
  EXPECT_EQ(read.settings.keys.zipf_exponent, 1.25);
  EXPECT_EQ(read.settings.drive.rate, 123.5);
  EXPECT_EQ(read.settings.drive.batch, 99u);
  EXPECT_EQ(read.settings.drive.frame_budget_ms, 3.25);
  EXPECT_TRUE(read.settings.drive.purge);
  EXPECT_EQ(read.camera.zoom, 1.0 / 3.0);
  EXPECT_EQ(read.camera.center.y, 0.9);
  EXPECT_FALSE(read.settings.view.show_minimap);
  EXPECT_EQ(read.settings.view.arrangement, Arrangement::ring);
  EXPECT_FALSE(read.settings.view.write_slots || read.settings.view.write_values);
  EXPECT_FALSE(read.settings.view.write_homes || read.settings.view.write_measures);
}

TEST(Scenario, StaysShortForPeople)
{
  KeySettings zipf;
  zipf.distribution = KeyDistribution::zipf;
  TableSetup scenario;
  scenario.steps = {SetKeys{zipf}, BatchRequest::inserts(7), Clear{}};
  EXPECT_THAT(format(scenario), HasSubstr(R"(  "steps": [
    { "op": "insert", "count": 7, "keys": "zipf" },
    { "op": "clear" }
  ]
)"));
}

TEST(Scenario, FindsKeyFilesBesideIt)
{
  TemporaryFolder const folder;
  folder.write("keys.txt", "1\n2\n3\n");
  folder.write("a.json", R"({ "version": 1, "steps": [ { "op": "insert", "count": 3, "keys": { "file": "keys.txt" } },
                                                       { "op": "insert", "count": 3, "keys": "sequential" } ] })");
  TableSetup const scenario = test::read_setup<TableSetup>(folder / "a.json");
  EXPECT_EQ(scenario.settings.keys.distribution, KeyDistribution::file);
  ASSERT_TRUE(scenario.settings.keys.file_keys);
  EXPECT_THAT(*scenario.settings.keys.file_keys, SizeIs(3));

  write_scenario(folder / "b.json", test::slots_scenario(scenario));
  EXPECT_THAT(content_of(folder / "b.json"), HasSubstr(R"("file": "keys.txt")"));
  TableSetup const again = test::read_setup<TableSetup>(folder / "b.json");
  EXPECT_EQ(format(again), format(scenario));
  EXPECT_THAT(*again.settings.keys.file_keys, SizeIs(3));
}

/// Such as keys that were handed over from somebody's own table.
TEST(Scenario, KeepsCopiesOfTemporaryFiles)
{
  TemporaryFolder const folder;
  TemporaryFolder const passing;
  auto const handed_over = [&](std::string_view words) {
    TableSetup scenario;
    scenario.settings.keys = with_temporary_key_file(passing.write("keys.u64", words), false, {});
    return scenario;
  };
  std::string const one("\1\0\0\0\0\0\0\0", 8);
  Scenario scenario = test::slots_scenario(handed_over(one + one));
  EXPECT_TRUE(names_temporary_file(scenario));
  EXPECT_THAT(write_scenario(folder / "t.json", scenario), ElementsAre(folder / "t.json", folder / "t.copy.u64"));
  scenario = test::slots_scenario(TableSetup{});
  EXPECT_FALSE(fs::exists(passing / "keys.u64")) << "it has gone with the last of its keys";
  TableSetup const again = test::read_setup<TableSetup>(folder / "t.json");
  EXPECT_EQ(*again.settings.keys.file_keys, (std::vector<Key>{1, 1}));
  EXPECT_FALSE(names_temporary_file(test::slots_scenario(again)));

  write_scenario(folder / "t.json", test::slots_scenario(handed_over(one)));
  EXPECT_FALSE(fs::exists(folder / "t.copy.u64")) << "nobody names it any more";
  EXPECT_THAT(*test::read_setup<TableSetup>(folder / "t.json").settings.keys.file_keys, SizeIs(1));
}

/// `--save-setup` of a model that was piped in.
TEST(Scenario, KeepsACopyOfWhatWasPipedIn)
{
  TemporaryFolder const folder;
  std::string const points = "0 0 0\n1 0 0\n0 1 0\n";
  SpatialSetup set_up;
  {
    TemporaryFile const piped(folder.write("standard-input", points));
    for (ModelSettings& model : set_up.settings.models.of) { model.source = (folder / "standard-input").string(); }
    EXPECT_THAT(write_scenario(folder / "s.json", test::spatial_scenario(set_up)), SizeIs(2)) << "both name one file";
  }
  auto const again = test::read_setup<SpatialSetup>(folder / "s.json");
  for (ModelSettings const& model : again.settings.models.of) { EXPECT_EQ(content_of(model.source), points); }
}

TEST(Scenario, NamesTheWrongKeyFile)
{
  TemporaryFolder const folder;
  folder.write("words.txt", "1\ntwo\n");
  folder.write("a.json", R"({ "version": 1, "keys": { "file": "words.txt" } })");
  EXPECT_THAT(message_of<Error>([&] { read_scenario(scenes(), folder / "a.json"); }), HasSubstr("words.txt: line 2"));
  EXPECT_THAT(wrong_field(R"("keys": "file")"), AllOf(HasSubstr("keys:"), HasSubstr("keys.txt")));
}

TEST(Scenario, NamesLineAndColumnOfBrokenJson)
{
  EXPECT_THAT(scenario_error("{ \"version\": 1,\n  \"steps\": [ }\n"), HasSubstr("tour.json: line 2, column 14"));
  EXPECT_THAT(scenario_error("{ \"version\": 1,\n  \"steps\": ["),
              AllOf(HasSubstr("line 2"), HasSubstr("ends too early")));
  EXPECT_THAT(scenario_error(""), HasSubstr("the file is empty"));
  EXPECT_THAT(scenario_error("{ \"version\": 1e999 }"), HasSubstr("tour.json"));
  EXPECT_THAT(scenario_error("{ \"version\": 1, \"version\": 1 }"),
              HasSubstr("line 1, column 25: the object has the field 'version' twice"));
  EXPECT_THAT(scenario_error("\xff"), HasSubstr("line 1, column 1"));
}

TEST(Scenario, NeedsItsVersion)
{
  EXPECT_THAT(scenario_error("{}"), HasSubstr("'version' is missing"));
  EXPECT_THAT(scenario_error(R"({ "version": 2 })"), AllOf(HasSubstr("version"), HasSubstr("reads version 1")));
  EXPECT_THAT(scenario_error(R"({ "version": "1" })"), HasSubstr("version: \"1\" is invalid"));
  EXPECT_THAT(scenario_error("[1]"), HasSubstr("must be an object"));
  EXPECT_THAT(scenario_error("7"), HasSubstr("must be an object"));
  std::string const deep(1'000'000, '[');
  EXPECT_THAT(scenario_error(R"({ "version": )" + deep + std::string(deep.size(), ']') + "}"),
              HasSubstr("more than 200 levels deep"));
}

TEST(Scenario, SuggestsTheNearestName)
{
  EXPECT_THAT(wrong_field(R"("tabel": {})"), AllOf(HasSubstr("tabel: unknown field"), HasSubstr("'table'")));
  EXPECT_THAT(wrong_field(R"("table": { "slot": 16 })"), AllOf(HasSubstr("table.slot:"), HasSubstr("'slots'")));
  EXPECT_THAT(wrong_field(R"("table": { "family": "linear" })"),
              AllOf(HasSubstr("table.family"), HasSubstr("linear_probing")));
  EXPECT_THAT(wrong_field(R"("table": { "hash": "murmur" })"), AllOf(HasSubstr("table.hash"), HasSubstr("'murmur3'")));
  EXPECT_THAT(wrong_field(R"("table": { "deletion": "tombstones" })"), HasSubstr("tombstone_reuse"));
  EXPECT_THAT(wrong_field(R"("table": { "family": "quadratic", "slots": 16, "deletion": "shift" })"),
              AllOf(HasSubstr("table.deletion"), HasSubstr("cannot move keys back")));
  EXPECT_THAT(wrong_field(R"("view": { "colour_by": "state" })"), HasSubstr("'color_by'"));
  EXPECT_THAT(wrong_step(R"({ "op": "inser", "count": 1 })"), AllOf(HasSubstr("steps[0].op"), HasSubstr("'insert'")));
  EXPECT_THAT(wrong_step(R"({ "op": "clear" }, { "op": "insert", "cuont": 1 })"), HasSubstr("steps[1].cuont"));
  EXPECT_THAT(wrong_step(R"({ "op": "erase", "count": 1, "keys": "hits" })"), HasSubstr("random_live"));
  EXPECT_THAT(wrong_step(R"({ "op": "insert", "count": 1, "keys": "unifrom" })"), HasSubstr("'uniform'"));
}

TEST(Scenario, TablesWithoutValuesAreSets)
{
  auto const table_of = [](std::string const& fields) {
    return parse(R"({ "version": 1, "table": { )" + fields + " } }").settings.table;
  };
  TableSettings const set = table_of(R"("values": false, "family": "quadratic", "slots": 1024)");
  EXPECT_TRUE(set.keys_only);
  EXPECT_EQ(set.deletion, Deletion::tombstone_reuse);
  EXPECT_FALSE(table_of(R"("values": true)").keys_only);
  TableSetup written;
  written.settings.table = set;
  EXPECT_EQ(parse(format(written)).settings.table, set);
  EXPECT_THAT(wrong_field(R"("table": { "family": "cuckoo", "values": false })"),
              AllOf(HasSubstr("table.values"), HasSubstr("cuckoo cannot store keys without values"),
                    HasSubstr("linear_probing, simple_hash")));
  EXPECT_THAT(wrong_field(R"("table": { "values": false, "deletion": "empty_value" })"),
              AllOf(HasSubstr("table.deletion"), HasSubstr("tombstone_reuse")));
  EXPECT_THAT(wrong_field(R"("table": { "values": false, "combine": "add" })"),
              AllOf(HasSubstr("table.combine"), HasSubstr("nothing to combine")));
}

TEST(Scenario, TablesMayBeInShards)
{
  auto const table_of = [](std::string const& fields) {
    return parse(R"({ "version": 1, "table": { )" + fields + " } }").settings.table;
  };
  TableSettings const sharded =
      table_of(R"("slots": 768, "family": "quadratic", "shards": 3, "keys_start": "one_device")");
  EXPECT_EQ(sharded.shards, 3u);
  EXPECT_EQ(sharded.keys_start, KeysStart::one_device);
  TableSetup written;
  written.settings.table = sharded;
  EXPECT_EQ(parse(format(written)).settings.table, sharded);
  EXPECT_EQ(table_of(R"("family": "quadratic", "shards": 3)").slots, 3u << 15) << "without slots, what fits";
  EXPECT_THAT(format({}), Not(HasSubstr("shards")));
  EXPECT_THAT(wrong_field(R"("table": { "shards": 17 })"),
              AllOf(HasSubstr("table.shards"), HasSubstr("whole number from 1 to 16")));
  EXPECT_THAT(wrong_field(R"("table": { "family": "quadratic", "slots": 1024, "shards": 3 })"),
              AllOf(HasSubstr("table.slots"), HasSubstr("3 times a power of two"), HasSubstr("768 or 1536")));
  EXPECT_THAT(wrong_field(R"("table": { "keys_start": "spread" })"), HasSubstr("give \"shards\", too"));
  EXPECT_THAT(wrong_field(R"("table": { "shards": 2, "keys_start": "everywhere" })"), HasSubstr("one_device"));
}

TEST(Scenario, ShardsMayHaveDevicesOfTheirOwn)
{
  TableSettings const each = parse(R"({ "version": 1, "table": { "shards": 2, "devices": "each" } })").settings.table;
  EXPECT_EQ(each.devices, ShardDevices::each);
  TableSetup written;
  written.settings.table = each;
  EXPECT_EQ(parse(format(written)).settings.table, each);
  EXPECT_THAT(wrong_field(R"("table": { "devices": "each" })"), HasSubstr("give \"shards\", too"));
  EXPECT_THAT(wrong_field(R"("table": { "shards": 2, "devices": "each", "keys_start": "spread" })"),
              AllOf(HasSubstr("table.keys_start"), HasSubstr("start on the first one")));
}

/// `--device 0,1,2`: where shards are, and how many, unless the scenario says.
TEST(Scenario, TablesTakeTheDevicesOfTheCommandLine)
{
  auto const spread = [](TableSettings const& table) {
    TableSetup set_up;
    set_up.settings.table = table;
    SceneSetup any(set_up);
    table_format().use_devices(any, {0, 1, 2});
    return std::any_cast<TableSetup const&>(any).settings.table;
  };
  TableSettings const one = spread({.slots = 1024});
  EXPECT_EQ(one.devices, ShardDevices::each);
  EXPECT_EQ(one.shards, 3u);
  EXPECT_EQ(spread({.family = "quadratic", .slots = 1024}).slots % 3, 0u) << "what so many shards can have";
  TableSettings eight{.slots = 1024};
  eight.shards = 8;
  EXPECT_EQ(spread(eight).shards, 8u);
}

TEST(Scenario, RefusesCountsOutOfRange)
{
  for (char const* count : {"-5", "1.5", "4294967297", "\"many\"", "null", "true", "1e30", "99999999999999999999"}) {
    EXPECT_THAT(wrong_step(fmt::format(R"({{ "op": "insert", "count": {} }})", count)),
                AllOf(HasSubstr("steps[0].count"), HasSubstr("whole number from 0 to 4294967296")))
        << count;
  }
  EXPECT_THAT(wrong_step(R"({ "op": "insert" })"), HasSubstr("steps[0]: the field 'count' is missing"));
}

TEST(Scenario, RefusesSlotsThatTheFamilyCannotHave)
{
  std::string const strict = fmt::format(R"("table": {{ "family": "{}", "slots": 1000 }})", test::strict_family());
  EXPECT_THAT(wrong_field(strict),
              AllOf(HasSubstr("table.slots: 1000"), HasSubstr("power of two"), HasSubstr("1024 or 512")));
  for (char const* slots : {"0", "3", "-16", "16.5", "4294967296", "\"16\""}) {
    EXPECT_THAT(wrong_field(fmt::format(R"("table": {{ "slots": {} }})", slots)), HasSubstr("table.slots")) << slots;
    EXPECT_THAT(wrong_step(fmt::format(R"({{ "op": "rehash", "slots": {} }})", slots)), HasSubstr("steps[0].slots"));
  }
}

TEST(Scenario, RefusesNumbersThatAreNotWhatIsWritten)
{
  for (char const* const key : {"9007199254740993.0", "1e16", "1e19"}) {
    EXPECT_THAT(wrong_step(fmt::format(R"({{ "op": "insert", "key": {} }})", key)),
                AllOf(HasSubstr("steps[0].key"), HasSubstr("without a decimal point or an exponent")));
  }
  EXPECT_THAT(wrong_step(R"({ "op": "insert", "key": 18446744073709551616 })"), HasSubstr("whole number from 0 to"));
  EXPECT_EQ(wrong_step(R"({ "op": "insert", "key": -0 })"), "nothing was thrown");
  for (char const* const op : {"find", "erase"}) {
    EXPECT_THAT(wrong_step(fmt::format(R"({{ "op": "{}", "keys": [1, [2, 3]] }})", op)),
                AllOf(HasSubstr("steps[0].keys[1]"), HasSubstr("only insertions have values")));
  }
}

TEST(Scenario, RefusesOtherNumbersOutOfRange)
{
  EXPECT_THAT(wrong_step(R"({ "op": "fill", "load": 1.5 })"), AllOf(HasSubstr("steps[0].load"), HasSubstr("0 to 1")));
  EXPECT_THAT(wrong_step(R"({ "op": "mix", "count": 1, "insert": -1 })"), HasSubstr("steps[0].insert"));
  EXPECT_THAT(wrong_step(R"({ "op": "mix", "count": 1 })"), AllOf(HasSubstr("steps[0]:"), HasSubstr("all 0")));
  EXPECT_THAT(wrong_step(R"({ "op": "find", "count": 1, "hit_share": 2 })"), HasSubstr("steps[0].hit_share"));
  EXPECT_THAT(wrong_step(R"({ "op": "insert", "count": 1, "keys": { "distribution": "strided", "stride": 3 } })"),
              AllOf(HasSubstr("steps[0].keys.stride: 3"), HasSubstr("4 or 2")));
  EXPECT_THAT(wrong_field(R"("keys": { "zipf_exponent": 0 })"), HasSubstr("keys.zipf_exponent"));
  EXPECT_THAT(wrong_field(R"("keys": { "cluster_length": 100 })"), HasSubstr("keys.cluster_length"));
  EXPECT_THAT(wrong_field(R"("drive": { "insert": 0, "find": 0, "erase": 0 })"), HasSubstr("drive:"));
  EXPECT_THAT(wrong_field(R"("drive": { "target_load": 1.5 })"), HasSubstr("drive.target_load"));
  EXPECT_THAT(wrong_field(R"("view": { "zoom": 0 })"), HasSubstr("view.zoom"));
  EXPECT_THAT(wrong_field(R"("view": { "center": [0.5] })"), HasSubstr("view.center"));
  EXPECT_THAT(wrong_field(R"("view": { "center": [0.5, 3] })"), HasSubstr("view.center[1]"));
  EXPECT_THAT(wrong_field(R"("view": { "minimap": 1 })"), AllOf(HasSubstr("view.minimap"), HasSubstr("true or false")));
  EXPECT_THAT(wrong_field(R"("seed": -1)"), HasSubstr("seed: -1"));
}

TEST(Scenario, RefusesStepsOfAnotherShape)
{
  EXPECT_THAT(wrong_field(R"("steps": {})"), AllOf(HasSubstr("steps"), HasSubstr("must be a list")));
  EXPECT_THAT(wrong_step("7"), HasSubstr("steps[0]: a step must be an object"));
  EXPECT_THAT(wrong_step(R"({ "count": 7 })"), HasSubstr("'op' is missing"));
  EXPECT_THAT(wrong_step(R"({ "op": 7 })"), HasSubstr("steps[0].op"));
  EXPECT_THAT(wrong_step(R"({ "op": "find", "count": 1, "keys": "zipf" })"), HasSubstr("steps[0].keys"));
}

TEST(Scenario, NamesAFileThatCannotBeRead)
{
  TemporaryFolder const folder;
  EXPECT_THAT(message_of<Error>([&] { read_scenario(scenes(), folder / "none.json"); }),
              AllOf(HasSubstr("none.json"), HasSubstr("No such file")));
  EXPECT_THAT(message_of<Error>([&] { read_scenario(scenes(), folder.path()); }), HasSubstr("it is a folder"));
  EXPECT_THAT(message_of<Error>([&] { write_scenario(folder / "no/a.json", test::slots_scenario(TableSetup{})); }),
              HasSubstr("there is no folder"));
}

}  // namespace
}  // namespace slotscape
