#include "gpu/engine/narrate.hpp"
#include "gpu/engine/step_costs.hpp"
#include "tests/engine/engine_fixture.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

namespace slotscape {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

constexpr Slot slot_count = 16;

/// A table of 16 slots in which a key's home is its last hexadecimal digit.
std::unique_ptr<Engine> make_plain(Deletion deletion)
{
  return make_engine(Backend::cpu, {.slots = slot_count, .deletion = deletion, .hash = HashKind::identity});
}

void insert(Engine& engine, std::vector<Key> const& keys)
{
  std::vector<Value> const values(keys.begin(), keys.end());
  for (std::size_t i = 0; i < keys.size(); ++i) { engine.insert(std::span(&keys[i], 1), std::span(&values[i], 1)); }
}

void erase(Engine& engine, Key key)
{
  engine.erase(std::span(&key, 1));
}

/// What is said of an access when the first of its kind is seen.
std::string took(std::string const& text)
{
  return text + ". A compare-and-swap takes the slot in one step, if it is still free";
}
std::string swapped(std::string const& text)
{
  return text + ". A compare-and-swap writes the slot in one step, if it has not changed";
}
std::string exchanged(std::string const& text)
{
  return text + ". An exchange writes the slot and reads what it held, in one step";
}

std::vector<std::string> texts(Trace const& trace, std::string Step::*text = &Step::text)
{
  std::vector<std::string> texts;
  for (Step const& step : trace.steps) { texts.push_back(step.*text); }
  return texts;
}

/// A full table with one tombstone: the way ends at a key, and then goes back.
TEST(Narrate, AnInsertionThatHasReadAllSlotsGoesBackToTheTombstone)
{
  auto const engine =
      make_engine(Backend::cpu, {.slots = 5, .deletion = Deletion::tombstone_reuse, .hash = HashKind::identity});
  insert(*engine, {0, 1, 2, 3, 4});
  erase(*engine, 2);
  Trace const trace = engine->trace(Operation::insert, 11, 5);
  ASSERT_GE(trace.steps.size(), 6u);
  EXPECT_EQ(
      trace.steps[4].text,
      "Slot 0 holds 0 (home 0), another key. That was the last place to look: 11 is not in the table yet. Back to "
      "slot 2, the first place for it");
  EXPECT_EQ(trace.outcome, Outcome::inserted);
}

TEST(Narrate, AnInsertionGoesOnPastOtherKeysToAnEmptySlot)
{
  auto const engine = make_plain(Deletion::empty_value);
  insert(*engine, {0x13, 0x23, 0x14});
  Trace const trace = engine->trace(Operation::insert, 0x33, 5);
  EXPECT_THAT(texts(trace),
              ElementsAre("51 hashes to slot 3: 51 mod 16 = 3. Slot 3 holds 19 (home 3), another key. Next: slot 4",
                          "Slot 4 holds 35 (home 3), another key. Next: slot 5",
                          "Slot 5 holds 20 (home 4), another key. Next: slot 6", "Slot 6 is empty: 51 goes here",
                          took("51 goes to slot 6 (home 3)")));
  EXPECT_EQ(trace.summary, "51 is inserted after 4 probes (4 slots read; 1 written). 3 slots from home.");
}

TEST(Narrate, AKeyThatIsThereGetsANewValue)
{
  auto const engine = make_plain(Deletion::empty_value);
  insert(*engine, {0x13});
  Trace const trace = engine->trace(Operation::insert, 0x13, 5);
  EXPECT_THAT(texts(trace),
              ElementsAre("19 hashes to slot 3: 19 mod 16 = 3. Slot 3 holds 19 already, so only its value changes",
                          exchanged("The value of 19 in slot 3 changes from 19 to 5")));
  EXPECT_EQ(
      trace.summary,
      "19 was already in the table: its value is updated after 1 probe (1 slot read; 1 written). 0 slots from home.");
}

TEST(Narrate, AnErasedKeyComesBackToLife)
{
  auto const engine = make_plain(Deletion::empty_value);
  insert(*engine, {0x13, 0x23});
  erase(*engine, 0x13);
  EXPECT_THAT(texts(engine->trace(Operation::insert, 0x13, 5)),
              ElementsAre("19 hashes to slot 3: 19 mod 16 = 3. Slot 3 holds the erased key 19: it comes back here",
                          exchanged("19 is back in slot 3, with value 5")));
  EXPECT_THAT(texts(engine->trace(Operation::find, 0x13, 0)),
              ElementsAre(
                  "19 hashes to slot 3: 19 mod 16 = 3. Slot 3 holds the erased key 19: it is no longer in the table"));
  EXPECT_THAT(
      texts(engine->trace(Operation::find, 0x23, 0)),
      ElementsAre(
          "35 hashes to slot 3: 35 mod 16 = 3. Slot 3 holds the erased key 19 (home 3), and is still reserved for it. "
          "Next: slot 4",
          "Slot 4 holds 35: found. Its value is 35"));
}

TEST(Narrate, AnInsertionLooksBeyondATombstoneAndComesBackToIt)
{
  auto const engine = make_plain(Deletion::tombstone_reuse);
  insert(*engine, {0x13, 0x23, 0x33});
  erase(*engine, 0x23);
  EXPECT_THAT(texts(engine->trace(Operation::insert, 0x43, 5)),
              ElementsAre("67 hashes to slot 3: 67 mod 16 = 3. Slot 3 holds 19 (home 3), another key. Next: slot 4",
                          "Slot 4 holds a tombstone, left by an erased key: 67 may lie beyond it. Next: slot 5",
                          "Slot 5 holds 51 (home 3), another key. Next: slot 6",
                          "Slot 6 is empty, so 67 is not in the table yet. Back to slot 4, the first place for it",
                          "Slot 4 holds a tombstone, left by an erased key: 67 goes here",
                          took("67 goes to slot 4 (home 3)")));
  EXPECT_THAT(texts(engine->trace(Operation::insert, 0x48, 5)),
              ElementsAre("72 hashes to slot 8: 72 mod 16 = 8. Slot 8 is empty, so 72 is not in the table yet",
                          "Slot 8 is still empty at a second look: 72 goes here", took("72 goes to slot 8, its home")));
}

TEST(Narrate, ErasuresSayWhatBecomesOfTheSlot)
{
  auto const keeps = make_plain(Deletion::empty_value);
  insert(*keeps, {0x13});
  Trace const kept = keeps->trace(Operation::erase, 0x13, 0);
  EXPECT_THAT(texts(kept), ElementsAre("19 hashes to slot 3: 19 mod 16 = 3. Slot 3 holds 19, the key to erase",
                                       exchanged("19 is erased: it loses its value, and slot 3 is a tombstone now")));
  EXPECT_EQ(kept.summary, "19 is erased after 1 probe (1 slot read; 1 written).");
  auto const reuses = make_plain(Deletion::tombstone_reuse);
  insert(*reuses, {0x13});
  EXPECT_EQ(reuses->trace(Operation::erase, 0x13, 0).steps.back().text,
            swapped("Slot 3 becomes a tombstone, which a later insert may replace"));
}

TEST(Narrate, AValueThatStaysTheSameIsSaidToStay)
{
  auto const engine = make_plain(Deletion::empty_value);
  insert(*engine, {0x13});
  EXPECT_EQ(engine->trace(Operation::insert, 0x13, 19).steps.back().text,
            exchanged("19 in slot 3 keeps its value 19: the new one is the same"));
}

/// How many keys other than this one lie elsewhere after an insertion: told by the whole table before and after it.
std::size_t others_moved(std::vector<SlotInfo> const& before, std::vector<SlotInfo> const& after, Key key)
{
  return static_cast<std::size_t>(std::ranges::count_if(after, [&](SlotInfo const& slot) {
    SlotInfo const& was = before[slot.slot];
    return slot.has_key && slot.pair.key != key && !(was.has_key && was.pair.key == slot.pair.key);
  }));
}

TEST(Narrate, AnInsertionSaysHowManyKeysItMoved)
{
  std::size_t moving = 0;
  for (Key const first : {1u, 1000u, 2000u, 3000u, 4000u, 5000u}) {
    auto const engine =
        make_engine(Backend::cpu, {.family = "cuckoo", .slots = 64, .parameters = {{"bucket", 1}, {"functions", 2}}});
    for (Key key = first; key < first + 32; ++key) {
      Trace const trace = engine->trace(Operation::insert, key, 0);
      std::vector<SlotInfo> const before = testing::all_slots(*engine);
      insert(*engine, {key});
      if (!trace.rebuild.empty()) { break; }
      std::size_t const moved = others_moved(before, testing::all_slots(*engine), key);
      std::string const wanted = fmt::format(" {} other key{} moved to make room.", moved, moved == 1 ? "" : "s");
      EXPECT_EQ(trace.summary.find(wanted) != std::string::npos, moved != 0) << trace.summary;
      moving += moved != 0 ? 1 : 0;
    }
  }
  EXPECT_GT(moving, 5u) << "else this tests nothing";
}

TEST(Narrate, ASearchInVainSaysWhyItEnds)
{
  auto const engine = make_plain(Deletion::empty_value);
  Trace const nowhere = engine->trace(Operation::find, 0x12, 0);
  EXPECT_THAT(texts(nowhere),
              ElementsAre("18 hashes to slot 2: 18 mod 16 = 2. Slot 2 is empty, so 18 is not in the table"));
  EXPECT_EQ(nowhere.summary, "18 is not in the table: unsuccessful search, 1 probe (1 slot read).");
  std::vector<Key> keys(slot_count);
  std::iota(keys.begin(), keys.end(), Key{0});
  insert(*engine, keys);
  Trace const full = engine->trace(Operation::insert, 0x12, 0);
  ASSERT_THAT(full.steps, SizeIs(slot_count));
  EXPECT_THAT(full.steps.back().text, HasSubstr("another key. This was the last place to look"));
  EXPECT_EQ(full.summary, "18 finds no slot after 16 probes (16 slots read): the table is full.");
  EXPECT_THAT(engine->trace(Operation::find, 0x12, 0).steps.back().text, HasSubstr("the last place to look"));
}

/// --- accesses of other kinds of family, put together by hand.

SlotInfo key_at(Slot slot, Key key, Slot home)
{
  return {slot, SlotState::live, {key, key}, home, true, (slot - home) % slot_count};
}

SlotInfo empty_at(Slot slot)
{
  return {slot, SlotState::empty, {0, 0}, slot, false, 0};
}

Step read(std::vector<SlotInfo> seen)
{
  return {Step::Kind::read, std::move(seen), {}, {}, {}};
}

FamilyInfo const& family()
{
  static FamilyInfo const info = family_info("linear_probing");
  return info;
}

TEST(Narrate, AnEvictionSaysWhoGivesWayAndWhereItGoes)
{
  Trace trace{Operation::insert, 77, 5, Outcome::inserted, {}, {}};
  trace.steps = {read({key_at(2, 30, 2)}),
                 {Step::Kind::exchange, {key_at(2, 30, 2)}, key_at(2, 77, 2), {}, {}},
                 {Step::Kind::exchange, {empty_at(9)}, key_at(9, 30, 2), {}, {}}};
  narrate(trace, family());
  EXPECT_FALSE(trace.steps[1].moved_from);
  EXPECT_EQ(trace.steps[2].moved_from, std::optional<Slot>{2});
  EXPECT_THAT(texts(trace), ElementsAre("77 hashes to slot 2. Slot 2 holds 30 (home 2): 77 takes its place",
                                        exchanged("77 goes to slot 2, its home, in place of 30"),
                                        "30 moves from slot 2 to slot 9 (home 2)"));
}

TEST(Narrate, AnEvictionWithoutALookBeforeSaysWhoGivesWay)
{
  Trace trace{Operation::insert, 77, 5, Outcome::inserted, {}, {}};
  trace.steps = {{Step::Kind::exchange, {key_at(2, 30, 2)}, key_at(2, 77, 2), {}, {}}};
  narrate(trace, family());
  EXPECT_EQ(trace.steps[0].text, exchanged("77 goes to slot 2, its home, in place of 30"));
}

TEST(Narrate, AnErasedKeyInTheWayIsFreeToTake)
{
  SlotInfo erased = key_at(2, 30, 2);
  erased.state = SlotState::tombstone;
  Trace trace{Operation::insert, 77, 5, Outcome::inserted, {}, {}};
  trace.steps = {read({key_at(1, 31, 1)}), read({erased}), {Step::Kind::exchange, {erased}, key_at(2, 77, 1), {}, {}}};
  narrate(trace, family());
  EXPECT_EQ(trace.steps[1].text, "Slot 2 holds the erased key 30 (home 2): 77 goes here");
  EXPECT_EQ(trace.steps[2].text, exchanged("77 goes to slot 2 (home 1)"));
}

TEST(Narrate, AKeyTakenOutLeavesASlotThatIsSetAside)
{
  SlotInfo const aside_3{3, SlotState::tombstone, {0, 0}, 3, false, 0};
  SlotInfo const aside_9{9, SlotState::tombstone, {0, 0}, 9, false, 0};
  SlotInfo const aside_4{4, SlotState::tombstone, {0, 0}, 4, false, 0};
  Trace trace{Operation::insert, 77, 5, Outcome::inserted, {}, {}};
  trace.steps = {read({empty_at(9)}),
                 {Step::Kind::compare_and_swap, {empty_at(9)}, aside_9, {}, {}},
                 read({key_at(3, 29, 1)}),
                 read({key_at(4, 30, 4)}),
                 {Step::Kind::compare_and_swap, {key_at(4, 30, 4)}, aside_4, {}, {}},
                 {Step::Kind::exchange, {aside_9}, key_at(9, 30, 4), {}, {}},
                 read({key_at(1, 28, 1)}),
                 read({key_at(3, 29, 1)}),
                 {Step::Kind::compare_and_swap, {key_at(3, 29, 1)}, aside_3, {}, {}},
                 {Step::Kind::exchange, {aside_4}, key_at(4, 29, 1), {}, {}},
                 {Step::Kind::exchange, {aside_3}, key_at(3, 77, 2), {}, {}}};
  narrate(trace, family());
  EXPECT_THAT(texts(trace), ElementsAre("77 hashes to slot 9. Slot 9 is empty",
                                        took("Slot 9 is reserved: no other thread can use it for now"),
                                        "Slot 3 holds 29 (home 1): it cannot move to slot 9. Next: slot 4",
                                        "Slot 4 holds 30 (home 4): 30 is taken out",
                                        "30 is taken out of slot 4, which no other thread can use for now",
                                        exchanged("30 moves from slot 4 to slot 9 (home 4)"),
                                        "Slot 1 holds 28 (home 1): it cannot move to slot 4. Next: slot 3",
                                        "Slot 3 holds 29 (home 1): 29 is taken out",
                                        "29 is taken out of slot 3, which no other thread can use for now",
                                        "29 moves from slot 3 to slot 4 (home 1)", "77 goes to slot 3 (home 2)"));
}

Trace insertion_that_starts_over()
{
  Trace trace{Operation::insert, 77, 5, Outcome::inserted, {}, {}};
  trace.steps = {read({key_at(2, 30, 2)}),
                 read({key_at(3, 31, 3)}),
                 read({key_at(2, 30, 2)}),
                 read({key_at(3, 31, 3)}),
                 {Step::Kind::compare_and_swap, {key_at(3, 31, 3)}, key_at(3, 77, 2), {}, {}}};
  narrate(trace, family());
  return trace;
}

TEST(Narrate, AnInsertionThatStartsOverSaysThatItsKeyIsNew)
{
  Trace const trace = insertion_that_starts_over();
  EXPECT_EQ(trace.steps[1].text, "Slot 3 holds 31 (home 3), another key. 77 is not in the table yet. Back to slot 2");
  EXPECT_EQ(trace.steps[2].text, "Slot 2 holds 30 (home 2), another key. Next: slot 3");
  EXPECT_EQ(trace.steps[3].text, "Slot 3 holds 31 (home 3): 77 takes its place");
}

TEST(Narrate, WhatWasFoundIsToldWithoutWhatHappensNext)
{
  auto const engine = make_plain(Deletion::empty_value);
  insert(*engine, {0x13, 0x23, 0x14});
  EXPECT_THAT(texts(engine->trace(Operation::insert, 0x33, 5), &Step::found),
              ElementsAre("51 hashes to slot 3: 51 mod 16 = 3. Slot 3 holds 19 (home 3), another key",
                          "Slot 4 holds 35 (home 3), another key", "Slot 5 holds 20 (home 4), another key",
                          "Slot 6 is empty", took("51 goes to slot 6 (home 3)")));
  Trace trace = insertion_that_starts_over();
  EXPECT_THAT(texts(trace, &Step::found),
              ElementsAre("77 hashes to slot 2. Slot 2 holds 30 (home 2), another key",
                          "Slot 3 holds 31 (home 3), another key", "Slot 2 holds 30 (home 2), another key",
                          "Slot 3 holds 31 (home 3), another key",
                          swapped("77 goes to slot 3 (home 2), in place of 31")));
  trace.steps = {read({key_at(0, 30, 0), empty_at(1)}),
                 read({key_at(4, 31, 4), empty_at(5)}),
                 read({key_at(0, 30, 0), empty_at(1)}),
                 {Step::Kind::compare_and_swap, {empty_at(1)}, key_at(1, 77, 0), {}, {}}};
  trace.summary.clear();
  narrate(trace, family());
  EXPECT_EQ(trace.steps[1].found, "Slots 4 to 5 are read at once: 1 key, 1 empty. 77 is not among them");
}

TEST(Narrate, BucketsWithoutRoomAreReadAgainForAKeyThatCanMove)
{
  std::vector<SlotInfo> const low{key_at(0, 30, 0), key_at(1, 31, 0)};
  std::vector<SlotInfo> const high{key_at(4, 32, 4), key_at(5, 33, 4)};
  Trace trace{Operation::insert, 77, 5, Outcome::full, {}, {}};
  trace.steps = {read(low), read(high), read(low), read(high), read(low), read(high)};
  narrate(trace, family());
  EXPECT_THAT(
      texts(trace),
      ElementsAre(
          "Slots 0 to 1 are read at once: 2 keys, 0 empty. 77 is not among them. Next: slots 4 to 5",
          "Slots 4 to 5 are read at once: 2 keys, 0 empty. 77 is not in the table yet. Back to slots 0 to 1",
          "Slots 0 to 1 are read at once: 2 keys, 0 empty. There is no room. Next: slots 4 to 5",
          "Slots 4 to 5 are read at once: 2 keys, 0 empty. There is no room. Back to slots 0 to 1, to see which "
          "key can move",
          "Slots 0 to 1 are read at once: 2 keys, 0 empty. There is no room. Next: slots 4 to 5",
          "Slots 4 to 5 are read at once: 2 keys, 0 empty. There is no room. This was the last place to look"));
  EXPECT_EQ(trace.summary, "77 finds no slot after 2 probes (6 reads, 4 of them a second time): the table is full.");
}

TEST(Narrate, AMoveLeavesAnEmptySlotBehind)
{
  Trace trace{Operation::erase, 77, 0, Outcome::erased, {}, {}};
  trace.steps = {read({key_at(5, 30, 4)}),
                 {Step::Kind::exchange, {key_at(4, 77, 4)}, key_at(4, 30, 4), {}, {}},
                 {Step::Kind::exchange, {key_at(5, 30, 4)}, empty_at(5), {}, {}}};
  narrate(trace, family());
  EXPECT_EQ(trace.steps[1].moved_from, std::optional<Slot>{5});
  EXPECT_EQ(trace.steps[1].text, exchanged("30 moves from slot 5 to slot 4, its home, in place of 77"));
  EXPECT_EQ(trace.steps[2].text, "30 leaves slot 5: it is empty now");
}

TEST(Narrate, AWindowIsReadAtOnce)
{
  Trace trace{Operation::find, 77, 77, Outcome::found, {}, {}};
  trace.steps = {{Step::Kind::metadata, {}, {}, {}, {}},
                 read({key_at(0, 30, 0), empty_at(1)}),
                 read({key_at(4, 31, 0), key_at(5, 77, 5)})};
  narrate(trace, family());
  EXPECT_THAT(texts(trace), ElementsAre("Reads the metadata of the table. Next: slots 0 to 1",
                                        "Slots 0 to 1 are read at once: 1 key, 1 empty. 77 is not among them. Next: "
                                        "slots 4 to 5",
                                        "Slots 4 to 5 are read at once: slot 5 holds 77: found. Its value is 77"));
}

TEST(Narrate, APlaceInAWindowIsNamed)
{
  for (Slot const place : {Slot{0}, Slot{1}}) {
    std::vector<SlotInfo> const window{empty_at(0), empty_at(1)};
    Trace trace{Operation::insert, 77, 5, Outcome::inserted, {}, {}};
    trace.steps = {read(window), {Step::Kind::compare_and_swap, {empty_at(place)}, key_at(place, 77, 0), {}, {}}};
    narrate(trace, family());
    EXPECT_EQ(trace.steps[0].text,
              "Slots 0 to 1 are read at once: 0 keys, 2 empty. 77 is not among them. 77 goes to slot " +
                  std::to_string(place));
  }
}

TEST(Narrate, AFailedCompareAndSwapSaysWhatItMet)
{
  Trace trace{Operation::insert, 77, 5, Outcome::inserted, {}, {}};
  trace.steps = {{Step::Kind::compare_and_swap, {key_at(2, 30, 2)}, {}, {}, {}},
                 read({empty_at(3)}),
                 {Step::Kind::compare_and_swap, {key_at(3, 31, 2)}, {}, {}, {}},
                 {Step::Kind::compare_and_swap, {empty_at(4)}, key_at(4, 77, 2), {}, {}}};
  narrate(trace, family());
  EXPECT_EQ(
      trace.steps[0].text,
      took("Nothing is written, because the slot is not free: slot 2 holds 30 (home 2), another key. Next: slot 3"));
  EXPECT_EQ(trace.steps[2].text, "Slot 3 has changed since it was read, so nothing is written. 77 goes to slot 4");
}

TEST(Narrate, SecondLooksAreCountedApartAndTheProbeLengthIsSaid)
{
  Trace trace{Operation::insert, 77, 5, Outcome::inserted, {}, {}};
  trace.steps = {read({key_at(2, 30, 2)}),
                 read({empty_at(3)}),
                 read({empty_at(3)}),
                 {Step::Kind::compare_and_swap, {empty_at(3)}, key_at(3, 77, 2), {}, {}}};
  narrate(trace, family());
  EXPECT_EQ(second_looks(trace, 4), 1u);
  EXPECT_EQ(second_looks(trace, 2), 0u);
  EXPECT_EQ(displacement(trace), std::optional<std::uint64_t>{1});
  EXPECT_EQ(trace.summary,
            "77 is inserted after 2 probes (3 slots read, one of them a second time; 1 written). 1 slot from home.");
}

/// Robin Hood on 16 slots, homes by the last hexadecimal digit. 0x15, 0x16 and 0x26 lie in slots 5, 6 and 7, at
/// distances 0, 0 and 1; 0x25 comes: it passes 0x15 (0 against 0), and takes slot 6 from 0x16, which takes slot 8.
TEST(Narrate, RobinHoodSaysWhoIsCarriedAndComparesTheDistances)
{
  auto const engine = make_engine(Backend::cpu, {.family = "robin_hood", .slots = 16, .hash = HashKind::identity});
  insert(*engine, {0x15, 0x16, 0x26});
  Trace const trace = engine->trace(Operation::insert, 0x25, 5);
  EXPECT_THAT(
      texts(trace),
      ElementsAre(
          "37 hashes to slot 5: 37 mod 16 = 5. Slot 5 holds 21 (home 5), 0 from home. 37 would be 0 from home here: "
          "equally far, but 21 is the smaller key, so 37 goes on. Next: slot 6",
          "Slot 6 holds 22 (home 6), 0 from home. 37 would be 1 from home here: farther, so it would "
          "have taken this slot. 37 is not in the table yet. Back to slot 5",
          "Slot 5 holds 21 (home 5), 0 from home. 37, carried, is 0 from home here: equally far, but "
          "21 is the smaller key, so 37 goes on. Next: slot 6",
          "Slot 6 holds 22 (home 6), 0 from home. 37, carried, is 1 from home here: farther, so it "
          "takes the slot",
          swapped("37 goes to slot 6 (home 5), in place of 22. 22 is now carried"),
          "Slot 7 holds 38 (home 6), 1 from home. 22, carried, is 1 from home here: equally far, and "
          "22 is the smaller key, so it takes the slot",
          "22 moves from slot 6 to slot 7 (home 6), in place of 38. 38 is now carried", "Slot 8 is empty: 38 goes here",
          "38 moves from slot 7 to slot 8 (home 6)"));
  EXPECT_EQ(trace.steps[3].found, "Slot 6 holds 22 (home 6), 0 from home. 37, carried, is 1 from home here")
      << "what follows is to be guessed";
  EXPECT_EQ(probes(trace, trace.steps.size()), 4u) << "slots 5, 6, 7 and 8";
  EXPECT_EQ(
      trace.summary,
      "37 is inserted after 4 probes (6 slots read, 2 of them a second time; 3 written). 1 slot from home. 2 other "
      "keys moved to make room.");
  EXPECT_EQ(trace.steps[4].found,
            swapped("37 goes to slot 6 (home 5), in place of 22, nearer to its home. 22 is now carried"));
  Trace const absent = engine->trace(Operation::find, 0x45, 0);
  EXPECT_THAT(absent.steps.back().text, HasSubstr("69 would be 1 from home here: farther, so it would have taken "));
}

/// Both orders by home: the smaller of two equally far keys has priority, when a key comes and when it is sought.
TEST(Narrate, ATieIsDecidedByTheKeysAndSaidSo)
{
  for (char const* const family : {"robin_hood", "graveyard"}) {
    SCOPED_TRACE(family);
    auto const engine = make_engine(Backend::cpu, {.family = family, .slots = 11, .hash = HashKind::identity});
    insert(*engine, {22});
    Trace const trace = engine->trace(Operation::insert, 11, 5);
    ASSERT_THAT(trace.steps, SizeIs(5));
    EXPECT_THAT(trace.steps[0].text, HasSubstr("equally far, and 11 is the smaller key, so it would have taken "));
    EXPECT_THAT(trace.steps[1].found, HasSubstr("0 from home here. Of equally far keys, the smaller one has priority"));
    EXPECT_THAT(trace.steps[2].found,
                HasSubstr("in place of 22, as far from home, but the larger key. 22 is now carried"));
    insert(*engine, {11});
    Trace const absent = engine->trace(Operation::find, 0, 0);
    ASSERT_THAT(absent.steps, SizeIs(1));
    EXPECT_THAT(absent.steps[0].found, HasSubstr("equally far, and 0 is the smaller key"))
        << "nothing is left to guess";
    EXPECT_THAT(absent.summary, HasSubstr("taken slot 0 from 11, which is as far from home, but the larger key."));
  }
}

TEST(Narrate, SumsThatCanBeDoneByHandAreShown)
{
  auto const first_text = [](TableSettings const& settings) {
    return make_engine(Backend::cpu, settings)->trace(Operation::find, 24, 0).steps.front().found;
  };
  EXPECT_THAT(first_text({.family = "double_hashing", .slots = 13, .hash = HashKind::identity}),
              HasSubstr(
                  "24 hashes to slot 11: 24 mod 13 = 11. Its step size: h2 = 1 + 24 mod 12 = 1. Slot 11 is empty"));
  EXPECT_THAT(first_text({.family = "double_hashing", .slots = 13}), Not(HasSubstr(" mod ")));
  EXPECT_THAT(first_text({.family = "cuckoo", .slots = 13, .parameters = {{"bucket", 1}}}),
              HasSubstr("24 hashes to slot "));
}

TEST(Narrate, OtherPathsSayHowFarTheyGo)
{
  auto const text_of = [](std::string const& family, std::size_t step) {
    auto const engine = make_engine(Backend::cpu, {.family = family, .slots = 16, .hash = HashKind::identity});
    insert(*engine, {0x15, 0x25, 0x35});
    Trace const trace = engine->trace(Operation::find, 0x35, 0);
    return trace.steps.size() <= step ? std::string() : trace.steps[step].text;
  };
  EXPECT_THAT(text_of("quadratic", 1), HasSubstr("another key. Next: slot 8, 2 further on"));
  EXPECT_THAT(text_of("simple_hash", 1), HasSubstr("another key. Next: slot 4, 1 before its home"));
  EXPECT_THAT(text_of("double_hashing", 0), HasSubstr("slot 12, 7 further on: h2 = (1 + 2 (53 div 16)) mod 16 = 7"));
}

/// A neighbourhood of 8: keys of home 0 fill slots 0 to 7, and slot 8 is the first empty one.
TEST(Narrate, HopscotchSaysWhyASlotIsTooFarAndWhyAKeyCannotMove)
{
  TableSettings const settings{.family = "hopscotch",
                               .slots = 32,
                               .hash = HashKind::identity,
                               .parameters = {{"neighbourhood", 8}}};
  auto const engine = make_engine(Backend::cpu, settings);
  insert(*engine, {0x00, 0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07});
  Trace const trace = engine->trace(Operation::insert, 0x20, 5);
  std::vector<std::string> const all = texts(trace);
  EXPECT_THAT(all, ::testing::Contains("Slot 8 is empty, but 8 from the home of 32, outside its neighbourhood. It is "
                                       "reserved, and a key before it must move there"));
  auto const full = make_engine(Backend::cpu, settings);
  insert(*full, {0x00, 0x20, 0x40, 0x60, 0x80, 0xa0, 0xc0, 0xe0});
  EXPECT_THAT(texts(full->trace(Operation::insert, 0x100, 5)),
              ::testing::Contains(
                  HasSubstr("it cannot move to slot 8, 8 from its home and outside its neighbourhood")));
}

/// The last text of a search for a key that is not there, in a table that is as good as full.
std::string last_text(TableSettings const& table, std::size_t keys, Operation operation = Operation::find)
{
  auto const engine = make_engine(Backend::cpu, table);
  std::vector<Key> all(keys);
  std::iota(all.begin(), all.end(), Key{1});
  insert(*engine, all);
  Trace const trace = engine->trace(operation, 1000, 0);
  return operation == Operation::insert ? trace.summary : trace.steps.back().text;
}

TEST(Narrate, EverySearchInVainSaysWhyItEnds)
{
  EXPECT_THAT(last_text({.family = "cuckoo", .slots = 32}, 28), HasSubstr("1000 has no other bucket"));
  EXPECT_THAT(last_text({.family = "slab", .slots = 32}, 10), HasSubstr("Its chain ends here"));
  EXPECT_THAT(last_text({.family = "slab", .slots = 32}, 30, Operation::insert),
              HasSubstr("the pool has no slab left for its chain"));
  EXPECT_THAT(last_text({.family = "warp_cooperative", .slots = 32}, 10),
              HasSubstr("An empty slot ends the search: 1000 is not in the table"));
  EXPECT_THAT(last_text({.family = "sorted_array", .slots = 32}, 20),
              HasSubstr("There is no slot left where it could be"));
  EXPECT_THAT(last_text({.family = "hash_graph", .slots = 16}, 16), HasSubstr("Its bucket ends here"));
  auto const sorted = make_engine(Backend::cpu, {.family = "sorted_array", .slots = 32});
  insert(*sorted, {10, 20, 30, 40, 50});
  EXPECT_THAT(sorted->trace(Operation::find, 20, 0).steps.front().text, HasSubstr("larger than 20"));
  EXPECT_THAT(sorted->trace(Operation::find, 50, 0).steps.front().text, HasSubstr("smaller than 50"));
}

TEST(Narrate, PathsThroughSubTablesSayWhereTheyGoOn)
{
  TableSettings const funnel{.family = "funnel", .slots = 256, .parameters = {{"inverse_delta", 8}}};
  EXPECT_THAT(last_text(funnel, 1200), HasSubstr("Its path ends here")) << "no slot is left empty";
  EXPECT_THAT(last_text(funnel, 10), HasSubstr("is empty, so 1000 is not in the table"));
  auto const levels = make_engine(Backend::cpu, funnel);
  std::vector<Key> keys(230);
  std::iota(keys.begin(), keys.end(), Key{1});
  levels->insert(keys, keys);
  Trace const path = levels->trace(Operation::find, 1000, 0);
  ASSERT_GT(path.steps.size(), 6u);
  EXPECT_THAT(path.steps[5].text, HasSubstr(", in its next bucket")) << "each has six slots";
  EXPECT_THAT(path.steps[4].text, Not(HasSubstr("bucket")));

  TableSettings const elastic{.family = "elastic", .slots = 256};
  EXPECT_THAT(last_text(elastic, 200), HasSubstr("No key was ever placed further along the probe sequence"));
  auto const arrays = make_engine(Backend::cpu, elastic);
  arrays->insert(keys, keys);
  Trace const probes = arrays->trace(Operation::find, 1000, 0);
  EXPECT_THAT(probes.steps[0].text, HasSubstr("probes at most"));
  EXPECT_THAT(probes.steps[1].text, HasSubstr(", its probe 1 in A2")) << "what comes after the first probe in A1";
  EXPECT_THAT(arrays->trace(Operation::insert, 1000, 1).steps.back().text, HasSubstr("probes at most"));
}

/// Families that call their measure "Probes" count from 0, textbooks from 1: the summary says one of both.
TEST(Narrate, ProbesAreCountedOnce)
{
  auto const engine = make_engine(Backend::cpu, {.family = "quadratic", .slots = 16, .hash = HashKind::identity});
  insert(*engine, {0x15});
  EXPECT_EQ(engine->trace(Operation::insert, 0x25, 0).summary,
            "37 is inserted after 2 probes (2 slots read; 1 written).");
}

TEST(Narrate, CuckooSaysWhichBucketComesNext)
{
  auto const engine = make_engine(Backend::cpu, {.family = "cuckoo", .slots = 64});
  EXPECT_THAT(engine->trace(Operation::find, 77, 0).steps.front().text, HasSubstr(", its next bucket"));
  auto const segmented = make_engine(Backend::cpu, {.family = "segmented_cuckoo", .slots = 64});
  EXPECT_THAT(segmented->trace(Operation::find, 77, 0).steps.back().text,
              HasSubstr("It is not set, so the key is not in the table"));
}

TEST(Narrate, WhatAFamilySaysItselfStays)
{
  Trace trace{Operation::find, 77, 0, Outcome::missing, {}, "Nothing to be done."};
  trace.steps = {read({empty_at(3)})};
  trace.steps[0].text = "The link is empty";
  narrate(trace, family());
  EXPECT_EQ(trace.steps[0].text, "The link is empty");
  EXPECT_EQ(trace.summary, "Nothing to be done.");
}

TEST(Narrate, ARepeatedKeySaysWhatBecomesOfItsValue)
{
  auto const seen = [](Combine combine, Value more) {
    auto const engine =
        make_engine(Backend::cpu, {.slots = slot_count, .hash = HashKind::identity, .combine = combine});
    insert(*engine, {0x13});
    Trace const trace = engine->trace(Operation::insert, 0x13, more);
    return std::pair(texts(trace), trace.summary);
  };
  std::string const place = "19 hashes to slot 3: 19 mod 16 = 3. Slot 3 holds 19 already, ";
  auto const [added, sum] = seen(Combine::add, 5);
  EXPECT_THAT(added, ElementsAre(place + "so 5 is added to its value 19",
                                 swapped("The value of 19 in slot 3 changes from 19 to 24")));
  EXPECT_THAT(sum, HasSubstr("its value is updated"));
  auto const [kept, first] = seen(Combine::keep_first, 5);
  EXPECT_THAT(kept, ElementsAre(place + "and its value 19 stays"));
  EXPECT_THAT(first, HasSubstr("its value stays"));
  EXPECT_THAT(seen(Combine::min, 25).first, ElementsAre(place + "and its value 19 stays, as the smaller one"));
  EXPECT_THAT(seen(Combine::max, 25).first, ElementsAre(place + "so its value becomes the larger one",
                                                        swapped("The value of 19 in slot 3 changes from 19 to 25")));
}

}  // namespace
}  // namespace slotscape
