#pragma once

#include "gpu/tables/byte_group.hpp"
#include "gpu/tables/pair_words.hpp"
#include "gpu/tables/seen_window.hpp"

namespace slotscape {

/// A bucket of slots with a byte of metadata for each slot, as read by one thread, all bytes at once. A byte is `empty`
/// if the slot has been empty for as long as the bucket has; `erased` if a key was erased from a bucket that was full
/// at that time; otherwise it is a fingerprint of the slot's key. Both kinds of free slot may take any key. Once a
/// bucket has been full, it no longer has an empty byte, so a search that may continue elsewhere ends at an empty byte.
///
/// Slots and bytes are different words, and nothing is assumed about their order. The slot decides: it holds a pair or
/// is free, and changes by compare-and-swap. The byte follows. It is set by the thread that changed the slot, and by
/// any other thread that has met a key, its own or another, while the byte did not show it. So no thread returns a
/// result that depends on a key which later operations cannot see yet.
///
/// Inserts and finds may run concurrently, but not with erases. Proof: then a slot changes its key at most once, from
/// free to a permanent key, and a byte from free to that key's fingerprint. A stale byte may show a taken slot as free,
/// never the reverse.
///
/// (1) In one bucket, an insertion looks at each of the free slots, and of those with the key's own fingerprint, in
/// turn, and passes a slot only if another key is in it: this is decided by the compare-and-swap and the fresh load
/// (`take`), whatever a stale load would show. Two threads that insert the same key into this bucket thus meet at the
/// first slot that either takes.
///
/// (2) An insertion leaves a bucket for good only if that is full of other keys. Either `take` has passed all of its
/// slots, or its bytes show no free slot, and fresh loads do not find the key in the slots with its fingerprint
/// (`find`, with `Loads::fresh`). A plain load would not do: it may show a slot as still free after the byte shows the
/// fingerprint, and the insertion would leave behind the key that another thread has put there. Full buckets stay full,
/// so all threads that insert one key put it into the same bucket: the first that is not full of others.
///
/// Erases may run concurrently with each other: exactly one takes the pair out. Whether the bucket has an empty byte
/// does not change meanwhile, because an erased slot becomes `empty` only in a bucket that already has an empty one.
template <int numbers>
struct FingerprintBucket {
  static constexpr std::uint8_t empty_byte = 0;  ///< the initial value of metadata

  Slot first;           ///< the bucket's first slot
  std::uint64_t at;     ///< the index of the bucket's first number
  std::uint64_t lanes;  ///< one bit per slot of the bucket
  std::uint8_t erased;  ///< the byte of erased slots; `empty_byte` if the family has none
  ByteGroup<numbers> read;

  SLOTSCAPE_HOST_DEVICE std::uint64_t empty() const { return read.equal(empty_byte) & lanes; }
  SLOTSCAPE_HOST_DEVICE std::uint64_t free() const { return empty() | (read.equal(erased) & lanes); }
  SLOTSCAPE_HOST_DEVICE std::uint64_t with(std::uint8_t fingerprint) const { return read.equal(fingerprint) & lanes; }
  SLOTSCAPE_HOST_DEVICE std::uint32_t keys() const
  {
    return static_cast<std::uint32_t>(count_bits(lanes) - count_bits(free()));
  }
  /// How many slots before `lane` have the same fingerprint: a search for its key reads these in vain.
  SLOTSCAPE_HOST_DEVICE std::uint32_t matches_before(int lane, std::uint8_t fingerprint) const
  {
    return static_cast<std::uint32_t>(count_bits(with(fingerprint) & ((std::uint64_t{1} << lane) - 1)));
  }
};

namespace fingerprints {

/// Reads the bytes of a bucket of `size` slots: on a GPU, 16 bytes per load.
template <int numbers, class Table>
SLOTSCAPE_HOST_DEVICE FingerprintBucket<numbers> read(Table const& table, Slot first, std::uint64_t at, int size,
                                                      std::uint8_t erased)
{
  std::uint64_t const lanes = ~std::uint64_t{0} >> (64 - size);
  if constexpr (numbers == 1) {
    return {first, at, lanes, erased, {{table.machine.load_metadata(at)}}};
  } else {
    return {first, at, lanes, erased, {table.machine.template load_metadata_window<numbers>(at)}};
  }
}

/// How a search reads the slots. An insertion needs fresh loads where it will not look again.
enum class Loads : std::uint8_t { may_be_stale, fresh };

/// Looks for the key in the slots with its fingerprint.
template <class Table, int numbers>
SLOTSCAPE_HOST_DEVICE auto find(Table const& table, FingerprintBucket<numbers> const& bucket, std::uint8_t fingerprint,
                                typename Table::Key key, Loads loads = Loads::may_be_stale) -> typename Table::Result
{
  for (std::uint64_t left = bucket.with(fingerprint); left != 0; left &= left - 1) {
    Slot const slot = bucket.first + static_cast<Slot>(first_bit(left));
    table.at("look", "slot", slot);
    auto const word = loads == Loads::fresh ? table.machine.load_fresh(slot) : table.machine.load(slot);
    if (key_of(word) == key) { return {Outcome::found, slot, value_of(word)}; }
  }
  return {Outcome::missing, no_slot, Table::Format::empty_value};
}

/// Replaces the byte of a slot: when inserting, only a free byte; when erasing, only a fingerprint.
template <class Table, int numbers>
SLOTSCAPE_HOST_DEVICE void set_byte(Table const& table, FingerprintBucket<numbers> const& bucket, Slot slot,
                                    std::uint8_t byte, bool inserts)
{
  int const lane = static_cast<int>(slot - bucket.first);
  std::uint64_t const index = bucket.at + static_cast<std::uint64_t>(lane / 8);
  std::uint64_t seen = bucket.read.words[lane / 8];
  auto const is_due = [&](std::uint64_t word) {
    std::uint8_t const there = byte_in(word, lane);
    return (there == bucket.empty_byte || there == bucket.erased) == inserts;
  };
  table.at("mark", "slot", slot);
  while (is_due(seen)) {
    std::uint64_t const old = table.machine.compare_exchange_metadata(index, seen, with_byte(seen, lane, byte));
    if (old == seen) { return; }
    seen = old;
  }
}

/// Inserts the key into the first slot of the bucket that is still free, or updates its value if it meets the key.
/// Returns false if neither is possible. `result` has the value to insert; byte_of(key) is a key's fingerprint.
template <class Table, int numbers, class ByteOf>
SLOTSCAPE_HOST_DEVICE bool take(Table const& table, FingerprintBucket<numbers> const& bucket, ByteOf const& byte_of,
                                typename Table::Key key, typename Table::Result& result)
{
  using Format = typename Table::Format;
  auto const pair = pack(key, result.value);
  std::uint64_t const empty = bucket.empty();
  std::uint64_t const free = bucket.free();
  for (std::uint64_t left = free | bucket.with(byte_of(key)); left != 0; left &= left - 1) {
    int const lane = first_bit(left);
    Slot const slot = bucket.first + static_cast<Slot>(lane);
    bool const is_free = (free >> lane & 1) != 0;
    auto seen = (empty >> lane & 1) != 0 ? Format::empty_word : Format::tombstone_word;
    if (!is_free) {
      table.at("look", "slot", slot);
      seen = table.machine.load_fresh(slot);
    }
    auto old = seen;
    while (is_free_word<Format>(seen)) {  // at most twice, once as empty and once as a tombstone
      table.at("take", "slot", slot);
      old = table.machine.compare_exchange(slot, seen, pair);
      if (old == seen) { break; }
      seen = old;
    }
    bool const inserts = is_free_word<Format>(old);
    auto const holder = inserts ? key : key_of(old);
    if (is_free) { set_byte(table, bucket, slot, byte_of(holder), true); }  // also for another key that took it
    if (holder != key) { continue; }
    if (!inserts) { put(table, slot, old, result.value); }
    result = {inserts ? Outcome::inserted : Outcome::updated, slot, result.value};
    return true;
  }
  return false;
}

/// Erases the key from the slot where it was found: the slot becomes empty, unless the bucket was full.
template <class Table, int numbers>
SLOTSCAPE_HOST_DEVICE auto erase(Table const& table, FingerprintBucket<numbers> const& bucket,
                                 typename Table::Result const& place, typename Table::Key key) -> typename Table::Result
{
  using Format = typename Table::Format;
  bool const leaves_tombstone = bucket.empty() == 0 && bucket.erased != bucket.empty_byte;
  auto const word = leaves_tombstone ? Format::tombstone_word : Format::empty_word;
  auto const result = erase_pair(table, place, key, word);
  if (result.outcome == Outcome::erased) {
    set_byte(table, bucket, place.slot, leaves_tombstone ? bucket.erased : bucket.empty_byte, false);
  }
  return result;
}

/// Whether slot and byte agree, between batches: both free in the same way, or a key and its fingerprint. Tombstones
/// are allowed only where no slot is empty.
template <PairFormat Format, int numbers>
SLOTSCAPE_HOST_DEVICE bool agree(FingerprintBucket<numbers> const& bucket, Slot slot, typename Format::Word word,
                                 std::uint8_t fingerprint)
{
  std::uint8_t const byte = bucket.read.at(static_cast<int>(slot - bucket.first));
  if (word == Format::empty_word) { return byte == bucket.empty_byte; }
  if (word == Format::tombstone_word) {
    return bucket.erased != bucket.empty_byte && byte == bucket.erased && bucket.empty() == 0;
  }
  return byte == fingerprint;
}

}  // namespace fingerprints

}  // namespace slotscape
