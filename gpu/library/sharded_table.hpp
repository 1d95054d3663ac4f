#pragma once

#include "gpu/engine/sharding.hpp"
#include "gpu/library/basic_table.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// The options of a sharded table.
struct ShardOptions {
  std::uint32_t shards = 2;                  ///< from 1 to 16
  KeysStart keys_start = KeysStart::spread;  ///< determines `ShardReport::bytes`
};

/// A hash table in shards: tables of one family that share its keys by a separate hash. Use `CpuShardedTable` or
/// `CudaShardedTable`. All shards are on one device and run one after another; `report` says what an exchange between
/// one device per shard would send. Keys, values and outcomes are passed as to `BasicTable`, and outcomes are in the
/// order of the keys. Each shard grows independently. Shard: a table that is a `BasicTable`.
template <class Shard, exec::Executor Exec>
class BasicShardedTable {
  using Family = typename Shard::TableFamilyType;
  using Format = typename Shard::TableFormat;

public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;

  static constexpr Key largest_key = Shard::largest_key;
  static constexpr Value largest_value = Shard::largest_value;
  static constexpr Value empty_value = Shard::empty_value;

  /// Total slots of all shards for `keys` keys: the fullest shard has a load factor that is safe, and not much above
  /// `load_factor`.
  static std::uint64_t slots_for(std::uint64_t keys, std::uint32_t shards, double load_factor = 0.8,
                                 std::map<std::string, std::uint32_t> const& parameters = {})
  {
    validate_shards(shards);
    return library::slots_for_parts<Family, Format>(keys, shards, load_factor, parameters);
  }

  /// --- Insertion, as in `BasicTable`. Existing keys keep their value.
  Inserted insert(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(&Shard::template insert<Key const*, Value const*>, keys, values, count, options);
  }
  /// Existing keys get the new value.
  Inserted insert_or_assign(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(&Shard::template insert_or_assign<Key const*, Value const*>, keys, values, count, options);
  }
  /// Existing keys get the sum.
  Inserted insert_or_add(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(&Shard::template insert_or_add<Key const*, Value const*>, keys, values, count, options);
  }
  /// Existing keys get the smaller value.
  Inserted insert_or_min(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(&Shard::template insert_or_min<Key const*, Value const*>, keys, values, count, options);
  }
  /// Existing keys get the larger value.
  Inserted insert_or_max(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(&Shard::template insert_or_max<Key const*, Value const*>, keys, values, count, options);
  }

  /// Writes the value of each key, or `empty_value`; returns how many were found.
  std::uint64_t find(Key const* keys, Value* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return run(Operation::find, keys, values, count, options, [](Shard& shard, Batch<Format> const& its) {
      Tally tally;
      tally[Outcome::found] = shard.find(its.keys, its.values, its.count, options_of(its));
      return tally;
    })[Outcome::found];
  }
  /// Returns how many keys were erased.
  std::uint64_t erase(Key const* keys, std::uint64_t count, BatchOptions const& options = {})
  {
    return run(Operation::erase, keys, nullptr, count, options, [](Shard& shard, Batch<Format> const& its) {
      Tally tally;
      tally[Outcome::erased] = shard.erase(its.keys, its.count, options_of(its));
      return tally;
    })[Outcome::erased];
  }

  void clear()
  {
    auto const call = caller_.enters();
    for (auto const& shard : shards_) { shard->clear(); }
    sharding_->clear();
  }
  /// Moves the keys to another number of slots, shard by shard. Throws Error if the keys of a shard find no place
  /// there; that shard and all later ones are then unchanged.
  void rehash(std::uint64_t new_slots)
  {
    auto const call = caller_.enters();
    std::uint64_t const of_a_shard = slots_of_a_shard(new_slots, shard_count());
    for (auto const& shard : shards_) { shard->rehash(of_a_shard); }
  }

  std::uint32_t shard_count() const { return static_cast<std::uint32_t>(shards_.size()); }
  /// The shard that holds a key, or would hold it.
  std::uint32_t shard_of(Key key) const { return ShardOf{shard_count()}.segment(key); }
  /// A shard, for reading: changing it directly would put keys where nobody looks for them.
  Shard& shard(std::uint32_t number) { return *shards_.at(number); }
  /// The work of each shard, and the bytes that batches would have sent, since the table was cleared.
  ShardReport const& report() const { return sharding_->report(); }

  std::uint64_t size()
  {
    return sum([](Shard& shard) { return shard.size(); });
  }
  std::uint64_t slots() const
  {
    return sum([](Shard& shard) { return shard.slots(); });
  }
  std::uint64_t memory_bytes() const
  {
    return sum([](Shard& shard) { return shard.memory_bytes(); });
  }
  double load_factor() { return static_cast<double>(size()) / static_cast<double>(slots()); }

  /// Writes all pairs, shard by shard, and returns their number. Throws Error if there are more than `room`.
  std::uint64_t export_pairs(Key* keys, Value* values, std::uint64_t room)
  {
    auto const call = caller_.enters();
    library::require_room(room, size());
    std::uint64_t done = 0;
    for (auto const& shard : shards_) { done += shard->export_pairs(keys + done, values + done, room - done); }
    return done;
  }

protected:
  /// make_shard(options) makes a table with these options on the device of `exec`, on the same stream.
  template <class MakeShard>
  BasicShardedTable(TableOptions options, ShardOptions const& how, std::unique_ptr<Exec> exec,
                    MakeShard const& make_shard)
      : exec_(std::move(exec)), parameters_(options.parameters)
  {
    validate_parameters(Family::info, {.parameters = parameters_});
    options.slots = slots_of_a_shard(options.slots, how.shards);
    for (std::uint32_t i = 0; i < how.shards; ++i) { shards_.push_back(make_shard(options)); }
    sharding_ = std::make_unique<Sharding<Exec, Format>>(*exec_, how.shards, how.keys_start, ShardDevices::one);
  }

private:
  /// Throws Error if the family has no shards of this size. Slots are never numbered across shards.
  std::uint64_t slots_of_a_shard(std::uint64_t slots, std::uint32_t shards) const
  {
    validate_slots(Family::info, {.slots = slots, .parameters = parameters_, .shards = shards}, max_slots * shards);
    return (slots + shards - 1) / shards;
  }

  /// A call is split into parts of this many keys, which have 32-bit numbers.
  static constexpr std::uint64_t max_at_once = std::uint64_t{1} << 30;

  static BatchOptions options_of(Batch<Format> const& batch)
  {
    return {batch.distinct, batch.keeps_outcomes ? batch.outcomes : nullptr};
  }

  template <class Insert>
  Inserted insert_by(Insert insert, Key const* keys, Value const* values, std::uint64_t count,
                     BatchOptions const& options)
  {
    Tally const tally = run(Operation::insert, keys, const_cast<Value*>(values), count, options,  // only read
                            [=](Shard& shard, Batch<Format> const& its) {
                              Inserted const done =
                                  std::invoke(insert, shard, its.keys, its.values, its.count, options_of(its));
                              Tally of_shard;
                              of_shard[Outcome::inserted] = done.inserted;
                              of_shard[Outcome::updated] = done.updated;
                              of_shard[Outcome::full] = done.full;
                              of_shard[Outcome::rejected] = done.rejected;
                              return of_shard;
                            });
    return {tally[Outcome::inserted], tally[Outcome::updated], tally[Outcome::full], tally[Outcome::rejected],
            Format::bits};
  }

  /// operate(shard, batch) runs a shard's share and returns its outcomes.
  template <class Operate>
  Tally run(Operation operation, Key const* keys, Value* values, std::uint64_t count, BatchOptions const& options,
            Operate const& operate)
  {
    auto const call = caller_.enters();
    Tally tally;
    for (std::uint64_t first = 0; first < count; first += max_at_once) {
      auto const batch =
          library::batch_of<Format>(operation, keys + first, values == nullptr ? nullptr : values + first,
                                    std::min(max_at_once, count - first), options.from(first));
      double seconds = 0.0;
      tally +=
          sharding_->run(batch, seconds, [&](std::uint32_t shard, Batch<Format> const& its, ShardSeconds& of_shard) {
            exec_->start_timer();
            Tally const done = operate(*shards_[shard], its);
            of_shard.table += exec_->stop_timer();
            return done;
          });
    }
    exec_->wait();
    return tally;
  }

  template <class Number>
  std::uint64_t sum(Number const& number) const
  {
    std::uint64_t result = 0;
    for (auto const& shard : shards_) { result += number(*shard); }
    return result;
  }

  std::unique_ptr<Exec> exec_;
  std::map<std::string, std::uint32_t> parameters_;
  std::vector<std::unique_ptr<Shard>> shards_;
  std::unique_ptr<Sharding<Exec, Format>> sharding_;
  library::OneCaller caller_;
};

}  // namespace slotscape
