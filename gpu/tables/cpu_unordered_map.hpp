#pragma once

#include "gpu/base/error.hpp"
#include "gpu/base/said.hpp"
#include "gpu/tables/bucket_ranges.hpp"

#include <new>
#include <unordered_map>

namespace slotscape {

namespace host_map {

/// std::hash for integers as in libstdc++ and libc++, written out so that the map's copy on the device knows each key's
/// bucket.
struct Hash {
  SLOTSCAPE_HOST_DEVICE constexpr std::size_t operator()(std::uint64_t key) const { return key; }
};

/// A value, and the slot of its node in the device copy.
template <class Value>
struct Entry {
  Value value;
  Slot slot = no_slot;
};

template <PairFormat Format>
using Map = std::unordered_map<typename Format::Key, Entry<typename Format::Value>, Hash>;

}  // namespace host_map

/// `std::unordered_map` on one thread of the host, on every backend: the baseline of Farrell 2020. The slots are a copy
/// of its nodes, made on demand, in iteration order, in which the nodes of a bucket are adjacent. This struct defines
/// how the copy is read and what step mode shows; `UnorderedMapTable` runs the batches.
struct CpuUnorderedMap : BucketRanges {
  static constexpr Guarantees guarantees(TableSettings const&)
  {
    return {.concurrency = Concurrency::phased, .erase_frees_slot = true};
  }

  static constexpr FamilyInfo info{
      .name = "cpu_unordered_map",
      .title = "std::unordered_map",
      .source = "The C++ standard library; the baseline of Farrell 2020, A Simple GPU Hash Table",
      .idea =
          "For comparison, on one CPU thread: chains of nodes anywhere in memory. The slots show the nodes in "
          "iteration order; a key's home is its bucket number. There are as many slots as buckets.",
      .guarantees = guarantees,
      .uses_hash = false,
      .key_is_hash = true,
      .wide = true,
      .is_host_container = true,
      .measure = {"Place in chain", "nodes before it"},
      .first_access = 2,
      .groups = {"Chain length", "nodes"},
      .theory = TheoryOf::poisson_groups,
      .steps = {.ends = "Its bucket ends here"}};

  template <PairFormat Format>
  struct Layout {
    std::uint64_t buckets;
    Slot stored;  ///< number of nodes, stored in the first slots

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return buckets; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return 2 * buckets; }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const
    {
      return static_cast<Slot>(host_map::Hash{}(key) % buckets);
    }
  };

  /// An empty map with at least this many buckets. Throws Error if memory runs out.
  template <PairFormat Format>
  static host_map::Map<Format> make_map(std::uint64_t buckets)
  {
    try {
      return host_map::Map<Format>(buckets);
    } catch (std::bad_alloc const&) {
      throw Error("Not enough memory for a map of " + std::to_string(buckets) + " buckets: choose a smaller table.");
    }
  }

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return {make_map<Format>(settings.slots).bucket_count(), 0};
  }

  template <class Table>
  static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) -> typename Table::Result
  {
    auto const place = find(table, key);
    if (place.slot != no_slot) {
      put(table, place.slot, pack(key, place.value), value);
      return {Outcome::updated, place.slot, value};
    }
    if (table.layout.stored == table.layout.slots()) { return {Outcome::full, no_slot, value}; }
    table.at("link", "bucket", table.layout.home(key));
    table.machine.add_metadata(table.layout.home(key), one_more);
    return {Outcome::inserted, no_slot, value};
  }

  template <class Table>
  static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    auto const place = find(table, key);
    if (place.outcome == Outcome::missing) { return place; }
    table.at("remove", "slot", place.slot);
    table.machine.exchange(place.slot, Table::Format::empty_word);
    table.at("unlink", "bucket", table.layout.home(key));
    table.machine.add_metadata(table.layout.home(key), one_less);
    return {Outcome::erased, place.slot, place.value};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described found = PairWords::described<typename Table::Format>(word);
    if (found.has_key) {
      found.measure = static_cast<std::uint32_t>(table.machine.load_metadata(table.layout.buckets + slot));
    }
    return found;
  }

  template <class Layout>
  static std::string explain(Layout const& layout, std::uint64_t bucket, std::uint64_t found, std::uint64_t written)
  {
    if (written == found) { return BucketRanges::explain(layout, bucket, found, written); }
    return written == found + one_more ? said("A new node is linked into the chain of bucket {}", {bucket})
                                       : said("The node is taken out of the chain of bucket {}", {bucket});
  }

private:
  /// Added to a bucket's range, these add or remove one node.
  static constexpr std::uint64_t one_more = std::uint64_t{1} << 32;
  static constexpr std::uint64_t one_less = ~one_more + 1;
};

namespace families {
using cpu_unordered_map = CpuUnorderedMap;
}

}  // namespace slotscape
