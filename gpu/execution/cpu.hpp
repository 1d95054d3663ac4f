#pragma once

#include "gpu/base/error.hpp"
#include "gpu/execution/block.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/execution/memory.hpp"
#include "gpu/execution/parallel.hpp"
#include "gpu/execution/tile.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace slotscape::exec {

/// Arrays of at least 4 MiB lie on huge pages, if the system provides them on request: random accesses then miss the
/// TLB far less often, equally in every process. They are mapped separately and returned to the system: in the heap,
/// the smallest later allocation on a huge page would keep the whole page.
namespace host_memory {

#if defined(__linux__)
inline constexpr std::uint64_t large_page = std::uint64_t{1} << 21;

inline bool has_own_pages(std::uint64_t bytes)
{
  return bytes >= 2 * large_page;
}
inline std::uint64_t whole_pages(std::uint64_t bytes)
{
  return (bytes + large_page - 1) / large_page * large_page;
}

/// Null if there is no memory.
inline void* map(std::uint64_t bytes)
{
  std::uint64_t const whole = whole_pages(bytes);
  void* const mapped = mmap(nullptr, whole + large_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) { return nullptr; }
  auto* const start = static_cast<std::byte*>(mapped);
  std::uint64_t const before = (large_page - reinterpret_cast<std::uintptr_t>(start) % large_page) % large_page;
  if (before != 0) { munmap(start, before); }
  munmap(start + before + whole, large_page - before);
  madvise(start + before, whole, MADV_HUGEPAGE);  // only advice: a failure is harmless
  return start + before;
}
#endif

/// Null if there is no memory.
inline void* allocate(std::uint64_t bytes)
{
#if defined(__linux__)
  if (has_own_pages(bytes)) { return map(bytes); }
#endif
  return std::malloc(bytes);
}
inline void deallocate(void* memory, [[maybe_unused]] std::uint64_t bytes)
{
#if defined(__linux__)
  if (has_own_pages(bytes)) {
    munmap(memory, whole_pages(bytes));
    return;
  }
#endif
  std::free(memory);
}

}  // namespace host_memory

/// Allocates and frees a piece of host memory.
struct HostPiece {
  Memory memory;
  std::size_t bytes = 0;
  std::size_t alignment = 0;

  /// Throws Error if there is not enough memory.
  void* take() const
  {
    if (!memory.is_default()) {
      if (memory.at_once()) { return memory.allocate(bytes, alignment, nullptr, false); }
      throw Error(
          "This memory is allocated in stream order: for a table on the CPU, choose memory that can be used at once.");
    }
    if (void* const taken = host_memory::allocate(bytes)) { return taken; }
    throw Error("Not enough memory for " + std::to_string(bytes >> 20) + " MiB: choose a smaller table.");
  }
  void operator()(void* taken) const
  {
    memory.is_default() ? host_memory::deallocate(taken, bytes)
                        : memory.deallocate(taken, bytes, alignment, nullptr, false);
  }
};

/// The CPU as a device: a pool of threads (oneTBB).
class Cpu {
public:
  static constexpr Backend backend = Backend::cpu;
  static constexpr std::uint64_t batch_limit = 1u << 20;
  static constexpr std::uint64_t rehash_slots = 1u << 19;  ///< old slots moved per step
  template <PairFormat Format>
  using Machine = HostMachine<Format>;
  template <int Lanes>
  using Tile = HostLanes<Lanes>;

  /// `count` elements of T, uninitialised.
  template <class T>
  class Buffer {
  public:
    Buffer() = default;
    Buffer(Cpu& exec, std::uint64_t count, MemoryUse use = MemoryUse::scratch)
    {
      constexpr std::size_t alignment = std::max(alignof(T), alignof(std::max_align_t));
      HostPiece const piece{exec.memories_.of(use), std::max<std::uint64_t>(count, 1) * sizeof(T), alignment};
      data_ = std::unique_ptr<T, HostPiece>(static_cast<T*>(piece.take()), piece);
      count_ = count;
    }
    T* data() const { return data_.get(); }
    std::uint64_t size() const { return count_; }

  private:
    std::unique_ptr<T, HostPiece> data_;
    std::uint64_t count_ = 0;
  };

  template <class T>
  using HostBuffer = Buffer<T>;

  /// Memory options for tables in host memory: CPU tables are already there.
  static Memories host_memory() { return {}; }

  Cpu() = default;
  explicit Cpu(Memories memories) : memories_(std::move(memories)) {}

  std::string name() const { return cpu_name(); }

  /// Device `number`, which exists as long as this one; this one is number 0. Here, every device is the same CPU, with
  /// its own arrays.
  Cpu& device(std::uint32_t number)
  {
    if (number == 0) { return *this; }
    if (others_.size() < number) { others_.resize(number); }
    std::unique_ptr<Cpu>& other = others_[number - 1];
    if (!other) { other = std::make_unique<Cpu>(); }
    other->in_order_ = in_order_;
    return *other;
  }
  /// During its lifetime, this thread's calls go to the executor's device.
  struct Active {
    explicit Active(Cpu const&) {}
  };

  /// If on, parallel work runs in order on the calling thread from now on. The same work then always has the same
  /// result in memory, even if threads would race.
  void run_in_order(bool on)
  {
    in_order_ = on;
    for (auto const& other : others_) {
      if (other) { other->run_in_order(on); }
    }
  }

  template <class T>
  void fill(T* data, std::uint64_t count, T value)
  {
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, count, 1u << 16),
                      [=](auto const& range) { std::fill(data + range.begin(), data + range.end(), value); });
  }
  template <class T>
  void upload(T* to, std::span<T const> from)
  {
    if (!from.empty()) { std::memcpy(to, from.data(), from.size_bytes()); }
  }
  template <class T>
  void download(std::span<T> to, T const* from)
  {
    if (!to.empty()) { std::memcpy(to.data(), from, to.size_bytes()); }
  }
  template <class T>
  void copy(T* to, T const* from, std::uint64_t count)
  {
    if (count != 0) { std::memcpy(to, from, count * sizeof(T)); }
  }

  /// Waits for all work submitted so far.
  void wait() {}

  /// Calls f(i) for 0 <= i < count, in no particular order.
  template <class F>
  void for_each(std::uint64_t count, F const& f)
  {
    in_ranges({0, count, 512}, [&](auto const& range) {
      for (std::uint64_t i = range.begin(); i != range.end(); ++i) { f(i); }
    });
  }

  /// Calls f(i, tile) for 0 <= i < count, each with one tile of up to `Lanes` lanes.
  template <int Lanes, class F>
  void for_each_tile(std::uint64_t count, F const& f)
  {
    for_each(count, [&](std::uint64_t i) { f(i, HostTile{}); });
  }

  /// Checks that a device can call a user's function; a CPU can call any.
  template <class F, class... Arguments>
  static void expect_call()
  {
  }
  template <class Array>
  static void expect_array()
  {
  }

  /// Sweeps over items in parallel until the program's state machine stops. The host does not wait; each thread keeps
  /// its own copy of the state.
  ///   Program::State                                                value-initialised at the start
  ///   std::uint64_t items(State) const;                             may read what earlier sweeps wrote
  ///   std::uint32_t sweep(State, std::uint64_t item) const;         returns the number of changes made
  ///   bool next(State&, std::uint32_t changes) const;               of all items in this sweep; false at the end
  /// A sweep sees everything that earlier ones wrote. No sweep has more than `limit` items.
  template <class Program>
  void rounds(std::uint64_t limit, Program const& program)
  {
    typename Program::State state{};
    std::atomic<std::uint32_t> changes;
    do {
      changes = 0;
      in_ranges({0, std::min(limit, program.items(state)), 256}, [&](auto const& range) {
        std::uint32_t mine = 0;
        for (std::uint64_t i = range.begin(); i != range.end(); ++i) { mine += program.sweep(state, i); }
        changes.fetch_add(mine, std::memory_order_relaxed);
      });
    } while (program.next(state, changes));
  }

  /// Counts the outcomes f(i) for 0 <= i < count.
  template <class F>
  Tally tally(std::uint64_t count, F const& f)
  {
    auto const add_range = [&](auto const& range, Tally tally) {
      for (std::uint64_t i = range.begin(); i != range.end(); ++i) {
        if (Outcome const outcome = f(i); outcome != not_run) { ++tally[outcome]; }
      }
      return tally;
    };
    tbb::blocked_range<std::uint64_t> const all(0, count, 512);
    if (in_order_) { return add_range(all, Tally{}); }
    return tbb::parallel_reduce(all, Tally{}, add_range, [](Tally a, Tally const& b) { return a += b; });
  }
  /// Counts the outcomes f(i, tile) for 0 <= i < count, each by one tile of `Lanes` lanes.
  template <int Lanes, class F>
  Tally tally_tile(std::uint64_t count, F const& f)
  {
    return tally(count, [&](std::uint64_t i) { return f(i, HostLanes<Lanes>{}); });
  }

  /// Counts the outcomes f(i, tile) of tiles whose lanes each bring an item i; there may be more lanes than items.
  template <class F>
  Tally tally_together(std::uint64_t count, F const& f)
  {
    return tally(count, [&](std::uint64_t i) { return f(i, HostTile{}); });
  }

  /// Calls f(i, block) for 0 <= i < count, each with one block of `Threads` threads that share an F::Shared: see
  /// `HostBlock`.
  template <int Threads, class F>
  void for_each_block(std::uint64_t count, F const& f)
  {
    using Shared = typename F::Shared;
    constexpr std::size_t most_on_stack = 4096;  // bytes
    Range const all(0, count, 1);
    auto const run = [&](Range const& range, Shared& shared) {
      for (std::uint64_t i = range.begin(); i != range.end(); ++i) { f(i, HostBlock<Threads>{}, shared); }
    };
    if constexpr (sizeof(Shared) <= most_on_stack) {
      in_ranges(all, [&](Range const& range) {
        Shared shared{};
        run(range, shared);
      });
    } else {
      auto const spare = std::make_unique<Shared>();  // with this, no block is skipped for lack of memory
      std::mutex spare_turn;
      in_ranges(all, [&](Range const& range) {
        std::unique_ptr<Shared> const own(new (std::nothrow) Shared());
        std::unique_lock const turn = own ? std::unique_lock<std::mutex>() : std::unique_lock(spare_turn);
        run(range, own ? *own : *spare);
      });
    }
  }

  /// The maximum size of a block's F::Shared, in bytes.
  std::size_t block_memory() const { return std::size_t{1} << 30; }
  /// Size of the shared cache, if a pass can control what stays in it; a CPU pass cannot.
  std::uint64_t cache_bytes() const { return 0; }

  /// Calls f(i, tile, sink) for 0 <= i < count; `histogram` counts the values that f passes to sink.add.
  template <class F>
  void accumulate(std::uint64_t count, HistogramView histogram, F const& f)
  {
    tbb::enumerable_thread_specific<Sink> sinks([&] { return Sink(histogram); });
    tbb::parallel_for(tbb::blocked_range<std::uint64_t>(0, count, 64), [&](auto const& range) {
      Sink& sink = sinks.local();
      for (std::uint64_t i = range.begin(); i != range.end(); ++i) { f(i, HostTile{}, sink); }
    });
    for (Sink& sink : sinks) { sink.flush(); }
  }

  /// Writes to `out` the f(i) that differ from `none`, in order of i; returns how many. Without memory to divide the
  /// work, it runs in order, so it never fails.
  template <class T, class F>
  std::uint64_t select(std::uint64_t count, T none, T* out, F const& f)
  {
    std::uint64_t const block = 1u << 14;
    std::uint64_t const blocks = (count + block - 1) / block;
    std::unique_ptr<std::uint64_t[]> const memory(new (std::nothrow) std::uint64_t[blocks + 1]());
    if (memory == nullptr) {
      T* end = out;
      for (std::uint64_t i = 0; i < count; ++i) {
        if (T const item = f(i); item != none) { *end++ = item; }
      }
      return static_cast<std::uint64_t>(end - out);
    }
    std::span<std::uint64_t> const starts(memory.get(), blocks + 1);
    auto each_block = [&](auto const& body) {
      tbb::parallel_for(std::uint64_t{0}, starts.size() - 1, [&](std::uint64_t b) {
        std::uint64_t position = starts[b];
        for (std::uint64_t i = b * block; i != std::min(count, (b + 1) * block); ++i) {
          if (T const item = f(i); item != none) { body(position++, item); }
        }
        starts[b] = position;
      });
    };
    each_block([](std::uint64_t, T) {});
    std::uint64_t total = 0;
    for (std::uint64_t& start : starts) { total += std::exchange(start, total); }
    each_block([&](std::uint64_t position, T item) { out[position] = item; });
    return total;
  }

  /// Allocates the memory for such a `select` in advance, so that it cannot run out of memory.
  template <class T, class F>
  void prepare_select(std::uint64_t, T, T*, F const&)
  {
  }

  /// Writes to `out` the numbers that differ from `none`, in order; returns how many.
  std::uint64_t compact(std::uint32_t const* numbers, std::uint64_t count, std::uint32_t none, std::uint32_t* out)
  {
    return select(count, none, out, [=](std::uint64_t i) { return numbers[i]; });
  }

  /// Sorts in ascending order; U is std::uint32_t or std::uint64_t.
  template <class U>
  void sort(U* keys, std::uint64_t count)
  {
    tbb::parallel_sort(keys, keys + count);
  }
  /// Sorts stably by ascending key. Without memory for a fast sort it takes longer, but it never fails.
  template <class U, class V>
  void sort_pairs(U* keys, V* values, std::uint64_t count)
  {
    using Place = std::pair<U, std::uint64_t>;
    std::unique_ptr<Place[]> const order(new (std::nothrow) Place[count]);
    std::unique_ptr<V[]> const old(new (std::nothrow) V[count]);
    if (order == nullptr || old == nullptr) { return sort_in_place(keys, values, 0, count); }
    for_each(count, [&](std::uint64_t i) { order[i] = {keys[i], i}; });
    tbb::parallel_sort(order.get(), order.get() + count);
    std::copy(values, values + count, old.get());
    for_each(count, [&](std::uint64_t i) {
      keys[i] = order[i].first;
      values[i] = old[order[i].second];
    });
  }
  /// Replaces each counts[i] by the sum of those before it. Returns the sum of all.
  std::uint64_t exclusive_scan(std::uint32_t* counts, std::uint64_t count)
  {
    std::uint64_t total = 0;
    for (std::uint64_t i = 0; i < count; ++i) { total += std::exchange(counts[i], static_cast<std::uint32_t>(total)); }
    return total;
  }

  /// `exclusive_scan` without the total, so that the host need not wait for the device.
  void prefix_sums(std::uint32_t* counts, std::uint64_t count) { exclusive_scan(counts, count); }

  void start_timer()
  {
    started_ = std::chrono::steady_clock::now();
    stopped_ = {};
  }
  /// Ends the timed span, which `stop_timer` then reads.
  void mark_stop() { stopped_ = std::chrono::steady_clock::now(); }
  /// Seconds since `start_timer`.
  double stop_timer()
  {
    if (stopped_ < started_) { mark_stop(); }
    return std::chrono::duration<double>(stopped_ - started_).count();
  }

  /// Times consecutive stretches of work.
  class Laps {
  public:
    explicit Laps(Cpu&) {}
    void start()
    {
      marks_.clear();
      lap();
    }
    void lap() { marks_.push_back(std::chrono::steady_clock::now()); }
    /// Seconds of each lap; waits for the work to finish.
    std::vector<double> seconds() const
    {
      std::vector<double> seconds;
      for (std::size_t i = 1; i < marks_.size(); ++i) {
        seconds.push_back(std::chrono::duration<double>(marks_[i] - marks_[i - 1]).count());
      }
      return seconds;
    }

  private:
    std::vector<std::chrono::steady_clock::time_point> marks_;
  };

private:
  /// Sorts from `first` to `last` without extra memory: halves, merged by rotations (Dudziński & Dydek 1981).
  template <class U, class V>
  static void sort_in_place(U* keys, V* values, std::uint64_t first, std::uint64_t last)
  {
    if (last - first < 2) { return; }
    std::uint64_t const middle = first + (last - first) / 2;
    sort_in_place(keys, values, first, middle);
    sort_in_place(keys, values, middle, last);
    merge_in_place(keys, values, first, middle, last);
  }
  template <class U, class V>
  static void merge_in_place(U* keys, V* values, std::uint64_t first, std::uint64_t middle, std::uint64_t last)
  {
    if (first == middle || middle == last || !(keys[middle] < keys[middle - 1])) { return; }
    if (last - first == 2) {
      std::swap(keys[first], keys[middle]);
      return std::swap(values[first], values[middle]);
    }
    bool const cuts_first = middle - first > last - middle;
    std::uint64_t from = first + (middle - first) / 2;
    std::uint64_t to = middle + (last - middle) / 2;
    if (cuts_first) {
      to = static_cast<std::uint64_t>(std::lower_bound(keys + middle, keys + last, keys[from]) - keys);
    } else {
      from = static_cast<std::uint64_t>(std::upper_bound(keys + first, keys + middle, keys[to]) - keys);
    }
    std::rotate(keys + from, keys + middle, keys + to);
    std::rotate(values + from, values + middle, values + to);
    std::uint64_t const between = from + (to - middle);
    merge_in_place(keys, values, first, from, between);
    merge_in_place(keys, values, between, to, last);
  }

  using Range = tbb::blocked_range<std::uint64_t>;
  template <class F>
  void in_ranges(Range const& all, F const& f)
  {
    if (in_order_) { return f(all); }
    tbb::parallel_for(all, f);
  }

  /// One thread's share of a histogram.
  class Sink {
  public:
    explicit Sink(HistogramView whole) : whole_(whole), size_(std::min(local_bins, whole.size)), bins_(size_ + 1) {}
    void add(std::uint32_t value) { add_many(value, 1); }
    /// Avoids an unpredictable branch on `wanted`: unwanted values go to a bin past the end.
    void add_if(bool wanted, std::uint32_t value)
    {
      ++bins_[wanted ? std::min(value, size_) : size_];
      if (wanted && value >= size_) [[unlikely]] { add_large(value, 1); }
    }
    /// Ignores values from `local_bins` on (the histogram has at least that many bins): they are for `add_large`.
    void add_small(bool wanted, std::uint32_t value) { ++bins_[wanted ? std::min(value, size_) : size_]; }
    void add_large(std::uint32_t value) { add_large(value, 1); }
    /// Like `add_if` for `count` values, a multiple of 4, without those above `bound`. Neighbouring values go to
    /// different bins, because increments of one bin wait for each other.
    void add_each(std::uint32_t const* values, int count, std::uint32_t bound)
    {
      if (bound >= size_) {
        for (int i = 0; i < count; ++i) { add_if(values[i] <= bound, values[i]); }
        return;
      }
      if (quarters_.empty()) { quarters_.resize(std::size_t{4} * (size_ + 1)); }
      for (int i = 0; i < count; i += 4) {
        for (std::uint32_t q = 0; q < 4; ++q) { ++quarters_[4 * std::min(values[i + static_cast<int>(q)], size_) + q]; }
      }
    }
    void add_many(std::uint32_t value, std::uint32_t times)
    {
      if (value < size_) {
        bins_[value] += times;
      } else {
        add_large(value, times);
      }
    }
    void note(std::uint32_t tombstones, std::uint32_t links)
    {
      totals_.tombstones += tombstones;
      totals_.links += links;
    }
    void flush()
    {
      for (std::uint32_t i = 0; i < size_; ++i) {
        for (std::uint32_t q = 0; q < 4 && !quarters_.empty(); ++q) { bins_[i] += quarters_[4 * i + q]; }
        whole_.bins[i] += bins_[i];
        if (bins_[i] != 0) { note_used(i); }
      }
      whole_.totals->used = std::max(whole_.totals->used, totals_.used);
      whole_.totals->beyond += totals_.beyond;
      whole_.totals->beyond_sum += totals_.beyond_sum;
      whole_.totals->beyond_max = std::max(whole_.totals->beyond_max, totals_.beyond_max);
      whole_.totals->tombstones += totals_.tombstones;
      whole_.totals->links += totals_.links;
    }

  private:
    void note_used(std::uint32_t bin) { totals_.used = std::max<unsigned long long>(totals_.used, bin + 1ull); }
    void add_large(std::uint32_t value, std::uint32_t times)
    {
      if (value < whole_.size) {
        std::atomic_ref<std::uint32_t>(whole_.bins[value]).fetch_add(times, std::memory_order_relaxed);
        note_used(value);
        return;
      }
      totals_.beyond += times;
      totals_.beyond_sum += std::uint64_t{value} * times;
      totals_.beyond_max = std::max<unsigned long long>(totals_.beyond_max, value);
    }

    HistogramView whole_;
    std::uint32_t size_;  ///< number of this thread's private bins
    std::vector<std::uint32_t> bins_;
    std::vector<std::uint32_t> quarters_;  ///< of `add_each`
    HistogramTotals totals_{};
  };

  Memories memories_;
  std::vector<std::unique_ptr<Cpu>> others_;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point stopped_;
  bool in_order_ = false;
};

static_assert(Executor<Cpu>);

}  // namespace slotscape::exec
