#include "gpu/base/error.hpp"
#include "gpu/execution/cpu.hpp"
#include "gpu/particles/filling.hpp"
#include "gpu/tables/hash_formula.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace slotscape::particles {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::ThrowsMessage;

constexpr std::uint64_t count = 3000;

/// Every particle starts in one of two slots: the worst that a hash can do short of a single one.
HashChoice bad_hash()
{
  return HashChoice(parse_hash_formula("k & 1"));
}

/// On every backend, and skipped, visibly, where there is no device for one.
class ParticlesTest : public ::testing::TestWithParam<Backend> {
protected:
  void SetUp() override
  {
    if (GetParam() == Backend::cuda && !why_no_cuda().empty()) { GTEST_SKIP() << why_no_cuda(); }
    engine = make_particle_engine(GetParam());
  }
  void place(Filling const& filling, float radius)
  {
    engine->place(filling.bodies, filling.velocities, radius, filling.bodies.size());
  }
  void place_dam() { place(dam(count, usual_radius(count), 1), usual_radius(count)); }
  StepSnapshot steps(int number, ParticleSettings const& settings = {})
  {
    StepSnapshot last;
    for (int i = 0; i < number; ++i) { last = engine->step(settings, {}); }
    return last;
  }
  /// The lists of the last step are what comparing all pairs of the same step finds.
  void expect_right_neighbours(float radius)
  {
    NearFrame const found = engine->near();
    ASSERT_EQ(found.offsets.size(), found.bodies.size() + 1);
    for (std::size_t i = 0; i < found.bodies.size(); ++i) {
      std::vector<std::uint32_t> expected;
      for (std::size_t j = 0; j < found.bodies.size(); ++j) {
        Point const off = found.bodies[i].at - found.bodies[j].at;
        if (i != j && squared_length(off) <= radius * radius) { expected.push_back(static_cast<std::uint32_t>(j)); }
      }
      std::vector<std::uint32_t> list(found.numbers.begin() + static_cast<std::ptrdiff_t>(found.offsets[i]),
                                      found.numbers.begin() + static_cast<std::ptrdiff_t>(found.offsets[i + 1]));
      std::ranges::sort(list);
      ASSERT_EQ(list, expected) << "particle " << i;
    }
  }
  std::unique_ptr<ParticleEngine> engine;
};
INSTANTIATE_TEST_SUITE_P(On, ParticlesTest, ::testing::Values(Backend::cpu, Backend::cuda),
                         [](auto const& info) { return info.param == Backend::cpu ? "cpu" : "cuda"; });

/// A ball of particles that fly apart, away from all walls.
Filling ball()
{
  Filling filling;
  std::mt19937 random(5);
  std::normal_distribution<float> speed(0.2f, 1.0f);
  for (Body const& body : dam(30000, 0.12f, 3).bodies) {
    Point const at = body.at + Point{1.0f, 0.0f, 0.5f};
    if (squared_length(at - Point{1.7f, 2.0f, 1.7f}) > 0.49f) { continue; }
    filling.bodies.push_back({at});
    filling.velocities.push_back({{speed(random), speed(random), speed(random)}});
  }
  return filling;
}

std::vector<ParticleSettings> tables()
{
  std::vector<ParticleSettings> tables{{}, {.hash = HashKind::identity}, {.hash = bad_hash()}};
  for (char const* const formula : {"x*73856093 ^ y*19349669 ^ z*83492791", "morton(x, y, z)", "k % m"}) {
    tables.push_back({.hash = HashChoice(parse_hash_formula(formula)), .slots = 1499});
  }
  return tables;
}

TEST_P(ParticlesTest, NeighboursAreThoseOfComparingAllPairsInEachFrame)
{
  for (ParticleSettings const& settings : tables()) {
    SCOPED_TRACE(settings.hash.formula ? settings.hash.formula->text : "compiled in");
    place_dam();
    for (int frame = 0; frame < 30; ++frame) {
      steps(1, settings);
      if (frame % 6 == 5) { expect_right_neighbours(usual_radius(count)); }
    }
    EXPECT_THAT(engine->table()->check_invariants(), IsEmpty());
  }
}

TEST_P(ParticlesTest, ListsGrowWhereParticlesCrowd)
{
  std::mt19937 random(2);
  std::uniform_real_distribution<float> along(1.0f, 1.3f);
  Filling crowd;
  for (int i = 0; i < 600; ++i) { crowd.bodies.push_back({{along(random), along(random), along(random)}}); }
  crowd.bodies.resize(700, {{1.1f, 1.1f, 1.1f}});  // 100 at one place
  crowd.velocities.resize(700);
  place(crowd, 0.4f);
  StepSnapshot const first = steps(1, {.gravity = 0.0f});
  EXPECT_GT(first.near, 700u * 200u);
  expect_right_neighbours(0.4f);
  steps(20, {.gravity = 0.0f});
  expect_right_neighbours(0.4f);
}

TEST_P(ParticlesTest, TheHashChangesProbesAndNothingElse)
{
  std::vector<Body> expected;
  std::vector<double> probes;
  for (ParticleSettings const& settings : tables()) {
    place_dam();
    steps(20, settings);
    std::vector<Body> const bodies = engine->shown(Quantity::speed);
    if (expected.empty()) { expected = bodies; }
    ASSERT_EQ(bodies.size(), expected.size());
    for (std::size_t i = 0; i < bodies.size(); ++i) { ASSERT_EQ(bodies[i].at, expected[i].at) << i; }
    probes.push_back(engine->table()->statistics().probe_length.mean);
  }
  EXPECT_GT(probes[2], 20.0 * probes[0]) << "half of all cells share a home";
  double const bad = engine->rehash({.hash = bad_hash()});
  double const good = engine->rehash({});
  EXPECT_GT(bad, good) << "seconds";
}

TEST_P(ParticlesTest, WhatIsShownOfCellsIsWhereTheTableHasThem)
{
  place_dam();
  StepSnapshot const last = steps(10, {.hash = bad_hash()});
  std::vector<Body> const cells = engine->shown(Quantity::cell);
  std::vector<Body> const slots = engine->shown(Quantity::slot);
  std::vector<Body> const probes = engine->shown(Quantity::probe_length);
  EXPECT_EQ(engine->table()->counts().live, last.cells);
  for (std::size_t i = 0; i < cells.size(); i += 37) {
    SlotInfo const slot = engine->table()->slot(static_cast<Slot>(slots[i].number));
    EXPECT_EQ(slot.pair.value, static_cast<Value>(cells[i].number));
    EXPECT_EQ(slot.probe_length, static_cast<std::uint32_t>(probes[i].number));
  }
}

TEST_P(ParticlesTest, MomentumIsKeptWithoutGravityAndWalls)
{
  Filling const filling = ball();
  ASSERT_GT(filling.bodies.size(), 1000u);
  place(filling, 0.12f);
  double speeds = 0.0;
  std::array<double, 3> before{};
  for (Body const& velocity : filling.velocities) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      before[axis] += std::array{velocity.at.x, velocity.at.y, velocity.at.z}[axis];
    }
    speeds += std::sqrt(static_cast<double>(squared_length(velocity.at)));
  }
  for (int i = 0; i < 15; ++i) {
    StepSnapshot const now = steps(1, {.gravity = 0.0f, .viscosity = 0.5f});
    for (std::size_t axis = 0; axis < 3; ++axis) {
      EXPECT_NEAR(now.momentum[axis], before[axis], 1e-4 * speeds) << "of the sum of all amounts, in step " << i;
    }
  }
}

TEST_P(ParticlesTest, EnergyDoesNotGrowInAClosedBox)
{
  struct Fall {
    std::uint64_t particles;
    int substeps;
    int steps;
  };
  for (Fall const& fall : {Fall{count, 1, 150}, Fall{count, 3, 150}, Fall{20000, 1, 60}}) {
    SCOPED_TRACE(std::to_string(fall.particles) + " particles, " + std::to_string(fall.substeps) + " substeps");
    float const radius = usual_radius(fall.particles);
    place(dam(fall.particles, radius, 1), radius);
    double const begin = steps(1, {.substeps = fall.substeps}).potential;
    StepSnapshot now;
    for (int i = 0; i < fall.steps; ++i) {
      now = steps(1, {.substeps = fall.substeps});
      ASSERT_LE(now.kinetic + now.potential, 1.02 * begin) << "in step " << i;
    }
    EXPECT_LT(now.kinetic + now.potential, 0.8 * begin) << "it has fallen, and comes to rest";
  }
}

TEST_P(ParticlesTest, AtRestTheDensityIsThatOfRest)
{
  place_dam();
  StepSnapshot const rest = steps(900, {.viscosity = 0.5f});
  EXPECT_LT(rest.kinetic / static_cast<double>(count), 0.02) << "squared metres a second";
  EXPECT_NEAR(rest.density, 1.0, 0.1);
  EXPECT_LT(rest.densest, 1.5);
}

TEST_P(ParticlesTest, TheBallAndTheWallsKeepParticlesOut)
{
  place_dam();
  Stirrer const ball{{0.7f, 2.0f, 0.5f}, 0.6f};
  for (int i = 0; i < 20; ++i) { engine->step({}, ball); }
  for (Body const& body : engine->shown(Quantity::speed)) {
    EXPECT_GE(squared_length(body.at - ball.center), 0.35f);
    for (float const along : {body.at.x, body.at.y, body.at.z}) {
      EXPECT_GE(along, 0.0f);
      EXPECT_LE(along, box_side);
    }
  }
}

TEST_P(ParticlesTest, PouringAddsParticlesUpToTheCapacity)
{
  float const radius = usual_radius(count);
  Filling const filling = dam(count, radius, 1);
  engine->place(filling.bodies, filling.velocities, radius, count + 100);
  Jet jet;
  std::uint64_t particles = count;
  for (int i = 0; i < 60; ++i) {
    Filling const more = jet.pour(radius);
    engine->add(more.bodies, more.velocities);
    particles = std::min<std::uint64_t>(particles + more.bodies.size(), count + 100);
    EXPECT_EQ(steps(1).particles, particles);
  }
  EXPECT_EQ(particles, count + 100);
  expect_right_neighbours(radius);
}

TEST_P(ParticlesTest, SaysWhatCannotBe)
{
  auto const says = [](char const* text) { return ThrowsMessage<Error>(HasSubstr(text)); };
  place_dam();
  EXPECT_THAT([&] { engine->step({.slots = 64}, {}); }, says("choose more slots"));
  EXPECT_EQ(steps(1).particles, count) << "it goes on";
  std::vector<Body> const before = engine->shown(Quantity::slot);
  EXPECT_THAT([&] { engine->step({.slots = 64}, {}); }, says("choose more slots"));
  std::vector<Body> const after = engine->shown(Quantity::slot);
  ASSERT_EQ(after.size(), before.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    ASSERT_EQ(after[i].at, before[i].at) << "nothing has moved";
    ASSERT_EQ(after[i].number, before[i].number);
  }
  EXPECT_THAT([&] { engine->step({.gravity = -1.0f}, {}); }, says("Gravity"));
  EXPECT_THAT([&] { engine->step({.viscosity = 2.0f}, {}); }, says("viscosity"));
  EXPECT_THAT([&] { engine->step({.substeps = 0}, {}); }, says("Substeps"));
  EXPECT_THAT([&] { engine->place({}, {}, 0.0f, 1); }, says("radius"));
  EXPECT_THAT([&] { engine->place({}, {}, 0.1f, max_particles + 1); }, says("1048576"));
  EXPECT_THAT([&] { dam(1000000, 0.2f, 1); }, says("do not fit"));
}

TEST_P(ParticlesTest, NoParticlesAreNoTrouble)
{
  engine->place({}, {}, 0.1f, 10);
  StepSnapshot const none = steps(3);
  EXPECT_EQ(none.particles, 0u);
  EXPECT_EQ(none.cells, 0u);
  EXPECT_THAT(engine->shown(Quantity::slot), IsEmpty());
}

/// A machine comes to the same particles again, with any number of threads.
TEST(Particles, DoNotDependOnTheNumberOfThreads)
{
  auto const run = [](std::size_t threads) {
    exec::tbb::global_control const control(exec::tbb::global_control::max_allowed_parallelism, threads);
    auto const engine = make_particle_engine(Backend::cpu);
    Filling const filling = dam(count, usual_radius(count), 1);
    engine->place(filling.bodies, filling.velocities, usual_radius(count), count);
    for (int i = 0; i < 40; ++i) { engine->step({}, {{2.0f, 2.0f, 0.3f}, 0.4f}); }
    return engine->shown(Quantity::density);
  };
  std::vector<Body> const one = run(1);
  std::vector<Body> const four = run(4);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(one[i].at, four[i].at) << i;
    ASSERT_EQ(one[i].number, four[i].number) << i;
  }
}

}  // namespace
}  // namespace slotscape::particles
