#pragma once

#include "gpu/bench/join_bench_of.hpp"
#include "gpu/bench/rivals/rival_memory.hpp"
#include "gpu/execution/cpu.hpp"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>
#include <vector>

namespace slotscape::bench {

/// The rows of a key, as a linked list from the last row to the first.
struct RowChain {
  std::uint32_t last = joins::no_row;
  std::uint32_t rows = 0;

  /// Returns the previous last row.
  template <bool shared>
  std::uint32_t push(std::uint32_t row)
  {
    if constexpr (shared) {
      std::atomic_ref(rows).fetch_add(1, std::memory_order_relaxed);
      return std::atomic_ref(last).exchange(row, std::memory_order_relaxed);
    } else {
      ++rows;
      return std::exchange(last, row);
    }
  }
};

struct RowSum {
  std::uint64_t sum = 0;
  std::uint32_t rows = 0;

  template <bool shared>
  void add(std::uint64_t value)
  {
    if constexpr (shared) {
      std::atomic_ref(rows).fetch_add(1, std::memory_order_relaxed);
      std::atomic_ref(sum).fetch_add(value, std::memory_order_relaxed);
    } else {
      ++rows;
      sum += value;
    }
  }
};

/// The operations on rows that a rival's table must support: `update` calls f with the value of a key,
/// default-constructed at first, and `find` returns it, or a default-constructed one. `for_each` calls f(key, value)
/// for all keys.
template <class T>
concept RowTable = requires(T& table, typename T::Key key, typename T::Value value, RivalMemory& memory,
                            std::uint64_t keys)
{
  T(memory, keys);
  {
    T::is_parallel  ///< several threads may update the table at once
    } -> std::convertible_to<bool>;
  {
    T::shares_values  ///< they may even change the same value at once
    } -> std::convertible_to<bool>;
  {
    T::has_nodes
    } -> std::convertible_to<bool>;
  table.update(key, [](typename T::Value&) {});
  {
    table.find(key)
    } -> std::same_as<typename T::Value>;
  table.for_each([](typename T::Key, typename T::Value const&) {});
  {
    table.size()
    } -> std::convertible_to<std::uint64_t>;
};

/// Calls f(i) for all rows, on as many threads as the table allows.
template <class Table, class F>
void for_rows(exec::Cpu& exec, std::uint64_t count, F const& f)
{
  if constexpr (Table::is_parallel) {
    exec.for_each(count, f);
  } else {
    for (std::uint64_t i = 0; i < count; ++i) { f(i); }
  }
}

/// A rival's table and its memory.
template <RowTable Table>
class HeldTable {
public:
  explicit HeldTable(std::uint64_t keys) : keys_(keys) { clear(); }
  /// Replaces the table by a new one with room for its keys.
  void clear()
  {
    table_.reset();
    table_.emplace(memory_, keys_);
  }
  Table* operator->() { return &*table_; }
  std::uint64_t memory_bytes() const { return memory_.bytes(Table::has_nodes ? table_->size() : 0); }

private:
  RivalMemory memory_;
  std::uint64_t keys_;
  std::optional<Table> table_;
};

/// A straightforward join with such a table: the rows of a key are a linked list, and results are counted before they
/// are written.
template <RowTable Table>
class RivalJoin {
  using Key = typename Table::Key;
  using JoinKind = joins::JoinKind;

public:
  RivalJoin(exec::Cpu& exec, std::uint64_t keys) : exec_(exec), table_(keys) {}

  void clear() { table_.clear(); }
  void build(Key const* keys, std::uint64_t count)
  {
    before_.resize(count);
    for_rows<Table>(exec_, count, [&](std::uint64_t i) {
      auto const row = static_cast<std::uint32_t>(i);
      table_->update(keys[i], [&](RowChain& chain) { before_[i] = chain.template push<Table::shares_values>(row); });
    });
  }

  joins::JoinedView probe(JoinKind kind, Key const* keys, std::uint64_t count)
  {
    last_.resize(count);
    starts_.resize(count);
    for_rows<Table>(exec_, count, [&](std::uint64_t i) {
      RowChain const chain = table_->find(keys[i]);
      last_[i] = chain.last;
      starts_[i] = results_of(kind, chain.rows);
    });
    std::uint64_t const total = exec_.exclusive_scan(starts_.data(), count);
    build_rows_.resize(joins::gives_pairs(kind) ? total : 0);
    probe_rows_.resize(total);
    for_rows<Table>(exec_, count, [&](std::uint64_t i) {
      std::uint64_t const end = i + 1 < count ? starts_[i + 1] : total;
      std::uint32_t row = last_[i];
      for (std::uint64_t at = starts_[i]; at < end; ++at) {
        probe_rows_[at] = static_cast<std::uint32_t>(i);
        if (build_rows_.empty()) { continue; }
        build_rows_[at] = row;
        row = row == joins::no_row ? row : before_[row];
      }
    });
    return {build_rows_.empty() ? nullptr : build_rows_.data(), probe_rows_.data(), total};
  }

  std::uint64_t table_bytes() const { return table_.memory_bytes() + sizeof(std::uint32_t) * before_.capacity(); }
  std::uint64_t memory_bytes() const
  {
    return table_.memory_bytes() + sizeof(std::uint32_t) * (before_.capacity() + last_.capacity() + starts_.capacity() +
                                                            build_rows_.capacity() + probe_rows_.capacity());
  }

private:
  static std::uint32_t results_of(JoinKind kind, std::uint32_t rows)
  {
    switch (kind) {
      case JoinKind::inner: return rows;
      case JoinKind::left: return std::max(rows, 1u);
      case JoinKind::semi: return rows != 0 ? 1 : 0;
      case JoinKind::anti: break;
    }
    return rows == 0 ? 1 : 0;
  }

  exec::Cpu& exec_;
  HeldTable<Table> table_;
  std::vector<std::uint32_t> before_;  ///< for each row, the one before it in its list
  std::vector<std::uint32_t> last_;    ///< for each probe row, a row of its key's list
  std::vector<std::uint32_t> starts_;
  std::vector<std::uint32_t> build_rows_;
  std::vector<std::uint32_t> probe_rows_;
};

template <RowTable Table>
class RivalGroups {
  using Key = typename Table::Key;

public:
  RivalGroups(exec::Cpu& exec, std::uint64_t keys) : exec_(exec), table_(keys) {}

  void clear() { table_.clear(); }
  joins::GroupsView<Key> group(Key const* keys, std::uint64_t const* values, std::uint64_t count)
  {
    for_rows<Table>(exec_, count, [&](std::uint64_t i) {
      table_->update(keys[i], [&](RowSum& group) { group.template add<Table::shares_values>(values[i]); });
    });
    keys_.clear();
    counts_.clear();
    sums_.clear();
    table_->for_each([&](Key key, RowSum const& group) {
      keys_.push_back(key);
      counts_.push_back(group.rows);
      sums_.push_back(group.sum);
    });
    return {keys_.data(), counts_.data(), sums_.data(), keys_.size()};
  }

  std::uint64_t memory_bytes() const
  {
    return table_.memory_bytes() + keys_.capacity() * sizeof(Key) + counts_.capacity() * sizeof(std::uint32_t) +
           sums_.capacity() * sizeof(std::uint64_t);
  }

private:
  exec::Cpu& exec_;
  HeldTable<Table> table_;
  std::vector<Key> keys_;
  std::vector<std::uint32_t> counts_;
  std::vector<std::uint64_t> sums_;
};

/// Calls make with an instance of the format for a key width.
template <class Bench, class Make>
std::unique_ptr<Bench> with_format(int key_bits, Make const& make)
{
  if (key_bits == 64) { return make(Wide{}); }
  return make(Narrow{});
}

template <template <class Key, class Value> class Table>
std::unique_ptr<JoinBench> join_bench_of_rival(JoinCase const& subject)
{
  return with_format<JoinBench>(subject.settings.key_bits, [&]<PairFormat Format>(Format) {
    using Join = RivalJoin<Table<typename Format::Key, RowChain>>;
    return std::make_unique<JoinBenchOf<exec::Cpu, Format, Join>>(subject, [](exec::Cpu& exec, std::uint64_t keys) {
      return std::make_unique<Join>(exec, keys);
    });
  });
}
template <template <class Key, class Value> class Table>
std::unique_ptr<GroupBench> group_bench_of_rival(GroupCase const& subject)
{
  return with_format<GroupBench>(subject.settings.key_bits, [&]<PairFormat Format>(Format) {
    using Group = RivalGroups<Table<typename Format::Key, RowSum>>;
    return std::make_unique<GroupBenchOf<exec::Cpu, Format, Group>>(subject, [](exec::Cpu& exec, std::uint64_t keys) {
      return std::make_unique<Group>(exec, keys);
    });
  });
}

}  // namespace slotscape::bench
