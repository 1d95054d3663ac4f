#include "app/tuning/elsewhere.hpp"

#include "app/tuning/code.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/engine/engine.hpp"
#include "gpu/tables/probe_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace slotscape::tuning {
namespace {

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

FamilyListing walking(std::string const& path)
{
  return {path + one_thread};
}

FamilyListing linear_listing(TableSettings const&)
{
  return walking(linear_path);
}

FamilyListing alternating_listing(TableSettings const&)
{
  return walking(alternating_path);
}

FamilyListing quadratic_listing(TableSettings const& table)
{
  return walking(probes_by_squares(family_info(table.family), table) ? square_path : quadratic_path);
}

FamilyListing double_listing(TableSettings const& table)
{
  bool const by_hand = table.hash == HashKind::identity;
  std::uint32_t const below = parameter_of(family_info(table.family), table, "modulus_below");
  std::string const step = double_step(by_hand, std::has_single_bit(table.slots), below);
  return walking((by_hand ? "" : scaling) + filled(double_path, {{"STEP", step}}));
}

FamilyListing window_listing(TableSettings const& table)
{
  std::string const lanes = std::to_string(tile_of(table));
  return {.text = filled(std::string(scaling) + windows, {{"LANES", lanes}}), .tile = true};
}

FamilyListing cuckoo_listing(TableSettings const& table)
{
  FamilyInfo const& family = family_info(table.family);
  if (table.key_bits != 32 || hashes_by_digits(family, table)) { return {}; }
  return {.text = filled(std::string(scaling) + buckets,
                         {{"FUNCTIONS", std::to_string(parameter_of(family, table, "functions"))},
                          {"BUCKET", std::to_string(parameter_of(family, table, "bucket"))}}),
          .cuckoo = true};
}

std::string why_no_cuckoo(TableSettings const& table)
{
  if (table.key_bits == 32) { return tr("No listing: textbook functions are for examples by hand."); }
  return tr(
      "No short listing: evictions exchange a whole pair at once, which takes 16-byte atomics with 64-bit keys. "
      "Use the library.");
}

std::string why_no_sorted_array(TableSettings const&)
{
  return tr("It needs no listing: thrust::sort_by_key sorts, thrust::lower_bound looks up.");
}

std::string why_no_container(TableSettings const&)
{
  return tr("It is std::unordered_map, on one CPU thread.");
}

std::string cuco_linear(TableSettings const&)
{
  return "cuco::linear_probing<1, Hash>";
}

std::string cuco_double(TableSettings const& table)
{
  std::string const second = fmt::format("cuco::xxhash_{}<Key>", table.key_bits);  // this hash takes a seed
  return fmt::format("cuco::double_hashing<{}, Hash, {}>", tile_of(table), second);
}

std::string warpcore_linear(TableSettings const&)
{
  return "LinearProbing<Hash, 1>";
}

std::string warpcore_quadratic(TableSettings const& table)
{
  return probes_by_squares(family_info(table.family), table) ? "" : "QuadraticProbing<Hash, 1>";
}

std::string warpcore_double(TableSettings const& table)
{
  return fmt::format("DoubleHashing<Hash, warpcore::hashers::MurmurHash<Key>, {}>", tile_of(table));
}

/// Implementations of a family outside this program. All may be missing: then only the library has the family.
struct Elsewhere {
  std::string_view family = {};
  FamilyListing (*listing)(TableSettings const&) = nullptr;
  std::string (*why_no_listing)(TableSettings const&) = nullptr;  ///< set if the reason is more than a missing listing
  std::string (*cucollections)(TableSettings const&) = nullptr;
  std::string (*warpcore)(TableSettings const&) = nullptr;
};

/// The only place that maps a family's name to other people's code: families do not know about other implementations.
constexpr std::array known_elsewhere{
    Elsewhere{.family = "linear_probing",
              .listing = linear_listing,
              .cucollections = cuco_linear,
              .warpcore = warpcore_linear},
    Elsewhere{.family = "simple_hash", .listing = alternating_listing},
    Elsewhere{.family = "quadratic", .listing = quadratic_listing, .warpcore = warpcore_quadratic},
    Elsewhere{.family = "double_hashing",
              .listing = double_listing,
              .cucollections = cuco_double,
              .warpcore = warpcore_double},
    Elsewhere{.family = "warp_cooperative",
              .listing = window_listing,
              .cucollections = cuco_double,
              .warpcore = warpcore_double},
    Elsewhere{.family = "cuckoo", .listing = cuckoo_listing, .why_no_listing = why_no_cuckoo},
    Elsewhere{.family = "sorted_array", .why_no_listing = why_no_sorted_array},
    Elsewhere{.family = "cpu_unordered_map", .why_no_listing = why_no_container}};

Elsewhere elsewhere(std::string_view family)
{
  auto const found = std::ranges::find(known_elsewhere, family, &Elsewhere::family);
  return found == known_elsewhere.end() ? Elsewhere{} : *found;
}

}  // namespace

bool moves_back(TableSettings const& table)
{
  return table.deletion == Deletion::shift && family_info(table.family).shifts_back;
}

FamilyListing listing_of(TableSettings const& table)
{
  if (moves_back(table)) { return {}; }
  auto const listing = elsewhere(table.family).listing;
  return listing == nullptr ? FamilyListing{} : listing(table);
}

std::string why_no_listing(TableSettings const& table)
{
  if (moves_back(table)) {
    return tr("No listing: it moves keys back when one is erased. Choose another way to erase.");
  }
  auto const why = elsewhere(table.family).why_no_listing;
  if (why != nullptr) { return why(table); }
  return tr("No short listing does this family justice; use the library, which has the measured code.");
}

std::uint32_t tile_of(TableSettings const& table)
{
  FamilyInfo const& family = family_info(table.family);
  return find_parameter(family, "tile") == nullptr ? 1 : parameter_of(family, table, "tile");
}

std::string probing_of_cucollections(TableSettings const& table)
{
  auto const probing = elsewhere(table.family).cucollections;
  return probing == nullptr ? std::string() : probing(table);
}

std::string probing_of_warpcore(TableSettings const& table)
{
  auto const probing = elsewhere(table.family).warpcore;
  return probing == nullptr ? std::string() : probing(table);
}

}  // namespace slotscape::tuning
