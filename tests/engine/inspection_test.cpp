#include "gpu/engine/inspection.hpp"

#include "gpu/engine/families.hpp"
#include "gpu/execution/cpu.hpp"
#include "tests/engine/brute_force.hpp"
#include "tests/engine/engine_fixture.hpp"

namespace slotscape {
namespace testing {
namespace {

using CpuTable = BatchTable<exec::Cpu, Narrow>;
using Inspected = Inspection<exec::Cpu, Narrow>;

void insert_all(CpuTable& table, std::span<Key const> keys)
{
  std::vector<Operation> const operations(keys.size(), Operation::insert);
  std::vector<Narrow::Key> const narrow(keys.begin(), keys.end());
  std::vector<Narrow::Value> values(keys.size());
  std::vector<Outcome> outcomes(keys.size());
  double seconds = 0.0;
  table.run({.count = keys.size(),
             .operations = operations.data(),
             .keys = narrow.data(),
             .values = values.data(),
             .outcomes = outcomes.data(),
             .changes = nullptr,
             .distinct = true,
             .kinds = OperationMask::inserts},
            seconds);
}

std::vector<SlotInfo> slots_of(InspectedTable& table)
{
  std::vector<Slot> slots(table.places());
  std::iota(slots.begin(), slots.end(), Slot{0});
  return table.slots(slots);
}

PictureRequest whole(InspectedTable const& table)
{
  Grid const grid = Grid::of(table.places(), Layout::rows);
  return {.color_by = ColorBy::cluster_length, .width = grid.columns, .height = grid.rows};
}

std::vector<Texel> picture(InspectedTable& table)
{
  PictureRequest const request = whole(table);
  std::vector<Texel> texels(request.texels());
  table.analyse(request, {texels.data(), texels.size()});
  return texels;
}

class Inspections : public ::testing::Test {
protected:
  std::unique_ptr<CpuTable> make(std::uint64_t slots, double load)
  {
    auto table = family_on<exec::Cpu>("linear_probing").tables<Narrow>()(exec_, {"linear_probing", slots});
    insert_all(*table, random_keys(static_cast<std::size_t>(load * static_cast<double>(slots)), random_));
    return table;
  }

  exec::Cpu exec_;
  std::mt19937 random_{5};
};

TEST_F(Inspections, LookAtTablesOfEverySizeInTurn)
{
  auto const first = make(100, 0.5);
  Inspected inspected(exec_, *first);
  picture(inspected);
  for (std::uint64_t const slots : {64u, 5000u, 4097u, 70000u, 16u, 70001u, 4096u}) {
    SCOPED_TRACE(slots);
    auto const table = make(slots, 0.8);
    inspected.look_at(*table);
    std::vector<SlotInfo> const all = slots_of(inspected);
    EXPECT_EQ(inspected.table().slots, slots);
    expect_equal(inspected.analyse({}, {}).statistics, count_statistics(all));
    for (Slot slot = 0; slot < slots; slot += 1 + static_cast<Slot>(slots / 50)) {
      EXPECT_EQ(inspected.cluster(slot).length, walk_cluster(all, slot).length) << "slot " << slot;
    }
    Inspected fresh(exec_, *table);
    EXPECT_EQ(picture(inspected), picture(fresh));
    EXPECT_THROW(inspected.slot(static_cast<Slot>(slots)), Error);
  }
}

TEST_F(Inspections, SeeWhatChangedOnceTheyAreTold)
{
  auto const table = make(1000, 0.2);
  Inspected inspected(exec_, *table);
  std::vector<SlotInfo> const before = slots_of(inspected);
  Slot const empty = std::ranges::find(before, SlotState::empty, &SlotInfo::state)->slot;
  EXPECT_EQ(inspected.cluster(empty).length, 0u);
  insert_all(*table, random_keys(800, random_));
  inspected.table_changed();
  std::vector<SlotInfo> const all = slots_of(inspected);
  for (Slot slot = 0; slot < 1000; ++slot) {
    ASSERT_EQ(inspected.cluster(slot).length, walk_cluster(all, slot).length) << "slot " << slot;
  }
}

TEST_F(Inspections, LookAbsentKeysUpOnlyWhereSomethingChanged)
{
  auto const table = make(1000, 0.5);
  int draws = 0;
  Inspected inspected(exec_, *table,
                      {[&](Narrow::Key* keys, std::uint64_t count) {
                         ++draws;
                         std::fill_n(keys, count, 77u);
                       },
                       {}});
  std::size_t const accesses = inspected.probe_path(77).slots.size();
  for (int i = 0; i < 40; ++i) {
    Statistics const seen = inspected.analyse({}, {}).statistics;
    EXPECT_EQ(seen.miss_accesses.max, accesses);
    EXPECT_EQ(seen.groups.count + seen.moves.count, 0u);
  }
  EXPECT_EQ(draws, 1);
  for (int i = 0; i < 8; ++i) {
    inspected.table_changed();
    inspected.analyse({}, {});
  }
  EXPECT_EQ(draws, 3);  // every fourth
}

TEST_F(Inspections, HaveNoMissesWithoutAbsentKeysButGroupsWhereTheFamilyHasThem)
{
  auto const table = family_on<exec::Cpu>("two_level_cuckoo").tables<Narrow>()(exec_, {"two_level_cuckoo", 4096});
  insert_all(*table, random_keys(2000, random_));
  Inspected inspected(exec_, *table);
  Statistics const seen = inspected.statistics();
  EXPECT_EQ(seen.live, 2000u);
  EXPECT_EQ(seen.miss_accesses.count, 0u);
  EXPECT_GT(seen.groups.count, 0u);
  EXPECT_GT(seen.hit_accesses.mean, 1.0);
}

}  // namespace
}  // namespace testing
}  // namespace slotscape
