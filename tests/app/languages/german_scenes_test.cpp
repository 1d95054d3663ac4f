// German is complete in the scenes of models and of other people's tables: their advice, findings and panels.

#include "app/scenes/spatial/coloring.hpp"
#include "app/scenes/spatial/coordinates.hpp"
#include "app/scenes/spatial/findings.hpp"
#include "app/scenes/spatial/gui.hpp"
#include "app/scenes/spatial/placement.hpp"
#include "app/scenes/watch/advice.hpp"
#include "app/scenes/watch/gui.hpp"
#include "gpu/base/error.hpp"
#include "tests/app/languages/german.hpp"
#include "tests/app/scenes/spatial/spatial_scene.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <vector>

namespace slotscape {
namespace {

using spatial::Model;
using test::expect_all_in_german;
using test::lines_left_in_english;
using ::testing::IsEmpty;

/// What `WatchedFacts` refers to.
struct OwnedFacts {
  watch::Description description;
  watch::Check check{.sampled = 500, .found = 500, .was_checked = true};
  Statistics statistics;
  TheoryFit theory;
  watch::WatchedTable::KeyFacts keys;
  LostFacts lost;
  bool changes = false;

  OwnedFacts()
  {
    description.slots = statistics.slots = 1024;
    description.home_of = watch::HomeOf::hash;
    description.hashes = {{}};
    description.probing.scheme = watch::Scheme::linear;
    statistics.live = 512;
    statistics.hit_accesses.count = 512;
    statistics.hit_accesses.mean = 1.5;
    statistics.miss_accesses.count = 1024;
    statistics.miss_accesses.mean = 2.5;
  }
  std::vector<std::string> say() const
  {
    std::vector<std::string> all = advice_on({description, check, statistics, theory, keys, lost, changes});
    all.push_back(summary_of(statistics));
    return all;
  }
};

/// What there is advice on, in a table of somebody's.
using Cases = std::vector<std::function<void(OwnedFacts&)>>;

Cases full_and_slow()
{
  return {
      [](OwnedFacts&) {},
      [](OwnedFacts& of) { of.statistics.live = 0; },
      [](OwnedFacts& of) { of.statistics.tombstones = 102; },
      [](OwnedFacts& of) {
        of.statistics.tombstones = 256;
        of.statistics.miss_accesses.mean = 0.0;
      },
      [](OwnedFacts& of) {
        of.statistics.tombstones = 300;
        of.statistics.miss_accesses.mean = 5.0;
      },
      [](OwnedFacts& of) {
        of.statistics.tombstones = 300;
        of.statistics.miss_accesses.mean = 10.0;
      },
      [](OwnedFacts& of) { of.statistics.live = 1024; },
      [](OwnedFacts& of) { of.statistics.live = 980; },
      [](OwnedFacts& of) { of.statistics.live = 50; },
      [](OwnedFacts& of) { of.statistics.miss_accesses.mean = 9.0; },
      [](OwnedFacts& of) {
        of.statistics.miss_accesses.mean = 9.0;
        of.keys.rehashed = {.miss = 2.5};
      },
      [](OwnedFacts& of) {
        of.theory.largest_measure = 10.0;
        of.statistics.probe_length.count = 512;
        of.statistics.probe_length.max = 400;
      },
  };
}

HomeSpread spread_of(std::uint64_t keys)
{
  HomeSpread spread;
  spread.slots = 1024;
  spread.keys = keys;
  return spread;
}

// NOLINTNEXTLINE(readability-function-size): a table
Cases with_lost_keys()
{
  return {
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 1;
        of.lost.keys.twice = 1;
        of.statistics.links = 2;
        of.changes = true;
      },
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 30;
        of.lost.keys.twice = 100;
        of.check.found = 300;
        of.lost.keys.not_followed = 4;
      },
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 40;
        of.lost.slots.resize(40);
        of.lost.repeats = 30;
      },
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 4000;
        of.lost.slots.resize(1000);
        of.lost.repeats = 900;
      },
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 40;
        of.check = {};
      },
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 40;
        of.check.better = {{of.description, 499}};
      },
      [](OwnedFacts& of) { of.check.found = 3; },
      [](OwnedFacts& of) { of.description.home_of = watch::HomeOf::unknown; },
      [](OwnedFacts& of) { of.description.home_of = watch::HomeOf::array; },
      [](OwnedFacts& of) { of.description.probing.scheme = watch::Scheme::unknown; },
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 3;
        of.lost.unreachable.home = no_slot;
        of.lost.slots.resize(3);
        of.lost.distance = 5;
      },
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 1;
        of.lost.slots.resize(1);
        of.lost.distance = of.lost.distances = 1;
        of.lost.lie_before = true;
      },
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 2000;
        of.lost.slots.resize(1000);
        of.lost.distance = 400;
      },
      [](OwnedFacts& of) {
        of.lost.keys.unreachable = 3;
        of.lost.slots.resize(3);
        of.lost.behind_own_key = 3;
      },
      [](OwnedFacts& of) {
        of.lost.keys.twice = 5;
        of.lost.slots.resize(5);
        of.lost.copies = 5;
      },
      [](OwnedFacts& of) {
        of.lost.keys.twice = 5;
        of.lost.slots.resize(5);
        of.lost.copies = of.lost.copies_behind = 5;
      },
      [](OwnedFacts& of) {
        of.description.erased_key = 7;
        of.lost.keys.twice = 5;
        of.lost.slots.resize(5);
        of.lost.copies = of.lost.copies_behind = 5;
      },
      [](OwnedFacts& of) {
        of.lost.keys.twice = 40;
        of.lost.slots.resize(40);
        of.lost.copies = of.lost.repeats = 40;
      },
      [](OwnedFacts& of) { of.lost.repeats = 500; },
      [](OwnedFacts& of) {
        of.keys.runs = watch::SlotRuns{{10, 400}, {410, 600}};
      },
      [](OwnedFacts& of) {
        of.keys.homes = spread_of(512);
        of.keys.homes->shared_z = 20.0;
        of.keys.in_use =
            watch::HomesInUse{.used = 60, .places = 1024, .expected = 400.0, .unused = {500, 524}, .unit = 8};
      },
      [](OwnedFacts& of) {
        of.description.home_of = watch::HomeOf::array;
        of.keys.homes = spread_of(512);
      },
      [](OwnedFacts& of) {
        of.description.home_of = watch::HomeOf::array;
        of.keys.homes = spread_of(512);
        of.statistics.hit_accesses.mean = 9.0;
      },
      [](OwnedFacts& of) {
        of.description.home_of = watch::HomeOf::array;
        of.keys.homes = spread_of(512);
        of.keys.homes->probing.hit = 9.0;
        of.statistics.hit_accesses.mean = 9.0;
      },
      [](OwnedFacts& of) { of.keys.chains.cut = 1; },
      [](OwnedFacts& of) { of.keys.chains.cut = 7; },
  };
}

/// Tables that grew, and keys that mark slots where others do already.
Cases grown_and_marked()
{
  auto const grown = [](std::uint64_t slots, std::uint64_t found) {
    return [=](OwnedFacts& of) {
      of.lost.keys.unreachable = 200;
      of.check.growth = watch::Check::Growth{slots, found};
    };
  };
  auto const marked = [](std::uint64_t live, std::uint64_t tombstones) {
    return [=](OwnedFacts& of) {
      of.statistics.live = live;
      of.statistics.tombstones = tombstones;
      of.description.erased_key = 7;
      of.lost.repeats = 40;
      of.lost.repeated_key = "9";
    };
  };
  return {grown(512, 500), grown(256, 100), marked(1024, 0), marked(512, 512), marked(512, 10)};
}

TEST(GermanScenes, AdviseOnTablesOfOthers)
{
  std::set<std::string> said;
  Cases all = full_and_slow();
  std::ranges::copy(with_lost_keys(), std::back_inserter(all));
  std::ranges::copy(grown_and_marked(), std::back_inserter(all));
  for (auto const& change : all) {
    OwnedFacts facts;
    change(facts);
    expect_all_in_german([&] { return facts.say(); }, said);
  }
  expect_all_in_german([] { return std::vector{why_unknown("a.npy", "?")}; }, said);
  EXPECT_GT(said.size(), 30u) << "these tables were to have all advice be given";
}

TEST(GermanScenes, HavePanelsOfTablesOfOthers)
{
  WatchState state;
  state.has_table = state.is_live = true;
  state.alive = false;
  state.check = {.sampled = 500, .found = 400, .not_followed = 3, .was_checked = true};
  state.lost.keys = {.unreachable = 1, .twice = 1};
  std::set<std::string> const alike{"unknown probing"};
  for (auto* const panel : {watched_panel, advice_panel, running_panel, description_panel}) {
    EXPECT_THAT(lines_left_in_english([&](Look const& look) { panel(look, state); }, alike), IsEmpty());
  }
}

class GermanModels : public test::SpatialSceneTest {
protected:
  /// As if they came from files: what is said of those depends on what they know of their coordinates.
  static void name_files(SpatialState& state)
  {
    state.settings.models[Model::a].source = "a.xyz";
    state.settings.models[Model::b].source = "b.xyz";
  }
};

std::vector<std::function<void(SpatialState&)>> models_of_files()
{
  auto const systems = [](clouds::CoordinateSystem const& a, clouds::CoordinateSystem const& b) {
    return [a, b](SpatialState& state) {
      state.clouds[Model::a].system = a;
      state.clouds[Model::b].system = b;
    };
  };
  clouds::CoordinateSystem const metres{"EPSG:25832", "", "m", "m"};
  clouds::CoordinateSystem feet = metres;
  feet.unit = feet.unit_of_z = "ft";
  clouds::CoordinateSystem elsewhere = metres;
  elsewhere.horizontal = "EPSG:25833";
  clouds::CoordinateSystem high = metres;
  high.vertical = "EPSG:7837";
  clouds::CoordinateSystem higher = metres;
  higher.vertical = "EPSG:5773";
  clouds::CoordinateSystem tall = metres;
  tall.unit_of_z = "ft";
  return {[](SpatialState&) {},
          systems(metres, metres),
          systems(metres, feet),
          systems({"", "", "m", "m"}, {"", "", "ft", "ft"}),
          systems(metres, tall),
          systems(metres, elsewhere),
          systems(metres, high),
          systems(high, higher),
          [](SpatialState& state) { state.settings.same_coordinates = false; },
          [](SpatialState& state) { state.settings.same_coordinates = true; },
          [](SpatialState& state) {
            state.boxes[Model::b] = {{1e9, 1e9, 1e9}, {1e9, 1e9, 1e9}};
          },
          [](SpatialState& state) { state.clouds[Model::b].outliers = 3; },
          [](SpatialState& state) { state.snapshot.models[Model::a].outside_grid = 5; },
          [](SpatialState& state) {
            state.clouds[Model::a].steps = {9.0, 9.0, 9.0};
          },
          [](SpatialState& state) { state.settings.view.paint_by = spatial::PaintBy::attribute; },
          [](SpatialState& state) {
            state.settings.view.paint_by = spatial::PaintBy::attribute;
            state.settings.view.attribute = "gain";
            state.attributes = {"red"};
          },
          [](SpatialState& state) {
            state.clouds[Model::a].triangles = 0;
            state.settings.models[Model::a].points = 17;
          }};
}

TEST_F(GermanModels, AreSpokenOfInFindings)
{
  std::set<std::string> said;
  SpatialState named = state();
  name_files(named);
  for (auto const& change : models_of_files()) {
    SpatialState files = named;
    change(files);
    expect_all_in_german([&] { return findings_of(files); }, said);
    expect_all_in_german([&] { return std::vector{text_of_placement(files), choose_coordinates(files).why}; }, said);
    for (double const width : {1e-9, 1e9}) {
      expect_all_in_german(
          [&] {
            SpatialState asked = files;
            try {
              set_voxel_in_file(asked, width, std::nullopt);
            } catch (Error const& error) {
              return std::vector<std::string>{error.what()};
            }
            return std::vector<std::string>{};
          },
          said);
    }
  }
  EXPECT_GT(said.size(), 20u) << "these files were to have most be said of them";
}

TEST_F(GermanModels, HavePanels)
{
  SpatialState const opened = state();
  app_.reset();  // each panel is drawn by an interface of its own
  for (bool const from_files : {false, true}) {
    SpatialState shown = opened;
    if (from_files) { name_files(shown); }
    shown.clouds[Model::a].open = true;
    std::set<std::string> const alike{"ANIMATION", "Status", "a.xyz", "b.xyz"};
    for (auto* const panel : {models_panel, animation_panel, hashing_panel, picture_panel, voxel_numbers_panel}) {
      EXPECT_THAT(lines_left_in_english([&](Look const& look) { panel(look, shown); }, alike), IsEmpty());
    }
  }
}

}  // namespace
}  // namespace slotscape
