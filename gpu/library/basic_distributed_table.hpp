#pragma once

#include "gpu/base/device_lost.hpp"
#include "gpu/library/basic_table.hpp"
#include "gpu/library/rank_batches.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// A hash table that is divided among the ranks of a communicator. Each rank has a shard on its own device. All ranks
/// make the same calls together, each with its own keys, any number of them. Use `CpuDistributedTable` or
/// `CudaDistributedTable`. Keys, values and outcomes are passed as to `BasicTable`, in the order of the rank's own
/// keys; counts are totals of all ranks. Shard: a table that is a `BasicTable`.
///
/// If a rank fails in a call, leaves, or does not arrive in time, the others get an Error, and so do all later calls;
/// `local` can still be read. The exception: if ranks make different calls, nothing happens, and they may continue.
template <class Shard, exec::Executor Exec, class Communicator>
class BasicDistributedTable {
  using Family = typename Shard::TableFamilyType;
  using Format = typename Shard::TableFormat;

public:
  using Key = typename Format::Key;
  using Value = typename Format::Value;

  static constexpr Key largest_key = Shard::largest_key;
  static constexpr Value largest_value = Shard::largest_value;
  static constexpr Value empty_value = Shard::empty_value;

  /// Slots per rank for the total number of keys: the fullest shard has a load factor that is safe, and not much above
  /// `load_factor`.
  static std::uint64_t slots_for(std::uint64_t keys, std::uint32_t ranks, double load_factor = 0.8,
                                 std::map<std::string, std::uint32_t> const& parameters = {})
  {
    validate_ranks(ranks);
    return library::slots_for_parts<Family, Format>(keys, ranks, load_factor, parameters) / ranks;
  }

  /// --- Insertion, as in `BasicTable`. Existing keys keep their value.
  Inserted insert(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(library::RankCall::insert, &Shard::template insert<Key const*, Value const*>, keys, values, count,
                     options);
  }
  /// Existing keys get the new value.
  Inserted insert_or_assign(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(library::RankCall::insert_or_assign, &Shard::template insert_or_assign<Key const*, Value const*>,
                     keys, values, count, options);
  }
  /// Existing keys get the sum.
  Inserted insert_or_add(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(library::RankCall::insert_or_add, &Shard::template insert_or_add<Key const*, Value const*>, keys,
                     values, count, options);
  }
  /// Existing keys get the smaller value.
  Inserted insert_or_min(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(library::RankCall::insert_or_min, &Shard::template insert_or_min<Key const*, Value const*>, keys,
                     values, count, options);
  }
  /// Existing keys get the larger value.
  Inserted insert_or_max(Key const* keys, Value const* values, std::uint64_t count, BatchOptions const& options = {})
  {
    return insert_by(library::RankCall::insert_or_max, &Shard::template insert_or_max<Key const*, Value const*>, keys,
                     values, count, options);
  }

  /// Writes the value of each of this rank's keys, or `empty_value`; returns how many keys all ranks found together.
  std::uint64_t find(Key const* keys, Value* values, std::uint64_t count, BatchOptions const& options = {})
  {
    if constexpr (library::MayReachOthers<Communicator, Exec>) {
      if (auto const found = find_directly(keys, values, count, options)) { return *found; }
    }
    return run(library::RankCall::find, Operation::find, keys, values, count, options, [&](Batch<Format> const& its) {
      Tally tally;
      tally[Outcome::found] = shard_->find(its.keys, its.values, its.count, options_of(its));
      return tally;
    })[Outcome::found];
  }
  /// Returns how many keys of all ranks were erased.
  std::uint64_t erase(Key const* keys, std::uint64_t count, BatchOptions const& options = {})
  {
    return run(library::RankCall::erase, Operation::erase, keys, nullptr, count, options,
               [&](Batch<Format> const& its) {
                 Tally tally;
                 tally[Outcome::erased] = shard_->erase(its.keys, its.count, options_of(its));
                 return tally;
               })[Outcome::erased];
  }

  void clear()
  {
    auto const call = caller_.enters();
    together([&] {
      batches_.agree({library::RankCall::clear});
      shard_->clear();
    });
    batches_.clear_report();
  }
  /// Moves the keys of each rank to another number of slots, chosen per rank. Throws Error on all ranks if the keys of
  /// a rank find no place; that rank's shard is then unchanged.
  void rehash(std::uint64_t new_slots)
  {
    auto const call = caller_.enters();
    std::string failure;
    std::uint64_t failed = 0;
    together([&] {
      batches_.agree({library::RankCall::rehash});
      try {
        shard_->rehash(new_slots);
      } catch (DeviceLost const&) {
        throw;
      } catch (Error const& error) {
        failure = error.what();
      }
      failed = sum(std::uint64_t{failure.empty() ? 0u : 1u});
    });
    if (!failure.empty()) { throw Error(failure); }
    if (failed == 0) { return; }
    throw Error("On " + std::to_string(failed) + (failed == 1 ? " other rank" : " other ranks") +
                ", the keys found no place, or there was too little memory: choose more slots there, or fewer.");
  }

  /// Total number of keys of all ranks.
  std::uint64_t size()
  {
    return sum_of_all([](Shard& shard) { return shard.size(); });
  }
  /// Total number of slots of all ranks.
  std::uint64_t slots()
  {
    return sum_of_all([](Shard& shard) { return shard.slots(); });
  }
  /// Load factor over all ranks.
  double load_factor()
  {
    auto const keys = static_cast<double>(size());
    return keys / static_cast<double>(slots());
  }

  /// --- Calls without the other ranks. The rank's shard, for reading: changing it directly would put keys where nobody
  /// looks for them. It can be read even when other ranks are gone.
  Shard& local() { return *shard_; }
  /// The rank whose shard holds a key, or would hold it.
  std::uint32_t rank_of(Key key) const { return batches_.rank_of(key); }
  /// Whether this rank can look up keys directly in other ranks' shards (`PieceOptions::max_direct`).
  bool reaches_others() const
  {
    if constexpr (library::MayReachOthers<Communicator, Exec>) {
      return can_be_reached_ && communicator_->reaches_others(*exec_);
    }
    return false;
  }
  std::uint32_t rank() const { return communicator_->rank(); }
  std::uint32_t ranks() const { return communicator_->size(); }
  /// The data that this rank has sent and received since the table was cleared, and the time this took.
  RankReport const& report() const { return batches_.report(); }

protected:
  /// All ranks construct their tables together. The communicator must outlive the table and must not serve another
  /// table at the same time. can_be_reached: whether devices that can access this device's memory can read the shard.
  BasicDistributedTable(Communicator& communicator, PieceOptions const& how, std::unique_ptr<Exec> exec,
                        std::unique_ptr<Shard> shard, bool can_be_reached)
      : communicator_(&communicator),
        can_be_reached_(can_be_reached),
        exec_(std::move(exec)),
        shard_(std::move(shard)),
        batches_(*exec_, communicator, validated(how, communicator.size()),
                 HasConcurrentOperations<typename Shard::TableFamilyType>)
  {
    static_assert(slotscape::Communicator<Communicator, Exec>);
    together([&] { expect_same_tables(how); });
  }
  ~BasicDistributedTable() = default;

private:
  static void validate_ranks(std::uint32_t ranks)
  {
    if (ranks >= 1 && ranks <= partition::max_bins) { return; }
    throw Error("A table cannot be divided among " + std::to_string(ranks) + " ranks: choose from 1 to " +
                std::to_string(partition::max_bins) + ".");
  }
  static PieceOptions const& validated(PieceOptions const& how, std::uint32_t ranks)
  {
    constexpr std::uint64_t max_at_once = std::uint64_t{1} << 30;  // keys have 32-bit numbers
    constexpr std::uint32_t max_pieces = 64;
    validate_ranks(ranks);
    if (how.pieces < 1 || how.pieces > max_pieces || how.min_piece < 1 || how.max_at_once < 1 ||
        how.max_at_once > max_at_once) {
      throw Error("Calls cannot be cut like this: choose from 1 to " + std::to_string(max_pieces) +
                  " pieces of at least one key, and from 1 to " + std::to_string(max_at_once) + " keys at once.");
    }
    return how;
  }
  static BatchOptions options_of(Batch<Format> const& batch) { return {batch.distinct, batch.outcomes}; }

  /// An exception that ends a call on this rank ends it for all ranks.
  template <class F>
  void together(F const& f)
  {
    try {
      f();
    } catch (library::DifferentCalls const&) {
      throw;
    } catch (std::exception const& error) {
      communicator_->abort(error.what());
      throw;
    }
  }

  /// Ranks with keys of another width or another family would misread each other's data.
  void expect_same_tables(PieceOptions const& how)
  {
    std::uint64_t family = 0;
    for (char const letter : Shard::TableFamilyType::info.name) {
      family = family * 31 + static_cast<unsigned char>(letter);
    }
    std::vector<std::uint64_t> const of_all = numbers_of_all({family, std::uint64_t{Format::bits}, how.pieces});
    for (std::size_t i = 0; i < of_all.size(); ++i) {
      if (of_all[i] != of_all[3 * rank() + i % 3]) {
        throw Error("The ranks make different tables: have all choose the same family, width of keys, and pieces.");
      }
    }
  }
  /// Sends the same numbers to each rank; returns the numbers of all ranks, in order.
  std::vector<std::uint64_t> numbers_of_all(std::vector<std::uint64_t> const& mine)
  {
    std::vector<std::uint64_t> outgoing;
    outgoing.reserve(mine.size() * ranks());
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) { outgoing.insert(outgoing.end(), mine.begin(), mine.end()); }
    std::vector<std::uint64_t> incoming(outgoing.size());
    communicator_->exchange_numbers(outgoing, incoming);
    return incoming;
  }
  std::uint64_t sum(std::uint64_t mine)
  {
    std::uint64_t result = 0;
    for (std::uint64_t const number : numbers_of_all({mine})) { result += number; }
    return result;
  }
  template <class Number>
  std::uint64_t sum_of_all(Number const& number)
  {
    auto const call = caller_.enters();
    std::uint64_t result = 0;
    together([&] {
      batches_.agree({library::RankCall::size});
      result = sum(number(*shard_));
    });
    return result;
  }
  Tally sum(Tally const& mine)
  {
    std::vector<std::uint64_t> const of_all = numbers_of_all({mine.counts.begin(), mine.counts.end()});
    Tally result;
    for (std::size_t i = 0; i < of_all.size(); ++i) { result.counts[i % result.counts.size()] += of_all[i]; }
    return result;
  }

  template <class Insert>
  Inserted insert_by(library::RankCall call, Insert insert, Key const* keys, Value const* values, std::uint64_t count,
                     BatchOptions const& options)
  {
    Tally const tally = run(call, Operation::insert, keys, const_cast<Value*>(values), count, options,  // only read
                            [&](Batch<Format> const& its) {
                              Inserted const done =
                                  std::invoke(insert, *shard_, its.keys, its.values, its.count, options_of(its));
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

  /// Looks up all ranks' keys directly in the shards that hold them; returns how many were found. Returns nullopt if
  /// the keys are to be exchanged as usual.
  std::optional<std::uint64_t> find_directly(Key const* keys, Value* values, std::uint64_t count,
                                             BatchOptions const& options)
  {
    auto const call = caller_.enters();
    auto const started = std::chrono::steady_clock::now();
    std::optional<std::uint64_t> found;
    together([&] {
      if (!batches_.agree_to_go_directly(count, reaches_others())) { return; }
      auto const view = shard_->view();
      exec_->wait();  // others read the results of this rank's stream
      found = sum(batches_.find_directly(view, library::batch_of<Format>(Operation::find, keys, values, count,
                                                                         options)))[Outcome::found];
      batches_.complete();
    });
    if (found) {
      batches_.add_whole(std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
    }
    return found;
  }

  /// operate(batch) runs the operations that this rank's shard receives and returns their outcomes. Returns the
  /// outcomes of all ranks' keys.
  template <class Operate>
  Tally run(library::RankCall which, Operation operation, Key const* keys, Value* values, std::uint64_t count,
            BatchOptions const& options, Operate const& operate)
  {
    auto const call = caller_.enters();
    auto const started = std::chrono::steady_clock::now();
    Tally tally;
    together([&] {
      bool goes_on = true;
      for (std::uint64_t first = 0; goes_on;) {  // continues for other ranks when this rank has no more keys
        std::uint64_t const part = std::min(batches_.max_at_once(), count - first);
        Batch<Format> const batch =
            library::batch_of<Format>(operation, keys, values, count, options).part(first, part);
        first += part;
        bool const distinct = options.distinct || count == 0;
        auto const [of_shard, others_go_on] =
            batches_.run({which, batch.keeps_outcomes, distinct, first < count}, batch, operate);
        tally += of_shard;
        goes_on = others_go_on;
      }
      tally = sum(tally);
      batches_.complete();
    });
    batches_.add_whole(std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count());
    return tally;
  }

  Communicator* communicator_;
  bool can_be_reached_;
  std::unique_ptr<Exec> exec_;
  std::unique_ptr<Shard> shard_;
  library::RankBatches<Exec, Format, Communicator> batches_;
  library::OneCaller caller_;
};

}  // namespace slotscape
