#pragma once

#include "gpu/engine/queried_table.hpp"
#include "gpu/engine/stored_table.hpp"
#include "gpu/spatial/voxel_sets.hpp"
#include "gpu/tables/two_level_compacting.hpp"
#include "gpu/tables/two_level_cuckoo.hpp"

namespace slotscape::spatial {

/// Inserts each key that is not in the table yet, with the value 0.
template <TableFamily Family, class View>
struct ClaimKeys {
  using Key = typename View::Key;

  View table;
  Key const* keys;  ///< reserved ones are skipped
  std::uint32_t* failed;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Key const key = keys[i];
    if (key == View::Format::empty_key) { return; }
    if (Family::find(table, key).outcome == Outcome::found) { return; }  // true of most points, as they share voxels
    if (Family::insert(table, key, 0).outcome == Outcome::full) { exec::raise(*failed); }
  }
};

/// The table of a model's voxels, refilled every frame with keys most of which occur several times.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class VoxelTable final
    : public QueriedTable<Family, Exec, Format, StoredTable<Family, Exec, Format, Table<Exec, Format>>> {
  using Base = QueriedTable<Family, Exec, Format, StoredTable<Family, Exec, Format, Table<Exec, Format>>>;
  using Key = typename Format::Key;

public:
  VoxelTable(Exec& exec, TableSettings const& settings) : Base(exec, settings) {}

  /// How many slots a table with these settings has.
  static std::uint64_t slots_of(TableSettings const& settings)
  {
    return Family::template layout<Format>(settings).slots();
  }

  using Base::view;
  typename Format::Word* slot_words() { return this->words_.data(); }

  /// Gives every key of `keys` (device memory; reserved ones are skipped) a slot, with the value 0. If some find none,
  /// *failed is raised; another call, after `reseed`, may succeed.
  void fill(Key const* keys, std::uint64_t count, std::uint32_t* failed)
  {
    if constexpr (IsStatic<Family>) {
      auto& hash = this->layout_.bucket_hash;
      hash = two_level::BucketHash::of(hash.buckets, seed, restart_);
      builder_.build(this->exec_, hash, seed, keys, count, this->words_.data(), this->metadata_.data(), failed);
    } else {
      this->exec_.fill(this->words_.data(), this->words_.size(), Format::empty_word);
      this->exec_.for_each(count, ClaimKeys<Family, typename Base::View>{view(), keys, failed});
    }
  }
  /// Picks other hash functions for the next `fill`. Returns false if only more slots can help.
  bool reseed()
  {
    restart_ += 2;
    return IsStatic<Family> && restart_ <= last_restart;
  }

private:
  static constexpr std::uint64_t seed = 1;
  static constexpr std::uint32_t first_restart = 2;  ///< even ones hash with the large prime, which suits voxels
  static constexpr std::uint32_t last_restart = 8;   ///< before a larger table is tried

  struct NoBuilder {
    explicit NoBuilder(Exec&) {}
  };
  using Builder = std::conditional_t<IsStatic<Family>, two_level::UniqueBuilder<Exec, Format>, NoBuilder>;
  Builder builder_{this->exec_};
  std::uint32_t restart_ = first_restart;
};

}  // namespace slotscape::spatial
