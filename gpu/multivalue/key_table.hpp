#pragma once

#include "gpu/base/error.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/engine/queried_table.hpp"
#include "gpu/engine/stored_table.hpp"
#include "gpu/multivalue/local_groups.hpp"
#include "gpu/tables/linear_probing.hpp"
#include "gpu/tables/sorted_array.hpp"
#include "gpu/tables/two_level_compacting.hpp"
#include "gpu/tables/two_level_cuckoo.hpp"

#include <concepts>
#include <optional>

namespace slotscape::multivalue {

/// The parallel loops that fill a `KeyTable`.
namespace key_passes {

/// Inserts key i unless it is in the table, and records its slot.
template <TableFamily Family, class View>
struct Claim {
  View table;  ///< combines with `keep_first`
  typename View::Key const* keys;
  Slot* slots;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { slots[i] = Family::insert(table, keys[i], 0).slot; }
};

template <TableFamily Family, class View>
struct FindSlots {
  View table;
  typename View::Key const* keys;
  Slot* slots;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { slots[i] = Family::find(table, keys[i]).slot; }
};

/// Sets the value of key i to i, in its slot, or in slot i without an array of slots.
template <PairFormat Format>
struct NumberKeys {
  typename Format::Key const* keys;
  Slot const* slots;
  typename Format::Word* words;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    words[slots == nullptr ? i : slots[i]] = pack(keys[i], static_cast<typename Format::Value>(i));
  }
};

}  // namespace key_passes

/// The table of the distinct keys, with their group numbers as values. It is filled as a whole.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class KeyTable final
    : public QueriedTable<Family, Exec, Format, StoredTable<Family, Exec, Format, Table<Exec, Format>>> {
  using Base = QueriedTable<Family, Exec, Format, StoredTable<Family, Exec, Format, Table<Exec, Format>>>;
  using Key = typename Format::Key;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using View = typename Base::View;
  static constexpr bool is_two_level = std::same_as<Family, TwoLevelCuckoo>;
  static constexpr bool is_sorted = std::same_as<Family, SortedArray>;
  static constexpr HashKind usual_hash = KeyHash<Key>::kind;

  KeyTable(Exec& exec, TableSettings const& settings) : Base(exec, settings), failed_(exec, 1) {}

  using Base::view;
  typename Format::Word* slot_words() { return this->words_.data(); }
  std::uint64_t slots() const { return this->words_.size(); }

  /// The settings of a table for `keys` keys. Linear probing gets an odd number of slots, so that homes ascend with the
  /// hashes (`BasicHasher`); the buckets of two-level cuckoo are filled as in the paper.
  static TableSettings settings_for(std::uint64_t keys, double load_factor, HashKind hash = usual_hash)
  {
    double const load = is_two_level ? papers_load : is_sorted ? 1.0 : load_factor;
    auto const slots = std::max(min_slots, static_cast<std::uint64_t>(static_cast<double>(keys) / load) + 1);
    if (slots >= max_slots) {
      throw Error("So many keys need a table of more than " + std::to_string(max_slots) +
                  " slots: choose a higher load factor, or build several tables.");
    }
    return {.family = std::string(Family::info.name),
            .slots = is_two_level || is_sorted ? slots : slots | 1,
            .hash = hash,
            .key_bits = Format::bits};
  }
  static std::uint64_t slots_for(std::uint64_t keys, double load_factor)
  {
    return Family::template layout<Format>(settings_for(keys, load_factor)).slots();
  }

  /// Gives each distinct key a slot with the value 0, and drops all keys that were in the table before. Writes the
  /// slots of the keys. Returns false if some keys found no slot: the table then needs more slots.
  bool claim(Key const* keys, std::uint64_t count, Slot* slots) requires(!is_sorted)
  {
    using namespace key_passes;
    if constexpr (is_two_level) {
      if (!build(keys, count)) { return false; }
      this->exec_.for_each(count, FindSlots<Family, View>{view(), keys, slots});
    } else {
      this->exec_.fill(this->words_.data(), this->words_.size(), Format::empty_word);
      View table = view();
      table.combine = Combine::keep_first;
      this->exec_.for_each(count, Claim<Family, View>{table, keys, slots});
    }
    return true;
  }
  /// Sets the value of key i to i, in the slots that `claim` wrote.
  void number(Key const* keys, std::uint64_t count, Slot const* slots)
  {
    this->exec_.for_each(count, key_passes::NumberKeys<Format>{keys, slots, this->words_.data()});
  }
  /// Stores sorted keys in their order.
  void take_sorted(Key const* keys, std::uint64_t count) requires(is_sorted)
  {
    this->exec_.fill(this->words_.data(), this->words_.size(), Format::empty_word);
    number(keys, count, nullptr);
    this->layout_.stored = static_cast<Slot>(count);
  }

private:
  static constexpr std::uint64_t min_slots = 17;
  static constexpr double papers_load = 409.0 / two_level::bucket_slots;
  static constexpr std::uint64_t seed = 1;
  static constexpr std::uint32_t first_restart = 2;  ///< even numbers select the large prime, which suits any keys
  static constexpr std::uint32_t last_restart = 10;

  /// Phases 1 and 2 of the paper, repeated with other hash functions until all keys have a place.
  bool build(Key const* keys, std::uint64_t count)
  {
    auto& hash = this->layout_.bucket_hash;
    for (std::uint32_t restart = first_restart; restart <= last_restart; restart += 2) {
      hash = two_level::BucketHash::of(hash.buckets, seed, restart);
      this->exec_.fill(failed_.data(), 1, 0u);
      two_level::UniqueTable<Format> const table{
          hash, seed, count, this->words_.data(), this->metadata_.data(), failed_.data()};
      builder_.build(this->exec_, {{{table}}}, keys);
      std::uint32_t failed = 0;
      this->exec_.download(std::span(&failed, 1), static_cast<std::uint32_t const*>(failed_.data()));
      if (failed == 0) { return true; }
    }
    return false;
  }

  struct NoBuilder {
    explicit NoBuilder(Exec&) {}
  };
  using Builder = std::conditional_t<is_two_level, two_level::UniqueBuilder<Exec, Format>, NoBuilder>;
  Builder builder_{this->exec_};
  Buffer<std::uint32_t> failed_;
};

/// Replaces the table by one for `keys` keys unless it already fits. Keys that were selected by their usual hash need
/// another hash.
template <class Keys, exec::Executor Exec>
void fit(Exec& exec, std::optional<Keys>& table, std::uint64_t keys, double load_factor,
         HashKind hash = Keys::usual_hash)
{
  TableSettings const settings = Keys::settings_for(keys, load_factor, hash);
  bool const fits = table && table->slots() == Keys::slots_for(keys, load_factor) && table->settings().hash == hash;
  if (fits) { return; }
  table.reset();
  table.emplace(exec, settings);
}

}  // namespace slotscape::multivalue
