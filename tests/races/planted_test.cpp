// Bugs planted into families: a search that did not find them could not prove that the others have none.

#include "gpu/races/family_table.hpp"
#include "gpu/races/judge.hpp"
#include "gpu/tables/linear_probing.hpp"
#include "gpu/tables/robin_hood.hpp"
#include "gpu/tables/swiss.hpp"

#include <gmock/gmock.h>

namespace slotscape::races::planted_tests {
namespace {

using ::testing::HasSubstr;

Call insert(Narrow::Key key, Narrow::Value value)
{
  return {Operation::insert, key, value};
}
Call erase(Narrow::Key key)
{
  return {Operation::erase, key};
}

/// An insertion that looks whether the slot is empty and then writes, in two steps.
struct WithoutCompareAndSwap : LinearProbing {
  template <class Table>
  static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) -> typename Table::Result
  {
    auto path = LinearProbing::path(table.layout, key);
    for (Slot left = static_cast<Slot>(table.layout.slots()); left != 0; --left, path.next(table.layout)) {
      Word const seen = table.machine.load(path.slot);
      if (seen != Narrow::empty_word && key_of(seen) != key) { continue; }
      table.machine.exchange(path.slot, pack(key, value));
      return {seen == Narrow::empty_word ? Outcome::inserted : Outcome::updated, path.slot, value};
    }
    return {Outcome::full, no_slot, value};
  }
};

/// An erasure that does not ask what its exchange has replaced.
struct ErasesBlindly : LinearProbing {
  template <class Table>
  static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    auto const place = LinearProbing::find(table, key);
    if (place.outcome == Outcome::missing) { return place; }
    table.machine.exchange(place.slot, pack(key, Narrow::empty_value));
    return {Outcome::erased, place.slot, place.value};
  }
};

/// The second walk of an insertion that reuses tombstones goes on where a compare-and-swap fails, without a look at
/// what has taken the slot.
struct DoesNotLookAgain : LinearProbing {
  template <class Table>
  static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) -> typename Table::Result
  {
    auto path = LinearProbing::path(table.layout, key);
    Slot const slots = static_cast<Slot>(table.layout.slots());
    for (Slot left = slots; left != 0; --left, path.next(table.layout)) {
      Word const seen = table.machine.load(path.slot);
      if (key_of(seen) == key) {
        table.machine.exchange(path.slot, pack(key, value));
        return {Outcome::updated, path.slot, value};
      }
      if (seen == Narrow::empty_word) { break; }
    }
    path = LinearProbing::path(table.layout, key);
    for (Slot left = slots; left != 0; --left, path.next(table.layout)) {
      Word const seen = table.machine.load(path.slot);
      bool const is_free = seen == Narrow::empty_word || seen == Narrow::tombstone_word;
      if (is_free && table.machine.compare_exchange(path.slot, seen, pack(key, value)) == seen) {
        return {Outcome::inserted, path.slot, value};
      }
    }
    return {Outcome::full, no_slot, value};
  }
};

/// Robin Hood hashing that takes a slot by an exchange, and carries on what it has read there before.
struct CarriesWhatItSaw : RobinHood {
  template <class Table>
  static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) -> typename Table::Result
  {
    Word carried = pack(key, value);
    Slot slot = table.layout.home(key);
    for (Slot left = static_cast<Slot>(table.layout.slots()); left != 0;
         --left, slot = slot_after(table.layout, slot)) {
      Word const seen = table.machine.load(slot);
      bool const is_empty = seen == Narrow::empty_word;
      Slot const mine = displacement(table.layout, slot, key_of(carried));
      Slot const other = is_empty ? 0 : displacement(table.layout, slot, key_of(seen));
      bool const wins = is_empty || mine > other || (mine == other && key_of(carried) < key_of(seen));
      if (!wins) { continue; }
      table.machine.exchange(slot, carried);
      if (is_empty) { return {Outcome::inserted, slot, value}; }
      carried = seen;
    }
    return {Outcome::full, no_slot, value};
  }
};

/// SwissTable of one group, where an insertion leaves another key's control byte to whoever has inserted that key.
struct LeavesBytesToOthers : Swiss {
  template <class Table>
  static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) -> typename Table::Result
  {
    std::uint8_t const byte = Swiss::tag(table.layout, key).byte;
    auto const group = fingerprints::read<2>(table, Slot{0}, 0, 16, Swiss::abseil_erased);
    for (std::uint64_t free = group.free(); free != 0; free &= free - 1) {
      auto const slot = static_cast<Slot>(first_bit(free));
      Word const old = table.machine.compare_exchange(slot, Narrow::empty_word, pack(key, value));
      if (old != Narrow::empty_word) { continue; }
      fingerprints::set_byte(table, group, slot, byte, true);
      return {Outcome::inserted, slot, value};
    }
    return {Outcome::full, no_slot, value};
  }
};

template <class Family>
Report report_of(std::vector<Call> const& before, std::vector<Call> const& calls, Deletion deletion)
{
  TableSettings const settings{.family = "planted", .slots = 8, .deletion = deletion, .hash = HashKind::identity};
  Race const race{family_table<Family>(settings, before), calls};
  EXPECT_EQ(why_not_promised(*race.table, calls), "");
  return explore(race);
}

TEST(PlantedBugs, AWriteThatIsNoCompareAndSwapLosesAKey)
{
  Report const report = report_of<WithoutCompareAndSwap>({}, {insert(5, 10), insert(13, 11)}, Deletion::empty_value);
  EXPECT_FALSE(report.legal());
  EXPECT_THAT(report.verdict.fault, HasSubstr("but then the table would hold 5: 10, 13: 11; it holds"));
  EXPECT_EQ(report.findings.shortest.size(), 4u);
}

TEST(PlantedBugs, OneKeyIsErasedTwice)
{
  Report const report = report_of<ErasesBlindly>({insert(5, 10)}, {erase(5), erase(5)}, Deletion::empty_value);
  EXPECT_FALSE(report.legal());
  EXPECT_THAT(report.verdict.fault, HasSubstr("T1: erased 10; T2: erased 10"));
}

TEST(PlantedBugs, AKeyIsStoredTwiceAmongTombstones)
{
  Report const report = report_of<DoesNotLookAgain>({insert(5, 1), insert(6, 1), erase(5)},
                                                    {insert(13, 10), insert(13, 11)}, Deletion::tombstone_reuse);
  EXPECT_FALSE(report.legal());
  EXPECT_EQ(report.verdict.fault, "13 is stored twice: in slots 5 and 7");
}

TEST(PlantedBugs, ACarriedKeyIsLost)
{
  Report const report =
      report_of<CarriesWhatItSaw>({insert(6, 1)}, {insert(5, 10), insert(13, 11)}, Deletion::empty_value);
  EXPECT_FALSE(report.legal());
}

/// A key fills the table, and its control byte is not set yet. Another is refused for it, and only then looked for in
/// vain.
TEST(PlantedBugs, AKeyThatFillsTheTableIsNotFound)
{
  std::vector<Call> before;
  for (Narrow::Key key = 0; key < 15; ++key) { before.push_back(insert(key, 1)); }
  std::vector<Call> const calls{insert(100, 10), insert(200, 11), {Operation::find, 100}};
  Report const report = report_of<LeavesBytesToOthers>(before, calls, Deletion::empty_value);
  EXPECT_FALSE(report.legal());
  EXPECT_THAT(report.verdict.fault, HasSubstr("did not run in that order"));
  EXPECT_TRUE(report_of<Swiss>(before, calls, Deletion::empty_value).legal());
}

/// The same operations of the families themselves.
TEST(PlantedBugs, AreNotInTheFamilies)
{
  EXPECT_TRUE(report_of<LinearProbing>({}, {insert(5, 10), insert(13, 11)}, Deletion::empty_value).legal());
  EXPECT_TRUE(report_of<LinearProbing>({insert(5, 10)}, {erase(5), erase(5)}, Deletion::empty_value).legal());
  EXPECT_TRUE(report_of<LinearProbing>({insert(5, 1), insert(6, 1), erase(5)}, {insert(13, 10), insert(13, 11)},
                                       Deletion::tombstone_reuse)
                  .legal());
  EXPECT_TRUE(report_of<RobinHood>({insert(6, 1)}, {insert(5, 10), insert(13, 11)}, Deletion::empty_value).legal());
}

}  // namespace
}  // namespace slotscape::races::planted_tests
