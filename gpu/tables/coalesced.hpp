#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/chain_slots.hpp"
#include "gpu/tables/hash.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace slotscape {

/// Coalesced hashing (Williams 1959; Vitter 1982, 'Implementations for Coalesced Hashing'): chaining within the table.
/// A key goes to its home. If that is taken, it goes to a free slot elsewhere, which is linked to the last slot of the
/// chain. Chains that meet grow together: one chain then holds keys of several homes. A *cellar*, slots that are no
/// key's home, takes such keys first, so that chains meet later.
///
/// In a small table, the free slot is the last one, as in textbooks. In a larger table, the search for a free slot
/// starts at a position derived from the slot to be linked, so that threads do not all compete for the same slot.
///
/// **Links.** A slot's metadata holds its *claim*: the slot before it in its chain, or that it is the first; and the
/// next slot. A slot gets a key only once it is claimed. Both are written once, by compare-and-swap, and stay until the
/// table is cleared. So claims are an open-addressing table of their own, whose key is the slot that needs a successor:
/// all threads that extend a chain at one slot get the same slot, whoever is first. No slot is the end of two chains,
/// and none leaks. Links form no cycle: a thread that extends a chain at a slot has seen that the slot is claimed, so
/// claims along a chain are made in its order, and each slot is claimed once.
///
/// **Insertion.** Erases run in a phase of their own and leave tombstones. While only insertions and lookups run, a
/// slot changes its key at most once, from free (empty or a tombstone) to a permanent key. An insertion first walks
/// along the chain that begins at its key's home. If the key is not there, it continues from the first slot that seemed
/// free: it tries to put the pair there by compare-and-swap, goes to the next slot of the chain if another key has
/// taken it, and extends the chain at its end.
///
/// Proof that no key is stored twice. The *path* of key k is the chain from its home on: the same for all threads, and
/// it only grows at its end. (1) A key that was stored before the phase is found by the first walk. (2) Otherwise, let
/// two threads insert k, and let one of them have put it into slot s of the path. It has passed the slots before s only
/// because other keys occupy them permanently, so the other thread takes none of these. Nor does the other thread pass
/// s: it passes a slot only where it has seen another key. So it reaches s, and sees k there. (3) Loads may be stale. A
/// stale pair may be free where there is now a key, never the reverse, and the compare-and-swap reads the current pair.
/// A stale link ends the first walk early: everything after it was added in this phase. Before an insertion extends a
/// chain, it reads the link again by a compare-and-swap, which also makes the claim if another thread has stored the
/// key but its claim is not yet visible. (4) `full` is right where the search reads the whole table: it has no
/// unclaimed slot and the chain no tombstone, nor will there be any in this phase.
struct Coalesced {
  static constexpr bool leaves_tombstones = true;

  static Guarantees guarantees(TableSettings const& settings);

  static constexpr std::array<std::uint32_t, 2> cellar_choices{0, 14};
  static constexpr std::array parameters{
      Parameter{.name = "cellar",
                .title = "Cellar",
                .help = "The percentage of slots that are no key's home; keys whose homes are taken use these slots "
                        "first. With 14 % a nearly full table is searched fastest (Vitter 1982).",
                .fallback = 0,
                .choices = cellar_choices}};

  static constexpr FamilyInfo info{.name = "coalesced",
                                   .title = "Coalesced hashing",
                                   .source = "Williams 1959, Handling Identifiers as Internal Symbols; Vitter 1982",
                                   .idea =
                                       "Chaining within the table: a key whose home is taken goes to a free slot, "
                                       "which is linked to the chain. Chains that meet merge.",
                                   .guarantees = guarantees,
                                   .wide = true,
                                   .parameters = parameters,
                                   .measure = {"Place in chain", "slots behind its home"},
                                   .accesses_per_measure = 2,
                                   .theory = TheoryOf::coalesced,
                                   .steps = {.next = ", the next slot of its chain",
                                             .ends = "Its chain ends here",
                                             .link = "Its link is next"}};

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  struct Layout {
    Hasher hasher;  ///< hashes to the slots in front of the cellar
    Slot all;

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return all; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return all; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t homes() const { return hasher.slots(); }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return hasher.home(key); }
  };

  template <PairFormat Format, class Hasher = HasherOf<Format>>
  static Layout<Format, Hasher> layout(TableSettings const& settings)
  {
    std::uint64_t const cellar = settings.slots * parameter_of(info, settings, "cellar") / 100;
    return {{settings.hash, settings.slots - cellar}, static_cast<Slot>(settings.slots)};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    Slot slot = table.layout.home(key);
    while (true) {
      table.at("look", "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return {Outcome::found, slot, value_of(word)}; }
      if (word == Format::empty_word) { break; }
      slot = next(table, slot);
      if (slot == no_slot) { break; }
    }
    return PairWords::missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    using Format = typename Table::Format;
    Slot slot = table.layout.home(key);
    Slot free = no_slot;
    for (Slot at = slot; at != no_slot; at = next(table, at)) {
      table.at("search", "slot", at);
      auto const word = table.machine.load(at);
      if (key_of(word) == key) {
        put(table, at, word, value);
        return {Outcome::updated, at, value};
      }
      if (free == no_slot && ChainSlots::is_free<Format>(word)) { free = at; }
      slot = at;
      if (word == Format::empty_word) { break; }
    }
    if (free != no_slot) { slot = free; }
    claim_home(table, slot);
    while (true) {
      table.at("again", "slot", slot);
      auto const seen = table.machine.load(slot);
      Outcome const outcome = ChainSlots::take(table, "take", "slot", slot, seen, key, value);
      if (outcome != Outcome::full) { return {outcome, slot, value}; }
      slot = next_or_new(table, slot);
      if (slot == no_slot) { return {Outcome::full, no_slot, value}; }
    }
  }

  /// The slot stays in its chain, with a tombstone. If several threads erase one key, exactly one gets `erased`.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return erase_pair(table, find(table, key), key, Table::Format::tombstone_word);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described found = PairWords::described<typename Table::Format>(word);
    if (found.has_key) { found.measure = steps_to(table, table.layout.home(key_of(word)), slot); }
    return found;
  }

  /// Valid: a slot is empty unless it is claimed; the slot that links to it is its claim; a key is in the chain of its
  /// home.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    using Format = typename Table::Format;
    Links const links = links_of(table, slot);
    if (links.claim == 0 || word == Format::empty_word) { return links.claim == 0 && word == Format::empty_word; }
    bool const is_first = links.claim == first_claim;
    if (!is_first && links_of(table, links.claim - claim_of_zero).next != slot + 1) { return false; }
    if (word == Format::tombstone_word) { return true; }
    Slot const home = table.layout.home(key_of(word));
    return home == slot || steps_to(table, home, slot) != 0;
  }

  /// The slots of each chain, in order, including those of erased keys. metadata: of the whole table.
  template <class Layout>
  static std::vector<std::vector<Slot>> chains(Layout const& layout, std::span<std::uint64_t const> metadata)
  {
    std::vector<std::vector<Slot>> chains;
    for (Slot first = 0; first < layout.all; ++first) {
      if (links_in(metadata[first]).claim != first_claim) { continue; }
      std::vector<Slot>& chain = chains.emplace_back(1, first);
      while (Slot const next = links_in(metadata[chain.back()]).next) { chain.push_back(next - 1); }
    }
    return chains;
  }

  /// Explains an access to a slot's metadata, for display.
  template <class Layout>
  static std::string explain(Layout const&, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    Links const before = links_in(found);
    Links const after = links_in(written);
    if (before.claim == 0 && after.claim == 0) { return said("Slot {} is in no chain yet", {index}); }
    if (before.claim == 0 && after.claim == first_claim) {
      return said("Slot {} becomes the first of a chain", {index});
    }
    if (before.claim == 0) {
      return said("Slot {} is free: it comes behind slot {}", {index, after.claim - claim_of_zero});
    }
    if (after.next == 0) { return said("Slot {} is the last of its chain", {index}); }
    return found == written ? said("Slot {} links to slot {}", {index, after.next - 1})
                            : said("Slot {} now links to slot {}", {index, after.next - 1});
  }

private:
  static constexpr std::uint32_t first_claim = 1;    ///< claim of a slot that is the home of the first key of its chain
  static constexpr std::uint32_t claim_of_zero = 2;  ///< claim by slot 0; slot s claims with this + s
  /// In a table with more slots than `reach`, the search tries this many neighbouring slots, then continues elsewhere,
  /// until it has tried `reach` slots.
  static constexpr Slot run = 16;
  static constexpr Slot reach = 1u << 14;

  /// A slot's metadata.
  struct Links {
    std::uint32_t claim = 0;
    Slot next = 0;  ///< next slot + 1; 0: none

    SLOTSCAPE_HOST_DEVICE std::uint64_t word() const { return (std::uint64_t{next} << 32) | claim; }
  };
  SLOTSCAPE_HOST_DEVICE static Links links_in(std::uint64_t word)
  {
    return {static_cast<std::uint32_t>(word), static_cast<Slot>(word >> 32)};
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Links links_of(Table const& table, Slot slot)
  {
    return links_in(table.machine.load_metadata(slot));
  }

  /// The next slot of the chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot next(Table const& table, Slot slot)
  {
    table.at("next", "slot", slot);
    Links const links = links_of(table, slot);
    return links.next == 0 ? no_slot : links.next - 1;
  }

  /// How many links a slot is away from a home; 0 if it is not in the home's chain.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t steps_to(Table const& table, Slot home, Slot slot)
  {
    std::uint32_t steps = 0;
    for (Slot at = home; at != slot; ++steps) {
      Links const links = links_of(table, at);
      if (links.next == 0) { return 0; }
      at = links.next - 1;
    }
    return steps;
  }

  /// Makes an unclaimed slot the first of a new chain. Leaves claimed slots unchanged.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static void claim_home(Table const& table, Slot slot)
  {
    table.at("home", "slot", slot);
    if (table.machine.load_metadata(slot) == 0) {
      table.machine.compare_exchange_metadata(slot, 0, Links{first_claim, 0}.word());
    }
  }

  /// The next slot of the chain, which is extended if it ends here; `no_slot` if no slot is left.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot next_or_new(Table const& table, Slot slot)
  {
    table.at("end", "slot", slot);
    Links links = links_of(table, slot);
    if (links.next == 0) { links = links_again(table, slot, links); }
    if (links.next != 0) { return links.next - 1; }
    Slot const added = claim_behind(table, slot);
    if (added == no_slot) { return no_slot; }
    table.at("link", "slot", slot, "to", added);
    table.machine.compare_exchange_metadata(slot, links.word(), Links{links.claim, added + 1}.word());
    return added;
  }

  /// Rereads, without stale loads, the links of a slot that has a key. Makes its claim if that has not arrived yet.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Links links_again(Table const& table, Slot slot, Links seen)
  {
    Links const claimed{seen.claim == 0 ? first_claim : seen.claim, 0};
    std::uint64_t const found = table.machine.compare_exchange_metadata(slot, seen.word(), claimed.word());
    return found == seen.word() ? claimed : links_in(found);
  }

  /// The slot that is or will be next after this one: in a small table, the last free one. In a larger table, a few
  /// slots of the cellar are tried first.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Slot claim_behind(Table const& table, Slot slot)
  {
    Slot const all = table.layout.all;
    auto const homes = static_cast<Slot>(table.layout.homes());
    std::uint64_t const claim = Links{slot + claim_of_zero, 0}.word();
    Slot at = all;
    for (Slot tried = 0; tried != (all < reach ? all : reach); ++tried) {
      if (all > reach && tried % run == 0) {
        std::uint64_t const random = seeded_hash(tried, claim);
        bool const in_cellar = tried == 0 && homes != all;
        at = in_cellar ? homes + scaled(random, all - homes) : scaled(random, all);
      }
      at = (at == 0 ? all : at) - 1;
      table.at("pool", "slot", at);
      std::uint64_t seen = table.machine.load_metadata(at);
      if (seen == 0) { seen = table.machine.compare_exchange_metadata(at, 0, claim); }
      if (seen == 0 || links_in(seen).claim == links_in(claim).claim) { return at; }
    }
    return no_slot;
  }
};

/// Random keys fit as long as slots are left: any chain may take any slot. In a large table, the search gives up before
/// it has tried every slot.
inline Guarantees Coalesced::guarantees(TableSettings const& settings)
{
  return {.concurrency = unless_combining(Concurrency::erases_apart, settings.combine),
          .erase_frees_bucket = true,
          .safe_load = 0.99};
}

namespace families {
using coalesced = Coalesced;
}

}  // namespace slotscape
