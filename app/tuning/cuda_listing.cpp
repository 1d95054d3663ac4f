#include "app/base/text.hpp"
#include "app/languages/languages.hpp"
#include "app/tuning/code.hpp"
#include "app/tuning/elsewhere.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/hash.hpp"

#include <fmt/format.h>

#include <bit>

namespace slotscape::tuning {
namespace {

constexpr char const* head =
    R"(// @TITLE@, in plain CUDA, written by Slotscape: @SLOT_COUNT@ slots for @KEY_COUNT@ keys, load factor @LOAD@.
// Build the example at the end: nvcc -O3 -std=c++17 @FILE@

#include <cstdint>
#include <cstdio>
#include <vector>
@INCLUDES@
using Key = @KEY@;
using Value = @KEY@;

constexpr std::uint32_t slots = @SLOTS@;
constexpr Key empty_key = ~Key{0};         // marks an empty slot: no key of yours
@ERASED_KEY@constexpr Value no_value = ~Value{0};      // what a lookup of a missing key finds: no value of yours

/// The value of a key that is inserted again.
__device__ Value combined(Value old, Value value)
{
  @COMBINE@
}
)";

constexpr char const* erased_key =
    "constexpr Key erased_key = empty_key - 1;  // marks an erased one: no key of yours\n";

/// Slots of one word.
constexpr char const* narrow_slots = R"(
// A slot is one word, with the key in its low half and the value in its high half, so that both change at once.
using Slot = unsigned long long;

__host__ __device__ Slot slot_of(Key key, Value value) { return Slot{value} << 32 | key; }
__device__ Key key_of(Slot slot) { return static_cast<Key>(slot); }
__device__ Value value_of(Slot slot) { return static_cast<Value>(slot >> 32); }
__device__ bool is_free(Slot slot) { return key_of(slot) == empty_key@OR_ERASED@; }

/// Takes a slot that was seen to be free. Returns what it held: something else if another thread was faster.
__device__ Slot take(Slot* place, Slot seen, Key key, Value value)
{
  return atomicCAS(place, seen, slot_of(key, value));
}

/// Another value for a key that is there.
__device__ void put(Slot* place, Slot seen, Value value)
{
  while (true) {
    Value const next = value_of(seen) == no_value ? value : combined(value_of(seen), value);
    Slot const old = atomicCAS(place, seen, slot_of(key_of(seen), next));
    if (old == seen) { return; }
    seen = old;
  }
}

__device__ void forget(Slot* place, Slot seen)
{
  while (true) {
    Slot const old = atomicCAS(place, seen, slot_of(@ERASED_AS@, no_value));
    if (old == seen) { return; }
    seen = old;
  }
}
)";

/// Slots of two words.
constexpr char const* wide_slots = R"(
// Keys and values are words of their own: a key is written first, and its value then replaces `no_value`.
struct alignas(16) Slot {
  Key key;
  Value value;
};

__host__ __device__ Slot slot_of(Key key, Value value) { return {key, value}; }
__device__ Key key_of(Slot slot) { return slot.key; }
__device__ Value value_of(Slot slot) { return slot.value; }
__device__ bool is_free(Slot slot) { return key_of(slot) == empty_key@OR_ERASED@; }

/// Another value for a key that is there.
__device__ void put(Slot* place, Slot seen, Value value)
{
  Value old = value_of(seen);
  while (true) {
    Value const next = old == no_value ? value : combined(old, value);
    Value const now = atomicCAS(&place->value, old, next);
    if (now == old) { return; }
    old = now;
  }
}

/// Takes a slot that was seen to be free. Returns what it held: something else if another thread was faster.
__device__ Slot take(Slot* place, Slot seen, Key key, Value value)
{
  Key const old = atomicCAS(&place->key, seen.key, key);
  if (old == seen.key) { put(place, slot_of(key, no_value), value); }
  return slot_of(old, no_value);
}

__device__ void forget(Slot* place, Slot)
{
  atomicExch(&place->value, no_value);@ERASE_KEY@
}
)";

constexpr char const* home = R"(
__device__ std::uint32_t home(Key key)
{
  Key x = key;@ROUNDS@
  return @HOME@;
}
)";

constexpr char const* search_of_thread = R"(
  if (Slot* const place = place_of(table, key)) {
    put(place, *place, value);
    return true;
  })";

constexpr char const* search_of_tile = R"(
  if (Slot* const place = place_of(tile, table, key)) {
    if (tile.thread_rank() == 0) { put(place, *place, value); }
    return true;
  })";

constexpr char const* kernels = R"(
__global__ void clear(Slot* table)
{
  std::uint64_t const i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;
  if (i < slots) { table[i] = slot_of(empty_key, no_value); }
}

__global__ void insert_all(Slot* table, Key const* keys, Value const* values, std::uint32_t count, unsigned* refused)
{@TILE@
  if (i < count && !insert(@FIRST@table, keys[i], values[i]@LAST@)) { atomicAdd(refused, 1u); }
}

__global__ void find_all(Slot* table, Key const* keys, Value* values, std::uint32_t count)
{@TILE@
  if (i < count) { values[i] = find(@FIRST@table, keys[i]@LAST@); }
}

__global__ void erase_all(Slot* table, Key const* keys, std::uint32_t count)
{@TILE@
  if (i < count) { erase(@FIRST@table, keys[i]@LAST@); }
}
)";

constexpr char const* by_thread = R"(
  std::uint64_t const i = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;)";
constexpr char const* by_tile = R"(
  Tile const tile = cg::tiled_partition<lanes>(cg::this_thread_block());
  std::uint64_t const i = (blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x) / lanes;)";

constexpr char const* example = R"(
int main()
{
  constexpr std::uint32_t count = @COUNT@;
  constexpr unsigned threads = 256;
  constexpr unsigned blocks = static_cast<unsigned>((std::uint64_t{count} * @THREADS@ + threads - 1) / threads);
  Slot* table;
  Key* keys;
  Value* values;
  unsigned* refused;
  cudaMalloc(&table, slots * sizeof(Slot));
  cudaMallocManaged(&keys, count * sizeof(Key));
  cudaMallocManaged(&values, count * sizeof(Value));
  cudaMallocManaged(&refused, sizeof(unsigned));
  for (std::uint32_t i = 0; i < count; ++i) {  // your keys and values
    keys[i] = i;
    values[i] = i;
  }
  *refused = 0;
  clear<<<(slots + threads - 1) / threads, threads>>>(table);
  insert_all<<<blocks, threads>>>(table, keys, values, count, refused);
  erase_all<<<blocks, threads>>>(table, keys, count / 2);
  find_all<<<blocks, threads>>>(table, keys, values, count);
  if (cudaDeviceSynchronize() != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  std::uint32_t wrong = 0;
  for (std::uint32_t i = 0; i < count; ++i) { wrong += values[i] != (i < count / 2 ? no_value : Value{i}); }
  std::printf("%u keys without a place, %u wrong answers\n", *refused, wrong);
  return *refused == 0 && wrong == 0 ? 0 : 1;
}
)";

std::string combination_code(Combine combine)
{
  switch (combine) {
    case Combine::replace: return "return value;";
    case Combine::keep_first: return "return old;";
    case Combine::min: return "return value < old ? value : old;";
    case Combine::max: return "return value > old ? value : old;";
    default: return "return value < no_value - old ? old + value : no_value - 1;  // the sum, as far as it fits";
  }
}

/// The lines that hash x and compute its home slot, as in `BasicHasher`.
template <class U>
std::string home_by(HashKind hash, std::uint64_t slots)
{
  constexpr int width = 8 * sizeof(U);
  HashRounds<U> const rounds = HashRounds<U>::of(hash);
  std::string lines;
  if (rounds.xorshift != 0) {
    lines = fmt::format("\n  x = (x ^ (x >> {})) * {:#x}u;\n  x = (x ^ (x >> {})) * {:#x}u;\n  x ^= x >> {};",
                        rounds.first_shift, rounds.first_multiplier, rounds.second_shift, rounds.second_multiplier,
                        rounds.last_shift);
  } else if (rounds.first_multiplier != 1) {
    lines = fmt::format("\n  x *= {:#x}u;", rounds.first_multiplier);
  }
  BasicHasher<U> const hasher(hash, slots);
  std::string place = width == 64 ? "static_cast<std::uint32_t>(((x >> 32) * slots) >> 32)"
                                  : "static_cast<std::uint32_t>((std::uint64_t{x} * slots) >> 32)";
  if (hash == HashKind::identity) { place = "static_cast<std::uint32_t>(x % slots)"; }
  if (hasher.mask() != 0 && hasher.down() > 0) {
    place = fmt::format("static_cast<std::uint32_t>(x >> {})", hasher.down());
  } else if (hasher.mask() != 0) {
    place = "static_cast<std::uint32_t>(x) & (slots - 1)";
  }
  return filled(home, {{"ROUNDS", lines}, {"HOME", place}});
}

/// The table with the family's actual number of slots: whole windows or buckets.
TableSettings in_whole_groups(TableSettings table)
{
  for (Parameter const& parameter : family_info(table.family).parameters) {
    bool const groups = parameter.name == "tile" || parameter.name == "bucket";
    std::uint64_t const size = groups ? parameter_of(family_info(table.family), table, parameter.name) : 1;
    table.slots = (table.slots + size - 1) / size * size;
  }
  return table;
}

}  // namespace

std::string filled(std::string text, std::initializer_list<std::pair<std::string_view, std::string>> const& values)
{
  for (auto const& [name, value] : values) {
    std::string const mark = fmt::format("@{}@", name);
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size())) {
      text.replace(at, mark.size(), value);
    }
  }
  return text;
}

Code cuda_listing(Candidate const& candidate, std::uint64_t keys)
{
  TableSettings const table = in_whole_groups(candidate.table);
  FamilyListing const pieces = listing_of(table);
  if (pieces.text.empty()) { return {.file = "", .text = "", .remark = why_no_listing(table)}; }
  bool const wide = table.key_bits == 64;
  bool const reuses = !pieces.cuckoo && table.deletion == Deletion::tombstone_reuse;
  std::string text = std::string(head) + (wide ? wide_slots : narrow_slots);
  if (!pieces.cuckoo) {
    text += wide ? home_by<std::uint64_t>(table.hash.kind, table.slots)
                 : home_by<std::uint32_t>(table.hash.kind, table.slots);
  }
  text += pieces.text + kernels + example;
  std::string remark =
      pieces.cuckoo
          ? tr("This code uses the random evictions of Alcantara (2011). The measured table first finds a whole path "
               "of evictions, so that no key is ever without a slot while others move. Keys must be distinct.")
          : tr("It probes the same path of slots as the measured table, in its simplest form.");
  InLanguage const english(source_language);  // all comments in the listing are in English
  std::string const search = pieces.tile ? search_of_tile : search_of_thread;
  std::string const file = table.family + ".cu";
  text = filled(text, {{"TITLE", title_of(table)},
                       {"FILE", file},
                       {"SLOT_COUNT", grouped(table.slots)},
                       {"KEY_COUNT", grouped(keys)},
                       {"LOAD", fmt::format("{:.2f}", candidate.load)},
                       {"INCLUDES", pieces.tile ? "#include <cooperative_groups.h>\n" : ""},
                       {"KEY", wide ? "unsigned long long" : "std::uint32_t"},
                       {"SLOTS", std::to_string(table.slots)},
                       {"COMBINE", combination_code(table.combine)},
                       {"ERASED_KEY", reuses ? erased_key : ""},
                       {"OR_ERASED", reuses ? " || key_of(slot) == erased_key" : ""},
                       {"ERASED_AS", pieces.cuckoo ? "empty_key"
                                     : reuses      ? "erased_key"
                                                   : "key_of(seen)"},
                       {"ERASE_KEY", reuses ? "\n  atomicExch(&place->key, erased_key);" : ""},
                       {"WITH_ERASURES", reuses ? ", but not with erasures" : " and erasures"},
                       {"SEARCH", reuses ? search : ""},
                       {"TILE", pieces.tile ? by_tile : by_thread},
                       {"FIRST", pieces.tile ? "tile, " : ""},
                       {"LAST", pieces.cuckoo ? ", 1" : ""},
                       {"THREADS", pieces.tile ? "lanes" : "1"},
                       {"COUNT", std::to_string(keys)}});
  return {file, std::move(text), std::move(remark)};
}

}  // namespace slotscape::tuning
