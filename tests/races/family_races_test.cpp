// Every schedule of every two operations, and of some three, that a family lets run at once: each history must be one
// that a table used by one thread could have had.

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/races/history.hpp"
#include "gpu/races/judge.hpp"
#include "tests/races/small_families.hpp"
#include "tests/support/sanitized.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>
#include <numeric>
#include <set>

namespace slotscape::races::family_races_tests {
namespace {

constexpr std::uint64_t slots = 8;
constexpr std::size_t max_counted = 2000;  ///< moments of a race, to count its schedules

Call insert(Narrow::Key key, Narrow::Value value, Combine combine = Combine::replace)
{
  return {Operation::insert, key, value, combine};
}
Call find(Narrow::Key key)
{
  return {Operation::find, key};
}
Call erase(Narrow::Key key)
{
  return {Operation::erase, key};
}

/// A family with settings for small tables, in which its operations meet.
struct Setting {
  std::string name;
  TableSettings table;
  MakeSharedTable make = make_shared_table;
  std::size_t group = 15;  ///< keys of one home that fill a group, a node or a bucket
};

std::vector<Setting> settings_of(std::string const& family)
{
  TableSettings table{.family = family, .slots = slots, .hash = HashKind::identity};
  std::vector<TableSettings> tables;
  auto const with = [&](std::string const& parameter, std::vector<std::uint32_t> const& values) {
    for (std::uint32_t const value : values) {
      table.parameters[parameter] = value;
      tables.push_back(table);
    }
  };
  if (family == "hopscotch") { with("neighbourhood", {3}); }
  if (family == "warp_cooperative") { with("tile", {2, 4}); }
  if (family == "cuckoo") { with("bucket", {1, 2}); }
  if (family == "slab") { with("pool", {100}); }
  if (family == "swiss") { with("variant", {1, 2}); }
  if (family == "separate_chaining" || family == "linear_hashing") {  // a pool that three threads exhaust
    table.slots = 4;
    with("nodes", {1, 2});
  }
  if (family == "coalesced") { table.slots = 4; }
  if (family == "extendible") { with("bucket", {2, 4}); }
  if (family == "segmented_cuckoo") { table.slots = 32; }  // 4 buckets
  if (tables.empty()) { tables.push_back(table); }
  std::vector<Setting> settings;
  static std::set<std::string> const of_few{"separate_chaining", "coalesced", "linear_hashing", "extendible"};
  std::size_t const group = family == "gel_hash" ? 7 : of_few.contains(family) ? 4 : 15;
  for (TableSettings& each : tables) {
    std::string name = family;
    for (auto const& [parameter, value] : each.parameters) { name += fmt::format("_{}", value); }
    FamilyInfo const& info = family_info(family);
    bool const has_choice = info.deletes_two_ways || info.shifts_back;
    std::vector<std::pair<Deletion, std::string>> ways{{Deletion::empty_value, has_choice ? "_keeps" : ""}};
    if (info.deletes_two_ways) { ways.emplace_back(Deletion::tombstone_reuse, "_reuses"); }
    if (info.shifts_back) { ways.emplace_back(Deletion::shift, "_shifts"); }
    for (auto const& [deletion, what] : ways) {
      each.deletion = deletion;
      settings.push_back({name + what, each, make_shared_table, group});
    }
  }
  return settings;
}

/// Three threads fill their groups, and copies of a key come at once wherever a batch lets them.
std::vector<Setting> small_settings()
{
  using namespace small;
  auto const table = [](std::string const& family, std::uint64_t places, std::string const& parameter,
                        std::uint32_t value) {
    TableSettings settings{.family = family, .slots = places, .hash = HashKind::identity};
    settings.deletion = Deletion::tombstone_reuse;
    settings.parameters[parameter] = value;
    return settings;
  };
  TableSettings const gel = table("gel_hash", 12, "pool", 100);
  TableSettings gel_keeps = gel;
  gel_keeps.deletion = Deletion::empty_value;
  return {
      {"swiss_of_two_1", table("swiss", 6, "variant", 1), family_table<SwissOfTwo>, 2},
      {"swiss_of_two_2", table("swiss", 6, "variant", 2), family_table<SwissOfTwo>, 2},
      {"slab_of_two", table("slab", 12, "pool", 100), family_table<ShortNodes<Slab>>, 2},
      {"gel_hash_of_two_keeps", gel_keeps, family_table<ShortNodes<GelHash>>, 2},
      {"gel_hash_of_two_reuses", gel, family_table<ShortNodes<GelHash>>, 2},
      {"first_pass_of_hopscotch", table("hopscotch", 8, "neighbourhood", 3), family_table<FirstPass<Hopscotch>>, 3},
      {"first_pass_of_iceberg", table("iceberg", 8, "front", 32), family_table<FirstPass<Iceberg>>, 32},
      {"first_pass_of_cuckoo_1", table("cuckoo", 6, "bucket", 1), family_table<FirstPassInBuckets<Cuckoo>>, 1},
      {"first_pass_of_cuckoo_2", table("cuckoo", 6, "bucket", 2), family_table<FirstPassInBuckets<Cuckoo>>, 2},
      {"first_pass_of_segmented_cuckoo", table("segmented_cuckoo", 32, "segment", 128),
       family_table<FirstPassInBuckets<SegmentedCuckoo>>, 8},
  };
}

std::vector<Setting> all_settings()
{
  std::vector<Setting> all = small_settings();
  for (std::string const& family : family_names()) {
    if (!can_race(family)) { continue; }
    for (Setting& setting : settings_of(family)) { all.push_back(std::move(setting)); }
  }
  return all;
}

/// Keys of one home: those that threads use, and others to be there before.
struct Keys {
  Narrow::Key k, l, a;
  std::vector<Narrow::Key> more;
};
Keys keys_of_one_home(Setting const& setting)
{
  auto const table = setting.make(setting.table, {});
  std::vector<Narrow::Key> keys;
  for (Narrow::Key key = 5; keys.size() < 40; ++key) {
    if (table->home(key) == table->home(5)) { keys.push_back(key); }
  }
  return {keys[0], keys[1], keys[2], {keys.begin() + 3, keys.end()}};
}

using Before = std::vector<Call>;

std::shared_ptr<SharedTable const> table_if_there_is_room(Setting const& setting, Before const& before)
{
  try {
    return setting.make(setting.table, before);
  } catch (Error const&) {
    return nullptr;
  }
}

std::uint32_t moves_of(SharedTable const& table, Call const& call)
{
  Words memory = table.start();
  return run_alone(table.operation(call, memory, false), memory).moves;
}

/// Random keys among which an insertion of k, or of l, has to move others.
Before crowd_that_has_to_move(Setting const& setting, Keys const& keys)
{
  Before best;
  std::uint64_t const places = setting.make(setting.table, {})->slots();
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    Before crowd;
    for (std::uint64_t i = 0; i < places - 2 - seed % 2; ++i) {
      crowd.push_back(insert(static_cast<Narrow::Key>(1000 + random_below(seed, i, 1u << 20)), 1));
    }
    auto const table = table_if_there_is_room(setting, crowd);
    if (!table || moves_of(*table, insert(keys.k, 1)) == 0) { continue; }
    best = crowd;
    if (moves_of(*table, insert(keys.l, 1)) != 0) { break; }
  }
  return best;
}

bool moves_keys(Setting const& setting)
{
  return setting.make == make_shared_table && !family_info(setting.table.family).moves.name.empty();
}

/// What tables are like before the threads begin, as far as the family can be brought to that.
std::vector<std::shared_ptr<SharedTable const>> tables_of(Setting const& setting, Keys const& keys)
{
  Before const a{insert(keys.a, 1)};
  std::vector<Before> befores{{},
                              a,
                              {insert(keys.k, 2)},
                              {insert(keys.a, 1), insert(keys.k, 2)},
                              {insert(keys.a, 1), insert(keys.k, 2), erase(keys.a)},
                              {insert(keys.k, 2), erase(keys.k)}};
  std::uint64_t const places = setting.make(setting.table, {})->slots();
  for (std::uint64_t const free : {1u, 2u}) {  // keys of all homes, and few slots left
    Before crowd = a;
    for (Narrow::Key key = 1000; crowd.size() + free < places; ++key) { crowd.push_back(insert(key, 1)); }
    befores.push_back(crowd);
    std::swap(crowd.front(), crowd.back());
    befores.push_back(crowd);
  }
  for (std::size_t const count : {std::size_t{2}, setting.group - 1, setting.group}) {  // keys of one home
    Before run;
    for (std::size_t i = 0; i < count; ++i) { run.push_back(insert(keys.more[i], 1)); }
    befores.push_back(run);
    run.push_back(insert(keys.k, 2));
    run.push_back(erase(keys.more.front()));
    befores.push_back(run);
  }
  if (moves_keys(setting)) { befores.push_back(crowd_that_has_to_move(setting, keys)); }
  std::vector<std::shared_ptr<SharedTable const>> tables;
  for (Before const& before : befores) {
    if (auto table = table_if_there_is_room(setting, before)) { tables.push_back(std::move(table)); }
  }
  return tables;
}

/// The history in which each thread begins when the one before it has ended.
History one_after_another(Race const& race)
{
  Schedule schedule;
  History history = history_of(race, schedule);
  while (!history.turns.empty()) {
    schedule.push_back(history.turns.front());
    history = history_of(race, schedule);
  }
  return history;
}

/// Each choice of `count` calls, in any order; a call may be chosen twice where it changes something.
std::vector<std::vector<Call>> choices(std::vector<Call> const& menu, std::size_t count, std::size_t from = 0)
{
  if (count == 0) { return {{}}; }
  std::vector<std::vector<Call>> all;
  for (std::size_t i = from; i < menu.size(); ++i) {
    std::size_t const next = menu[i].operation == Operation::find ? i + 1 : i;
    for (std::vector<Call> calls : choices(menu, count - 1, next)) {
      calls.push_back(menu[i]);
      all.push_back(std::move(calls));
    }
  }
  return all;
}

class FamilyRaces : public ::testing::TestWithParam<Setting> {
protected:
  Keys const keys_ = keys_of_one_home(GetParam());
  std::vector<std::shared_ptr<SharedTable const>> const tables_ = tables_of(GetParam(), keys_);
  std::uint64_t races_ = 0;
  double schedules_ = 0.0;  ///< of races in which they were counted
  Counts counts_;
  std::uint32_t moves_ = 0;  ///< keys that an insertion has moved, at most

  /// What a sanitizer sees of one race it sees of its neighbours: a few are enough for it.
  void expect_legal(std::vector<std::vector<Call>> const& choices, MemoryModel memory = MemoryModel::in_order)
  {
    constexpr std::size_t stride = test::sanitized ? 7 : 1;
    std::size_t number = 0;
    for (auto const& table : tables_) {
      for (std::vector<Call> const& calls : choices) {
        if (!why_not_promised(*table, calls).empty()) { continue; }
        moves_ = std::max(moves_, moves_of(*table, calls.front()));
        if (number++ % stride == 0) { expect_legal({table, calls, memory}); }
      }
    }
    std::cout << fmt::format("  {} races, {:.3g} schedules: {} run to their end, in {} turns\n", races_, schedules_,
                             counts_.schedules, counts_.turns);
  }

private:
  void expect_legal(Race const& race)
  {
    Report const report = explore(race, {}, {}, max_counted);
    EXPECT_TRUE(report.findings.complete);
    ++races_;
    counts_.schedules += report.findings.counts.schedules;
    counts_.turns += report.findings.counts.turns;
    schedules_ += report.schedules.value_or(0.0);
    if (report.legal()) { return; }
    std::string before;
    for (Pair const& pair : pairs_in(*race.table, race.table->start())) { before += fmt::format(" {}", pair.key); }
    std::vector<std::uint8_t> order(race.calls.size());
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    std::string turns;
    for (Turn const& turn : report.findings.shortest) { turns += fmt::format(" {}", turn.thread + 1); }
    ADD_FAILURE() << "keys" << before << ": " << words_of(race.calls, order) << ": " << report.verdict.fault
                  << "; turns" << turns;
  }
};

TEST_P(FamilyRaces, TwoOperationsLeaveALegalHistory)
{
  auto const& [k, l, a, more] = keys_;
  expect_legal(choices({insert(k, 10), insert(k, 11), insert(l, 12), find(k), find(l), erase(k), erase(a)}, 2));
  EXPECT_EQ(moves_ != 0, moves_keys(GetParam())) << "no insertion had to move a key";
}

/// A family whose insertions move keys admits no more new ones than there are empty slots.
bool has_room(SharedTable const& table, std::vector<Call> const& calls)
{
  std::set<Narrow::Key> added;
  for (Call const& call : calls) {
    bool const is_new = call.operation == Operation::insert && table.find(table.start(), call.key).slot == no_slot;
    if (is_new) { added.insert(call.key); }
  }
  std::size_t empty = 0;
  for (Slot slot = 0; slot < table.slots(); ++slot) {
    empty += table.slot(table.start(), slot).fill == Fill::empty ? 1 : 0;
  }
  return !table.inserts_new_keys() || added.size() <= empty;
}

/// Whatever is promised of operations at once.
TEST_P(FamilyRaces, OneOperationAfterAnotherIsLegal)
{
  auto const& [k, l, a, more] = keys_;
  std::set<Outcome> firsts;
  auto const expect_legal_in_turn = [&](std::shared_ptr<SharedTable const> const& table,
                                        std::vector<Call> const& calls) {
    if (!has_room(*table, calls)) { return; }
    History const history = one_after_another({table, calls});
    ASSERT_TRUE(history.verdict);
    std::vector<std::uint8_t> order(calls.size());
    std::iota(order.begin(), order.end(), std::uint8_t{0});
    EXPECT_TRUE(history.verdict->legal) << words_of(calls, order) << ": " << history.verdict->fault;
    for (Event const& event : history.events) { EXPECT_FALSE(event.fails) << event.text; }
    firsts.insert(history.threads.front().result.outcome);
  };
  for (auto const& table : tables_) {
    for (Call const& first : {insert(k, 9), insert(a, 8), erase(k), erase(a)}) {
      for (Call const& second : {insert(k, 10), insert(l, 11), insert(a, 12), find(k), find(a), erase(k), erase(a)}) {
        expect_legal_in_turn(table, {first, second});
        expect_legal_in_turn(table, {first, second, insert(k, 13)});
      }
    }
  }
  bool const inserts = firsts.contains(Outcome::inserted) || firsts.contains(Outcome::full);  // those that are static
  EXPECT_TRUE(inserts && firsts.contains(Outcome::missing) && firsts.contains(Outcome::erased))
      << "else this tests little";
}

TEST_P(FamilyRaces, ThreeOperationsLeaveALegalHistory)
{
  auto const& [k, l, a, more] = keys_;
  expect_legal(choices({insert(k, 10), insert(k, 11), insert(l, 12), find(k), erase(k)}, 3));
}

TEST_P(FamilyRaces, FourOperationsOnOneKeyLeaveALegalHistory)
{
  if (GetParam().table.family == "slab") { GTEST_SKIP() << "16 accesses to a slab: too many schedules"; }
  auto const& [k, l, a, more] = keys_;
  expect_legal(
      {{insert(k, 10), insert(k, 11), erase(k), find(k)}, {insert(k, 10), insert(k, 11), insert(l, 12), find(k)}});
}

TEST_P(FamilyRaces, ValuesThatAreAddedAreAllAdded)
{
  auto const add = [&](Narrow::Value value) { return insert(keys_.k, value, Combine::add); };
  expect_legal({{add(10), add(100)}, {add(10), add(100), add(1000)}});
}

TEST_P(FamilyRaces, StaleLoadsDoNoHarm)
{
  auto const& [k, l, a, more] = keys_;
  expect_legal(choices({insert(k, 10), insert(k, 11), insert(l, 12), find(k), find(l), erase(k), erase(a)}, 2),
               MemoryModel::stale_loads);
}

TEST_P(FamilyRaces, StaleLoadsOfThreeThreadsDoNoHarm)
{
  auto const& [k, l, a, more] = keys_;
  expect_legal(choices({insert(k, 10), insert(k, 11), insert(l, 12), find(k), erase(k)}, 3), MemoryModel::stale_loads);
}

INSTANTIATE_TEST_SUITE_P(Of, FamilyRaces, ::testing::ValuesIn(all_settings()),
                         [](auto const& info) { return info.param.name; });

}  // namespace
}  // namespace slotscape::races::family_races_tests
