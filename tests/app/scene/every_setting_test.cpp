// Every setting of the scenes of models, sites and pictures survives saving, undo and redo. Whoever adds a member to
// one of their structs must name it here: the structured bindings do not compile without it.

#include "app/base/npy.hpp"
#include "app/scenes/match/scene.hpp"
#include "app/scenes/sparse/scene.hpp"
#include "tests/app/support/program.hpp"
#include "tests/app/support/temporary_folder.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>

namespace slotscape {
namespace {

using spatial::Model;

struct Change {
  std::string name;
  std::function<void()> make;
  bool is_undone = true;
};
using Changes = std::vector<Change>;

template <class Member>
void add(Changes& changes, std::string name, Member& member, std::type_identity_t<Member> value, bool is_undone = true)
{
  changes.push_back({std::move(name), [&member, value = std::move(value)] { member = value; }, is_undone});
}

void add_view(Changes& changes, ViewSettings& view)
{
  auto& [layout, arrangement, color_by, reduce, palette, log_scale, scale_max, show_minimap, keys_as, values_as,
         key_name, value_name, plain_steps, textbook_code, write_slots, write_values, write_homes, write_measures] =
      view;
  // values_as, key_name and value_name are of somebody else's table
  add(changes, "layout", layout, Layout::hilbert);
  add(changes, "arrangement", arrangement, Arrangement::ring);
  add(changes, "color_by", color_by, ColorBy::state);
  add(changes, "reduce", reduce, Reduce::mean);
  add(changes, "palette", palette, Palette::turbo);
  add(changes, "log_scale", log_scale, false);
  add(changes, "scale_max", scale_max, 12.0);
  add(changes, "minimap", show_minimap, false);
  add(changes, "keys_as", keys_as, KeyStyle::small);
  add(changes, "plain_steps", plain_steps, true);
  add(changes, "textbook_code", textbook_code, true);
  add(changes, "slot_numbers", write_slots, false);
  add(changes, "values", write_values, false);
  add(changes, "homes", write_homes, false);
  add(changes, "displacements", write_measures, false);
}

template <class SceneOf, class SetupOf>
class EverySetting : public testing::Test {
protected:
  void open(std::string_view name, SetupOf set_up)
  {
    entry_ = &test::entry(name);
    app_.reset();  // there can be one at a time
    app_ = test::offscreen_app({640, 400}, Scenario{entry_, std::move(set_up)});
    settle();
  }
  /// Until what was asked for is shown, and noted.
  void settle()
  {
    app_->frame(0.1);
    for (int i = 0; i < 1000 && state().progress; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      app_->frame(0.1);
    }
    for (int i = 0; i < 2; ++i) { app_->frame(0.1); }
  }
  SceneOf& scene() { return test::scene_of<SceneOf>(*app_); }
  auto& state() { return scene().state(); }
  auto& settings() { return state().settings; }
  std::string text() { return format_scenario({entry_, scene().set_up()}, folder_.path()); }
  SetupOf saved_and_read() { return test::parse_setup<SetupOf>(text(), "s.json", folder_.path()); }

  void go_through(Changes const& changes)
  {
    for (Change const& change : changes) {
      SCOPED_TRACE(change.name);
      go_through(change);
    }
  }

  test::TemporaryFolder folder_;

private:
  void go_through(Change const& change)
  {
    auto const before = settings();
    change.make();
    settle();
    auto const after = settings();
    EXPECT_TRUE(saved_and_read().settings == after) << "saved as " << text();
    if (!change.is_undone) {
      settings() = before;
      return settle();
    }
    ASSERT_NE(scene().undoes(), "");
    expect_after(&Scene::undo, before);
    expect_after(&Scene::redo, after);
    expect_after(&Scene::undo, before);
    EXPECT_EQ(scene().undoes(), "");
    EXPECT_EQ(app_->toasts().errors(), 0u) << app_->toasts().latest();
  }
  template <class Settings>
  void expect_after(void (Scene::*moves)(), Settings const& wanted)
  {
    (scene().*moves)();
    settle();
    EXPECT_TRUE(settings() == wanted) << text();
  }

  SceneEntry const* entry_ = nullptr;
  std::unique_ptr<App> app_;
};

// --- models

class EverySpatialSetting : public EverySetting<SpatialScene, SpatialSetup> {
protected:
  EverySpatialSetting()
  {
    SpatialSetup set_up;
    set_up.settings.models[Model::a] = {.source = tile("a.xyz", 400, 0.0), .points = 500, .place = {{}, {}, 0.8f}};
    set_up.settings.models[Model::b] = {.source = tile("b.xyz", 300, 5.0), .points = 500, .place = {{}, {}, 0.8f}};
    set_up.settings.hashing.grid.side = 32;
    set_up.settings.animation = {.motion = Motion::still, .running = false};
    open("spatial", set_up);
  }
  /// Points of a site, far from the origin of their coordinates.
  std::string tile(std::string_view name, int points, double east)
  {
    std::string rows;
    for (int i = 0; i < points; ++i) {
      int const row = i / 20;
      rows += fmt::format("{} {} {}\n", 500'000.0 + east + i % 20, 5'800'000.0 + row, 100 + i * 7 % 5);
    }
    return folder_.write(name, rows).string();
  }
  void use(std::function<void(ModelSettings&)> const& change)
  {
    ModelSettings wanted = settings().models[Model::b];
    change(wanted);
    state().ask(UseModel{Model::b, wanted});
  }

  void add_model(Changes& changes)
  {
    auto& [source, points, place, up, turned, ignore_outliers, crop, unit] = settings().models[Model::b];
    // `turned` is true once it is open
    auto const use_with = [this](auto const& change) { return [=, this] { use(change); }; };
    changes.push_back({"source", use_with([file = tile("c.xyz", 200, 40.0)](ModelSettings& b) { b.source = file; })});
    changes.push_back({"shape", use_with([](ModelSettings& b) { b.source = "cube"; })});
    changes.push_back({"points", use_with([](ModelSettings& b) { b.points = 600; })});
    changes.push_back({"ignore_outliers", use_with([](ModelSettings& b) { b.ignore_outliers = true; })});
    clouds::Box const around{{0.0, 0.0, 0.0}, {1e9, 1e9, 103.0}};
    changes.push_back({"crop", use_with([=](ModelSettings& b) { b.crop = around; })});
    changes.push_back({"unit", use_with([](ModelSettings& b) { b.unit = clouds::FileUnit::foot; })});
    add(changes, "position", place.translation, {0.5f, 0.25f, -0.125f});
    add(changes, "scale", place.scale, 0.5f);
    auto const turned_model = test::parse_setup<SpatialSetup>(
        R"({ "version": 1, "spatial": { "b": { "source": "cube", "turned": [0, 0, 30] } } })");
    add(changes, "turned", place.rotation, turned_model.settings.models[Model::b].place.rotation);
    add(changes, "up", up, clouds::UpAxis::y);
  }
  void add_hashing(Changes& changes)
  {
    auto& [grid, family, hash, load_factor, inside_below, outside_above, max_restarts, compared] = settings().hashing;
    auto& [side, extent] = grid;
    auto& [shown, min_points, neighbours] = compared;
    add(changes, "grid.side", side, 48);
    add(changes, "grid.extent", extent, 3.0f);
    add(changes, "family", family, "linear_probing");
    add(changes, "hash", hash, HashKind::identity);
    add(changes, "load_factor", load_factor, 0.25);
    add(changes, "inside_below", inside_below, -0.5f);
    add(changes, "outside_above", outside_above, 0.5f);
    add(changes, "max_restarts", max_restarts, 7);
    add(changes, "changes.shown", shown, true);
    add(changes, "changes.min_points", min_points, 3);
    add(changes, "changes.neighbours", neighbours, true);
  }
  void add_picture(Changes& changes)
  {
    auto& [kind, paint_by, attribute, color_blind, palette, log_scale, point_size, min_pixels, max_pixels, ghosts,
           eye_dome, show_box, smooth_edges, smooth_on_cpu] = settings().view;
    // nobody chooses min_pixels, max_pixels and smooth_on_cpu
    add(changes, "view.show", kind, spatial::InstanceKind::points);
    add(changes, "view.color_by", paint_by, spatial::PaintBy::model);
    add(changes, "view.attribute", attribute, "intensity");
    add(changes, "view.color_blind", color_blind, true);
    add(changes, "view.palette", palette, Palette::turbo);
    add(changes, "view.log_scale", log_scale, false);
    add(changes, "view.point_size", point_size, 2.0f);
    add(changes, "view.ghosts", ghosts, false);
    add(changes, "view.eye_dome", eye_dome, false);
    add(changes, "view.box", show_box, false);
    add(changes, "view.smooth_edges", smooth_edges, false);
  }
  void add_section(Changes& changes, spatial::Section& section)
  {
    auto& [shown, low, high, cuts, normal, offset] = section;
    add(changes, "section.shown", shown, true);  // and the box is around the models
    add(changes, "section.low", low, {-0.5f, -0.25f, -0.125f});
    add(changes, "section.high", high, {0.5f, 0.25f, 0.1f});
    changes.push_back({"section.plane", [&section] {
                         section.cuts = true;
                         section.normal = {0.0f, 0.6f, -0.8f};
                         section.offset = 0.3f;
                       }});
  }
};

TEST_F(EverySpatialSetting, SurvivesSavingAndUndo)
{
  Changes changes;
  auto& [models, same_coordinates, seed, hashing, boolean, hidden, section, distances, animation, view, maps, show_maps,
         turntable] = settings();
  add_model(changes);
  add_hashing(changes);
  add_picture(changes);
  add_section(changes, section);
  add_view(changes, maps);
  changes.push_back({"same_coordinates", [this] { state().ask(PlaceByCoordinates{}); }});
  changes.push_back({"each by itself", [this] { state().ask(PlaceEachByItself{}); }});
  add(changes, "seed", seed, 7);
  add(changes, "boolean", boolean, spatial::Boolean::unite);
  add(changes, "hidden", hidden, *parts_of_name("b"));
  auto& [distances_shown, is_signed, threshold] = distances;
  add(changes, "distances.shown", distances_shown, true);
  add(changes, "distances.signed", is_signed, true);
  add(changes, "distances.threshold", threshold, 0.25);
  auto& [motion, running, speed, time] = animation;
  add(changes, "animation.motion", motion, Motion::spin);
  add(changes, "animation.speed", speed, 2.0);
  add(changes, "animation.running", running, true, false);
  add(changes, "animation.time", time, 1.25, false);
  add(changes, "show_maps", show_maps, false);
  add(changes, "turntable", turntable, true);
  go_through(changes);
}

// --- sites

class EverySparseSetting : public EverySetting<SparseScene, SparseSetup> {
protected:
  EverySparseSetting()
  {
    SparseSetup set_up;
    set_up.settings.source = {.name = sites("two.npy"), .points = 2000, .grid = 16};
    set_up.settings.layers = 0;
    open("sparse", set_up);
  }
  /// Two batches.
  std::string sites(std::string_view name)
  {
    std::vector<std::int32_t> numbers;
    for (std::int32_t i = 0; i < 64; ++i) { numbers.insert(numbers.end(), {i % 2, i % 4, i / 4 % 4, i / 16}); }
    return folder_.write(name, npy_of(numbers, {64, 4})).string();
  }
  void add_source(Changes& changes)
  {
    auto& [name, points, grid, seed, ignore_outliers, voxel] = settings().source;
    add(changes, "source", name, "spiral");
    add(changes, "points", points, 3000);
    add(changes, "grid", grid, 24);
    add(changes, "seed", seed, 9);
    add(changes, "ignore_outliers", ignore_outliers, true);
    changes.push_back({"voxel", [&, file = folder_.write("c.xyz", "0 0 0\n1 0 0\n0 2 0\n0 0 3\n").string()] {
                         settings().source.name = file;
                         settings().source.voxel = 0.25;
                       }});
  }
  void add_convolution(Changes& changes)
  {
    auto& [family, load_factor, hash, kernel, stride, dilation, mode, order, search] = settings().convolution;
    add(changes, "family", family, std::string(sparse::table_families.back()));
    add(changes, "load_factor", load_factor, 0.25);
    add(changes, "hash", hash, HashKind::identity);
    add(changes, "kernel", kernel, 5);
    changes.push_back({"stride", [this] {
                         settings().convolution.mode = sparse::Mode::sparse;
                         settings().convolution.stride = 2;
                       }});
    add(changes, "dilation", dilation, 2);
    add(changes, "mode", mode, sparse::Mode::sparse);
    add(changes, "order", order, sparse::Order::morton);
    add(changes, "search", search, sparse::Search::symmetric);
  }
};

TEST_F(EverySparseSetting, SurvivesSavingAndUndo)
{
  ASSERT_NE(settings().convolution.family, sparse::table_families.back());
  Changes changes;
  auto& [source, convolution, layers, view, slice_across, slice_at, batch, show_map, map] = settings();
  add_source(changes);
  add_convolution(changes);
  add_view(changes, map);
  add(changes, "layers", layers, 1);
  add(changes, "view", view, SiteView::slice);
  add(changes, "slice_across", slice_across, SliceAxis::x);
  add(changes, "slice_at", slice_at, 0.125);
  add(changes, "batch", batch, 1);
  add(changes, "show_map", show_map, false);
  go_through(changes);
}

TEST_F(EverySparseSetting, MovesOfTheSliceThatFollowOneAnotherAreUndoneAtOnce)
{
  for (double const at : {0.1, 0.2, 0.3}) {
    settings().slice_at = at;
    settle();
  }
  EXPECT_EQ(scene().undoes(), "moving the slice");
  scene().undo();
  settle();
  EXPECT_EQ(settings().slice_at, SparseSceneSettings{}.slice_at);
  EXPECT_EQ(scene().undoes(), "");
}

// --- pictures

class EveryMatchSetting : public EverySetting<MatchScene, MatchSetup> {
protected:
  EveryMatchSetting()
  {
    MatchSetup set_up = first_match();
    set_up.settings.matching = {.features = 100, .bases = 64, .query_bases = 16, .attempts = 1};
    set_up.settings.fill_votes = false;
    open("match", set_up);
  }
  void add_pose(Changes& changes)
  {
    auto& [turn, scale, shift_x, shift_y, noise, occlusion] = settings().pose;
    add(changes, "turn", turn, -50.0);
    add(changes, "scale", scale, 1.25);
    add(changes, "shift_x", shift_x, 12.0);
    add(changes, "shift_y", shift_y, 7.0);
    add(changes, "noise", noise, 0.1);
    add(changes, "occlusion", occlusion, 0.2);
  }
  void add_matching(Changes& changes)
  {
    auto& [method, smoothing, threshold, features, bases, query_bases, shortest_basis, longest_basis, quantum, seed,
           attempts] = settings().matching;
    add(changes, "method", method, matching::Method::sorting);
    add(changes, "smoothing", smoothing, 3.0);
    add(changes, "threshold", threshold, 0.5);
    add(changes, "features", features, 120);
    add(changes, "bases", bases, 32);
    add(changes, "query_bases", query_bases, 8);
    add(changes, "shortest_basis", shortest_basis, 0.2);
    add(changes, "longest_basis", longest_basis, 0.5);
    add(changes, "quantum", quantum, 0.05);
    add(changes, "seed", seed, 3);
    add(changes, "attempts", attempts, 2);
  }
};

TEST_F(EveryMatchSetting, SurvivesSavingAndUndo)
{
  Changes changes;
  auto& [sources, frame, playing, pose, matching, show_edges, show_points, show_overlay, show_map, show_votes,
         fill_votes, map] = settings();
  add_pose(changes);
  add_matching(changes);
  add_view(changes, map);
  add(changes, "reference", sources[0], "text-1");
  add(changes, "query", sources[1], "text-1");
  add(changes, "frame", frame, 1, false);
  add(changes, "playing", playing, false, false);
  add(changes, "show_edges", show_edges, false);
  add(changes, "show_points", show_points, false);
  add(changes, "show_overlay", show_overlay, false);
  add(changes, "show_map", show_map, false);
  add(changes, "show_votes", show_votes, false);
  add(changes, "fill_votes", fill_votes, true);
  go_through(changes);
}

}  // namespace
}  // namespace slotscape
