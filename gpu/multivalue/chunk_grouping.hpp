#pragma once

#include "gpu/multivalue/chunk_passes.hpp"
#include "gpu/multivalue/grouped_pairs.hpp"

namespace slotscape::multivalue {

/// Groups pairs through a table of their keys in device memory, after Alcantara et al. 2009, 4.2: the keys get slots,
/// the slots count values, and prefix sums over the slots give the places of the values. In the paper, the block that
/// builds a bucket counts its values one by one, which is slow if a key has many. Here, blocks first count chunks of
/// the pairs, all in parallel, and each chunk accesses the table only once per key.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class ChunkGrouping {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  using Chunk = chunk_passes::Chunk;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

public:
  using Keys = KeyTable<Family, Exec, Format>;

  explicit ChunkGrouping(Exec& exec) : exec_(&exec), entries_(exec, 1) {}

  /// Groups `count` pairs, and leaves their keys in `table`, which it may replace. Pairs with reserved keys are left
  /// out. The groups and their values are appended to those `before`: groups to the arrays that `room` returns for a
  /// given number of groups, and values to `values`, which must have room. `times` may be null. Returns the new sizes.
  template <class Pairs, class Room>
  Sizes group(Pairs const& pairs, std::uint64_t count, double load_factor, std::optional<Keys>& table, Sizes before,
              Room const& room, Value* values, StageTimes<Exec>* times)
  {
    std::uint64_t const chunks = (count + Chunk::size - 1) / Chunk::size;
    exec::grow(*exec_, chunks_, chunks);
    exec_->for_each(chunks, chunk_passes::Cut{count, chunks_.data()});
    return group_chunks(pairs, chunks, count, {load_factor, Keys::usual_hash}, table, before, room, values, times);
  }
  /// Groups the pairs of some ranges, each given by its first pair and its end, through a table that is not kept. The
  /// upper bits of these keys' usual hash are similar, so the usual hash would crowd them in the table.
  template <class Pairs, class Room>
  Sizes group(Pairs const& pairs, std::vector<std::pair<std::uint32_t, std::uint32_t>> const& ranges,
              double load_factor, Sizes before, Room const& room, Value* values)
  {
    static_assert(Keys::usual_hash != HashKind::xxhash);
    std::vector<Chunk> chunks;
    std::uint64_t count = 0;
    for (auto const& [first, end] : ranges) {
      for (std::uint32_t at = first; at < end; at += Chunk::size) {
        chunks.push_back({at, end - at < Chunk::size ? end : at + Chunk::size, 0, 0});
      }
      count += end - first;
    }
    exec::grow(*exec_, chunks_, chunks.size());
    exec_->upload(chunks_.data(), std::span<Chunk const>(chunks));
    std::optional<Keys> scratch;
    return group_chunks(pairs, chunks.size(), count, {load_factor, HashKind::xxhash}, scratch, before, room, values,
                        nullptr);
  }

  /// Rebuilds the table of the groups' keys with as many slots as they need.
  void index(GroupedPairs<Exec, Format> const& groups, double load_factor, std::optional<Keys>& table)
  {
    exec::grow(*exec_, slots_, groups.distinct);
    claim(groups.keys.data(), groups.distinct, {load_factor, Keys::usual_hash}, table);
    table->number(groups.keys.data(), groups.distinct, slots_.data());
  }

  std::uint64_t memory_bytes() const
  {
    return chunks_.size() * sizeof(Chunk) + keys_.size() * sizeof(Key) +
           4 * (numbers_.size() + slots_.size() + values_before_.size() + groups_before_.size());
  }

private:
  /// How to make a table of keys.
  struct Making {
    double load_factor;
    HashKind hash;
  };

  template <class Pairs, class Room>
  Sizes group_chunks(Pairs const& pairs, std::uint64_t chunks, std::uint64_t count, Making const& making,
                     std::optional<Keys>& table, Sizes before, Room const& room, Value* values, StageTimes<Exec>* times)
  {
    auto const end = [&](Stage stage) {
      if (times != nullptr) { times->end(stage); }
    };
    exec::grow(*exec_, keys_, count);
    exec::grow(*exec_, numbers_, count);
    exec::grow(*exec_, slots_, count);
    exec_->fill(entries_.data(), 1, 0u);
    using Count = chunk_passes::Count<Format, Pairs>;
    exec_->template for_each_block<Count::threads>(chunks, Count{pairs, chunks_.data(), keys_.data(), numbers_.data(),
                                                                 entries_.data()});
    std::uint32_t entries = 0;
    exec_->download(std::span(&entries, 1), static_cast<std::uint32_t const*>(entries_.data()));
    end(Stage::group);
    claim(keys_.data(), entries, making, table);
    end(Stage::index);
    Sizes const after = number(*table, entries, before, room);
    end(Stage::group);
    using Place = chunk_passes::Place<Format, Pairs>;
    exec_->template for_each_block<Place::threads>(chunks,
                                                   Place{pairs, chunks_.data(), keys_.data(), numbers_.data(),
                                                         slots_.data(), values_before_.data(), values + before.pairs});
    end(Stage::place);
    return after;
  }

  /// Gives the keys slots in a table that is large enough even if all keys are distinct.
  void claim(Key const* keys, std::uint64_t count, Making const& making, std::optional<Keys>& table)
  {
    for (std::uint64_t most = count;; most += most / 8 + 1) {
      fit(*exec_, table, most, making.load_factor, making.hash);
      if (table->claim(keys, count, slots_.data())) { return; }
    }
  }

  /// Numbers the table's keys and writes their groups.
  template <class Room>
  Sizes number(Keys& table, std::uint64_t entries, Sizes before, Room const& room)
  {
    using namespace chunk_passes;
    std::uint64_t const slots = table.slots();
    exec::grow(*exec_, values_before_, slots);
    exec::grow(*exec_, groups_before_, slots);
    exec_->fill(values_before_.data(), slots, 0u);
    exec_->for_each(entries, AddEntries{slots_.data(), numbers_.data(), values_before_.data()});
    exec_->for_each(slots, MarkGroups{values_before_.data(), groups_before_.data()});
    std::uint64_t const pairs = exec_->exclusive_scan(values_before_.data(), slots);
    std::uint64_t const groups = exec_->exclusive_scan(groups_before_.data(), slots);
    Sizes const after{before.distinct + groups, before.pairs + pairs};
    GroupArrays<Format> const to = room(after.distinct);
    exec_->for_each(slots,
                    WriteGroups<Format>{groups_before_.data(), values_before_.data(), table.slot_words(), before, to});
    return after;
  }

  Exec* exec_;
  Buffer<std::uint32_t> entries_;
  Buffer<Chunk> chunks_;
  Buffer<Key> keys_;  ///< of the entries
  Buffer<std::uint32_t> numbers_;
  Buffer<Slot> slots_;
  Buffer<std::uint32_t> values_before_;  ///< of each slot
  Buffer<std::uint32_t> groups_before_;
};

}  // namespace slotscape::multivalue
