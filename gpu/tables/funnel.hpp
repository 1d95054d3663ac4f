#pragma once

#include "gpu/tables/hash.hpp"
#include "gpu/tables/open_addressing.hpp"
#include "gpu/tables/table_parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <string>

namespace slotscape {

/// Funnel hashing (Farach-Colton, Krapivin & Kuszmaul 2025, 'Optimal Bounds for Open Addressing Without Reordering',
/// section 3): greedy, without moving a key, and yet a lookup in a table filled to 1 - d takes O(log^2 1/d) probes in
/// the worst case, where uniform probing takes 1/d. (d is the paper's delta. Its alpha, the number of levels, is not a
/// load.)
///
/// The paper: the table is split into alpha = ceil(4 log 1/d + 10) levels and an overflow array. A level consists of
/// buckets of beta = ceil(2 log 1/d) slots, and has 3/4 as many buckets as the level before, give or take one. A key
/// has one bucket in each level, and takes the first free slot of the first bucket that has one. If all are full, it
/// goes to the overflow array, which has between d/2 and 3d/4 of all slots. The first half of the overflow array is for
/// log log n uniform tries; the second half consists of buckets of 2 log log n slots. A key has two of these buckets,
/// and probes them in turn, slot by slot, so it ends in the emptier one. Logarithms are to base 2. The paper takes n -
/// floor(d n) keys and erases none.
///
/// So a key's path depends only on the key, and the key takes the first free slot of the path: open addressing, with
/// all that `OpenAddressing` says about threads and erased keys. (A path may visit a slot of the overflow array twice,
/// as the paper's random slots may.)
///
/// Our choices: d is a parameter, a power of two. log log n is rounded up. Sizes of levels are rounded to the nearest
/// bucket, and the overflow array gets the slots that are left over. The paper's n is large; in a small table, levels
/// that would have no bucket have one, levels end when no buckets are left, and buckets are smaller if there would
/// otherwise be only one. Beyond n - floor(d n) keys, an insertion continues until its path ends. Erased keys leave
/// tombstones, which count as keys until they are reused. The paper has no constants for tables of a given size:
/// `safe_load` is from simulations, in which the first key that did not fit always came later.
struct Funnel : OpenAddressing<Funnel> {
  static constexpr std::array<std::uint32_t, 8> inverse_deltas{8, 16, 32, 64, 128, 256, 512, 1024};
  static constexpr std::array<std::string_view, 8> delta_names{"1/8",   "1/16",  "1/32",  "1/64",
                                                               "1/128", "1/256", "1/512", "1/1024"};
  static constexpr std::array<Parameter, 1> parameters{
      {{.name = "inverse_delta",
        .title = "Free share δ",
        .help = "The table is designed for load factors up to 1 − δ: a smaller δ gives more levels with larger buckets",
        .fallback = 64,
        .choices = inverse_deltas,
        .choice_names = delta_names}}};

  static Guarantees guarantees(TableSettings const& settings);

  static constexpr FamilyInfo info{
      .name = "funnel",
      .title = "Funnel hashing",
      .source = "Farach-Colton, Krapivin & Kuszmaul 2025, Optimal Bounds for Open Addressing Without Reordering, 3",
      .idea =
          "Levels of buckets, each three quarters the size of the one before: a key takes a free slot in its bucket on "
          "the first level that has one, and never moves.",
      .guarantees = guarantees,
      .deletes_two_ways = true,
      .paths_end = true,
      .uses_hash = false,
      .wide = true,
      .keys_alone = true,
      .parameters = parameters,
      .measure = {"Probe length", "slots tried before"},
      .steps = {.next_by = NextPlace::if_apart, .next = ", in its next bucket", .ends = "Its path ends here"}};

  /// How the slots are divided. Everything that follows from these sizes is computed on demand.
  struct Shape {
    std::uint64_t slots;
    std::uint32_t levels;         ///< alpha
    std::uint32_t bucket;         ///< beta
    std::uint32_t first_buckets;  ///< buckets of the first level
    Slot overflow;                ///< the first slot of the overflow array
    std::uint32_t tries;          ///< uniform tries in the overflow array's first half
    Slot choices;                 ///< the first slot of the overflow array's second half
    std::uint32_t choice_bucket;  ///< slots of a bucket in the second half
    std::uint32_t choice_buckets;

    static Shape of(std::uint64_t slots, std::uint32_t inverse_delta);
    /// The total number of buckets in `levels` levels, the first of which has `first` buckets.
    static std::uint64_t buckets_of(std::uint32_t levels, std::uint64_t first);
    /// The number of buckets in the level after one with `buckets` buckets.
    SLOTSCAPE_HOST_DEVICE static constexpr std::uint32_t after(std::uint32_t buckets)
    {
      std::uint32_t const next = static_cast<std::uint32_t>((std::uint64_t{3} * buckets + 1) / 4);
      return next == 0 ? 1 : next;
    }
    SLOTSCAPE_HOST_DEVICE std::uint32_t steps_of_levels() const { return levels * bucket; }
  };

  template <PairFormat Format>
  struct Layout {
    Shape shape;
    Deletion deletion;

    SLOTSCAPE_HOST_DEVICE bool reuses_slots() const
    {
      return !Format::has_values || deletion == Deletion::tombstone_reuse;
    }
    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return shape.slots; }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const
    {
      return bucket_in(shape, 0, 0, shape.first_buckets, key);
    }
  };
  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    return {Shape::of(settings.slots, parameter_of(info, settings, "inverse_delta")), settings.deletion};
  }

  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static Slot path_length(Layout const& layout)
  {
    return layout.shape.steps_of_levels() + layout.shape.tries + 2 * layout.shape.choice_bucket;
  }

  /// A key's path: level by level, then the overflow array.
  template <class Key>
  struct Path {
    Slot slot;
    Key key;
    std::uint32_t place;  ///< the slot's position in the whole path
    std::uint32_t left;   ///< slots after this one in the current bucket
    std::uint32_t level;
    Slot level_first;
    std::uint32_t buckets;  ///< buckets of the current level

    template <class Layout>
    SLOTSCAPE_HOST_DEVICE void next(Layout const& layout)
    {
      Shape const& shape = layout.shape;
      ++place;
      if (left != 0) {
        --left;
        ++slot;
      } else if (++level < shape.levels) {
        level_first += buckets * shape.bucket;
        buckets = Shape::after(buckets);
        slot = bucket_in(shape, level, level_first, buckets, key);
        left = shape.bucket - 1;
      } else {
        slot = overflow_slot(shape, place - shape.steps_of_levels(), key);
      }
    }
  };
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static Path<Key> path(Layout const& layout, Key key)
  {
    return {layout.home(key), key, 0, layout.shape.bucket - 1, 0, 0, layout.shape.first_buckets};
  }

  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t measure(Layout const& layout, Slot slot, Key key)
  {
    Shape const& shape = layout.shape;
    if (slot >= shape.overflow) { return measure_in_overflow(shape, slot, key); }
    Slot first = 0;
    std::uint32_t buckets = shape.first_buckets;
    std::uint32_t level = 0;
    while (slot - first >= buckets * shape.bucket) {
      first += buckets * shape.bucket;
      buckets = Shape::after(buckets);
      ++level;
    }
    return level * shape.bucket + (slot - bucket_in(shape, level, first, buckets, key));
  }

  /// Valid: no key, or a key on its own path.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    auto const key = key_of(word);
    if (Table::Format::is_reserved(key)) { return true; }
    auto path = Funnel::path(table.layout, key);
    for (std::uint32_t left = measure(table.layout, slot, key); left != 0; --left) {
      if (path.place >= path_length(table.layout)) { return false; }
      path.next(table.layout);
    }
    return path.slot == slot;
  }

  static TableParts parts(TableSettings const& settings);

private:
  /// The first slot of the key's bucket in this level.
  template <class Key>
  SLOTSCAPE_HOST_DEVICE static Slot bucket_in(Shape const& shape, std::uint32_t level, Slot level_first,
                                              std::uint32_t buckets, Key key)
  {
    return level_first + scaled(seeded_hash(level + 1, key), buckets) * shape.bucket;
  }

  /// The slot at this step in the overflow array. Steps after the last slot of the buckets stay there.
  template <class Key>
  SLOTSCAPE_HOST_DEVICE static Slot overflow_slot(Shape const& shape, std::uint32_t step, Key key)
  {
    constexpr std::uint64_t tried = std::uint64_t{1} << 32;
    constexpr std::uint64_t chosen = std::uint64_t{2} << 32;
    if (step < shape.tries) {
      return shape.overflow + scaled(seeded_hash(tried + step, key), shape.choices - shape.overflow);
    }
    std::uint32_t const probe = step - shape.tries;  // alternates between the two buckets
    std::uint32_t const place = probe / 2 < shape.choice_bucket ? probe / 2 : shape.choice_bucket - 1;
    std::uint32_t const bucket = scaled(seeded_hash(chosen + probe % 2, key), shape.choice_buckets);
    return shape.choices + bucket * shape.choice_bucket + place;
  }

  template <class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t measure_in_overflow(Shape const& shape, Slot slot, Key key)
  {
    std::uint32_t const steps = shape.tries + 2 * shape.choice_bucket;
    std::uint32_t step = 0;
    while (step != steps && overflow_slot(shape, step, key) != slot) { ++step; }
    return shape.steps_of_levels() + step;
  }
};

inline Funnel::Shape Funnel::Shape::of(std::uint64_t slots, std::uint32_t inverse_delta)
{
  auto const ceil_log = [](std::uint64_t n) { return static_cast<std::uint32_t>(std::bit_width(n - 1)); };
  std::uint64_t const twice = std::uint64_t{2} * inverse_delta;
  std::uint64_t const half_delta = (slots + twice - 1) / twice;
  std::uint64_t const in_levels = slots - std::max<std::uint64_t>(2, half_delta);
  std::uint32_t const log = ceil_log(inverse_delta);
  Shape shape{};
  shape.slots = slots;
  shape.bucket = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{2} * log, in_levels / 2));
  std::uint64_t const buckets = in_levels / shape.bucket;
  shape.levels = static_cast<std::uint32_t>(std::min<std::uint64_t>(4 * log + 10, buckets));
  std::uint64_t low = 1;  // the largest first level that fits is between low and high
  std::uint64_t high = buckets + 1;
  while (high - low > 1) {
    std::uint64_t const middle = (low + high) / 2;
    (buckets_of(shape.levels, middle) <= buckets ? low : high) = middle;
  }
  shape.first_buckets = static_cast<std::uint32_t>(low);
  shape.overflow = static_cast<Slot>(buckets_of(shape.levels, low) * shape.bucket);
  std::uint64_t const half = (slots - shape.overflow) / 2;
  shape.tries = ceil_log(ceil_log(slots));
  shape.choice_bucket = static_cast<std::uint32_t>(std::min<std::uint64_t>(std::uint64_t{2} * shape.tries, half));
  shape.choice_buckets = static_cast<std::uint32_t>(half / shape.choice_bucket);
  shape.choices = static_cast<Slot>(slots - std::uint64_t{shape.choice_buckets} * shape.choice_bucket);
  return shape;
}

inline std::uint64_t Funnel::Shape::buckets_of(std::uint32_t levels, std::uint64_t first)
{
  std::uint64_t sum = 0;
  for (auto size = static_cast<std::uint32_t>(first); levels != 0; --levels, size = after(size)) { sum += size; }
  return sum;
}

/// The paper's 1 - d, or less in a small table. In simulated tables of 16 to 2^20 slots, with d from 1/8 to 1/1024, all
/// keys fitted up to this load: 2000 tables of each size up to 4096 slots, fewer of the larger ones.
inline Guarantees Funnel::guarantees(TableSettings const& settings)
{
  Guarantees guarantees = OpenAddressing<Funnel>::guarantees(settings);
  double const delta = 1.0 / parameter_of(info, settings, "inverse_delta");
  guarantees.safe_load = 1.0 - std::max(delta, 1.0 / std::sqrt(static_cast<double>(settings.slots)));
  return guarantees;
}

inline TableParts Funnel::parts(TableSettings const& settings)
{
  Shape const shape = Shape::of(settings.slots, parameter_of(info, settings, "inverse_delta"));
  TableParts parts;
  Slot first = 0;
  std::uint32_t buckets = shape.first_buckets;
  for (std::uint32_t level = 0; level != shape.levels; ++level, buckets = Shape::after(buckets)) {
    parts.push_back({numbered('A', level + 1), first, std::uint64_t{buckets} * shape.bucket});
    first += buckets * shape.bucket;
  }
  parts.push_back({"B", shape.overflow, shape.choices - shape.overflow});
  parts.push_back({"C", shape.choices, shape.slots - shape.choices});
  return parts;
}

namespace families {
using funnel = Funnel;
}

}  // namespace slotscape
