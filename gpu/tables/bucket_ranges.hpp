#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/static_family.hpp"

#include <string>

namespace slotscape {

/// Buckets packed one after another in the slots, each exactly as long as it has keys. The metadata has one number per
/// bucket, with its start and end.
struct BucketRange {
  Slot first;
  Slot end;

  SLOTSCAPE_HOST_DEVICE static constexpr BucketRange of(std::uint64_t number)
  {
    return {static_cast<Slot>(number), static_cast<Slot>(number >> 32)};
  }
  SLOTSCAPE_HOST_DEVICE constexpr std::uint64_t number() const { return (std::uint64_t{end} << 32) | first; }
  SLOTSCAPE_HOST_DEVICE constexpr Slot size() const { return end - first; }
};

/// Common parts of the families with packed buckets. There are as many buckets as slots, and a key's home is the number
/// of its bucket. A lookup reads the bucket's range, then its slots until it finds the key.
struct BucketRanges {
  template <class Layout>
  static std::uint64_t groups(Layout const& layout)
  {
    return layout.slots();
  }
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t group_size(Table const& table, std::uint64_t bucket)
  {
    return BucketRange::of(table.machine.load_metadata(bucket)).size();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    table.at("range", "bucket", table.layout.home(key));
    BucketRange const range = range_of(table, key);
    for (Slot slot = range.first; slot < range.end; ++slot) {
      table.at("look", "slot", slot);
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return PairWords::met<Format>(slot, word); }
    }
    return PairWords::missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described found = PairWords::described<typename Table::Format>(word);
    if (found.has_key) { found.measure = slot - range_of(table, key_of(word)).first; }
    return found;
  }

  /// Valid: a key is in its bucket, and the buckets fill the first slots.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return slot >= table.layout.stored; }
    BucketRange const range = range_of(table, key_of(word));
    return range.first <= slot && slot < range.end && range.end <= table.layout.stored;
  }

  template <class Layout>
  static std::string explain(Layout const&, std::uint64_t bucket, std::uint64_t found, std::uint64_t)
  {
    BucketRange const range = BucketRange::of(found);
    switch (range.size()) {
      case 0: return said("Bucket {} is empty", {bucket});
      case 1: return said("Bucket {} is slot {}", {bucket, range.first});
    }
    return said("Bucket {} is slots {} to {}", {bucket, range.first, range.end - 1});
  }

protected:
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static BucketRange range_of(Table const& table, typename Table::Key key)
  {
    return BucketRange::of(table.machine.load_metadata(table.layout.home(key)));
  }
};

}  // namespace slotscape
