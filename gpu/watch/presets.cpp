#include "gpu/base/error.hpp"
#include "gpu/base/pair_format.hpp"
#include "gpu/base/translation.hpp"
#include "gpu/watch/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <random>

namespace slotscape::watch {
namespace {

AnyKey ones(int bits)
{
  return ~AnyKey{0} >> (128 - bits);
}

int value_bits(PresetSettings const& settings)
{
  return settings.value_bits == 0 ? std::min(settings.key_bits, 64) : settings.value_bits;
}

/// An array of structs with a key and a value, both aligned to their own sizes.
Description pairs(PresetSettings const& settings)
{
  Description table;
  table.slots = settings.slots;
  std::uint64_t const key = static_cast<std::uint64_t>(settings.key_bits) / 8;
  std::uint64_t const value = static_cast<std::uint64_t>(value_bits(settings)) / 8;
  std::uint64_t const offset = (key + value - 1) / value * value;
  std::uint64_t const widest = std::max(key, value);
  std::uint64_t const stride = (offset + value + widest - 1) / widest * widest;
  table.key = {{}, 0, stride, settings.key_bits};
  table.value = Part{{}, offset, stride, value_bits(settings)};
  table.home_of = HomeOf::hash;
  return table;
}

/// cuCollections' open addressing. Its groups begin at multiples of their size since 2025; before, at any bucket.
Description cuco_table(PresetSettings const& settings, Scheme scheme, bool any_bucket)
{
  constexpr std::uint64_t usual_group = 4;
  Description table = pairs(settings);
  std::uint64_t const bucket = settings.bucket == 0 ? 1 : settings.bucket;
  std::uint64_t const group = settings.group == 0 ? usual_group : settings.group;
  Hash hash{.function = HashFunction::xxhash_32, .seed = settings.seed};
  table.hashes = {hash};
  if (scheme == Scheme::double_hashing) {
    hash.seed = 1;
    table.hashes.push_back(hash);
  }
  table.probing = {.scheme = scheme, .window = group * bucket, .align = any_bucket ? bucket : 0};
  table.empty_key = ones(settings.key_bits);
  return table;
}

/// WarpCore adds its seed, 0x5ad0ded by default, to a key before hashing.
Description warpcore(PresetSettings const& settings)
{
  constexpr std::uint64_t usual_seed = 0x5ad0ded;
  constexpr std::uint64_t usual_group = 8;
  Description table = pairs(settings);
  std::uint64_t const seed = settings.is_seed_set ? settings.seed : usual_seed;
  table.hashes = {Hash{.add = seed}, Hash{.add = seed + 1}};
  table.probing = {.scheme = Scheme::double_hashing,
                   .window = settings.group == 0 ? usual_group : settings.group,
                   .align = 1};
  table.empty_key = 0;
  table.erased_key = ones(settings.key_bits);
  return table;
}

/// BGHT's bucketed cuckoo hashing seeds its three functions from a Mersenne Twister that starts with 2.
Description bght(PresetSettings const& settings)
{
  constexpr std::uint64_t usual_bucket = 16;
  constexpr std::uint32_t usual_seed = 2;
  Description table = pairs(settings);
  std::mt19937 seeds(settings.is_seed_set ? static_cast<std::uint32_t>(settings.seed) : usual_seed);
  for (int i = 0; i < 3; ++i) {
    table.hashes.push_back({.function = HashFunction::murmur3_32, .seed = std::max<std::uint64_t>(seeds(), 1)});
  }
  table.probing = {.scheme = Scheme::cuckoo, .window = settings.bucket == 0 ? usual_bucket : settings.bucket};
  table.empty_key = ones(settings.key_bits);
  return table;
}

constexpr std::uint64_t slab_bytes = 128;

/// The parts of SlabAlloc's pool: its super blocks are in one array. In each, bitmaps of the memory blocks come before
/// the slabs. A slab's number has five bits for the super block, 17 for the memory block, and ten for the slab in that
/// block. `bitmap_bytes`: per memory block. `usual_blocks`: memory blocks per super block, unless the settings say.
std::vector<Slabs> parts_of_slab_alloc(PresetSettings const& settings, std::uint64_t bitmap_bytes,
                                       std::uint64_t usual_blocks)
{
  constexpr std::uint64_t slabs_of_block = 1024;
  constexpr int bits_of_slab = 27;  // within a super block
  constexpr std::uint64_t most_super_blocks = std::uint64_t{1} << (32 - bits_of_slab);
  constexpr std::uint64_t most_blocks = (std::uint64_t{1} << bits_of_slab) / slabs_of_block;
  constexpr std::uint64_t usual_super_blocks = 32;
  std::uint64_t const super_blocks = settings.super_blocks == 0 ? usual_super_blocks : settings.super_blocks;
  std::uint64_t const blocks = settings.memory_blocks == 0 ? usual_blocks : settings.memory_blocks;
  if (super_blocks > most_super_blocks || blocks > most_blocks) {
    throw Error(
        fmt::format("SlabAlloc has up to {} super blocks of up to {} memory blocks; correct \"super_blocks\" or "
                    "\"memory_blocks\".",
                    most_super_blocks, most_blocks));
  }
  std::uint64_t const stride = blocks * (bitmap_bytes + slabs_of_block * slab_bytes);
  std::vector<Slabs> parts;
  for (std::uint64_t i = 0; i < super_blocks; ++i) {
    parts.push_back({"pool", i * stride + blocks * bitmap_bytes, blocks * slabs_of_block,
                     static_cast<std::uint32_t>(i << bits_of_slab)});
  }
  return parts;
}

/// SlabHash: slabs of 128 bytes with 15 pairs and, in the last four bytes, the link to the next slab. Lookups continue
/// to the end of a chain, since erasing leaves empty slots in it.
Description slabhash(PresetSettings const& settings)
{
  constexpr std::uint64_t pairs_of_slab = 15;
  constexpr std::uint64_t bitmap_bytes = 128;
  constexpr std::uint64_t usual_blocks = 256;
  Description table;
  table.slots = settings.slots;
  table.buckets = Buckets{pairs_of_slab, slab_bytes};
  table.key = {"slabs", 0, 8, 32};
  table.value = Part{"slabs", 4, 8, 32};
  table.links = Links{.parts = parts_of_slab_alloc(settings, bitmap_bytes, usual_blocks), .offset = slab_bytes - 4};
  std::mt19937 numbers(static_cast<std::uint32_t>(settings.seed));
  constexpr std::uint32_t prime = 4294967291u;
  Hash hash{.function = HashFunction::universal};
  hash.x = std::max(static_cast<std::uint32_t>(numbers()) % prime, 1u);
  hash.y = static_cast<std::uint32_t>(numbers()) % prime;
  table.home_of = HomeOf::hash;
  table.hashes = {hash};
  table.probing = {.scheme = Scheme::chains, .window = pairs_of_slab, .ends_at_empty = false};
  table.empty_key = ones(32);
  return table;
}

/// Open3D's hash map with the slab backend: SlabHash's chains, whose slabs hold 31 numbers of entries. Keys and values
/// are in buffers of their own, so homes are not known. Each memory block has room for 1024 words of bitmaps.
Description open3d_slab(PresetSettings const& settings)
{
  constexpr std::uint64_t entries_of_slab = 31;
  constexpr std::uint64_t bitmap_bytes = 4096;
  constexpr std::uint64_t usual_blocks = 4;
  Description table;
  table.family = translatable("Open3D's hash map");
  table.slots = settings.slots;
  table.buckets = Buckets{entries_of_slab, slab_bytes};
  table.key = {.array = "slabs", .stride = 4, .bits = 32, .meaning = Meaning::row};
  table.links = Links{.parts = parts_of_slab_alloc(settings, bitmap_bytes, usual_blocks), .offset = slab_bytes - 4};
  table.probing = {.scheme = Scheme::chains, .window = entries_of_slab, .ends_at_empty = false};
  table.empty_key = ones(32);
  return table;
}

Description simple_gpu_hash_table(PresetSettings const& settings)
{
  Description table = pairs(settings);
  table.hashes = {Hash{.function = HashFunction::murmur3_finaliser, .reduction = Reduction::mask}};
  table.probing = {.scheme = Scheme::linear};
  table.empty_key = ones(settings.key_bits);
  table.erased_value = static_cast<std::uint64_t>(ones(value_bits(settings)));
  return table;
}

/// spconv's indices of sites: separate keys and values. The largest signed number marks an empty slot.
Description spconv(PresetSettings const& settings)
{
  Description table;
  table.slots = settings.slots;
  int const values = settings.value_bits == 0 ? 32 : settings.value_bits;
  table.key = {"keys", 0, static_cast<std::uint64_t>(settings.key_bits) / 8, settings.key_bits};
  table.value = Part{"values", 0, static_cast<std::uint64_t>(values) / 8, values};
  table.home_of = HomeOf::hash;
  table.hashes = {Hash{.function = HashFunction::murmur3_finaliser32}};
  table.probing = {.scheme = Scheme::linear};
  table.empty_key = ones(settings.key_bits) >> 1;
  return table;
}

/// tsl::robin_map with std::hash of numbers: each pair follows the distance to its home, 16 bits, which is -1 in an
/// empty slot. The high byte of the distance tells empty slots from others. Lookups of absent keys compare distances.
Description robin_map(PresetSettings const& settings)
{
  Description table = pairs(settings);
  auto const before = static_cast<std::uint64_t>(std::max(table.key.bits, table.value->bits)) / 8;
  table.key.offset += before;
  table.value->offset += before;
  table.key.stride += before;
  table.value->stride += before;
  table.control = Control{.array = {}, .offset = 1, .stride = table.key.stride, .empty = 0xff, .erased = 0xfe};
  table.hashes = {Hash{.function = HashFunction::identity, .reduction = Reduction::mask}};
  table.probing = {.scheme = Scheme::linear, .counts_misses = false};
  return table;
}

/// Linear probing as in gpu/tables, with its usual hash.
Description own(PresetSettings const& settings)
{
  Description table = pairs(settings);
  bool const power_of_two = std::has_single_bit(settings.slots);
  table.hashes = {Hash{.function = HashFunction::murmur3_finaliser,
                       .reduction = power_of_two ? Reduction::mask : Reduction::multiply_shift_32}};
  table.probing = {.scheme = Scheme::linear};
  table.empty_key = settings.key_bits == 32 ? Narrow::empty_key : Wide::empty_key;
  table.erased_key = settings.key_bits == 32 ? Narrow::tombstone_key : Wide::tombstone_key;
  table.erased_value = static_cast<std::uint64_t>(ones(value_bits(settings)));
  return table;
}

constexpr std::array<Preset, 12> all_presets{{
    {"cuco::static_map", translatable("cuCollections since 2025: linear probing from xxhash_32, 4 threads to a group"),
     [](PresetSettings const& settings) { return cuco_table(settings, Scheme::linear, false); }},
    {"cuco::static_map/double", translatable("the same with cuco::double_hashing, whose second hash has the seed 1"),
     [](PresetSettings const& settings) { return cuco_table(settings, Scheme::double_hashing, false); }},
    {"cuco::static_map/2024", translatable("cuCollections until 2024: groups begin at any bucket"),
     [](PresetSettings const& settings) { return cuco_table(settings, Scheme::linear, true); }},
    {"cuco::static_map/2024/double", translatable("the same with cuco::double_hashing"),
     [](PresetSettings const& settings) { return cuco_table(settings, Scheme::double_hashing, true); }},
    {"warpcore", translatable("WarpCore's SingleValueHashTable as pairs: double hashing, 8 threads to a group"),
     warpcore},
    {"bght", translatable("BGHT's bucketed cuckoo hashing (bcht), 16 pairs to a bucket"), bght},
    {"slabhash", translatable("SlabHash's concurrent map with the pool of SlabAllocLight; its seed is needed"),
     slabhash},
    {"open3d/slab", translatable("Open3D's hash map with the slab backend, whose slots hold numbers of entries"),
     open3d_slab},
    {"SimpleGPUHashTable", translatable("nosferalatu's: linear probing from a masked MurmurHash3 finaliser"),
     simple_gpu_hash_table},
    {"spconv", translatable("spconv's table of sites: keys and values in two arrays"), spconv},
    {"tsl::robin_map", translatable("Tessil's: Robin Hood hashing of numbers from std::hash of libstdc++ or libc++"),
     robin_map},
    {"slotscape", translatable("this program's linear probing, with its usual hash"), own},
}};

}  // namespace

std::span<Preset const> presets()
{
  return all_presets;
}

Preset const& preset_named(std::string_view name)
{
  auto const found = std::ranges::find(all_presets, name, &Preset::name);
  if (found != all_presets.end()) { return *found; }
  std::string names;
  for (Preset const& preset : all_presets) { names.append(names.empty() ? "" : ", ").append(preset.name); }
  throw Error("There is no preset '" + std::string(name) + "'. Choose from: " + names + ".");
}

}  // namespace slotscape::watch
