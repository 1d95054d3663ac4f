// Packed pairs, or split keys and values? Linear probing on both in a table of 2^27 slots, and for scale a plain read
// of it.

#include "gpu/base/random.hpp"
#include "gpu/execution/cuda.cuh"
#include "gpu/tables/linear_probing.hpp"

#include <benchmark/benchmark.h>

#include <string>

namespace slotscape {
namespace {

using Device = exec::Cuda;
using Key = Narrow::Key;
using Value = Narrow::Value;
using Word = Narrow::Word;
using Hasher = HasherOf<Narrow>;
using PackedTable = View<LinearProbing::Layout<Narrow>, DeviceMachine<Narrow>>;
template <class T>
using Buffer = Device::Buffer<T>;

constexpr std::uint64_t slots = std::uint64_t{1} << 27;
constexpr Slot slots_mask = slots - 1;

/// Distinct random keys.
__device__ Key key_of_number(std::uint64_t number)
{
  Permutation const random{7, 32};
  Key key = random(static_cast<std::uint32_t>(number));
  while (Narrow::is_reserved(key)) { key = random(key); }
  return key;
}

struct PackedInsert {
  PackedTable table;
  __device__ void operator()(std::uint64_t i) const
  {
    LinearProbing::insert(table, key_of_number(i), static_cast<Value>(i));
  }
};
struct PackedFind {
  PackedTable table;
  std::uint64_t first;
  Value* out;
  __device__ void operator()(std::uint64_t i) const
  {
    out[i] = LinearProbing::find(table, key_of_number(first + i)).value;
  }
};

/// The split table: the key is claimed by a 32-bit compare-and-swap, the value stored after it.
struct SplitTable {
  Key* keys;
  Value* values;
  Hasher hasher;
};
struct SplitInsert {
  SplitTable table;
  __device__ void operator()(std::uint64_t i) const
  {
    Key const key = key_of_number(i);
    Slot slot = table.hasher.home(key);
    for (Slot left = slots_mask; left != 0; --left, slot = (slot + 1) & slots_mask) {
      Key seen = __ldca(table.keys + slot);
      if (seen == Narrow::empty_key) { seen = atomicCAS(table.keys + slot, Narrow::empty_key, key); }
      if (seen != Narrow::empty_key && seen != key) { continue; }
      table.values[slot] = static_cast<Value>(i);
      return;
    }
  }
};
struct SplitFind {
  SplitTable table;
  std::uint64_t first;
  Value* out;
  __device__ void operator()(std::uint64_t i) const
  {
    Key const key = key_of_number(first + i);
    Slot slot = table.hasher.home(key);
    Value value = Narrow::empty_value;
    for (Slot left = slots_mask; left != 0; --left, slot = (slot + 1) & slots_mask) {
      Key const seen = __ldca(table.keys + slot);
      if (seen == key) { value = __ldca(table.values + slot); }
      if (seen == key || seen == Narrow::empty_key) { break; }
    }
    out[i] = value;
  }
};
struct PlainRead {
  ulonglong2 const* words;
  unsigned long long* out;
  __device__ void operator()(std::uint64_t i) const
  {
    ulonglong2 const a = words[2 * i];
    ulonglong2 const b = words[2 * i + 1];
    if ((a.x ^ a.y ^ b.x ^ b.y) == 42) { *out = i; }
  }
};

enum class What : std::uint8_t { insert, find_present, find_absent };

constexpr Hasher hasher{HashKind::murmur3, slots};
constexpr std::uint64_t first_absent = std::uint64_t{1} << 31;  // numbers whose keys are not inserted

/// Times `insert` into a table emptied by `clear`, or `find(first)`, at state.range(0) percent load.
template <class Clear, class Insert, class Find>
void measure(benchmark::State& state, Device& device, What what, Clear const& clear, Insert const& insert,
             Find const& find)
{
  std::uint64_t const count = slots * static_cast<std::uint64_t>(state.range(0)) / 100;
  Buffer<Value> out(device, count);
  clear();
  device.for_each(count, insert);
  for (auto _ : state) {
    if (what == What::insert) { clear(); }
    device.start_timer();
    if (what == What::insert) {
      device.for_each(count, insert);
    } else {
      device.for_each(count, find(what == What::find_present ? 0 : first_absent, out.data()));
    }
    state.SetIterationTime(device.stop_timer());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * count));
}

void packed(benchmark::State& state, What what)
{
  Device device;
  Buffer<Word> words(device, slots);
  PackedTable const table{{words.data(), nullptr}, {hasher, Deletion::empty_value}};
  measure(
      state, device, what, [&] { device.fill(words.data(), slots, Narrow::empty_word); }, PackedInsert{table},
      [&](std::uint64_t first, Value* out) {
        return PackedFind{table, first, out};
      });
}

void split(benchmark::State& state, What what)
{
  Device device;
  Buffer<Key> keys(device, slots);
  Buffer<Value> values(device, slots);
  SplitTable const table{keys.data(), values.data(), hasher};
  measure(
      state, device, what, [&] { device.fill(keys.data(), slots, Narrow::empty_key); }, SplitInsert{table},
      [&](std::uint64_t first, Value* out) {
        return SplitFind{table, first, out};
      });
}

void plain_read(benchmark::State& state)
{
  Device device;
  Buffer<Word> words(device, slots);
  Buffer<unsigned long long> sink(device, 1);
  device.fill(words.data(), slots, Narrow::empty_word);
  for (auto _ : state) {
    device.start_timer();
    device.for_each(slots / 4, PlainRead{reinterpret_cast<ulonglong2 const*>(words.data()), sink.data()});
    state.SetIterationTime(device.stop_timer());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * slots * sizeof(Word)));
}

}  // namespace

void register_layout_benchmarks()
{
  auto const add = [](std::string const& name, auto const& body) {
    benchmark::RegisterBenchmark(("layout/" + name).c_str(), body)
        ->Arg(50)
        ->Arg(80)
        ->Arg(95)
        ->UseManualTime()
        ->Unit(benchmark::kMillisecond);
  };
  auto const add_both = [&](std::string const& name, What what) {
    add(name + "/packed", [=](benchmark::State& state) { packed(state, what); });
    add(name + "/split", [=](benchmark::State& state) { split(state, what); });
  };
  add_both("insert", What::insert);
  add_both("find/present", What::find_present);
  add_both("find/absent", What::find_absent);
  benchmark::RegisterBenchmark("layout/plain_read", plain_read)->UseManualTime()->Unit(benchmark::kMillisecond);
}

}  // namespace slotscape
