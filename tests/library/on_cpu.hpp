#pragma once

#include "gpu/library/table.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace slotscape {

/// Tables and sets on the CPU.
struct OnCpu {
  template <class Family, class Key, class Value = Key, class Keys = ByBits>
  using Table = CpuTable<Family, Key, Value, Keys>;
  template <class Family, class Key, class Value, class Keys = ByBits>
  using MultiTable = CpuMultiTable<Family, Key, Value, Keys>;
  template <class Family, class Key, class Keys = ByBits>
  using Set = CpuSet<Family, Key, Keys>;
  template <class Family, class Key>
  using ShardedTable = CpuShardedTable<Family, Key>;
  template <class Family, class Key>
  using PagedTable = CpuPagedTable<Family, Key>;

  template <class T>
  class Array {
  public:
    explicit Array(std::vector<T> const& items) : Array(items.size()) { assign(items); }
    explicit Array(std::size_t count) : items_(std::make_unique<T[]>(count)), count_(count) {}
    T* data() { return items_.get(); }
    /// As many items.
    void assign(std::vector<T> const& items) { std::copy(items.begin(), items.end(), items_.get()); }
    std::vector<T> host() const { return std::vector<T>(items_.get(), items_.get() + count_); }

  private:
    std::unique_ptr<T[]> items_;  // a vector of bool has no array
    std::size_t count_;
  };

  /// Memory that gives so many pieces, and then no more.
  struct Limited {
    std::uint64_t left = ~std::uint64_t{0};
    std::uint64_t bytes = 0;    ///< given and not returned
    std::uint64_t refused = 0;  ///< calls

    void* allocate(std::size_t size, std::size_t)
    {
      if (left == 0) {
        ++refused;
        throw std::bad_alloc();
      }
      --left;
      bytes += size;
      return std::malloc(size);
    }
    void deallocate(void* memory, std::size_t size, std::size_t)
    {
      bytes -= size;
      std::free(memory);
    }
  };

  /// Whether a call that runs out of memory has done nothing, or else something of what it was to do.
  static constexpr bool fails_before_it_begins = true;

  /// Whether arrays of the host are copied before work can use them.
  static constexpr bool host_arrays_are_copied = true;

  static std::string why_not() { return {}; }

  template <class Family, class Key>
  Table<Family, Key> make(TableOptions const& options)
  {
    return Table<Family, Key>(options);
  }
  template <class AnyTable>
  AnyTable make_table(auto const& options)
  {
    return AnyTable(options);
  }
  template <class Family, class Key>
  Set<Family, Key> make_set(SetOptions const& options)
  {
    return Set<Family, Key>(options);
  }
  template <class Family, class Key>
  ShardedTable<Family, Key> make_sharded(TableOptions const& options, ShardOptions const& how)
  {
    return ShardedTable<Family, Key>(options, how);
  }
  template <class Family, class Key>
  PagedTable<Family, Key> make_paged(TableOptions const& options, PagingOptions const& how)
  {
    return PagedTable<Family, Key>(options, how);
  }
  template <class F>
  void for_each(std::uint64_t count, F const& f)
  {
    exec::Cpu().for_each(count, f);
  }

  /// f(i) by a thread each, which begin together.
  template <class F>
  void in_threads(std::uint32_t count, F const& f)
  {
    std::atomic<std::uint32_t> ready = 0;
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < count; ++i) {
      threads.emplace_back([&, i] {
        for (++ready; ready < count;) { std::this_thread::yield(); }
        f(i);
      });
    }
  }
  /// Threads that meet at hot keys, in groups of so many, with so many keys each, and how many operations of each a
  /// test has the patience for.
  static constexpr std::uint32_t hot_threads = 4, hot_group = 4, hot_keys = 5, hot_operations = 300;
  static constexpr bool loads_may_be_stale = false;
};

}  // namespace slotscape
