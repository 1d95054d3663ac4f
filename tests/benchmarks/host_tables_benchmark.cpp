// The concurrent hash tables for CPUs that Debian has, as rivals of the families on the CPU: the same operations on as
// many keys, by the same threads. oneTBB's is always there; libcuckoo's (Li et al. 2014) where its header is installed.

#include "gpu/base/error.hpp"
#include "gpu/base/random.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <tbb/blocked_range.h>
#include <tbb/concurrent_hash_map.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>

#if __has_include(<libcuckoo/cuckoohash_map.hh>)
#include <libcuckoo/cuckoohash_map.hh>
#define SLOTSCAPE_HAS_LIBCUCKOO 1
#endif

namespace slotscape {
namespace {

using Key = std::uint32_t;
using Value = std::uint32_t;
using Range = tbb::blocked_range<std::uint64_t>;

/// The finaliser of MurmurHash3, as the families use it.
struct Murmur {
  std::size_t operator()(Key key) const
  {
    key = (key ^ (key >> 16)) * 0x85ebca6bu;
    key = (key ^ (key >> 13)) * 0xc2b2ae35u;
    return key ^ (key >> 16);
  }
};

class TbbTable {
public:
  static constexpr char const* name = "tbb_concurrent_hash_map";
  explicit TbbTable(std::uint64_t slots) : map_(slots) {}
  bool insert(Key key, Value value) { return map_.insert({key, value}); }
  bool find(Key key, Value& value) const
  {
    Map::const_accessor place;
    if (!map_.find(place, key)) { return false; }
    value = place->second;
    return true;
  }
  bool erase(Key key) { return map_.erase(key); }

private:
  struct HashCompare {
    static std::size_t hash(Key key) { return Murmur{}(key); }
    static bool equal(Key a, Key b) { return a == b; }
  };
  using Map = tbb::concurrent_hash_map<Key, Value, HashCompare>;
  Map map_;
};

#if defined(SLOTSCAPE_HAS_LIBCUCKOO)
class LibcuckooTable {
public:
  static constexpr char const* name = "libcuckoo_cuckoohash_map";
  explicit LibcuckooTable(std::uint64_t slots) : map_(slots) {}
  bool insert(Key key, Value value) { return map_.insert(key, value); }
  bool find(Key key, Value& value) const { return map_.find(key, value); }
  bool erase(Key key) { return map_.erase(key); }

private:
  libcuckoo::cuckoohash_map<Key, Value, Murmur> map_;
};
#endif

/// Key i of `count`, or a key that is none of these. They are distinct.
Key key_of(std::uint64_t i, bool absent)
{
  return (static_cast<Key>(i) * 0x9e3779b1u & 0x7fffffffu) | (absent ? 0x80000000u : 0u);
}

/// The seconds of count operations f(i), all of which must succeed.
template <class F>
double timed(std::uint64_t count, F const& f)
{
  auto const start = std::chrono::steady_clock::now();
  std::uint64_t const right = tbb::parallel_reduce(
      Range(0, count, 512), std::uint64_t{0},
      [&](Range const& range, std::uint64_t sum) {
        for (std::uint64_t i = range.begin(); i != range.end(); ++i) { sum += f(i) ? 1 : 0; }
        return sum;
      },
      std::plus<>());
  if (right != count) { throw Error("a table gave a wrong answer"); }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <class Table>
class Rival {
public:
  Rival(std::uint64_t slots, std::uint64_t count) : table_(slots), count_(count) {}

  double insert()
  {
    return timed(count_, [&](std::uint64_t i) { return table_.insert(key_of(i, false), static_cast<Value>(i)); });
  }
  double find(bool absent)
  {
    return timed(count_, [&](std::uint64_t i) {
      std::uint64_t const number = random_below(1, i, count_);
      Value value = 0;
      bool const found = table_.find(key_of(number, absent), value);
      return absent ? !found : found && value == static_cast<Value>(number);
    });
  }
  double erase()
  {
    return timed(count_, [&](std::uint64_t i) { return table_.erase(key_of(i, false)); });
  }

private:
  Table table_;
  std::uint64_t count_;
};

template <class Table>
void register_table(std::uint64_t slots)
{
  for (std::uint64_t const percent : {50, 80, 90, 95}) {
    std::uint64_t const count = slots * percent / 100;
    auto const add = [&](char const* what, auto const& run) {
      std::string const name = fmt::format("cpu/{}/{}/{}", Table::name, what, percent);
      auto const body = [=](benchmark::State& state) {
        for (auto _ : state) {
          Rival<Table> rival(slots, count);
          state.SetIterationTime(run(rival));
        }
        state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * count));
      };
      benchmark::RegisterBenchmark(name.c_str(), body)->UseManualTime()->Unit(benchmark::kMillisecond);
    };
    auto const after_inserting = [](auto const& run) {
      return [=](Rival<Table>& rival) {
        rival.insert();
        return run(rival);
      };
    };
    add("insert", [](Rival<Table>& rival) { return rival.insert(); });
    add("find/hits", after_inserting([](Rival<Table>& rival) { return rival.find(false); }));
    add("find/misses", after_inserting([](Rival<Table>& rival) { return rival.find(true); }));
    add("erase", after_inserting([](Rival<Table>& rival) { return rival.erase(); }));
  }
}

}  // namespace

void register_host_tables(std::uint64_t slots)
{
  register_table<TbbTable>(slots);
#if defined(SLOTSCAPE_HAS_LIBCUCKOO)
  register_table<LibcuckooTable>(slots);
#endif
}

}  // namespace slotscape
