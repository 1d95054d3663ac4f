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

/// The meaning of the numbers in a part.
enum class Meaning : std::uint8_t {
  itself,
  bytes,        ///< the bytes of one of the program's objects
  fingerprint,  ///< of a key stored elsewhere: a hash, which cannot be inverted
  row,          ///< the number of a row elsewhere that holds the value
  nothing       ///< the values of a set
};
inline constexpr std::array<std::string_view, 5> meaning_names{"itself", "bytes", "fingerprint", "row", "nothing"};

/// The position of a part of each slot. The number of slot i has `bits` bits, `offset + i * stride` bytes into its
/// array.
struct Part {
  std::string array;  ///< name of the array; empty: the only one
  std::uint64_t offset = 0;
  std::uint64_t stride = 0;
  int bits = 0;
  bool is_signed = false;  ///< signed integers, in two's complement unless they are ordered
  bool is_float = false;   ///< values are floating-point numbers
  int ordered_bits = 0;    ///< this many low bits encode a number, in the order of the numbers; 0: not encoded
  Meaning meaning = Meaning::itself;
  friend bool operator==(Part const&, Part const&) = default;

  NumberCode code() const { return {ordered_bits == 0 ? bits : ordered_bits, is_signed, is_float, ordered_bits != 0}; }
};

/// Buckets with other data between them. A bucket starts every `stride` bytes and has `slots` slots, which are spaced
/// by the part's own stride.
struct Buckets {
  std::uint64_t slots = 0;
  std::uint64_t stride = 0;
  friend bool operator==(Buckets const&, Buckets const&) = default;
};

/// A byte for each slot that says whether it is taken, as in tables like Abseil's: bytes below 128 mark live keys.
struct Control {
  std::string array;
  std::uint64_t offset = 0;
  std::uint64_t stride = 1;
  std::uint8_t empty = 0x80;
  std::uint8_t erased = 0xfe;
  friend bool operator==(Control const&, Control const&) = default;

  Part part() const { return {.array = array, .offset = offset, .stride = stride, .bits = 8}; }
};

/// Consecutive slabs with consecutive numbers.
struct Slabs {
  std::string array;
  std::uint64_t start = 0;  ///< offset of the first slab in the array, in bytes
  std::uint64_t slabs = 0;  ///< number of slabs that fit
  std::uint32_t first = 0;  ///< the number of the first slab
  friend bool operator==(Slabs const&, Slabs const&) = default;
};

/// The continuation of a full bucket in a chain: a slab of the same shape.
struct Links {
  std::vector<Slabs> parts;          ///< parts of the slabs' memory, such as the super blocks of an allocator
  std::uint64_t offset = 0;          ///< of the 32-bit link in a bucket or a slab: the number of a slab
  std::uint32_t none = 0xffffffffu;  ///< the link at the end of a chain
  std::uint32_t unit = 1;  ///< difference between the numbers of consecutive slabs, if a link is the number of a slot
  friend bool operator==(Links const&, Links const&) = default;

  std::uint64_t slabs() const
  {
    return std::accumulate(parts.begin(), parts.end(), std::uint64_t{0},
                           [](std::uint64_t sum, Slabs const& part) { return sum + part.slabs; });
  }
};

/// What determines the home of a key.
enum class HomeOf : std::uint8_t {
  unknown,  ///< not known here
  hash,
  array  ///< an array of home slots, supplied by the program
};

/// alternating: home, one slot ahead, one behind, two ahead ...; squares: home + i²; downward: linear probing to lower
/// slots; perturbation: as in CPython's dict, i = 5 i + p + 1, where p starts as the hash and loses 5 bits per step.
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

/// Which slots a lookup reads, in windows of neighbouring slots.
struct Probing {
  Scheme scheme = Scheme::unknown;
  std::uint64_t window = 1;  ///< slots that are read together: a bucket, or what a tile of threads reads at once
  std::uint64_t align = 0;   ///< homes are multiples of this number; 0: of the window
  /// Distance between consecutive windows, in slots. 0: the window for linear probing; 1 for quadratic probing, whose
  /// steps are 1, 2, 3 ... times as long, or 1, 3, 5 ... times by squares.
  std::uint64_t step = 0;
  /// Whether a window with an empty slot ends a lookup. True for all schemes except cuckoo hashing and chains; for
  /// those two, only if keys go on only from full buckets, and erasing never leaves an empty slot.
  bool ends_at_empty = true;
  std::uint64_t reach = 0;    ///< maximum number of windows that a lookup reads; 0: unlimited
  std::uint64_t lengths = 0;  ///< number of steps that double hashing's second function chooses from; 0: windows - 1
  // For double hashing. odd_steps: steps are made odd instead of adding one. rings: a path that returns to its
  // beginning continues one window after it, until it has visited all windows.
  bool odd_steps = false;
  bool rings = false;
  /// For quadratic probing: windows are numbered modulo this power of two, and numbers without a window are skipped; 0:
  /// modulo the number of windows.
  std::uint64_t modulo = 0;
  /// Whether a lookup of an absent key goes as far as this description says. If the program ends such lookups earlier,
  /// their accesses are not counted.
  bool counts_misses = true;
  friend bool operator==(Probing const&, Probing const&) = default;
};

/// A description of a table's memory, as data.
struct Description {
  std::string preset;  ///< preset that the defaults come from; empty: none
  std::string family;  ///< the program's name for this kind of table, which is authoritative; empty: not given
  std::uint64_t slots = 0;
  Part key;
  std::optional<Part> value;
  std::optional<Buckets> buckets;
  std::optional<Control> control;
  std::optional<Links> links;
  std::optional<AnyKey> empty_key;
  std::optional<AnyKey> erased_key;
  std::optional<std::uint64_t> erased_value;
  std::optional<AnyKey> beside_from;  ///< keys from this word on are stored apart; slots reserve these words
  HomeOf home_of = HomeOf::unknown;
  std::vector<HashFormula> formulas;  ///< the formulas among `hashes`, as written
  std::vector<Hash> hashes;  ///< one; in double hashing, the second gives the step; in cuckoo hashing, all are used
  Part homes;                ///< for `HomeOf::array`
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
  /// Whether a hash is undefined for keys of this width, so that no home is known.
  bool has_undefined_hash() const;
  bool knows_homes() const
  {
    return home_of != HomeOf::unknown && probing.scheme != Scheme::unknown && !has_undefined_hash();
  }
  /// Whether the path of any key is known, even if the key is not in the table.
  bool knows_paths() const { return home_of == HomeOf::hash && knows_homes(); }
  /// Whether insertions put keys into the first free slots of their paths, and lookups end accordingly.
  bool is_plain() const { return probing.reach == 0 && probing.modulo == 0 && probing.counts_misses; }
  /// Includes the slots of slabs that are linked to buckets.
  std::uint64_t all_slots() const { return slots + (links && buckets ? links->slabs() * buckets->slots : 0); }
};

inline constexpr std::size_t max_hashes = 4;
inline constexpr std::uint64_t max_window = 1024;
inline constexpr std::size_t max_slab_parts = 32;

/// Throws Error, saying what to do, if the description is impossible for these arrays; reads none of the memory. After
/// success, all described bytes of each slot are inside the arrays.
void validate(Description const& description, std::span<Array const> arrays);

/// A sentence about whole rows after the last slot that a valid description leaves out of the keys' array; empty if
/// there are none, or if the slots are in buckets.
std::string rows_left_out(Description const& description, std::span<Array const> arrays);

/// The array with this name, or the only array if the name is empty. Throws Error with a list of the arrays if there is
/// no such array.
Array const& array_named(std::span<Array const> arrays, std::string_view name);

/// Describes the probing in words: "linear probing in windows of 4 slots from xxhash_32 modulo 1,024".
std::string text_of(Description const& description);
std::string text_of(Hash const& hash);
/// Sentences that explain the numbers in the slots, if they are not the keys and values themselves.
std::vector<std::string> words_explained(Description const& description);
/// The theory for slots that are probed one by one; `TheoryOf::nothing` for other probing.
TheoryOf theory_of_probing(Description const& description);
/// All digits of a 16-byte key: "0x00112233445566778899aabbccddeeff".
std::string hex_of(AnyKey key);

/// --- tables of well-known libraries.

/// The settings of a preset.
struct PresetSettings {
  int key_bits = 32;
  int value_bits = 0;  ///< 0: as for keys, at most 64
  std::uint64_t slots = 0;
  std::uint64_t group = 0;   ///< threads per cooperative group; 0: the library's default
  std::uint64_t bucket = 0;  ///< slots per bucket; 0: the library's default
  std::uint64_t seed = 0;
  bool is_seed_set = false;
  std::uint64_t super_blocks = 0;   ///< of a slab allocator; 0: the library's default
  std::uint64_t memory_blocks = 0;  ///< per super block; 0: the library's default
};
struct Preset {
  std::string_view name;
  std::string_view what;  ///< one sentence: which versions it fits, and what it assumes
  Description (*make)(PresetSettings const&);
};
std::span<Preset const> presets();
/// Throws Error with a list of the presets if there is none with this name.
Preset const& preset_named(std::string_view name);

}  // namespace slotscape::watch
