#pragma once

#include "gpu/base/said.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/pair_words.hpp"
#include "gpu/tables/probe_order.hpp"
#include "gpu/tables/table_parts.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

namespace slotscape {

/// Elastic hashing (Farach-Colton, Krapivin & Kuszmaul 2025, 'Optimal Bounds for Open Addressing Without Reordering',
/// section 2): no key moves, and yet in a table filled to 1 - d the expected probes of a hit are O(1) on average over
/// the keys, and O(log 1/d) for the unluckiest. (d is the paper's delta.) An insertion may probe further than where it
/// puts its key, passing free slots in the order in which lookups probe: it is not greedy.
///
/// The paper: of n slots, array A1 has half, A2 a quarter, and so on: ceil(log n) arrays. Probe j of key x in Ai is a
/// random slot h_ij(x). n - floor(d n) keys come in batches. Batch 0 fills A1 to three quarters. Batch i works on Ai
/// and the next array, with fractions e1 and e2 free, until they have |Ai| - floor(d |Ai| / 2) and ceil(3/4 |A(i+1)|)
/// keys. It puts a key
///   1. if e1 > d/2 and e2 > 1/4: into a free slot among the first f(e1) probes in Ai, else by uniform probing into
///   A(i+1);
///   2. if e1 <= d/2: by uniform probing into A(i+1);
///   3. if e2 <= 1/4: by uniform probing into Ai, which is expensive, but rare;
/// where f(e) = c min(log^2 1/e, log 1/d). A lookup tries the slots h_ij(x) in the order of phi(i, j): `ProbeOrder`.
///
/// So the free fractions before an insertion decide where it puts its key. On a CPU, insertions run one after another;
/// a device runs at most a quarter of the batch's remaining insertions at once, so that few overlook each other
/// (`insertions_at_once`). Only the probe bounds depend on that: a slot is taken by compare-and-swap, keys are distinct
/// and not in the table, and counts, which may lag behind, only ever grow.
///
/// Our additions to the paper: (1) Deletion. An erased key keeps its slot, with an empty value, and counts as a key;
/// only that key may reuse the slot. Other keys in it would be probed as if e1 were smaller than it is. (2) A lookup
/// that misses ends after the largest phi(i, j) at which any key has been put, which is stored with the table. The
/// paper gives no bound for these lookups. (3) c is a parameter; the paper wants a large constant. f is rounded up. (4)
/// Arrays that no batch reaches before n - floor(d n) keys are stored get no keys, and lookups skip them. (5) Uniform
/// probing gives up after 32/d probes, and then tries all arrays, so that every loop ends. The probability that a key
/// is therefore `full` in an array with a fraction d/2 free is below e^-16; in the tests it does not occur. (6) Beyond
/// n - floor(d n) keys, every insertion returns `full`.
struct Elastic {
  static constexpr bool inserts_new_keys = true;
  static constexpr bool inserts_in_turn = true;
  static constexpr std::array<std::uint32_t, 8> inverse_deltas{8, 16, 32, 64, 128, 256, 512, 1024};
  static constexpr std::array<std::string_view, 8> delta_names{"1/8",   "1/16",  "1/32",  "1/64",
                                                               "1/128", "1/256", "1/512", "1/1024"};
  static constexpr std::array<std::uint32_t, 5> factors{1, 2, 4, 8, 16};
  static constexpr std::array<Parameter, 2> parameters{
      {{.name = "inverse_delta",
        .title = "Free share δ",
        .help = "The table takes keys up to the load factor 1 − δ",
        .fallback = 64,
        .choices = inverse_deltas,
        .choice_names = delta_names},
       {.name = "factor",
        .title = "Factor c",
        .help = "How often an insertion probes an array before it goes to the next: c · min(log² 1/ε, log 1/δ)",
        .fallback = 4,
        .choices = factors}}};

  /// The maximum is the paper's number of keys, including erased ones.
  static Guarantees guarantees(TableSettings const& settings)
  {
    return {.concurrency = Concurrency::phased,
            .erase_frees_slot = false,
            .safe_load = 1.0 - 1.0 / parameter_of(info, settings, "inverse_delta")};
  }

  static constexpr FamilyInfo info{
      .name = "elastic",
      .title = "Elastic hashing",
      .source = "Farach-Colton, Krapivin & Kuszmaul 2025, Optimal Bounds for Open Addressing Without Reordering, 2",
      .idea =
          "Arrays, each half as large as the one before, are filled one after the other: a key tries the current array "
          "a few times (more often, the fuller it is), then goes to the next. No key moves.",
      .guarantees = guarantees,
      .uses_hash = false,
      .wide = true,
      .parameters = parameters,
      .measure = {"Probe length", "slots tried before"},
      .first_access = 2,
      .steps = {.next = ", its probe {j} in A{i}", .ends = "No key was ever placed further along the probe sequence"}};

  template <PairFormat Format>
  struct Layout {
    std::uint64_t table_slots;
    std::uint32_t arrays;  ///< arrays that get keys
    std::uint32_t log;     ///< log 1/d
    std::uint32_t factor;  ///< c

    SLOTSCAPE_HOST_DEVICE std::uint64_t slots() const { return table_slots; }
    /// How many positions in the order of phi may hold keys, the number of keys in each array, and the current batch.
    SLOTSCAPE_HOST_DEVICE std::uint64_t metadata() const { return arrays + 2; }
    SLOTSCAPE_HOST_DEVICE std::uint64_t batch_number() const { return arrays + 1; }
    SLOTSCAPE_HOST_DEVICE Slot home(typename Format::Key key) const { return slot(key, 1, 1); }

    /// Arrays are numbered from 1; A1 has half of the slots, rounded up, A2 half of the rest, and so on.
    SLOTSCAPE_HOST_DEVICE Slot first(std::uint32_t array) const
    {
      return static_cast<Slot>(table_slots - (table_slots >> (array - 1)));
    }
    SLOTSCAPE_HOST_DEVICE std::uint64_t size(std::uint32_t array) const
    {
      std::uint64_t const rest = table_slots >> (array - 1);
      return array == all_arrays(table_slots) ? rest : rest - rest / 2;
    }
    SLOTSCAPE_HOST_DEVICE std::uint32_t array_of(Slot slot) const
    {
      std::uint32_t array = 1;
      while (array != all_arrays(table_slots) && slot >= first(array + 1)) { ++array; }
      return array;
    }
    /// Probe j of the key in array i: h_ij.
    SLOTSCAPE_HOST_DEVICE Slot slot(typename Format::Key key, std::uint32_t i, std::uint32_t j) const
    {
      return first(i) + scaled(seeded_hash((std::uint64_t{i} << 32) | j, key), size(i));
    }

    /// The number of keys in an array after its own batch, and after the previous one.
    SLOTSCAPE_HOST_DEVICE std::uint64_t filled(std::uint32_t array) const
    {
      return size(array) - (size(array) >> (log + 1));
    }
    SLOTSCAPE_HOST_DEVICE std::uint64_t three_quarters(std::uint32_t array) const
    {
      return size(array) - size(array) / 4;
    }
    /// The number of keys in the whole table after a batch.
    SLOTSCAPE_HOST_DEVICE std::uint64_t keys_after(std::uint32_t batch) const
    {
      std::uint64_t keys = batch < arrays ? three_quarters(batch + 1) : 0;
      for (std::uint32_t array = 1; array <= batch; ++array) { keys += filled(array); }
      return keys;
    }
    SLOTSCAPE_HOST_DEVICE std::uint64_t capacity() const { return table_slots - (table_slots >> log); }
    SLOTSCAPE_HOST_DEVICE std::uint32_t max_probes() const { return 32u << log; }

    /// f(e) for an array with `free` free slots.
    SLOTSCAPE_HOST_DEVICE std::uint32_t probes_at(std::uint32_t array, std::uint64_t free) const
    {
      std::uint32_t const inverse = log2_in_16ths(size(array), free);
      std::uint32_t const squared = inverse * inverse;
      std::uint32_t const bound = log * 256;
      return (factor * (squared < bound ? squared : bound) + 255) / 256;
    }
  };

  template <PairFormat Format>
  static Layout<Format> layout(TableSettings const& settings)
  {
    auto const log = static_cast<std::uint32_t>(std::countr_zero(parameter_of(info, settings, "inverse_delta")));
    Layout<Format> layout{settings.slots, all_arrays(settings.slots), log, parameter_of(info, settings, "factor")};
    std::uint32_t last = 0;  // batch
    while (last < layout.arrays && layout.keys_after(last) < layout.capacity()) { ++last; }
    layout.arrays = std::min(last + 1, layout.arrays);
    return layout;
  }

  /// On a device: few enough that not much more than a quarter of the batch's remaining insertions overlook each other,
  /// but at least one per lane of a warp.
  template <class Layout>
  static std::uint64_t insertions_at_once(Layout const& layout, std::uint64_t occupied)
  {
    std::uint32_t batch = 0;
    while (batch != layout.arrays && layout.keys_after(batch) <= occupied) { ++batch; }
    std::uint64_t const end = std::min(layout.keys_after(batch), layout.capacity());
    return std::max<std::uint64_t>(32, (end - std::min(end, occupied)) / 4);
  }

  /// The key must not be in the table.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto insert(Table const& table, typename Table::Key key, typename Table::Value value) ->
      typename Table::Result
  {
    auto const& layout = table.layout;
    auto const pair = pack(key, value);
    Work const work = present_work(table);
    if (work.is_full) { return {Outcome::full, no_slot, value}; }
    Place place{};
    if (work.probes != 0) { place = take(table, key, pair, work.first, work.probes); }
    if (place.slot == no_slot) { place = take(table, key, pair, work.then, layout.max_probes()); }
    for (std::uint32_t i = 1; place.slot == no_slot && i <= layout.arrays; ++i) {
      place = take(table, key, pair, i, layout.max_probes());
    }
    if (place.slot == no_slot) { return {Outcome::full, no_slot, value}; }
    note(table, place);
    return {Outcome::inserted, place.slot, value};
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto find(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    using Format = typename Table::Format;
    table.at("end");
    std::uint64_t left = table.machine.load_metadata(0);
    for (ProbeOrder order(table.layout.arrays); left != 0; --left, order.next()) {
      Slot const slot = table.layout.slot(key, order.array(), order.probe());
      table.at("look", "slot", slot, "i", order.array(), "j", order.probe());
      auto const word = table.machine.load(slot);
      if (key_of(word) == key) { return PairWords::met<Format>(slot, word); }
    }
    return PairWords::missing<Format>();
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static auto erase(Table const& table, typename Table::Key key) -> typename Table::Result
  {
    return erase_value(table, find(table, key), key);
  }

  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Described describe(Table const& table, Slot slot, typename Table::Word word)
  {
    Described described = PairWords::described<typename Table::Format>(word);
    if (described.has_key) { described.measure = measure(table.layout, slot, key_of(word)); }
    return described;
  }

  /// Valid: empty, or a key that a lookup reaches before it ends.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static bool is_valid(Table const& table, Slot slot, typename Table::Word word)
  {
    if (word == Table::Format::empty_word) { return true; }
    return !Table::Format::is_reserved(key_of(word)) &&
           measure(table.layout, slot, key_of(word)) < table.machine.load_metadata(0);
  }

  /// Explains an access to the metadata, for display.
  template <class Layout>
  static std::string explain(Layout const& layout, std::uint64_t index, std::uint64_t found, std::uint64_t written)
  {
    bool const changes = written != found;
    if (index == 0) {
      return changes ? said("Lookups now end after {} probes at most", {written})
                     : said("Lookups end after {} probes at most", {found});
    }
    if (index == layout.batch_number()) {
      return changes ? said("Batch {} begins", {written}) : said("This is batch {}", {found});
    }
    auto const array = static_cast<std::uint32_t>(index);
    return said("{} has {} keys in {} slots", {numbered('A', array), written, layout.size(array)});
  }

  static TableParts parts(TableSettings const& settings)
  {
    Layout<Narrow> const shape = layout<Narrow>(settings);
    TableParts parts;
    for (std::uint32_t array = 1; array <= all_arrays(settings.slots); ++array) {
      parts.push_back({numbered('A', array), shape.first(array), shape.size(array)});
    }
    return parts;
  }

private:
  /// The steps of an insertion: this many probes in one array, if any, then uniform probing in another.
  struct Work {
    bool is_full;
    std::uint32_t first;
    std::uint32_t probes;
    std::uint32_t then;
  };
  /// Probe `j` of a key in array `i`.
  struct Place {
    Slot slot = no_slot;
    std::uint32_t i = 0;
    std::uint32_t j = 0;
  };

  SLOTSCAPE_HOST_DEVICE static constexpr std::uint32_t all_arrays(std::uint64_t slots)
  {
    std::uint32_t arrays = 0;
    for (std::uint64_t rest = slots - 1; rest != 0; rest >>= 1) { ++arrays; }
    return arrays;
  }

  /// log2(numerator / denominator), rounded down to a 16th; numerator >= denominator. Uses integers, so that all
  /// machines get the same result.
  SLOTSCAPE_HOST_DEVICE static constexpr std::uint32_t log2_in_16ths(std::uint64_t numerator, std::uint64_t denominator)
  {
    constexpr int digits = 20;  // binary digits of the fraction
    std::uint64_t x = (numerator << digits) / denominator;
    std::uint32_t log = 0;
    for (; x >= std::uint64_t{2} << digits; x >>= 1) { log += 16; }
    for (std::uint32_t bit = 8; bit != 0; bit /= 2) {  // x is in [1, 2); its square gives the next digit of the log
      x = (x * x) >> digits;
      if (x >= std::uint64_t{2} << digits) {
        log += bit;
        x >>= 1;
      }
    }
    return log;
  }

  /// The probe order's position of the smallest j with which the key reaches this slot, or of one beyond the last.
  template <class Layout, class Key>
  SLOTSCAPE_HOST_DEVICE static std::uint32_t measure(Layout const& layout, Slot slot, Key key)
  {
    std::uint32_t const i = layout.array_of(slot);
    std::uint32_t j = 1;
    while (j <= layout.max_probes() && layout.slot(key, i, j) != slot) { ++j; }
    return ProbeOrder::place_of(layout.arrays, i, j);
  }

  /// Reads how full the current batch's arrays are. When a batch has all its keys, the next one begins.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Work present_work(Table const& table)
  {
    auto const& layout = table.layout;
    table.at("batch");
    auto batch = static_cast<std::uint32_t>(table.machine.load_metadata(layout.batch_number()));
    while (true) {
      bool const has_next = batch < layout.arrays;
      table.at("count");
      std::uint64_t const present = batch == 0 ? 0 : table.machine.load_metadata(batch);
      std::uint64_t const next = has_next ? table.machine.load_metadata(batch + 1) : 0;
      std::uint64_t const before = batch == 0 ? 0 : layout.keys_after(batch - 1) - layout.three_quarters(batch);
      if (before + present + next >= layout.capacity()) { return {true, 0, 0, 0}; }
      bool const is_filled = batch == 0 || present >= layout.filled(batch);
      bool const is_next_filled = !has_next || next >= layout.three_quarters(batch + 1);
      if (!is_filled || !is_next_filled) { return work_of(layout, batch, present, is_filled, is_next_filled); }
      if (!has_next) { return {true, 0, 0, 0}; }
      table.at("next");
      std::uint64_t const seen = table.machine.compare_exchange_metadata(layout.batch_number(), batch, batch + 1);
      batch = seen == batch ? batch + 1 : static_cast<std::uint32_t>(seen);
    }
  }

  /// The paper's three cases.
  template <class Layout>
  SLOTSCAPE_HOST_DEVICE static Work work_of(Layout const& layout, std::uint32_t batch, std::uint64_t present,
                                            bool is_filled, bool is_next_filled)
  {
    if (is_filled) { return {false, batch, 0, batch + 1}; }   // case 2, and batch 0
    if (is_next_filled) { return {false, batch, 0, batch}; }  // case 3
    return {false, batch, layout.probes_at(batch, layout.size(batch) - present), batch + 1};
  }

  /// Takes the first free slot among the first `probes` in an array.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static Place take(Table const& table, typename Table::Key key, typename Table::Word pair,
                                          std::uint32_t i, std::uint32_t probes)
  {
    auto const empty = Table::Format::empty_word;
    for (std::uint32_t j = 1; j <= probes; ++j) {
      Slot const slot = table.layout.slot(key, i, j);
      table.at("try", "slot", slot, "i", i, "j", j);
      if (table.machine.load(slot) != empty) { continue; }
      table.at("take", "slot", slot, "i", i, "j", j);
      if (table.machine.compare_exchange(slot, empty, pair) == empty) { return {slot, i, j}; }
    }
    return {};
  }

  /// Counts the key, and extends lookups to its place.
  template <class Table>
  SLOTSCAPE_HOST_DEVICE static void note(Table const& table, Place const& place)
  {
    table.at("add");
    table.machine.add_metadata(place.i, 1);
    std::uint64_t const needed = ProbeOrder::place_of(table.layout.arrays, place.i, place.j) + std::uint64_t{1};
    table.at("reach");
    std::uint64_t seen = table.machine.load_metadata(0);
    while (seen < needed) {
      std::uint64_t const old = table.machine.compare_exchange_metadata(0, seen, needed);
      if (old == seen) { break; }
      seen = old;
    }
  }
};

namespace families {
using elastic = Elastic;
}

}  // namespace slotscape
