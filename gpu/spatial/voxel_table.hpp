#pragma once

#include "gpu/engine/stored_table.hpp"
#include "gpu/spatial/sides.hpp"
#include "gpu/tables/two_level_compacting.hpp"
#include "gpu/tables/two_level_cuckoo.hpp"

namespace slotscape::spatial {

/// Puts a key into the table, with the value 0, if it is not there.
template <TableFamily Family, class View>
struct ClaimKeys {
  using Key = typename View::Key;

  View table;
  Key const* keys;  ///< reserved ones are left out
  std::uint32_t* failed;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    Key const key = keys[i];
    if (key == View::Format::empty_key) { return; }
    if (Family::find(table, key).outcome == Outcome::found) { return; }  // most points find their voxel taken
    if (Family::insert(table, key, 0).outcome == Outcome::full) { exec::raise(*failed); }
  }
};

/// The table of a model's voxels: refilled every frame, with keys of which most occur several times.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class VoxelTable final : public StoredTable<Family, Exec, Format, Table<Exec, Format>> {
  using Base = StoredTable<Family, Exec, Format, Table<Exec, Format>>;
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

  /// Every key of `keys` (memory of the device; reserved ones are left out) gets a slot, with the value 0. Where some
  /// get none, *failed is raised: the next call, after `another_try`, may succeed.
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
  /// Other hash functions for the next `fill`. False where only more slots can help.
  bool another_try()
  {
    restart_ += 2;
    return IsStatic<Family> && restart_ <= last_restart;
  }

private:
  static constexpr std::uint64_t seed = 1;
  static constexpr std::uint32_t first_restart = 2;  ///< even ones deal keys by the large prime, as is good for voxels
  static constexpr std::uint32_t last_restart = 8;   ///< before a larger table is tried

  struct NoBuilder {
    explicit NoBuilder(Exec&) {}
  };
  using Builder = std::conditional_t<IsStatic<Family>, two_level::UniqueBuilder<Exec, Format>, NoBuilder>;
  Builder builder_{this->exec_};
  std::uint32_t restart_ = first_restart;
};

}  // namespace slotscape::spatial
