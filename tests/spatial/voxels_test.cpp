// Voxels, their indices and their tables, against a computation with std::map.

#include "gpu/base/error.hpp"
#include "gpu/tables/hash_formula.hpp"
#include "tests/spatial/spatial_fixture.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace slotscape::spatial::testing {
namespace {

struct Expected {
  std::map<std::uint64_t, std::uint32_t> points;  ///< by key, of 21 bits an axis
  std::uint64_t outside = 0;
};

Expected voxelise(Samples const& samples, Pose const& pose, VoxelGrid const& grid)
{
  Expected expected;
  for (Vector const& p : samples.positions) {
    Vector const place = grid.to_grid(pose.point(p));
    if (grid.contains(place)) {
      ++expected.points[key_of_cell<std::uint64_t>(VoxelGrid::cell_of(place))];
    } else {
      ++expected.outside;
    }
  }
  return expected;
}

class Voxels : public SpatialTest {
protected:
  static void expect_model(SpatialEngine& engine, SpatialSnapshot const& snapshot, Model model,
                           Expected const& expected, Expected const& of_other)
  {
    ModelSnapshot const& found = snapshot.models[model];
    EXPECT_EQ(found.outside_grid, expected.outside);
    ASSERT_EQ(found.voxels, expected.points.size());
    std::vector<VoxelInfo> const voxels = engine.voxels(model);
    ASSERT_EQ(voxels.size(), expected.points.size());
    std::uint64_t meeting = 0;
    std::set<std::uint64_t> seen;
    for (VoxelInfo const& voxel : voxels) {
      auto const key = key_of_cell<std::uint64_t>(voxel.cell);
      ASSERT_TRUE(seen.insert(key).second) << "two indices for one voxel";
      auto const there = expected.points.find(key);
      ASSERT_NE(there, expected.points.end());
      ASSERT_EQ(voxel.points, there->second);
      bool const meets = of_other.points.contains(key);
      ASSERT_EQ(voxel.status == VoxelStatus::intersection, meets);
      meeting += meets;
    }
    EXPECT_EQ(found.status[static_cast<std::size_t>(VoxelStatus::intersection)], meeting);
    expect_two_way(engine, model, voxels);
  }

  /// Index to key and slot, and slot to index.
  static void expect_two_way(SpatialEngine& engine, Model model, std::vector<VoxelInfo> const& voxels)
  {
    InspectedTable& table = engine.table(model);
    EXPECT_EQ(table.check_invariants(), "");
    Statistics const statistics = table.statistics();
    ASSERT_EQ(statistics.live, voxels.size());
    std::vector<Slot> slots;
    slots.reserve(voxels.size());
    for (VoxelInfo const& voxel : voxels) { slots.push_back(voxel.slot); }
    std::vector<SlotInfo> const infos = table.slots(slots);
    for (std::size_t i = 0; i < voxels.size(); ++i) {
      ASSERT_EQ(infos[i].pair, (slotscape::Pair{voxels[i].key, voxels[i].index}));
    }
    for (std::size_t i = 0; i < voxels.size(); i += voxels.size() / 16 + 1) {
      ASSERT_EQ(engine.voxel_in_slot(model, voxels[i].slot), voxels[i].index);
      expect_neighbours(engine.voxel(model, static_cast<std::uint32_t>(i)), voxels);
    }
  }

  static void expect_neighbours(VoxelInfo const& voxel, std::vector<VoxelInfo> const& voxels)
  {
    for (int face = 0; face < face_count; ++face) {
      Cell const cell = voxel.cell + face_step(face);
      auto const near = std::ranges::find(voxels, cell, &VoxelInfo::cell);
      std::optional<std::uint32_t> const expected = near == voxels.end() ? std::nullopt : std::optional(near->index);
      ASSERT_EQ(voxel.neighbours[face], expected);
    }
  }

  static void expect_frame(SpatialEngine& engine, PerModel<Samples> const& samples, SpatialSettings const& settings,
                           PerModel<Pose> const& poses)
  {
    SpatialSnapshot const snapshot = engine.update(settings, poses, Boolean::both);
    PerModel<Expected> expected;
    for (Model const model : {Model::a, Model::b}) {
      expected[model] = voxelise(samples[model], poses[model], settings.grid);
    }
    for (Model const model : {Model::a, Model::b}) {
      expect_model(engine, snapshot, model, expected[model], expected[other(model)]);
    }
  }
};

struct Case {
  std::string family;
  std::uint32_t side;
  HashChoice hash = {};
  double load = 0.5;
};

TEST_P(Voxels, AreThoseOfABruteForceComputation)
{
  auto const engine = make();
  PerModel<Samples> const samples{{sphere(30000, 0.9f), torus(20000, 0.7f, 0.3f)}};
  for (Model const model : {Model::a, Model::b}) { engine->set_model(model, samples[model].view()); }
  std::mt19937 random(7);
  std::vector<Case> const cases{{"two_level_cuckoo", 32},
                                {"two_level_cuckoo", 128, HashKind::murmur3, 0.7},
                                {"two_level_cuckoo", 1024},
                                {"linear_probing", 32},
                                {"linear_probing", 128, HashKind::murmur3, 0.9},
                                {"linear_probing", 32, HashKind::identity, 0.3},
                                {"linear_probing", 1024, HashKind::fibonacci, 0.8},
                                {"linear_probing", 4096, HashKind::xxhash, 0.5},
                                {"linear_probing", 200, HashChoice(parse_hash_formula("teschner")), 0.5},
                                {"linear_probing", 4096, HashChoice(parse_hash_formula("teschner")), 0.5}};
  for (Case const& c : cases) {
    SCOPED_TRACE(c.family + " " + std::to_string(c.side));
    SpatialSettings settings;
    settings.grid.side = c.side;
    settings.family = c.family;
    settings.hash = c.hash;
    settings.load_factor = c.load;
    for (int turn = 0; turn < 3; ++turn) {
      PerModel<Pose> const poses{{random_pose(random, 0.2f), random_pose(random, 0.8f * static_cast<float>(turn))}};
      expect_frame(*engine, samples, settings, poses);
    }
  }
}

TEST_P(Voxels, TablesAreAnalysedTogetherAsTheyAreOneByOne)
{
  auto const engine = make();
  engine->set_model(Model::a, sphere(30000, 0.9f).view());
  engine->set_model(Model::b, torus(20000, 0.7f, 0.3f).view());
  for (char const* const family : {"two_level_cuckoo", "linear_probing"}) {
    SCOPED_TRACE(family);
    SpatialSettings settings;
    settings.family = family;
    for (float const turn : {0.0f, 0.3f, 0.6f}) {
      engine->update(settings, {{Pose{}, Pose{{}, {turn, 0.0f, 0.0f}}}}, Boolean::both);
      std::array const both{AnalysisRequest{.model = Model::b}, AnalysisRequest{.model = Model::a}};
      std::vector<Snapshot> const together = engine->analyse_tables(both);
      ASSERT_EQ(together.size(), both.size());
      for (std::size_t i = 0; i < both.size(); ++i) {
        Statistics const alone = engine->table(both[i].model).statistics();
        EXPECT_EQ(together[i].statistics.live, alone.live);
        EXPECT_EQ(together[i].statistics.slots, alone.slots);
        EXPECT_EQ(together[i].statistics.probe_length.histogram, alone.probe_length.histogram);
        EXPECT_EQ(together[i].statistics.clusters.histogram, alone.clusters.histogram);
        if (turn == 0.0f) { EXPECT_EQ(together[i].statistics.groups.histogram, alone.groups.histogram); }
      }
    }
  }
}

TEST_P(Voxels, TheLoadIsWhatWasAimedAt)
{
  auto const engine = make();
  Samples const samples = sphere(60000, 1.0f);
  for (Model const model : {Model::a, Model::b}) { engine->set_model(model, samples.view()); }
  for (std::string const family : {"two_level_cuckoo", "linear_probing"}) {
    for (double const load : {0.3, 0.6, 0.9}) {
      SpatialSettings settings;
      settings.family = family;
      settings.load_factor = family == "linear_probing" ? load : std::min(load, max_two_level_load);
      SpatialSnapshot const snapshot = engine->update(settings, {}, Boolean::both);
      double const aim = settings.load_factor;
      double const found = static_cast<double>(snapshot.models[Model::a].voxels) /
                           static_cast<double>(engine->table(Model::a).table().slots);
      EXPECT_GT(found, aim * 0.8) << family << ' ' << load;
      EXPECT_LT(found, aim * 1.06) << family << ' ' << load;
    }
  }
}

TEST_P(Voxels, OnePointOneVoxelAndNoneAtAll)
{
  auto const engine = make();
  Samples const one{{Vector{0.1f, 0.2f, 0.3f}}, {Vector{0.0f, 0.0f, 1.0f}}};
  Samples many;
  many.positions.assign(5000, Vector{0.1f, 0.2f, 0.3f});
  many.normals.assign(5000, Vector{0.0f, 1.0f, 0.0f});
  engine->set_model(Model::a, one.view());
  engine->set_model(Model::b, many.view());
  for (std::string const family : {"two_level_cuckoo", "linear_probing"}) {
    SpatialSettings settings;
    settings.family = family;
    SpatialSnapshot snapshot = engine->update(settings, {}, Boolean::both);
    for (Model const model : {Model::a, Model::b}) {
      EXPECT_EQ(snapshot.models[model].voxels, 1u);
      EXPECT_EQ(snapshot.models[model].status[static_cast<std::size_t>(VoxelStatus::intersection)], 1u);
    }
    EXPECT_EQ(engine->voxel(Model::b, 0).points, 5000u);
    EXPECT_NEAR(engine->voxel(Model::b, 0).normal.y, 1.0f, 1e-3f);
    PerModel<Pose> away;
    away[Model::b].translation = {100.0f, 0.0f, 0.0f};
    snapshot = engine->update(settings, away, Boolean::both);
    EXPECT_EQ(snapshot.models[Model::b].voxels, 0u);
    EXPECT_EQ(snapshot.models[Model::b].outside_grid, 5000u);
    EXPECT_EQ(engine->instances(Model::b, InstanceKind::voxels), 0u);
    EXPECT_EQ(engine->instances(Model::b, InstanceKind::points), 5000u);
  }
}

/// A table that was made for few voxels gives way to one for many, and the other way round.
TEST_P(Voxels, AnotherModelGetsATableOfItsOwnSize)
{
  auto const engine = make();
  Samples const few = sphere(100, 0.1f);
  Samples const many = sphere(60000, 1.0f);
  engine->set_model(Model::b, many.view());
  for (std::string const family : {"two_level_cuckoo", "linear_probing"}) {
    SpatialSettings settings;
    settings.family = family;
    for (Samples const* const samples : {&few, &many, &few, &many}) {
      engine->set_model(Model::a, samples->view());
      SpatialSnapshot const snapshot = engine->update(settings, {}, Boolean::both);
      auto const voxels = static_cast<double>(snapshot.models[Model::a].voxels);
      auto const slots = static_cast<double>(engine->table(Model::a).table().slots);
      EXPECT_LT(voxels / slots, 0.53);
      if (samples == &many) { EXPECT_GT(voxels / slots, 0.44); }
    }
  }
}

/// Its table, made for a few voxels, has no room for the others at first, and does not find some that it has.
TEST_P(Voxels, AModelThatOutgrowsItsTableIsClassifiedAsInAFreshOne)
{
  SpatialSettings const settings{.grid = {.side = 64, .extent = 2.4f}, .load_factor = 0.7};
  auto const made = [] {
    auto engine = make();
    engine->set_model(Model::a, sphere(2000, 1.0f).view());
    engine->set_model(Model::b, sphere(1500, 1.0f, 2).view());
    return engine;
  };
  auto const counted = [&](SpatialEngine& engine, float scale) {
    PerModel<Pose> poses;
    poses[Model::a].scale = scale;
    poses[Model::b].scale = 0.5f * scale;
    SpatialSnapshot const snapshot = engine.update(settings, poses, {}, {});
    return std::array{snapshot.models[Model::a].status, snapshot.models[Model::b].status};
  };
  auto const engine = made();
  for (float const scale : {0.2f, 0.3f, 0.4f, 0.5f, 0.6f}) {
    SCOPED_TRACE(scale);
    counted(*engine, 0.02f);
    EXPECT_EQ(counted(*engine, scale), counted(*made(), scale));
  }
}

TEST_P(Voxels, SurfelsAreMeansOfTheirPoints)
{
  auto const engine = make();
  Samples const ball = sphere(100000, 1.0f);
  for (Model const model : {Model::a, Model::b}) { engine->set_model(model, ball.view()); }
  engine->update({}, {}, Boolean::both);
  for (VoxelInfo const& voxel : engine->voxels(Model::a)) {
    ASSERT_NEAR(length(voxel.position), 1.0f, 0.03f);
    ASSERT_GT(dot(voxel.normal, normalized(voxel.position)), 0.99f);
  }
}

TEST_P(Voxels, ARayMeetsTheNearestVoxelOfTheResult)
{
  auto const engine = make();
  Samples const ball = sphere(100000, 1.0f);
  for (Model const model : {Model::a, Model::b}) { engine->set_model(model, ball.view()); }
  PerModel<Pose> poses;
  poses[Model::b].scale = 0.5f;
  engine->update({}, poses, Boolean::both);
  auto const hit = engine->pick({{0.01f, 0.01f, 5.0f}, {0.0f, 0.0f, -1.0f}}, Boolean::both);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->model, Model::a);
  EXPECT_NEAR(hit->distance, 4.0f, 0.05f);
  EXPECT_NEAR(engine->voxel(hit->model, hit->index).position.z, 1.0f, 0.03f);
  EXPECT_FALSE(engine->pick({{0.0f, 0.0f, 5.0f}, {0.0f, 0.0f, 1.0f}}, Boolean::both));
  EXPECT_FALSE(engine->pick({{2.0f, 0.0f, 5.0f}, {0.0f, 0.0f, -1.0f}}, Boolean::both));
}

/// Of two surveys: three voxels that both have, one beside those of the other, one far away, and one with few points.
TEST_P(Voxels, ChangesAreWhatOnlyOneSurveyHas)
{
  auto const engine = make();
  VoxelGrid const grid{.side = 32, .extent = 3.2f};
  auto const survey = [&](std::vector<std::pair<Cell, int>> const& cells) {
    Samples samples;
    for (auto const& [cell, points] : cells) {
      for (int i = 0; i < points; ++i) {
        Vector const middle{static_cast<float>(cell.x) + 0.5f, static_cast<float>(cell.y) + 0.5f,
                            static_cast<float>(cell.z) + 0.5f};
        samples.positions.push_back(grid.to_world(middle));
        samples.normals.push_back({0.0f, 0.0f, 1.0f});
      }
    }
    return samples;
  };
  Samples const a = survey({{{1, 1, 1}, 5}, {{2, 1, 1}, 1}, {{3, 1, 1}, 5}, {{9, 9, 9}, 5}, {{20, 9, 9}, 2}});
  Samples const b = survey({{{1, 1, 1}, 1}, {{2, 1, 1}, 5}, {{4, 2, 1}, 5}, {{9, 20, 9}, 3}});
  engine->set_model(Model::a, a.view());
  engine->set_model(Model::b, b.view());
  using Counts = std::array<std::uint64_t, status_count>;  // unknown, only A, only B, both
  auto const of = [&](Changes const& changes) {
    SpatialSnapshot const found = engine->update({.grid = grid, .changes = changes}, {}, Boolean::both);
    return std::pair(found.models[Model::a].status, found.models[Model::b].status);
  };
  EXPECT_EQ(of({.shown = true}), std::pair(Counts{0, 3, 0, 2}, Counts{0, 0, 2, 2}));
  EXPECT_EQ(of({.shown = true, .min_points = 3}), std::pair(Counts{1, 2, 0, 2}, Counts{0, 0, 2, 2}));
  EXPECT_EQ(of({.shown = true, .min_points = 4, .neighbours = true}),
            std::pair(Counts{1, 1, 0, 3}, Counts{1, 0, 0, 3}));
  for (VoxelInfo const& voxel : engine->voxels(Model::b)) {
    EXPECT_EQ(voxel.status == VoxelStatus::unknown, voxel.cell == (Cell{9, 20, 9}));
    EXPECT_EQ(voxel.seed, std::nullopt);
  }
}

TEST_P(Voxels, WhatCannotBeIsRefused)
{
  auto const engine = make();
  EXPECT_THROW(engine->update({}, {}, Boolean::both), Error) << "no models yet";
  EXPECT_THROW(engine->set_model(Model::a, PointsView{}), Error);
  float const nan = std::nanf("");
  Samples const bad{{Vector{nan, 0.0f, 0.0f}}, {Vector{0.0f, 0.0f, 1.0f}}};
  EXPECT_THROW(engine->set_model(Model::a, bad.view()), Error);
  Samples const ball = sphere(1000, 1.0f);
  for (Model const model : {Model::a, Model::b}) { engine->set_model(model, ball.view()); }
  auto const refuses = [&](auto const& change) {
    SpatialSettings settings;
    change(settings);
    EXPECT_THROW(engine->update(settings, {}, Boolean::both), Error);
  };
  refuses([](SpatialSettings& s) { s.grid.side = 31; });
  refuses([](SpatialSettings& s) { s.grid.side = 1025; });
  refuses([](SpatialSettings& s) { s.grid.extent = 0.0f; });
  refuses([](SpatialSettings& s) { s.family = "cuckoo"; });
  refuses([](SpatialSettings& s) { s.load_factor = 1.0; });
  refuses([](SpatialSettings& s) { s.load_factor = 0.71; });
  refuses([](SpatialSettings& s) { s.inside_below = 1.0f; });
  EXPECT_NO_THROW(engine->update({}, {}, Boolean::both));
}

SLOTSCAPE_SPATIAL_ON_EVERY_BACKEND(Voxels);

}  // namespace
}  // namespace slotscape::spatial::testing
