#pragma once

#include "gpu/engine/queried_table.hpp"
#include "gpu/engine/stored_table.hpp"
#include "gpu/tables/cpu_unordered_map.hpp"

#include <algorithm>
#include <chrono>

namespace slotscape {

/// A family whose tables are maps on the host, made by the family.
template <class Family>
concept IsHostMap = requires
{
  Family::template make_map<Narrow>(std::uint64_t{});
};

namespace host_map {

/// Marks the slots that one kind of operation touched.
struct MarkChanges {
  Slot const* slots;
  std::uint8_t change;
  std::uint8_t* changes;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { exec::store_relaxed(changes[slots[i]], change); }
};

}  // namespace host_map

/// A table that is a std::unordered_map on the host, whatever the device: batches are downloaded and run by one thread,
/// and their results are uploaded. The words on the device are a copy of the nodes, updated on demand after a change. A
/// copied table has only words until a batch needs the nodes: copying millions of nodes takes half a second, and most
/// copies are only kept for undo. The map never has more nodes than buckets, so it never rehashes on its own.
template <TableFamily Family, exec::Executor Exec, PairFormat Format>
class UnorderedMapTable final
    : public QueriedTable<Family, Exec, Format, StoredTable<Family, Exec, Format, BatchTable<Exec, Format>>> {
  using Base = QueriedTable<Family, Exec, Format, StoredTable<Family, Exec, Format, BatchTable<Exec, Format>>>;
  using typename Base::Word;
  using Map = host_map::Map<Format>;
  using StoredKey = typename Format::Key;
  using StoredValue = typename Format::Value;

public:
  UnorderedMapTable(Exec& exec, TableSettings const& settings)
      : Base(exec, settings), map_(Family::template make_map<Format>(this->settings_.slots))
  {
  }

  /// The memory of the map, without the allocator's overhead per node.
  std::uint64_t memory_bytes() const override
  {
    constexpr std::uint64_t node = sizeof(void*) + sizeof(typename Map::value_type);
    std::uint64_t const nodes = has_nodes_ ? map_.size() : this->layout_.stored;
    return nodes * node + map_.bucket_count() * sizeof(void*);
  }

  Tally run(Batch<Format> const& batch, double& seconds) override
  {
    make_nodes();
    if (batch.changes != nullptr) { make_copy(); }
    HostBatch host = fetch(batch);
    auto const start = std::chrono::steady_clock::now();
    Tally tally;
    for (std::uint64_t i = 0; i < batch.count; ++i) { ++tally[host.outcomes[i] = run_one(host, i)]; }
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    is_copied_ = is_copied_ && !overlap(batch.kinds, OperationMask::inserts | OperationMask::erases);
    this->exec_.upload(batch.values, std::span<StoredValue const>(host.values));
    this->exec_.upload(batch.outcomes, std::span<Outcome const>(host.outcomes));
    if (batch.changes != nullptr) { mark_changes(host, batch.changes); }
    return tally;
  }

  void copy_from(BatchTable<Exec, Format> const& other) override
  {
    auto const& from = static_cast<UnorderedMapTable const&>(other);
    this->copy_memory(from);
    this->set_state(from.state());
    is_copied_ = from.is_copied_;
    has_nodes_ = !is_copied_;
    if (has_nodes_) {
      map_ = from.map_;
    } else {
      map_.clear();
    }
  }

  void clear() override
  {
    map_.clear();
    has_nodes_ = true;
    is_copied_ = true;
    this->layout_.stored = 0;
    Base::clear();
  }

  void scan(Occupancy const& occupancy, SlotMark* marks, exec::HistogramView measures) override
  {
    make_copy();
    Base::scan(occupancy, marks, measures);
  }
  bool scan_cells(Occupancy const& occupancy, passes::CellPicture const& picture, exec::HistogramView measures) override
  {
    make_copy();
    return Base::scan_cells(occupancy, picture, measures);
  }
  void count_groups(exec::HistogramView groups) override
  {
    make_copy();
    Base::count_groups(groups);
  }
  void count_accesses(StoredKey const* keys, std::uint64_t count, std::uint32_t most, std::uint32_t* accesses) override
  {
    make_copy();
    Base::count_accesses(keys, count, most, accesses);
  }
  std::vector<SlotInfo> read(std::span<Slot const> slots) override
  {
    make_copy();
    return Base::read(slots);
  }
  ProbePath probe_path(slotscape::Key key) override
  {
    make_copy();
    return Base::probe_path(key);
  }
  Trace trace(Operation operation, slotscape::Key key, slotscape::Value value) override
  {
    make_copy();
    return Base::trace(operation, key, value);
  }
  std::string check_invariants() override
  {
    make_copy();
    return Base::check_invariants();
  }

private:
  struct HostBatch {
    std::vector<Operation> operations;
    std::vector<StoredKey> keys;
    std::vector<StoredValue> values;
    std::vector<Outcome> outcomes;
    bool notes_erased;
    std::vector<Slot> erased = {};  ///< the erased nodes' slots in the copy before the batch
  };

  HostBatch fetch(Batch<Format> const& batch)
  {
    HostBatch host{std::vector<Operation>(batch.count), std::vector<StoredKey>(batch.count),
                   std::vector<StoredValue>(batch.count), std::vector<Outcome>(batch.count), batch.changes != nullptr};
    if (batch.operations == nullptr) {
      std::ranges::fill(host.operations, single_operation(batch.kinds));
    } else {
      this->exec_.download(std::span(host.operations), batch.operations);
    }
    this->exec_.download(std::span(host.keys), batch.keys);
    this->exec_.download(std::span(host.values), static_cast<StoredValue const*>(batch.values));
    return host;
  }

  Outcome run_one(HostBatch& host, std::uint64_t i)
  {
    StoredKey const key = host.keys[i];
    switch (host.operations[i]) {
      case Operation::insert: return insert(key, host.values[i]);
      case Operation::find: return find(key, host.values[i]);
      case Operation::erase: break;
    }
    auto const node = map_.find(key);
    if (node == map_.end()) { return Format::is_reserved(key) ? Outcome::rejected : Outcome::missing; }
    if (host.notes_erased && node->second.slot != no_slot) { host.erased.push_back(node->second.slot); }
    map_.erase(node);
    return Outcome::erased;
  }

  Outcome insert(StoredKey key, StoredValue value)
  {
    if (Format::is_reserved(key) || value == Format::empty_value) { return Outcome::rejected; }
    if (map_.size() == map_.bucket_count()) {
      auto const node = map_.find(key);
      if (node == map_.end()) { return Outcome::full; }
      node->second.value = combined<Format>(this->settings_.combine, node->second.value, value);
      return Outcome::updated;
    }
    try {
      auto const [node, is_new] = map_.try_emplace(key);
      StoredValue& stored = node->second.value;
      stored = is_new ? value : combined<Format>(this->settings_.combine, stored, value);
      return is_new ? Outcome::inserted : Outcome::updated;
    } catch (std::bad_alloc const&) {
      return Outcome::full;
    }
  }

  Outcome find(StoredKey key, StoredValue& value) const
  {
    auto const node = map_.find(key);
    value = node == map_.end() ? Format::empty_value : node->second.value;
    if (node != map_.end()) { return Outcome::found; }
    return Format::is_reserved(key) ? Outcome::rejected : Outcome::missing;
  }

  /// Creates the nodes from the copy, if only the copy exists. Inserts in reverse order, so that each node comes to the
  /// front of its bucket, and the bucket to the front of all: libstdc++ then visits the nodes in the order in which
  /// they were copied.
  void make_nodes()
  {
    if (has_nodes_) { return; }
    std::vector<Word> words(this->layout_.stored);
    this->exec_.download(std::span(words), static_cast<Word const*>(this->words_.data()));
    for (Slot slot = this->layout_.stored; slot-- != 0;) {
      map_.try_emplace(key_of(words[slot]), host_map::Entry<StoredValue>{value_of(words[slot]), slot});
    }
    has_nodes_ = true;
  }

  /// Writes the nodes to the slots. The metadata gets each bucket's range of slots and each node's place in its chain.
  void make_copy()
  {
    if (is_copied_) { return; }
    std::uint64_t const buckets = map_.bucket_count();
    std::vector<Word> words(this->words_.size(), Format::empty_word);
    std::vector<std::uint64_t> metadata(this->metadata_.size());
    BucketRange range{0, 0};
    std::uint64_t last_bucket = buckets;
    for (auto& [key, entry] : map_) {
      std::uint64_t const bucket = map_.bucket(key);
      if (bucket != last_bucket) { range.first = range.end; }
      last_bucket = bucket;
      entry.slot = range.end++;
      words[entry.slot] = pack(key, entry.value);
      metadata[bucket] = range.number();
      metadata[buckets + entry.slot] = entry.slot - range.first;
    }
    this->exec_.upload(this->words_.data(), std::span<Word const>(words));
    this->exec_.upload(this->metadata_.data(), std::span<std::uint64_t const>(metadata));
    this->layout_.stored = range.end;
    is_copied_ = true;
  }

  /// Marks the slots that now hold the batch's keys, and those that held the erased keys.
  void mark_changes(HostBatch const& host, std::uint8_t* changes)
  {
    make_copy();
    std::array<std::vector<Slot>, 3> touched;
    touched[static_cast<std::size_t>(Operation::erase)] = host.erased;
    for (std::size_t i = 0; i < host.keys.size(); ++i) {
      if (host.operations[i] == Operation::erase) { continue; }
      auto const node = map_.find(host.keys[i]);
      if (node != map_.end()) { touched[static_cast<std::size_t>(host.operations[i])].push_back(node->second.slot); }
    }
    for (Operation const operation : {Operation::find, Operation::insert, Operation::erase}) {
      std::vector<Slot> const& slots = touched[static_cast<std::size_t>(operation)];
      if (slots.empty()) { continue; }
      typename Exec::template Buffer<Slot> places(this->exec_, slots.size());
      this->exec_.upload(places.data(), std::span<Slot const>(slots));
      this->exec_.for_each(slots.size(), host_map::MarkChanges{places.data(), fresh_change(operation), changes});
    }
  }

  Map map_;
  bool has_nodes_ = true;
  bool is_copied_ = true;  ///< whether the slots match the map's current nodes
};

}  // namespace slotscape
