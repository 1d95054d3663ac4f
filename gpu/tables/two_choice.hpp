#pragma once

#include "gpu/tables/cuckoo.hpp"

#include <algorithm>
#include <array>

namespace slotscape {

/// The power of two choices: a key goes to the less full of two buckets, and stays there (balanced allocations: Azar,
/// Broder, Karlin & Upfal 1994; for hash tables of buckets, Broder & Mitzenmacher 2001; on a GPU, BP2HT, Awad et al.
/// 2021). With n keys in n buckets, the fullest has only ln ln n / ln 2 + O(1), where one choice would give it ln n /
/// ln ln n.
///
/// From the sources: two hash functions, buckets read at once by a tile of lanes, no evictions, no order among the keys
/// of a bucket. Our choices: a bucket is 64 bytes (Awad et al. have 128), that is 8 slots for 32-bit keys and 4 for
/// 64-bit keys; if both buckets are equally full, the first takes the key, so that more lookups end there (the analysis
/// breaks ties at random); and the two buckets of a key differ.
///
/// A lookup reads the first bucket, and the second if the key is not there. Where a key goes depends on the stored
/// keys, so two threads that insert one key could choose differently. Therefore insertions run on keys that are new and
/// distinct (`PhasedTable`), as in `Cuckoo`; here, no key ever moves.
struct TwoChoice {
  static constexpr bool inserts_new_keys = true;
  static constexpr std::uint32_t choices = 2;
  static constexpr std::size_t bucket_bytes = 64;
  static constexpr std::array<int, 2> lane_choices{4, 8};

  static Guarantees guarantees(TableSettings const& settings);

  static constexpr FamilyInfo info{
      .name = "two_choice",
      .title = "Two choices",
      .source = "Azar et al. 1994, Balanced Allocations; Broder & Mitzenmacher 2001; Awad et al. 2021",
      .idea =
          "A key goes to the less full of two buckets. That alone keeps all buckets nearly equally full: no key is "
          "ever evicted.",
      .guarantees = guarantees,
      .uses_hash = false,
      .wide = true,
      .measure = {"Choice", "bucket 0 or 1"},
      .groups = {"Bucket size", "keys"},
      .theory = TheoryOf::balanced_allocation,
      .steps = {.next_by = NextPlace::bucket, .ends = "{} has no other bucket"}};

  template <PairFormat Format>
  struct Layout {
    using Key = typename Format::Key;
    static constexpr std::uint32_t bucket_slots = bucket_bytes / sizeof(typename Format::Word);

    std::uint32_t buckets;  ///< at least 2

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return std::uint64_t{buckets} * bucket_slots; }
    /// The distance to the second bucket comes from different bits of the hash than the first bucket.
    SLOTSCAPE_HOST_DEVICE std::uint32_t bucket(Key key, std::uint32_t choice) const
    {
      std::uint64_t const hash = seeded_hash(0x74776fu, key);
      std::uint32_t const first = scaled(hash, buckets);
      if (choice == 0) { return first; }
      std::uint32_t const second = first + 1 + scaled(hash << 32, buckets - 1);
      return second < buckets ? second : second - buckets;
    }
    SLOTSCAPE_HOST_DEVICE Slot first_slot(std::uint32_t bucket) const { return bucket * bucket_slots; }
    SLOTSCAPE_HOST_DEVICE Slot home(Key key) const { return first_slot(bucket(key, 0)); }
    /// Which of the key's choices the bucket is; `choices` if neither.
    SLOTSCAPE_HOST_DEVICE std::uint32_t choice_of(Key key, std::uint32_t its_bucket) const
    {
      if (bucket(key, 0) == its_bucket) { return 0; }
      return bucket(key, 1) == its_bucket ? 1 : choices;
    }
  };

  static constexpr std::array<int, 2> walked_buckets{4, 8};
  /// A key's buckets, in order of choice.
  template <class Table>
  class Walk {
  public:
    static constexpr int max_buckets = choices;

    SLOTSCAPE_HOST_DEVICE Walk(Table const& table, typename Table::Key key) : layout_(table.layout), key_(key) {}
    SLOTSCAPE_HOST_DEVICE Slot bucket() const { return layout_.first_slot(layout_.bucket(key_, choice_)); }
    SLOTSCAPE_HOST_DEVICE bool goes_on() { return ++choice_ != choices; }

  private:
    Layout<typename Table::Format> const& layout_;
    typename Table::Key key_;
    std::uint32_t choice_ = 0;
  };

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    constexpr std::uint64_t size = Layout<Format>::bucket_slots;
    return {static_cast<std::uint32_t>(std::max<std::uint64_t>(2, (settings.slots + size - 1) / size))};
  }
  template <PairFormat Format>
  static int lanes(Layout<Format> const&)
  {
    return Layout<Format>::bucket_slots;
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, Tile tile, typename Table::Key key) ->
      typename Table::Result
  {
    for (std::uint32_t choice = 0; choice != choices; ++choice) {
      table.at("look", "choice", choice);
      auto const result = Cuckoo::find_in_bucket(table, tile, key, table.layout.bucket(key, choice));
      if (result.outcome == Outcome::found) { return result; }
    }
    return {Outcome::missing, no_slot, Table::Format::empty_value};
  }

  /// The key must not be in the table. A try fails only if other threads have filled the chosen bucket.
  ///
  /// Keys that choose at the same moment do not see each other: thousands at once would fill buckets as if each had
  /// only one choice. So a key that ends up after more keys than its other bucket holds moves there, and gives its slot
  /// back. That is our choice; a key inserted alone never does this, and a key in the first half of a bucket does not
  /// check.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, Tile tile, typename Table::Key key,
                                           typename Table::Value value, bool = true) -> typename Table::Result
  {
    constexpr Slot size = Layout<typename Table::Format>::bucket_slots;
    auto const pair = pack(key, value);
    Slot mine = no_slot;
    std::uint32_t other = 0;
    for (int tries = 0; mine == no_slot && tries != max_tries; ++tries) {
      Room const first = room_in(table, tile, key, 0, "room");
      Room const second = room_in(table, tile, key, 1, "room");
      other = exec::count_lanes(second.free) > exec::count_lanes(first.free) ? 0 : 1;
      Room const& chosen = other == 0 ? second : first;
      if (chosen.free == 0) { return {Outcome::full, no_slot, value}; }
      mine = take_before(table, tile, chosen, size, pair);
    }
    for (int tries = 0; mine != no_slot && mine % size >= size / 2 && tries != max_tries; ++tries) {
      Room const room = room_in(table, tile, key, other, "again");
      Slot const keys_before = mine % size;
      if (size - static_cast<Slot>(exec::count_lanes(room.free)) >= keys_before) { break; }
      Slot const better = take_before(table, tile, room, keys_before, pair);
      if (better == no_slot) { continue; }
      table.at("again", "slot", mine);
      tile.once([&] { return table.machine.compare_exchange(mine, pair, Table::Format::empty_word); });
      mine = better;
      other = 1 - other;
    }
    return {mine == no_slot ? Outcome::full : Outcome::inserted, mine, value};
  }

  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, Tile tile, typename Table::Key key) ->
      typename Table::Result
  {
    return erase_pair(table, find(table, tile, key), key, Table::Format::empty_word, tile);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return {SlotState::empty, false, 0}; }
    return {SlotState::live, true, table.layout.choice_of(key_of(word), slot / table.layout.bucket_slots)};
  }
  /// Valid: empty, or a key in one of its buckets.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    return word == Table::Format::empty_word || describe(table, slot, word).measure != choices;
  }

  template <class Layout>
  static std::uint64_t groups(Layout const& layout)
  {
    return layout.buckets;
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t bucket)
  {
    Slot const first = table.layout.first_slot(static_cast<std::uint32_t>(bucket));
    std::uint32_t keys = 0;
    for (Slot lane = 0; lane != table.layout.bucket_slots; ++lane) {
      keys += table.machine.load(first + lane) != Table::Format::empty_word ? 1 : 0;
    }
    return keys;
  }

private:
  static constexpr int max_tries = 16;

  /// A bucket's first slot, and which of its slots are empty.
  struct Room {
    Slot first;
    std::uint32_t free;
  };
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static Room room_in(Table const& table, Tile tile, typename Table::Key key,
                                            std::uint32_t choice, char const* line)
  {
    FreshMachine<decltype(table.machine)> const fresh{table.machine};  // stale loads would repeat the same choice
    Slot const first = table.layout.first_slot(table.layout.bucket(key, choice));
    table.at(line, "choice", choice);
    auto const window = tile.read(fresh, first);
    return {first, tile.ballot(window, [](auto word) { return word == Table::Format::empty_word; })};
  }
  /// Puts the pair into an empty slot among a bucket's first `count`. Returns `no_slot` if other threads took them.
  template <class Table, class Tile>
  SLOTSCAPE_HOST_DEVICE static Slot take_before(Table const& table, Tile tile, Room const& room, Slot count,
                                                typename Table::Word pair)
  {
    auto const empty = Table::Format::empty_word;
    for (std::uint32_t free = room.free; free != 0; free &= free - 1) {
      auto const lane = static_cast<Slot>(exec::first_lane(free));
      if (lane >= count) { break; }
      Slot const slot = room.first + lane;
      table.at("take", "slot", slot);
      if (tile.once([&] { return table.machine.compare_exchange(slot, empty, pair); }) == empty) { return slot; }
    }
    return no_slot;
  }
};

/// A table that is only filled reaches a higher load (`theory::two_choice_load`): 0.80 with 2^10 buckets of 8 slots,
/// 0.71 with 2^18. But while keys come and go at random, buckets become less even. At the safe load, one of 10^8
/// insertions then finds both of its buckets full: in the equilibrium of two_choice_load.hpp, where t (s_{i-1}^2 -
/// s_i^2) = i (s_i - s_{i+1}).
inline Guarantees TwoChoice::guarantees(TableSettings const& settings)
{
  double const safe = settings.key_bits == 32 ? 0.53 : 0.25;
  return {.concurrency = Concurrency::phased, .erase_frees_slot = true, .safe_load = safe};
}

namespace families {
using two_choice = TwoChoice;
}

}  // namespace slotscape
