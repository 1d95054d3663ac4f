#pragma once

#include "gpu/bench/rivals.hpp"
#include "gpu/bench/rivals/rival_memory.hpp"
#include "gpu/bench/table_bench_of.hpp"
#include "gpu/execution/cpu.hpp"

#include <optional>

namespace slotscape::bench {

/// The families' hash with the interface of std::hash. Unlike std::hash, it mixes all bits of the key.
template <class Key>
class FamilyHash {
public:
  explicit FamilyHash(HashKind kind) : rounds_(HashRounds<Key>::of(kind)) {}
  std::size_t operator()(Key key) const { return rounds_(key); }

private:
  HashRounds<Key> rounds_;
};

/// The requirements on a rival's map.
struct RivalRequest {
  std::uint64_t slots;
  std::uint64_t keys;
  HashKind hash;
  RivalMemory& memory;
};

/// A map behind a common interface: `insert` returns whether the key is new, `find` whether it is present.
template <class M>
concept RivalMap = requires(M& map, typename M::Key key, typename M::Value& value, RivalRequest const& request)
{
  M(request);
  {
    map.insert(key, value)
    } -> std::same_as<bool>;
  {
    map.find(key, value)
    } -> std::same_as<bool>;
  {
    map.erase(key)
    } -> std::same_as<bool>;
  {
    map.size()
    } -> std::convertible_to<std::uint64_t>;
  {
    M::has_nodes
    } -> std::convertible_to<bool>;
};

/// Adapts a rival's map to the bench of tables.
template <RivalMap Map, PairFormat Format>
class RivalTable {
  using Key = typename Format::Key;
  using Value = typename Format::Value;

public:
  RivalTable(exec::Cpu& exec, Rival const& rival, TableCase const& subject)
      : exec_(exec),
        rival_(rival),
        settings_(subject.table),
        keys_(static_cast<std::uint64_t>(static_cast<double>(subject.table.slots) * subject.load_factor) + 1)
  {
    clear();
  }

  FamilyInfo const& info() const { return subject_info(settings_.family); }
  TableSettings const& settings() const { return settings_; }
  std::uint64_t memory_bytes() const { return memory_.bytes(Map::has_nodes ? max_keys_ : 0); }

  void clear()
  {
    map_.reset();
    try {
      map_.emplace(RivalRequest{settings_.slots, keys_, settings_.hash.kind, memory_});
    } catch (std::bad_alloc const&) {
      throw Error("Not enough memory for " + settings_.family + ": choose fewer slots.");
    }
  }

  Tally run(Batch<Format> const& batch, double& seconds)
  {
    auto const run_one = [&](std::uint64_t i) { return run(batch.operations[i], batch.keys[i], batch.values[i]); };
    exec_.start_timer();
    Tally tally;
    if (rival_.one_thread) {
      for (std::uint64_t i = 0; i < batch.count; ++i) { ++tally[run_one(i)]; }
    } else {
      tally = exec_.tally(batch.count, run_one);
    }
    seconds += exec_.stop_timer();
    max_keys_ = std::max<std::uint64_t>(max_keys_, map_->size());
    return tally;
  }

private:
  Outcome run(Operation operation, Key key, Value& value)
  {
    switch (operation) {
      case Operation::insert: return map_->insert(key, value) ? Outcome::inserted : Outcome::updated;
      case Operation::find:
        value = Format::empty_value;
        return map_->find(key, value) ? Outcome::found : Outcome::missing;
      case Operation::erase: break;
    }
    return map_->erase(key) ? Outcome::erased : Outcome::missing;
  }

  exec::Cpu& exec_;
  Rival const& rival_;
  TableSettings settings_;
  std::uint64_t keys_;
  std::uint64_t max_keys_ = 0;  ///< so far
  RivalMemory memory_;
  std::optional<Map> map_;
};

/// The bench of one rival, with keys of the case's width.
template <template <PairFormat> class Map>
std::unique_ptr<TableBench> bench_of_rival(Rival const& rival, TableCase const& subject)
{
  auto const make = [&]<PairFormat Format>(Format) -> std::unique_ptr<TableBench> {
    using Table = RivalTable<Map<Format>, Format>;
    return std::make_unique<TableBenchOf<exec::Cpu, Format, Table>>(subject, [&](exec::Cpu& exec,
                                                                                 TableSettings const&) {
      return std::make_unique<Table>(exec, rival, subject);
    });
  };
  return subject.table.key_bits == 64 ? make(Wide{}) : make(Narrow{});
}

}  // namespace slotscape::bench
