#pragma once

#include "gpu/base/number_code.hpp"
#include "gpu/watch/hash.hpp"
#include "gpu/watch/source.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {
enum class TheoryOf : std::uint8_t;
}

namespace slotscape::watch {

/// What the numbers of a part stand for.
enum class Meaning : std::uint8_t {
  itself,
  bytes,        ///< of an object of the program's
  fingerprint,  ///< of a key that lies elsewhere: a hash, which has no way back
  row,          ///< the number of one, elsewhere, that has the value
  nothing       ///< values of a set
};
inline constexpr std::array<std::string_view, 5> meaning_names{"itself", "bytes", "fingerprint", "row", "nothing"};

/// Where a part of each slot lies. The number of slot i is `bits` bits, `offset + i * stride` bytes into its array.
struct Part {
  std::string array;  ///< its name; empty: the only one
  std::uint64_t offset = 0;
  std::uint64_t stride = 0;
  int bits = 0;
  bool is_signed = false;  ///< integers with a sign, in two's complement unless they are ordered
  bool is_float = false;   ///< values are floating-point numbers
  int ordered_bits = 0;    ///< so many low bits are the code of a number, in the order of the numbers; 0: no code
  Meaning meaning = Meaning::itself;
  friend bool operator==(Part const&, Part const&) = default;

  NumberCode code() const { return {ordered_bits == 0 ? bits : ordered_bits, is_signed, is_float, ordered_bits != 0}; }
};

/// Slots that lie in buckets with other things between them: `slots` of them, a part's stride apart, in each `stride`
/// bytes.
struct Buckets {
  std::uint64_t slots = 0;
  std::uint64_t stride = 0;
  friend bool operator==(Buckets const&, Buckets const&) = default;
};

/// A byte beside each slot that says whether it is taken, as in tables like Abseil's: bytes below 128 are of live keys.
struct Control {
  std::string array;
  std::uint64_t offset = 0;
  std::uint8_t empty = 0x80;
  std::uint8_t erased = 0xfe;
  friend bool operator==(Control const&, Control const&) = default;
};

/// Slabs that lie one after another, and have consecutive numbers.
struct Slabs {
  std::string array;
  std::uint64_t start = 0;  ///< of the first of them in the array, bytes
  std::uint64_t slabs = 0;  ///< that it has room for
  std::uint32_t first = 0;  ///< the number of the first
  friend bool operator==(Slabs const&, Slabs const&) = default;
};

/// What follows a full bucket of a chain: a slab of the same shape.
struct Links {
  std::vector<Slabs> parts;          ///< of the memory of slabs, such as the super blocks of an allocator
  std::uint64_t offset = 0;          ///< of the link in a bucket or a slab, 32 bits: the number of a slab
  std::uint32_t none = 0xffffffffu;  ///< at the end of a chain
  std::uint32_t unit = 1;  ///< from a slab's number to the next one's, as where a link is the number of a slot
  friend bool operator==(Links const&, Links const&) = default;

  std::uint64_t slabs() const
  {
    return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                           [](std::uint64_t sum, Slabs const& part) { return sum + part.slabs; });
  }
};

/// What the home of a key follows from.
enum class HomeOf : std::uint8_t {
  unknown,  ///< nothing that is known here
  hash,
  array  ///< of home slots, which the program supplies
};

/// alternating: home, one slot ahead, one behind, two ahead ...; squares: home + i²; downward: linear probing to lower
/// slots; perturbation: as CPython's dict does, i = 5 i + p + 1, where p, the hash at first, loses 5 bits a step.
enum class Scheme : std::uint8_t {
  unknown,
  linear,
  quadratic,
  double_hashing,
  cuckoo,
  chains,
  alternating,
  squares,
  downward,
  perturbation
};
inline constexpr std::array<std::string_view, 10> scheme_names{"unknown",  "linear",      "quadratic",   "double",
                                                               "cuckoo",   "chains",      "alternating", "squares",
                                                               "downward", "perturbation"};

/// Whether a key goes into the first free slot of its path, and stays there.
constexpr bool keeps_keys_in_place(Scheme scheme)
{
  switch (scheme) {
    case Scheme::linear:
    case Scheme::downward:
    case Scheme::quadratic:
    case Scheme::squares:
    case Scheme::double_hashing:
    case Scheme::perturbation: return true;
    default: return false;
  }
}

/// Which slots a lookup reads, one window of neighbours after another.
struct Probing {
  Scheme scheme = Scheme::unknown;
  std::uint64_t window = 1;  ///< slots that are read together: a bucket, or what a tile of threads reads at once
  std::uint64_t align = 0;   ///< homes are multiples of it; 0: of the window
  /// From one window to the next, slots. 0: the window, of linear probing; 1, of quadratic probing, whose steps are
  /// 1, 2, 3 ... times as long, or 1, 3, 5 ... times by squares.
  std::uint64_t step = 0;
  /// Whether a window with an empty slot ends a lookup. So it does in all schemes but two: in cuckoo hashing and in
  /// chains only where a key goes on from full buckets alone, and erasing never leaves an empty slot.
  bool ends_at_empty = true;
  std::uint64_t reach = 0;    ///< windows that a lookup reads at most; 0: any number
  std::uint64_t lengths = 0;  ///< of steps of double hashing that its second function chooses from; 0: windows less one
  // Of double hashing: steps are made odd instead of one more; a path that comes back to where it began goes on one
  // window behind that, until it was everywhere.
  bool odd_steps = false;
  bool rings = false;
  /// Of quadratic probing: windows are numbered modulo so many, a power of two, and numbers of none are passed over; 0:
  /// modulo those there are.
  std::uint64_t modulo = 0;
  /// Whether a lookup of an absent key goes on as far as this says. Where it knows better when to end, its accesses are
  /// not counted.
  bool counts_misses = true;
  friend bool operator==(Probing const&, Probing const&) = default;
};

/// What lies in the memory of a table, as data.
struct Description {
  std::string preset;  ///< whose defaults it has; empty: none
  std::string family;  ///< what its program calls this kind of table, which knows it for sure; empty: not said
  std::uint64_t slots = 0;
  Part key;
  std::optional<Part> value;
  std::optional<Buckets> buckets;
  std::optional<Control> control;
  std::optional<Links> links;
  std::optional<AnyKey> empty_key;
  std::optional<AnyKey> erased_key;
  std::optional<std::uint64_t> erased_value;
  std::optional<AnyKey> beside_from;  ///< keys from this word on lie beside the slots, which have another use for them
  HomeOf home_of = HomeOf::unknown;
  std::vector<HashFormula> formulas;  ///< those of `hashes`, as they were written
  std::vector<Hash> hashes;           ///< one; of double hashing, the second gives the step; of cuckoo hashing, all
  Part homes;                         ///< for `HomeOf::array`
  Probing probing;
  friend bool operator==(Description const&, Description const&) = default;

  std::uint64_t align() const { return probing.align == 0 ? probing.window : probing.align; }
  std::uint64_t step() const
  {
    if (probing.step != 0) { return probing.step; }
    return probing.scheme == Scheme::quadratic || probing.scheme == Scheme::squares ? 1 : probing.window;
  }
  std::uint64_t lengths_of_steps() const
  {
    return probing.lengths != 0 ? probing.lengths : std::max<std::uint64_t>(slots / probing.window, 2) - 1;
  }
  /// Whether a hash is not defined for keys of this width: then no home is known.
  bool has_undefined_hash() const;
  bool knows_homes() const
  {
    return home_of != HomeOf::unknown && probing.scheme != Scheme::unknown && !has_undefined_hash();
  }
  /// Whether the path of any key is known, also of one that is not in the table.
  bool knows_paths() const { return home_of == HomeOf::hash && knows_homes(); }
  /// Whether keys lie as insertions into the first free slots of their paths put them, and lookups end as in those.
  bool is_plain() const { return probing.reach == 0 && probing.modulo == 0 && probing.counts_misses; }
  /// With the slots of slabs that are linked to buckets.
  std::uint64_t all_slots() const { return slots + (links && buckets ? links->slabs() * buckets->slots : 0); }
};

inline constexpr std::size_t max_hashes = 4;
inline constexpr std::uint64_t max_window = 1024;
inline constexpr std::size_t max_slab_parts = 32;

/// Throws Error, saying what to do, where the description cannot be true of these arrays: nothing has been read then.
/// The bytes of each slot that it names lie in the arrays otherwise.
void validate(Description const& description, std::span<Array const> arrays);

/// What a valid description leaves out of the array of the keys: whole rows behind the last slot, as a sentence that
/// says so; empty if there are none, or the slots lie in buckets.
std::string rows_left_out(Description const& description, std::span<Array const> arrays);

/// The array of that name, or the only one if the name is empty. Throws Error that names those there are.
Array const& array_named(std::span<Array const> arrays, std::string_view name);

/// "linear probing in windows of 4 slots from xxhash_32 modulo 1,024": in words, for people.
std::string text_of(Description const& description);
std::string text_of(Hash const& hash);
/// What the numbers in the slots stand for, where they are not keys and values themselves, in sentences.
std::vector<std::string> words_explained(Description const& description);
/// The theory of slots that are probed one by one; `TheoryOf::nothing` where they are not.
TheoryOf theory_of_probing(Description const& description);
/// All digits of a key of 16 bytes: "0x00112233445566778899aabbccddeeff".
std::string hex_of(AnyKey key);

/// --- tables of well-known libraries.

/// What a preset is made for.
struct PresetSettings {
  int key_bits = 32;
  int value_bits = 0;  ///< 0: as the keys, at most 64
  std::uint64_t slots = 0;
  std::uint64_t group = 0;   ///< threads of a cooperative group; 0: the library's default
  std::uint64_t bucket = 0;  ///< slots of a bucket; 0: the library's default
  std::uint64_t seed = 0;
  bool is_seed_set = false;
  std::uint64_t super_blocks = 0;   ///< of an allocator of slabs; 0: the library's default
  std::uint64_t memory_blocks = 0;  ///< of a super block; 0: the library's default
};
struct Preset {
  std::string_view name;
  std::string_view what;  ///< in a sentence: which versions, and what it takes for granted
  Description (*make)(PresetSettings const&);
};
std::span<Preset const> presets();
/// Throws Error that names those there are.
Preset const& preset_named(std::string_view name);

}  // namespace slotscape::watch
