#include "app/base/text.hpp"
#include "app/languages/languages.hpp"
#include "app/tuning/code.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/hash.hpp"
#include "gpu/tables/probe_sequence.hpp"

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

constexpr char const* scaling = R"(
/// The top half of a hash, scaled to 0 ... bound - 1.
__device__ std::uint32_t scaled(std::uint64_t hash, std::uint64_t bound)
{
  return static_cast<std::uint32_t>(((hash >> 32) * bound) >> 32);
}

/// 64 random bits for a key (SplitMix64); other ones with each seed.
__device__ std::uint64_t seeded_hash(std::uint64_t seed, Key key)
{
  std::uint64_t x = seed * 0xd1342543de82ef95u + (key + std::uint64_t{1}) * 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}
)";

constexpr char const* home = R"(
__device__ std::uint32_t home(Key key)
{
  Key x = key;@ROUNDS@
  return @HOME@;
}
)";

constexpr char const* linear_path = R"(
/// From home on, slot after slot.
struct Path {
  std::uint32_t slot;
  __device__ explicit Path(Key key) : slot(home(key)) {}
  __device__ void next() { slot = slot == slots - 1 ? 0 : slot + 1; }
};
)";

constexpr char const* alternating_path = R"(
/// From home on to both sides: +1, -1, +2, -2, ...
struct Path {
  std::uint32_t slot;
  std::uint32_t distance = 0;
  __device__ explicit Path(Key key) : slot(home(key)) {}
  __device__ void next()
  {
    bool const forward = (++distance & 1) != 0;
    std::uint32_t const step = forward ? distance : slots - distance;
    slot = slot >= slots - step ? slot - (slots - step) : slot + step;
  }
};
)";

constexpr char const* quadratic_path = R"(
/// From home on by +1, +2, +3, ...; the number of slots is a power of two.
struct Path {
  std::uint32_t slot;
  std::uint32_t step = 0;
  __device__ explicit Path(Key key) : slot(home(key)) {}
  __device__ void next() { slot = (slot + ++step) & (slots - 1); }
};
)";

constexpr char const* square_path = R"(
/// From home on by the squares of 1, 2, 3, ...; after half of the slots they only lead to the same ones again.
struct Path {
  std::uint32_t slot;
  std::uint32_t step = 0;
  __device__ explicit Path(Key key) : slot(home(key)) {}
  __device__ void next()
  {
    std::uint32_t const further = (2 * step++ + 1) % slots;
    slot = slot >= slots - further ? slot - (slots - further) : slot + further;
  }
};
)";

constexpr char const* double_path = R"(
/// From home on by steps that a second hash tells, coprime to the number of slots.
struct Path {
  std::uint32_t slot;
  std::uint32_t step;
  __device__ explicit Path(Key key) : slot(home(key)), step(@STEP@) {}
  __device__ void next() { slot = slot >= slots - step ? slot - (slots - step) : slot + step; }
};
)";

constexpr char const* one_thread = R"(
/// Where a key is; null if it is not there.
__device__ Slot* place_of(Slot* table, Key key)
{
  Path path(key);
  for (std::uint32_t left = slots; left != 0; --left, path.next()) {
    Slot const seen = table[path.slot];
    if (key_of(seen) == key) { return &table[path.slot]; }
    if (key_of(seen) == empty_key) { break; }
  }
  return nullptr;
}

/// Whether there was room. May run at the same time as other insertions and lookups@WITH_ERASURES@.
__device__ bool insert(Slot* table, Key key, Value value)
{@SEARCH@
  Path path(key);
  for (std::uint32_t left = slots; left != 0; --left, path.next()) {
    Slot* const place = &table[path.slot];
    Slot seen = *place;
    while (is_free(seen)) {
      Slot const old = take(place, seen, key, value);
      if (key_of(old) == key_of(seen)) { return true; }
      seen = old;  // another thread was faster
    }
    if (key_of(seen) == key) {
      put(place, seen, value);
      return true;
    }
  }
  return false;
}

__device__ Value find(Slot* table, Key key)
{
  Slot const* const place = place_of(table, key);
  return place == nullptr ? no_value : value_of(*place);
}

__device__ void erase(Slot* table, Key key)
{
  if (Slot* const place = place_of(table, key)) { forget(place, *place); }
}
)";

constexpr char const* search_of_thread = R"(
  if (Slot* const place = place_of(table, key)) {
    put(place, *place, value);
    return true;
  })";

constexpr char const* windows = R"(
namespace cg = cooperative_groups;

// A window is as many neighbouring slots as a tile has threads, which read it in one access.
constexpr std::uint32_t lanes = @LANES@;
constexpr std::uint32_t windows = slots / lanes;
using Tile = cg::thread_block_tile<lanes>;

/// From the window of the key's home on, by steps that a second hash tells. Where a step has a factor in common with the
/// number of windows, the path goes round in rings, one after the other.
struct Path {
  std::uint32_t first;  // slot of the window
  std::uint32_t ring;
  std::uint32_t step;
  __device__ explicit Path(Key key)
      : first(home(key) / lanes * lanes), ring(first), step((scaled(seeded_hash(0x77617270, key), windows - 1) + 1) * lanes)
  {
  }
  __device__ void next()
  {
    first = wrapped(first + step);
    if (first == ring) { first = ring = wrapped(ring + lanes); }
  }
  __device__ static std::uint32_t wrapped(std::uint32_t slot) { return slot >= slots ? slot - slots : slot; }
};

/// Where a key is, for all threads of the tile; null if it is not there.
__device__ Slot* place_of(Tile tile, Slot* table, Key key)
{
  Path path(key);
  for (std::uint32_t left = windows; left != 0; --left, path.next()) {
    Slot const seen = table[path.first + tile.thread_rank()];
    if (unsigned const own = tile.ballot(key_of(seen) == key)) { return &table[path.first + __ffs(own) - 1]; }
    if (tile.ballot(key_of(seen) == empty_key)) { break; }
  }
  return nullptr;
}

/// Whether there was room. May run at the same time as other insertions and lookups@WITH_ERASURES@.
__device__ bool insert(Tile tile, Slot* table, Key key, Value value)
{@SEARCH@
  Path path(key);
  for (std::uint32_t left = windows; left != 0; --left, path.next()) {
    Slot* const place = &table[path.first + tile.thread_rank()];
    Slot const seen = *place;
    if (unsigned const own = tile.ballot(key_of(seen) == key)) {
      if (tile.thread_rank() == __ffs(own) - 1) { put(place, seen, value); }
      return true;
    }
    for (unsigned free = tile.ballot(is_free(seen)); free != 0; free &= free - 1) {
      int const taker = __ffs(free) - 1;
      bool done = false;
      if (tile.thread_rank() == taker) {
        Slot const old = take(place, seen, key, value);
        done = key_of(old) == key_of(seen);
        if (!done && key_of(old) == key) {
          put(place, old, value);
          done = true;
        }
      }
      if (tile.shfl(static_cast<int>(done), taker) != 0) { return true; }
    }
  }
  return false;
}

__device__ Value find(Tile tile, Slot* table, Key key)
{
  Slot const* const place = place_of(tile, table, key);
  return place == nullptr ? no_value : value_of(*place);
}

__device__ void erase(Tile tile, Slot* table, Key key)
{
  Slot* const place = place_of(tile, table, key);
  if (place != nullptr && tile.thread_rank() == 0) { forget(place, *place); }
}
)";

constexpr char const* search_of_tile = R"(
  if (Slot* const place = place_of(tile, table, key)) {
    if (tile.thread_rank() == 0) { put(place, *place, value); }
    return true;
  })";

constexpr char const* buckets = R"(
// A key is in one of its @FUNCTIONS@ buckets of @BUCKET@ slots.
constexpr std::uint32_t functions = @FUNCTIONS@;
constexpr std::uint32_t bucket_slots = @BUCKET@;
constexpr std::uint32_t buckets = slots / bucket_slots;
constexpr int max_evictions = 1000;

__device__ std::uint32_t first_slot(Key key, std::uint32_t function, std::uint64_t seed)
{
  return scaled(seeded_hash(seed + function, key), buckets) * bucket_slots;
}

/// Where a key is; null if it is not there.
__device__ Slot* place_of(Slot* table, Key key, std::uint64_t seed)
{
  for (std::uint32_t function = 0; function < functions; ++function) {
    Slot* const bucket = &table[first_slot(key, function, seed)];
    for (std::uint32_t i = 0; i < bucket_slots; ++i) {
      if (key_of(bucket[i]) == key) { return &bucket[i]; }
    }
  }
  return nullptr;
}

/// The key must not be in the table, and no other thread may insert the same one, look up or erase at the same time.
/// Evicts other keys where all of its buckets are full. False if that did not help: a pair is then without a place, and
/// the table is to be built again, with another seed.
__device__ bool insert(Slot* table, Key key, Value value, std::uint64_t seed)
{
  for (int evictions = 0; evictions < max_evictions; ++evictions) {
    for (std::uint32_t function = 0; function < functions; ++function) {
      Slot* const bucket = &table[first_slot(key, function, seed)];
      for (std::uint32_t i = 0; i < bucket_slots; ++i) {
        Slot const seen = bucket[i];
        if (key_of(seen) == empty_key && key_of(take(&bucket[i], seen, key, value)) == empty_key) { return true; }
      }
    }
    std::uint64_t const random = seeded_hash(~seed - evictions, key);
    std::uint32_t const function = static_cast<std::uint32_t>(random) % functions;
    std::uint32_t const victim = scaled(random, bucket_slots);
    Slot const old = atomicExch(&table[first_slot(key, function, seed) + victim], slot_of(key, value));
    if (key_of(old) == empty_key) { return true; }
    key = key_of(old);
    value = value_of(old);
  }
  return false;
}

__device__ Value find(Slot* table, Key key, std::uint64_t seed)
{
  Slot const* const place = place_of(table, key, seed);
  return place == nullptr ? no_value : value_of(*place);
}

__device__ void erase(Slot* table, Key key, std::uint64_t seed)
{
  if (Slot* const place = place_of(table, key, seed)) { forget(place, *place); }
}
)";

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

/// The lines that hash x, and the slot that it leads to, as in `BasicHasher`.
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

/// With as many slots as the family really gives it: whole windows or buckets.
TableSettings in_whole_groups(TableSettings table)
{
  for (Parameter const& parameter : family_info(table.family).parameters) {
    bool const groups = parameter.name == "tile" || parameter.name == "bucket";
    std::uint64_t const size = groups ? parameter_of(family_info(table.family), table, parameter.name) : 1;
    table.slots = (table.slots + size - 1) / size * size;
  }
  return table;
}

/// The second hash of double hashing.
std::string double_step(bool by_hand, bool power_of_two, std::uint32_t modulus_below)
{
  if (!by_hand) {
    return fmt::format("scaled(seeded_hash(0x73746570, key), slots - 1) {}", power_of_two ? "| 1" : "+ 1");
  }
  return fmt::format("static_cast<std::uint32_t>({})", power_of_two
                                                           ? std::string("1 + 2 * (key / slots)) & (slots - 1")
                                                           : fmt::format("1 + key % (slots - {})", modulus_below));
}

struct Pieces {
  std::string path;   ///< of slots or windows, or buckets; with the operations
  bool tile = false;  ///< operations are run by tiles
  bool cuckoo = false;
};

/// Empty for families that a listing of a page cannot do justice to.
Pieces pieces_of(TableSettings const& table)
{
  bool const power_of_two = std::has_single_bit(table.slots);
  FamilyInfo const& family = family_info(table.family);
  auto const walking = [](std::string const& path) { return Pieces{path + one_thread}; };
  if (family.name == "linear_probing") { return walking(linear_path); }
  if (family.name == "simple_hash") { return walking(alternating_path); }
  if (family.name == "quadratic") { return walking(probes_by_squares(family, table) ? square_path : quadratic_path); }
  if (family.name == "double_hashing") {
    bool const by_hand = table.hash == HashKind::identity;
    std::uint32_t const below = parameter_of(family, table, "modulus_below");
    return walking((by_hand ? "" : scaling) +
                   filled(double_path, {{"STEP", double_step(by_hand, power_of_two, below)}}));
  }
  if (family.name == "warp_cooperative") {
    std::string const lanes = std::to_string(parameter_of(family, table, "tile"));
    return {filled(std::string(scaling) + windows, {{"LANES", lanes}}), true};
  }
  bool const by_digits = family.name == "cuckoo" && parameter_of(family, table, "hashing") != 1;
  if (family.name == "cuckoo" && table.key_bits == 32 && !by_digits) {
    return {filled(std::string(scaling) + buckets,
                   {{"FUNCTIONS", std::to_string(parameter_of(family, table, "functions"))},
                    {"BUCKET", std::to_string(parameter_of(family, table, "bucket"))}}),
            false, true};
  }
  return {};
}

bool moves_back(TableSettings const& table)
{
  return table.deletion == Deletion::shift && family_info(table.family).shifts_back;
}

std::string why_none(TableSettings const& table)
{
  std::string const& name = table.family;
  if (moves_back(table)) { return tr("No listing: it moves keys back when one is erased. Use tombstones."); }
  if (name == "sorted_array") {
    return tr("It needs no listing: thrust::sort_by_key sorts, thrust::lower_bound looks up.");
  }
  if (name == "cpu_unordered_map") { return tr("It is std::unordered_map, of one thread of the CPU."); }
  if (name == "cuckoo") {
    if (table.key_bits == 32) { return tr("No listing: the functions of textbooks are for sums done by hand."); }
    return tr(
        "No short listing: evictions exchange a whole pair at once, which takes 16-byte atomics with 64-bit keys. "
        "Use the library.");
  }
  return tr("No short listing does this family justice; use the library, which has the code that was measured.");
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
  Pieces const pieces = pieces_of(table);
  if (pieces.path.empty() || moves_back(table)) { return {.file = "", .text = "", .remark = why_none(table)}; }
  bool const wide = table.key_bits == 64;
  bool const reuses = !pieces.cuckoo && table.deletion == Deletion::tombstone_reuse;
  std::string text = std::string(head) + (wide ? wide_slots : narrow_slots);
  if (!pieces.cuckoo) {
    text += wide ? home_by<std::uint64_t>(table.hash, table.slots) : home_by<std::uint32_t>(table.hash, table.slots);
  }
  text += pieces.path + kernels + example;
  std::string remark =
      pieces.cuckoo ? tr("With the random evictions of Alcantara (2011): the measured table looks for a whole path of "
                         "evictions first, so that no key is ever without a place while others move. Keys must differ.")
                    : tr("It takes the same path of slots as the table that was measured, in its simplest form.");
  InLanguage const english(source_language);  // as all comments of the listing
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
