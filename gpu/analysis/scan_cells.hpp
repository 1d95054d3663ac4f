#pragma once

#include "gpu/analysis/cell_sums.hpp"
#include "gpu/analysis/grid.hpp"
#include "gpu/execution/atomics.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/execution/histogram.hpp"
#include "gpu/execution/streaming.hpp"
#include "gpu/tables/family.hpp"
#include "gpu/tables/hash.hpp"

#include <array>
#include <bit>
#include <type_traits>

namespace slotscape::passes {

/// The distances of keys from their homes, for hashers without remainders, for any number of slots without a branch:
/// the relevant bits of the hash are shifted to the top, and scaled.
template <class Key>
class DistanceFromHome {
public:
  explicit DistanceFromHome(BasicHasher<Key> const& hasher)
      : rounds_(hasher.rounds()),
        slots_(static_cast<std::uint32_t>(hasher.slots())),
        is_possible_(hasher.mask() != 0 || hasher.kind() != HashKind::identity)
  {
    bool const low_bits = hasher.mask() != 0 && hasher.kind() != HashKind::fibonacci;
    down_ = low_bits ? 0 : 8 * static_cast<int>(sizeof(Key)) - 32;
    up_ = low_bits ? std::countl_zero(slots_) + 1 : 0;
  }

  bool is_possible() const { return is_possible_; }
  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(Slot slot, Key key) const
  {
    Key const hash = rounds_(key);
    std::uint32_t const x = static_cast<std::uint32_t>(sizeof(Key) == 4 ? hash : hash >> down_) << up_;
    auto const home = static_cast<std::uint32_t>((static_cast<std::uint64_t>(x) * slots_) >> 32);
    std::uint32_t const ahead = slot - home;
    std::uint32_t const around = ahead + slots_;  // smaller than `ahead` if `ahead` has wrapped
    return ahead < around ? ahead : around;
  }

private:
  HashRounds<Key> rounds_;
  std::uint32_t slots_;
  bool is_possible_;
  int down_ = 0;
  int up_ = 0;
};

/// A picture that is reduced while the table is scanned. Its cells, squares of 2^level slots, consist of whole words of
/// the occupancy, or of whole parts of words. A warp processes an item: in rows, a stack of words as high as a cell;
/// along the curve, one or several cells.
struct CellPicture {
  static constexpr std::uint32_t first_level = 3;
  static constexpr std::uint32_t last_level = 6;

  Grid grid;
  PictureRequest request;
  Texel* texels;

  bool is_possible() const
  {
    return request.level >= first_level && request.level <= last_level && grid.columns >= 64 &&
           grid.rows >> request.level != 0 && words() >= words_per_item();
  }
  std::uint64_t items() const { return words() / words_per_item(); }

  SLOTSCAPE_HOST_DEVICE bool is_in_rows() const { return grid.layout == Layout::rows; }
  SLOTSCAPE_HOST_DEVICE std::uint32_t words_per_item() const
  {
    if (is_in_rows()) { return 1u << request.level; }
    return request.level == last_level ? 64 : 16;
  }
  /// The distance between an item's words.
  SLOTSCAPE_HOST_DEVICE std::uint32_t stride() const { return is_in_rows() ? grid.columns / 64 : 1; }
  SLOTSCAPE_HOST_DEVICE std::uint64_t first_word(std::uint64_t item) const
  {
    if (!is_in_rows()) { return item * words_per_item(); }
    std::uint64_t const across = stride();  // a power of two
    std::uint64_t const column = item & (across - 1);
    return ((item - column) << request.level) + column;
  }

  /// Writes the texel of the cell that starts at slot `first`, if it is in the picture. slots: those of the table.
  SLOTSCAPE_HOST_DEVICE void write(std::uint64_t first, std::uint64_t slots, CellSums sums) const
  {
    Position const at = position(first);
    std::uint32_t const x = at.x - request.x;
    std::uint32_t const y = at.y - request.y;
    if (x >= request.width || y >= request.height) { return; }
    sums.slots = slots_from(first, slots);
    texels[std::uint64_t{y} * request.width + x] = sums.texel(request.reduce, sums.live);
  }

private:
  std::uint64_t words() const { return std::uint64_t{grid.columns} * grid.rows / 64; }
  SLOTSCAPE_HOST_DEVICE int column_bits() const { return Occupancy::lowest(grid.columns); }

  SLOTSCAPE_HOST_DEVICE Position position(std::uint64_t first) const
  {
    std::uint32_t const level = request.level;
    if (is_in_rows()) {
      return {static_cast<std::uint32_t>(first & (grid.columns - 1)) >> level,
              static_cast<std::uint32_t>(first >> column_bits()) >> level};
    }
    // The curve through the cells is the same.
    return Grid{grid.layout, grid.columns >> level, grid.rows >> level}.position(
        static_cast<Slot>(first >> (2 * level)));
  }
  /// The number of a cell's slots that are in the table.
  SLOTSCAPE_HOST_DEVICE std::uint32_t slots_from(std::uint64_t first, std::uint64_t slots) const
  {
    std::uint32_t const side = 1u << request.level;
    if (first >= slots) { return 0; }
    if (!is_in_rows()) { return smaller(slots - first, side * side); }
    std::uint64_t const whole_rows = (slots - first) >> column_bits();
    if (whole_rows >= side) { return side * side; }
    std::uint64_t const more = (slots - first) & (grid.columns - 1);
    return static_cast<std::uint32_t>(whole_rows) * side + smaller(more, side);
  }
  SLOTSCAPE_HOST_DEVICE static std::uint32_t smaller(std::uint64_t a, std::uint32_t b)
  {
    return a < b ? static_cast<std::uint32_t>(a) : b;
  }
};

/// Does the work of `ScanSlots` on a GPU, but writes texels instead of marks, by state or measure and without recent
/// changes. It also notes full words in level 1 of the occupancy, which must be prepared. A lane adds up the measures
/// of its columns. States are counted from ballots: each lane keeps the ballot of half a word.
template <TableFamily Family, class Table>
struct ScanCells {
  using Word = typename Table::Word;
  using Key = typename Table::Format::Key;
  static constexpr bool by_distance = requires { requires Family::measures_distance; };
  static constexpr bool has_links = requires { Family::link_lane; };
  static constexpr int at_once = 4;      // words read together
  static constexpr int at_a_count = 16;  // words counted together; each lane keeps a half

  Table table;
  Word const* words;
  Occupancy occupancy;
  CellPicture picture;
  std::conditional_t<by_distance, DistanceFromHome<Key>, std::nullptr_t> distance;

  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t item, Tile tile, Sink& sink) const
  {
    static_assert(Tile::size == 32);
    Item all{.first = picture.first_word(item),
             .stride = picture.stride(),
             .words = static_cast<int>(picture.words_per_item()),
             .cell_bits = picture.is_in_rows() ? 31 : static_cast<int>(2 * picture.request.level) - 6};
    for (int w = 0; w < all.words; w += at_once) {
      std::uint64_t const last = all.word(w + at_once - 1);
      last * 64 + 64 <= occupancy.slots ? scan<true>(all, w, tile, sink) : scan<false>(all, w, tile, sink);
      int const kept = w % at_a_count + at_once;
      if (kept == at_a_count || w + at_once == all.words) { count(all, w + at_once - kept, kept, tile, sink); }
    }
    picture.is_in_rows() ? finish_rows(all, tile) : finish_curve(all, tile);
  }

private:
  /// The halves of a word, which are compared one by one.
  struct Stored {
    Key key = Table::Format::empty_key;
    typename Table::Format::Value value = Table::Format::empty_value;
  };
  SLOTSCAPE_HOST_DEVICE static Stored load(Word const* word)
  {
#if defined(__CUDA_ARCH__)
    if constexpr (Table::Format::has_values) {
      using Halves = std::conditional_t<sizeof(Key) == 4, uint2, ulonglong2>;
      Halves const halves = __ldcs(reinterpret_cast<Halves const*>(word));
      return {static_cast<Key>(halves.x), static_cast<Key>(halves.y)};
    } else {
      return {key_of(*word), value_of(*word)};
    }
#else
    return {key_of(*word), value_of(*word)};
#endif
  }

  /// The state bits of one half of a word, or their numbers.
  struct States {
    std::uint32_t used;
    std::uint32_t live;
    std::uint32_t links;
    std::uint32_t past;  ///< past the end of the table
  };
  /// A warp's item, with the data held by one lane.
  struct Item {
    std::uint64_t first;
    std::uint32_t stride;
    int words;
    int cell_bits;  ///< along the curve, a cell has 2^cell_bits words; in rows, no cell ends before the item does

    std::uint32_t sum[2]{};  ///< of measures in the lower and upper halves of words
    std::uint32_t max[2]{};
    std::uint64_t large[2]{};  ///< the sum if measures are large
    States kept{};
    States counts{};  ///< along the curve, numbers; in rows of several cells, a field for each
    CellSums cell{};  ///< along the curve: the cell with the lane's number

    SLOTSCAPE_HOST_DEVICE std::uint64_t word(int w) const
    {
      return first + std::uint64_t{static_cast<std::uint32_t>(w)} * stride;
    }
  };

  /// Scans some words, all of which are in the table if `whole`.
  template <bool whole, class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void scan(Item& item, int w, Tile tile, Sink& sink) const
  {
    constexpr int loads = 2 * at_once;
    Table const own = table;  // a local copy: no store can alias it, so its members stay in registers
    Stored read[loads];
    SLOTSCAPE_UNROLL
    for (int k = 0; k < loads; ++k) {
      std::uint64_t const slot = slot_of(item, w, k, tile);
      read[k] = whole || slot < occupancy.slots ? load(words + slot) : Stored{};
    }
    int const mine = tile.rank() - w % at_a_count * 2;  // the load whose states this lane keeps
    std::uint32_t measures[loads];
    std::uint32_t most = 0;
    SLOTSCAPE_UNROLL
    for (int k = 0; k < loads; ++k) {
      std::uint64_t const slot = slot_of(item, w, k, tile);
      bool const there = whole || slot < occupancy.slots;
      Found const found = describe(own, static_cast<Slot>(slot), read[k]);
      measures[k] = there && found.live ? found.measure : 0;
      most = measures[k] > most ? measures[k] : most;
      States const states{tile.ballot(there && found.used), tile.ballot(there && found.live),
                          has_links ? tile.ballot(there && found.link) : 0, whole ? 0 : ~tile.ballot(there)};
      if (mine == k) { item.kept = states; }
    }
    tile.ballot(most >= exec::local_bins) == 0 ? add<false>(item, w, measures, tile, sink)
                                               : add<true>(item, w, measures, tile, sink);
  }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t slot_of(Item const& item, int w, int k, Tile tile)
  {
    return item.word(w + k / 2) * 64 + static_cast<std::uint32_t>(k % 2 * 32 + tile.rank());
  }

  struct Found {
    bool used;
    bool live;
    bool link;
    std::uint32_t measure;  ///< valid if `live`
  };
  /// Distances are computed for any word, live or not, so that no lane waits for others.
  SLOTSCAPE_HOST_DEVICE Found describe(Table const& own, Slot slot, Stored const& stored) const
  {
    if constexpr (by_distance) {
      using Format = typename Table::Format;
      bool const live = stored.value != Format::empty_value;
      return {live || stored.key != Format::empty_key, live, false, distance(slot, stored.key)};
    } else {
      Described const found = Family::describe(own, slot, pack(stored.key, stored.value));
      return {found.state != SlotState::empty, found.state == SlotState::live, found.state == SlotState::link,
              found.measure};
    }
  }

  /// Adds the measures of some words to the histogram and to the sums of the lane's cells.
  template <bool some_are_large, class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void add(Item& item, int w, std::uint32_t const (&measures)[2 * at_once], Tile tile,
                                 Sink& sink) const
  {
    using Sum = std::conditional_t<some_are_large, std::uint64_t, std::uint32_t>;
    SLOTSCAPE_UNROLL
    for (int k = 0; k < 2 * at_once; ++k) {
      std::uint32_t const measure = measures[k];
      if (some_are_large && measure >= exec::local_bins) {
        sink.add_large(measure);
        sink.leave_out_zeros(1);  // add_bin counts it as 0 below
      }
      sink.add_bin(some_are_large && measure >= exec::local_bins ? 0 : measure);
      if constexpr (some_are_large) {
        item.large[k % 2] += measure;
      } else {
        item.sum[k % 2] += measure;
      }
      item.max[k % 2] = measure > item.max[k % 2] ? measure : item.max[k % 2];
    }
    if (item.cell_bits == 0) {
      SLOTSCAPE_UNROLL
      for (int j = 0; j < at_once; ++j) {
        std::uint32_t const* const pair = measures + std::ptrdiff_t{2} * j;
        std::uint32_t const a = pair[0];
        std::uint32_t const b = pair[1];
        finish_cell(item, w + j, Sum{a} + b, a > b ? a : b, tile);
      }
    } else if (((w + at_once) & ((1u << item.cell_bits) - 1)) == 0) {
      std::uint32_t const max = item.max[0] > item.max[1] ? item.max[0] : item.max[1];
      std::uint32_t const small = item.sum[0] + item.sum[1];
      int const number = w >> item.cell_bits;
      if (!some_are_large && 1 << item.cell_bits == at_once) {
        finish_cell(item, number, small, max, tile);
      } else {
        finish_cell(item, number, item.large[0] + item.large[1] + small, max, tile);
      }
      for (int h = 0; h < 2; ++h) { item.sum[h] = item.max[h] = 0; }
      for (int h = 0; h < 2; ++h) { item.large[h] = 0; }
    }
  }
  /// Along the curve: hands the measures of the item's cell `number` to the lane with that number.
  template <class Sum, class Tile>
  SLOTSCAPE_HOST_DEVICE static void finish_cell(Item& item, int number, Sum sum, std::uint32_t max, Tile tile)
  {
    std::uint64_t const total = sum_of(sum, tile);
    std::uint32_t const most = tile.max(max);
    if (tile.rank() != number) { return; }
    item.cell.sum = total;
    item.cell.max = most;
  }
  /// The sum over the warp. Large sums are rare.
  template <class Sum, class Tile>
  SLOTSCAPE_HOST_DEVICE static std::uint64_t sum_of(Sum sum, Tile tile)
  {
    bool const small = sizeof(Sum) == 4 || tile.ballot(sum >= (1u << 24)) == 0;
    return small ? tile.sum(static_cast<std::uint32_t>(sum)) : tile.sum(std::uint64_t{sum});
  }

  /// Writes and counts the states of the kept words from this one on; two lanes keep each word.
  template <class Tile, class Sink>
  SLOTSCAPE_HOST_DEVICE void count(Item& item, int from, int words_kept, Tile tile, Sink& sink) const
  {
    bool const has_kept = tile.rank() < 2 * words_kept;
    if (!has_kept) { item.kept = {}; }
    States const& bits = item.kept;
    note_occupied(item.word(from + tile.rank() / 2), has_kept, bits.used | bits.past, tile);
    std::uint32_t const live = Occupancy::count(bits.live);
    std::uint32_t const links = has_links ? Occupancy::count(bits.links) : 0;
    std::uint32_t const dead = Occupancy::count(bits.used) - live - links;
    sink.note(dead, links);
    sink.leave_out_zeros(has_kept ? 32 - live : 0);
    if (picture.is_in_rows()) {
      item.counts.used += counts_of(bits.used);
      item.counts.live += counts_of(bits.live);
      if (has_links) { item.counts.links += counts_of(bits.links); }
    } else {
      item.counts.used += live + links + dead;
      item.counts.live += live;
      item.counts.links += links;
    }
  }
  /// Each lane writes a half of a word.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void note_occupied(std::uint64_t word, bool has_half, std::uint32_t bits, Tile tile) const
  {
    bool const writes = has_half && word < occupancy.counts[0];
    if (writes) { reinterpret_cast<std::uint32_t*>(occupancy.words[0])[2 * word + (tile.rank() & 1)] = bits; }
    std::uint32_t const full = tile.ballot(writes && bits == 0xffffffffu);
    if ((full & (full >> 1) & 0x55555555u) == 0 || occupancy.levels == 1) { return; }
    if (tile.rank() % 2 == 0 && (full >> tile.rank() & 3) == 3) {
      exec::set_bits(occupancy.words[1][word / 64], std::uint64_t{1} << (word % 64));
    }
  }
  /// In rows: the number of set bits in each cell's part of x, in fields of the size of the parts; for parts of more
  /// than 16 bits, in a single field.
  SLOTSCAPE_HOST_DEVICE std::uint32_t counts_of(std::uint32_t x) const
  {
    x -= (x >> 1) & 0x55555555u;
    x = (x & 0x33333333u) + ((x >> 2) & 0x33333333u);
    x = (x + (x >> 4)) & 0x0f0f0f0fu;
    if (picture.request.level == 3) { return x; }
    x = (x + (x >> 8)) & 0x00ff00ffu;
    if (picture.request.level == 4) { return x; }
    return (x + (x >> 16)) & 0xffffu;
  }

  /// Even lanes handle the lower halves of words, odd lanes the upper halves.
  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void finish_rows(Item& item, Tile tile) const
  {
    std::uint32_t const level = picture.request.level;
    bool const joined = level == 6;  // both halves belong to one cell
    int const lanes = level < 5 ? 1 << level : 32;
    int const half = tile.rank() % 2;
    bool const large = tile.ballot((item.large[0] | item.large[1]) != 0) != 0;
    CellSums cell{};
    cell.sum = tile.sum_apart(exchanged_sum(item.sum[0], item.sum[1], tile), 2, lanes);
    if (large) { cell.sum += tile.sum_apart(exchanged_sum(item.large[0], item.large[1], tile), 2, lanes); }
    std::uint32_t const mine = half == 0 ? item.max[0] : item.max[1];
    std::uint32_t const others = tile.swapped(half == 0 ? item.max[1] : item.max[0], 1);
    cell.max = tile.max_apart(mine > others ? mine : others, 2, lanes);
    States counts = item.counts;
    counts.used = tile.sum_apart(counts.used, 2, 32);
    counts.live = tile.sum_apart(counts.live, 2, 32);
    if (has_links) { counts.links = tile.sum_apart(counts.links, 2, 32); }
    if (joined) {
      cell.sum = tile.sum_within(cell.sum, 2);
      cell.max = tile.max_apart(cell.max, 1, 2);
      counts.used = tile.sum_within(counts.used, 2);
      counts.live = tile.sum_within(counts.live, 2);
      if (has_links) { counts.links = tile.sum_within(counts.links, 2); }
    }
    if (tile.rank() % lanes >= (joined ? 1 : 2)) { return; }
    int const number = tile.rank() / lanes;
    int const shift = lanes < 32 ? number * lanes : 0;
    std::uint32_t const mask = lanes < 32 ? (1u << lanes) - 1 : 0xffffffffu;
    cell.live = counts.live >> shift & mask;
    cell.links = counts.links >> shift & mask;
    cell.tombstones = (counts.used >> shift & mask) - cell.live - cell.links;
    picture.write(item.first * 64 + static_cast<std::uint32_t>(half * 32 + number * lanes), occupancy.slots, cell);
  }
  /// Of two neighbouring lanes, the even one gets the sum of both lower numbers, and the odd one that of the upper
  /// numbers.
  template <class Sum, class Tile>
  SLOTSCAPE_HOST_DEVICE static Sum exchanged_sum(Sum lower, Sum upper, Tile tile)
  {
    bool const odd = tile.rank() % 2 != 0;
    return (odd ? upper : lower) + tile.swapped(odd ? lower : upper, 1);
  }

  template <class Tile>
  SLOTSCAPE_HOST_DEVICE void finish_curve(Item& item, Tile tile) const
  {
    int const lanes = 1 << item.cell_bits < at_a_count ? 2 << item.cell_bits : 32;
    int const number = tile.rank();
    auto const of_cell = [&](std::uint32_t count) {
      return tile.from(tile.sum_within(count, lanes), (number * lanes) & 31);
    };
    std::uint32_t const used = of_cell(item.counts.used);
    item.cell.live = of_cell(item.counts.live);
    item.cell.links = has_links ? of_cell(item.counts.links) : 0;
    item.cell.tombstones = used - item.cell.live - item.cell.links;
    if (number >= item.words >> item.cell_bits) { return; }
    picture.write((item.first + (static_cast<std::uint32_t>(number) << item.cell_bits)) * 64, occupancy.slots,
                  item.cell);
  }
};

}  // namespace slotscape::passes
