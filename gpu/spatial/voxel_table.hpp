#pragma once

#include "gpu/engine/queried_table.hpp"
#include "gpu/engine/stored_table.hpp"
#include "gpu/spatial/of_both.hpp"
#include "gpu/spatial/passes.hpp"
#include "gpu/tables/two_level_compacting.hpp"
#include "gpu/tables/two_level_cuckoo.hpp"

#include <array>
#include <type_traits>

namespace slotscape::spatial {

template <PairFormat Format>
struct ClearWords {
  passes::BothWords<Format> words;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { words[i] = Format::empty_word; }
};

/// Inserts each key that is not in the table yet, with the value 0.
template <TableFamily Family, class View>
struct ClaimKeys {
  using Key = typename View::Key;

  View table;
  Key const* keys;  ///< reserved keys are skipped
  std::uint32_t* failed;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Key const key = keys[i];
    if (key == View::Format::empty_key) { return; }
    if (Family::find(table, key).outcome == Outcome::found) { return; }  // true for most points: they share voxels
    if (Family::insert(table, key, 0).outcome == Outcome::full) { exec::raise(*failed); }
  }
};

/// The table of a model's voxels, refilled every frame with keys that mostly occur several times.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class VoxelTable final
    : public QueriedTable<Family, Exec, Format, StoredTable<Family, Exec, Format, Table<Exec, Format>>> {
  using Base = QueriedTable<Family, Exec, Format, StoredTable<Family, Exec, Format, Table<Exec, Format>>>;
  using Key = typename Format::Key;

public:
  VoxelTable(Exec& exec, TableSettings const& settings) : Base(exec, settings) {}

  /// The number of slots of a table with these settings.
  static std::uint64_t slots_of(TableSettings const& settings)
  {
    return Family::template layout<Format>(settings).slots();
  }

  using Base::view;
  typename Format::Word* slot_words() { return this->words_.data(); }

  /// Inserts every key of `keys` (in device memory; reserved keys are skipped) with the value 0. If a key finds no
  /// slot, `*failed` is set.
  void fill(Key const* keys, std::uint64_t count, std::uint32_t* failed) requires(!IsStatic<Family>)
  {
    this->exec_.fill(this->words_.data(), this->words_.size(), Format::empty_word);
    this->exec_.for_each(count, to_claim(keys, failed));
  }
  ClaimKeys<Family, typename Base::View> to_claim(Key const* keys, std::uint32_t* failed) requires(!IsStatic<Family>)
  {
    return {view(), keys, failed};
  }
  /// The table, ready to be rebuilt from this many keys.
  two_level::UniqueTable<Format> to_build(std::uint64_t keys, std::uint32_t* failed) requires IsStatic<Family>
  {
    auto& hash = this->layout_.bucket_hash;
    hash = two_level::BucketHash::of(hash.buckets, seed, restart_);
    return {hash, seed, keys, this->words_.data(), this->metadata_.data(), failed};
  }
  /// Picks new hash functions for the next `fill`. Returns false if only more slots can help.
  bool reseed()
  {
    restart_ += 2;
    return IsStatic<Family> && restart_ <= last_restart;
  }

private:
  static constexpr std::uint64_t seed = 1;
  static constexpr std::uint32_t first_restart = 2;  ///< even restarts hash with the large prime, which suits voxels
  static constexpr std::uint32_t last_restart = 8;   ///< before a larger table is tried

  std::uint32_t restart_ = first_restart;
};

/// Fills the tables of both models together: a single table leaves a GPU half idle.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class VoxelTableFiller {
  using Table = VoxelTable<Family, Exec, Format>;
  using Key = typename Format::Key;

public:
  explicit VoxelTableFiller(Exec& exec) : exec_(exec), builder_(exec) {}

  /// Inserts every key with the value 0. `keys`: in device memory, A's keys followed by B's, as many as `counts` says;
  /// reserved keys are skipped. If a key finds no slot, failed[model] is set; another call, after `reseed`, may
  /// succeed.
  void fill(Table& a, Table& b, std::array<std::uint64_t, model_count> counts, Key const* keys, std::uint32_t* failed)
  {
    if constexpr (IsStatic<Family>) {
      builder_.build(exec_, {{{a.to_build(counts[0], failed), b.to_build(counts[1], failed + 1)}}}, keys);
    } else {
      passes::BothWords<Format> const words{{a.slot_words(), b.slot_words()}, {a.settings().slots, b.settings().slots}};
      exec_.for_each(words.items(), ClearWords<Format>{words});
      using Claim = ClaimKeys<Family, typename Table::View>;
      exec_.for_each(counts[0] + counts[1],
                     ForBothModels<Claim>{{a.to_claim(keys, failed), b.to_claim(keys + counts[0], failed + 1)},
                                          counts[0]});
    }
  }

private:
  struct NoBuilder {
    explicit NoBuilder(Exec&) {}
  };
  using Builder = std::conditional_t<IsStatic<Family>, two_level::UniqueBuilder<Exec, Format, model_count>, NoBuilder>;
  Exec& exec_;
  Builder builder_;
};

}  // namespace slotscape::spatial
