#pragma once

#include "gpu/base/random.hpp"
#include "gpu/library/basic_table.hpp"
#include "tests/support/registers.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Histories of real threads on hot keys: of the CPU, or of a kernel. The threads note when each operation began and
/// ended, and `registers` says whether there is an order in which they could have come one after another.
namespace slotscape::recorded {

using registers::Recorded;

/// What the threads of one phase do.
struct Plan {
  std::uint64_t seed = 1;
  std::uint32_t threads = 4;
  std::uint32_t operations = 500;  ///< of each thread
  std::uint32_t group = 4;         ///< so many threads share keys
  std::uint32_t keys = 5;          ///< of a group
  Combine combine = Combine::replace;
  OperationMask kinds = OperationMask::all;
  std::uint64_t first_value = 1;  ///< of values, no two of which are equal unless they are added up

  SLOTSCAPE_HOST_DEVICE std::uint64_t size() const { return std::uint64_t{threads} * operations; }
  SLOTSCAPE_HOST_DEVICE std::uint32_t groups() const { return (threads + group - 1) / group; }
  std::uint64_t all_keys() const { return std::uint64_t{groups()} * keys; }

  /// An operation on a hot key. Threads of a group are as far apart as can be. An update is an insertion that adds no
  /// key, by the outcome `missing`.
  SLOTSCAPE_HOST_DEVICE Recorded operation(std::uint32_t thread, std::uint32_t number) const
  {
    std::uint64_t const at = std::uint64_t{thread} * operations + number;
    Recorded mine;
    mine.key = thread % groups() * std::uint64_t{keys} + random_below(seed, 3 * at, keys);
    mine.thread = thread;
    mine.combine = combine;
    std::uint32_t const dice = random_below(seed, 3 * at + 1, 10);
    mine.operation = dice < 5 ? Operation::insert : dice < 8 ? Operation::find : Operation::erase;
    if (!contains(kinds, mine.operation)) {
      mine.operation = contains(kinds, Operation::insert) ? Operation::insert
                       : contains(kinds, Operation::find) ? Operation::find
                                                          : Operation::erase;
    }
    if (mine.operation == Operation::insert) {
      bool const adds_up = combine == Combine::add;
      mine.value = adds_up ? 1 + random_below(seed, 3 * at + 2, 5) : first_value + at;
      mine.outcome = dice == 0 && combine == Combine::replace ? Outcome::missing : Outcome::inserted;
    }
    return mine;
  }
};

/// Nanoseconds, the same for all threads.
SLOTSCAPE_HOST_DEVICE inline std::uint64_t now()
{
#if defined(__CUDA_ARCH__)
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
#else
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}
/// What is before it in the program has happened before what is after it.
SLOTSCAPE_HOST_DEVICE inline void fence()
{
#if defined(__CUDA_ARCH__)
  __threadfence();
#else
  std::atomic_thread_fence(std::memory_order_seq_cst);
#endif
}

/// One thread of a phase.
template <class View>
struct Play {
  using Key = typename View::Key;
  using Value = typename View::Value;

  View table;
  Plan plan;
  Recorded* history;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t thread) const
  {
    for (std::uint32_t i = 0; i < plan.operations; ++i) {
      Recorded& mine = history[thread * plan.operations + i];
      mine = plan.operation(static_cast<std::uint32_t>(thread), i);
      mine.invoked = now();
      fence();
      perform(mine);
      fence();
      mine.returned = now();
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE void perform(Recorded& mine) const
  {
    auto const key = static_cast<Key>(mine.key);
    auto const value = static_cast<Value>(mine.value);
    if (mine.operation == Operation::insert) {
      mine.outcome = mine.outcome == Outcome::missing ? table.update(key, value) : table.insert(key, value);
    } else if (mine.operation == Operation::erase) {
      mine.outcome = table.erase(key);
    } else {
      auto const found = table.find(key);
      mine.outcome = found ? Outcome::found : Outcome::missing;
      if (found) { mine.value = found.value; }
    }
  }
};

/// Which operations a table lets run at once, phase by phase.
inline std::vector<OperationMask> phases_of(Concurrency concurrency)
{
  using enum OperationMask;
  switch (concurrency) {
    case Concurrency::mixed: return {all, all, all};
    case Concurrency::erases_apart: return {inserts | finds, erases, inserts | finds, erases, inserts | finds};
    case Concurrency::phased:
    case Concurrency::erases_alone: break;
  }
  return {inserts, finds, erases, inserts, finds, erases};
}

/// What became of a history.
struct Checked {
  std::string fault;  ///< empty: it adds up
  std::uint64_t operations = 0;
};

/// Plays a history with a new table, and checks it.
template <class Backend, TableFamily Family, class Key>
class History {
public:
  using Table = typename Backend::template Table<Family, Key>;

  History(Backend& backend, Plan const& plan, TableOptions const& options)
      : backend_(backend), plan_(plan), table_(backend.template make<Family, Key>(options))
  {
  }

  /// By threads that change the table through a view. phases: what may run at once in each.
  Checked by_threads(std::vector<OperationMask> const& phases)
  {
    for (OperationMask const kinds : phases) {
      plan_.kinds = kinds;
      auto const view = table_.mutable_view(plan_.combine);
      typename Backend::template Array<Recorded> noted(plan_.size());
      backend_.in_threads(plan_.threads, Play<std::remove_const_t<decltype(view)>>{view, plan_, noted.data()});
      std::vector<Recorded> phase = noted.host();
      if (Backend::loads_may_be_stale) { registers::allow_stale_loads(phase); }
      add(phase);
    }
    return checked();
  }
  /// By calls of the table, the operations of which are under way from beginning to end: one kind after another.
  Checked by_calls(std::uint32_t rounds)
  {
    for (std::uint32_t round = 0; round < rounds; ++round) {
      for (OperationMask const kinds : phases_of(Concurrency::phased)) {
        plan_.kinds = kinds;
        call(single_operation(kinds));
      }
    }
    return checked();
  }

private:
  void add(std::vector<Recorded> const& noted)
  {
    history_.insert(history_.end(), noted.begin(), noted.end());
    plan_.first_value += plan_.size();
    ++plan_.seed;
  }

  void call(Operation operation)
  {
    std::vector<Recorded> noted;
    std::vector<Key> keys;
    std::vector<Key> values;
    for (std::uint32_t thread = 0; thread < plan_.threads; ++thread) {
      for (std::uint32_t i = 0; i < plan_.operations; ++i) {
        noted.push_back(plan_.operation(thread, i));
        keys.push_back(static_cast<Key>(noted.back().key));
        values.push_back(static_cast<Key>(noted.back().value));
      }
    }
    typename Backend::template Array<Key> k(keys), v(values);
    typename Backend::template Array<Outcome> outcomes(keys.size());
    BatchOptions const options{.outcomes = outcomes.data()};
    switch (operation) {
      case Operation::insert: insert(k.data(), v.data(), keys.size(), options); break;
      case Operation::find: table_.find(k.data(), v.data(), keys.size(), options); break;
      case Operation::erase: table_.erase(k.data(), keys.size(), options); break;
    }
    ++calls_;
    auto const what = outcomes.host();
    auto const found = v.host();
    for (std::size_t i = 0; i < noted.size(); ++i) {
      noted[i].invoked = noted[i].returned = calls_;
      noted[i].outcome = what[i];
      if (what[i] == Outcome::found) { noted[i].value = found[i]; }
      // Of several values for a new key, a rebuilt table has any, not always one after the first.
      bool const is_there = what[i] == Outcome::inserted || what[i] == Outcome::updated;
      if (IsStatic<Family> && is_there) { noted[i].outcome = registers::stored; }
    }
    add(noted);
  }
  void insert(Key const* keys, Key const* values, std::uint64_t count, BatchOptions const& options)
  {
    switch (plan_.combine) {
      case Combine::replace: static_cast<void>(table_.insert_or_assign(keys, values, count, options)); break;
      case Combine::min: static_cast<void>(table_.insert_or_min(keys, values, count, options)); break;
      case Combine::max: static_cast<void>(table_.insert_or_max(keys, values, count, options)); break;
      case Combine::keep_first: static_cast<void>(table_.insert(keys, values, count, options)); break;
      case Combine::add:
      case Combine::add_freely: static_cast<void>(table_.insert_or_add(keys, values, count, options)); break;
    }
  }

  /// With what the table holds in the end, as lookups of all keys.
  Checked checked()
  {
    std::uint64_t const size = table_.size();
    typename Backend::template Array<Key> keys(size), values(size);
    table_.export_pairs(keys.data(), values.data(), size);
    std::vector<Recorded> last(plan_.all_keys());
    std::uint64_t const time = std::ranges::max(history_, {}, &Recorded::returned).returned + 1;
    for (std::uint64_t key = 0; key < last.size(); ++key) {
      last[key].key = key;
      last[key].invoked = last[key].returned = time;
    }
    std::vector<Key> const its_keys = keys.host();
    std::vector<Key> const its_values = values.host();
    for (std::size_t i = 0; i < size; ++i) {
      if (its_keys[i] >= last.size()) { return {"key " + std::to_string(its_keys[i]) + " came from nowhere"}; }
      Recorded& mine = last[its_keys[i]];
      if (mine.outcome == Outcome::found) { return {"key " + std::to_string(its_keys[i]) + " is stored twice"}; }
      mine.outcome = Outcome::found;
      mine.value = its_values[i];
    }
    std::uint64_t const operations = history_.size();
    std::ranges::move(last, std::back_inserter(history_));
    return {registers::fault_in(history_), operations};
  }

  Backend& backend_;
  Plan plan_;
  Table table_;
  std::vector<Recorded> history_;
  std::uint64_t calls_ = 0;  ///< the time, where calls are the operations
};

/// A kind of history, by its seed: all ways of combining values, and of erasing.
struct Variant {
  TableOptions options;
  Plan plan;
};
template <class Backend, class Table>
Variant variant_of(std::uint64_t seed, std::uint32_t operations)
{
  constexpr auto ways = std::to_array<Combine>(
      {Combine::replace, Combine::add, Combine::keep_first, Combine::replace, Combine::max, Combine::min});
  Variant variant{.options = {.slots = 4},
                  .plan = {.seed = random64(seed, 0),
                           .threads = Backend::hot_threads,
                           .operations = operations,
                           .group = Backend::hot_group,
                           .keys = Backend::hot_keys,
                           .combine = ways[seed % ways.size()]}};
  variant.options.slots = Table::slots_for(variant.plan.all_keys(), 0.5);
  variant.options.deletion = seed / ways.size() % 2 == 0 ? Deletion::empty_value : Deletion::tombstone_reuse;
  return variant;
}

/// A history in which all happens that the family guarantees to add up.
template <class Backend, TableFamily Family, class Key>
Checked check_promised(Backend& backend, std::uint64_t seed, std::uint32_t operations)
{
  using Tested = History<Backend, Family, Key>;
  Variant variant = variant_of<Backend, typename Tested::Table>(seed, operations);
  if constexpr (HasConcurrentOperations<Family>) {
    TableSettings settings = library::settings_of<Family, FormatOf<Key>>(variant.options);
    settings.combine = variant.plan.combine;
    auto const phases = phases_of(Family::guarantees(settings).concurrency);
    return Tested(backend, variant.plan, variant.options).by_threads(phases);
  } else {
    constexpr std::uint32_t in_a_call = 16 / Backend::hot_group;  // all of which are under way at once
    variant.plan.operations = in_a_call;
    return Tested(backend, variant.plan, variant.options).by_calls(1 + operations / (6 * in_a_call));
  }
}

/// A history of all operations at once, whatever the family guarantees.
template <class Backend, TableFamily Family, class Key>
requires HasConcurrentOperations<Family> Checked check_everything_at_once(Backend& backend, std::uint64_t seed,
                                                                          std::uint32_t operations)
{
  using Tested = History<Backend, Family, Key>;
  Variant const variant = variant_of<Backend, typename Tested::Table>(seed, operations);
  return Tested(backend, variant.plan, variant.options).by_threads(phases_of(Concurrency::mixed));
}

}  // namespace slotscape::recorded
