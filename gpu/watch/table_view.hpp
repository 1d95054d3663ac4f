#pragma once

#include "gpu/base/signed_keys.hpp"
#include "gpu/watch/description.hpp"

#include <algorithm>

namespace slotscape::watch {

/// Reads memory that its owner may be writing: each number once, whole if it is aligned. An unaligned number may be
/// read as a value that was never there.
template <class U>
SLOTSCAPE_HOST_DEVICE inline U read_once(std::byte const* at)
{
  bool const aligned = reinterpret_cast<std::uintptr_t>(at) % sizeof(U) == 0;
#if defined(__CUDA_ARCH__)
  if (aligned) { return *reinterpret_cast<U const volatile*>(at); }
#else
  if (aligned) { return __atomic_load_n(reinterpret_cast<U const*>(at), __ATOMIC_RELAXED); }
#endif
  auto const* const bytes = reinterpret_cast<unsigned char const volatile*>(at);
  std::uint64_t number = 0;
  for (unsigned i = 0; i < sizeof(U); ++i) { number |= std::uint64_t{bytes[i]} << (8 * i); }
  return static_cast<U>(number);
}

/// The data read from one slot. Key and value are read one after the other: if the slot is being written, they may be
/// from different moments.
struct SlotRead {
  AnyKey key = 0;
  SlotState state = SlotState::empty;
  bool has_key = false;
};

/// The result of looking up a key in a foreign table.
struct Found {
  bool found = false;
  Slot slot = no_slot;
  std::uint32_t accesses = 0;  ///< windows, buckets or slabs
  bool complete = true;        ///< the lookup was not given up
};

/// The result of looking up a key that is stored in a slot.
enum class Reach : std::uint8_t {
  found,        ///< in that slot
  elsewhere,    ///< in another slot: the key is stored twice
  nowhere,      ///< the lookup ends before it reaches the slot
  not_followed  ///< the lookup was given up
};
struct Reached {
  Reach reach = Reach::found;
  std::uint32_t measure = 0;  ///< windows before that of the slot; a lower bound if the lookup was given up
  std::uint64_t accesses = 0;
  Slot first = no_slot;  ///< where the lookup finds the key, or a tombstone that has kept it
};
/// The result for a slot, with details that explain it.
struct ReachedSlot {
  Reached reached;
  bool comes_later = false;  ///< for a second copy: a lookup that continued after the first copy would find it
};

/// A foreign table as seen by one thread, on the host or on a device: plain numbers. With any contents of the memory,
/// all member functions terminate and read nothing beyond it.
struct TableView {
  struct PartView {
    std::byte const* first = nullptr;
    std::uint64_t in_slab = 0;  ///< as `first`, for linked slabs: offset from the start of a slab, in bytes
    std::uint64_t stride = 0;
    int bits = 0;
    bool in_buckets = false;
    NumberCode code = {};
  };

  /// Linked slabs: a part of `Links`.
  struct SlabsView {
    std::byte const* first = nullptr;
    std::uint64_t number = 0;  ///< the first slab's number in links
    std::uint64_t before = 0;  ///< slabs in earlier parts
    std::uint64_t count = 0;
  };

  static constexpr std::uint64_t no_slab = ~std::uint64_t{0};

  std::uint64_t slots = 0;  ///< without the slots of slabs
  std::uint64_t bucket_slots = 0;
  std::uint64_t bucket_stride = 0;
  std::uint64_t slabs = 0;
  std::array<SlabsView, max_slab_parts> pool{};  ///< sorted by number
  std::uint32_t pool_parts = 0;
  /// Per slab, whether a chain led to it at the last check; null: all count. The other slabs are free, or belong to
  /// another table that shares the memory.
  std::uint32_t const* linked = nullptr;
  PartView key;
  PartView value;  ///< bits is 0 if there are no values
  PartView control;
  PartView homes;
  PartView links;
  AnyKey empty_key = 0;
  AnyKey erased_key = 0;
  std::uint64_t erased_value = 0;
  bool has_empty_key = false;
  bool has_erased_key = false;
  bool has_erased_value = false;
  std::uint8_t empty_control = 0;
  std::uint8_t erased_control = 0;
  std::uint32_t no_link = 0;
  std::uint32_t link_unit = 1;
  HomeOf home_of = HomeOf::unknown;
  Scheme scheme = Scheme::unknown;
  bool ends_at_empty = true;
  std::uint64_t most_windows = 0;  ///< of a lookup; 0: unlimited
  std::uint64_t lengths = 1;       ///< number of possible steps of double hashing, in windows
  bool odd_steps = false;
  bool rings = false;
  std::uint64_t ring = 0;  ///< modulus of quadratic probing, in slots, if it exceeds the number of slots; otherwise 0
  bool is_plain = true;    ///< see `Description::is_plain`
  std::uint64_t window = 1;
  std::uint64_t align = 1;
  std::uint64_t step = 1;
  std::array<Hash, max_hashes> hashes{};
  int hash_count = 0;

  /// `arrays`: those with which `description` was validated.
  static TableView of(Description const& description, std::span<Array const> arrays);
  /// A view of the same memory, with the homes and the probing of this description.
  TableView probed_as(Description const& description) const;

  SLOTSCAPE_HOST_DEVICE std::uint64_t all_slots() const { return slots + slabs * bucket_slots; }

  // --- memory
  SLOTSCAPE_HOST_DEVICE std::uint64_t read(PartView const& part, std::uint64_t slot) const
  {
    std::byte const* const at = place(part, slot);
    switch (part.bits) {
      case 8: return read_once<std::uint8_t>(at);
      case 16: return read_once<std::uint16_t>(at);
      case 32: return read_once<std::uint32_t>(at);
      default: return read_once<std::uint64_t>(at);
    }
  }
  /// The halves of a 16-byte key are read one after the other.
  SLOTSCAPE_HOST_DEVICE AnyKey read_key(std::uint64_t slot) const
  {
    if (key.bits <= 64) { return read(key, slot); }
    std::byte const* const at = place(key, slot);
    return AnyKey{read_once<std::uint64_t>(at)} | (AnyKey{read_once<std::uint64_t>(at + 8)} << 64);
  }
  /// The number that represents a key: the key itself, `key_of_signed` for signed keys or, for 16-byte keys, the XXH64.
  SLOTSCAPE_HOST_DEVICE std::uint64_t shown(AnyKey of_key) const
  {
    if (key.bits > 64) { return hashing::xxhash_64(of_key, 16, 0); }
    auto const bits = static_cast<std::uint64_t>(of_key);
    return key.code.is_signed ? without_reserved(key.code.number(bits)) : bits;
  }
  /// Reads a slot of the table: slots of slabs that no chain leads to count as empty.
  SLOTSCAPE_HOST_DEVICE SlotRead read_slot(std::uint64_t slot) const
  {
    bool const is_of_table = slot < slots || linked == nullptr || linked[(slot - slots) / bucket_slots] != 0;
    return is_of_table ? read_memory(slot) : SlotRead{};
  }
  /// Reads any slot, even one of an unlinked slab.
  SLOTSCAPE_HOST_DEVICE SlotRead read_memory(std::uint64_t slot) const
  {
    SlotRead slot_read;
    if (control.bits != 0) {
      std::uint8_t const byte = read_once<std::uint8_t>(control.first + slot * control.stride);
      slot_read.state = byte < 0x80              ? SlotState::live
                        : byte == erased_control ? SlotState::tombstone
                                                 : SlotState::empty;
      if (slot_read.state != SlotState::live) { return slot_read; }
    }
    slot_read.key = read_key(slot);
    if (has_empty_key && control.bits == 0 && slot_read.key == empty_key) { return slot_read; }
    if (has_erased_key && slot_read.key == erased_key) {
      slot_read.state = SlotState::tombstone;
      return slot_read;
    }
    slot_read.has_key = true;
    bool const erased = has_erased_value && read(value, slot) == erased_value;
    slot_read.state = erased ? SlotState::tombstone : SlotState::live;
    return slot_read;
  }

  // --- homes and paths
  SLOTSCAPE_HOST_DEVICE bool knows_paths() const { return home_of == HomeOf::hash && scheme != Scheme::unknown; }
  SLOTSCAPE_HOST_DEVICE bool knows_homes() const { return home_of != HomeOf::unknown && scheme != Scheme::unknown; }

  /// The first slot of the place to which a hash function maps a key.
  SLOTSCAPE_HOST_DEVICE std::uint64_t home(int function, AnyKey of_key) const
  {
    return place_of(hashes[static_cast<std::size_t>(function)], of_key, key.bits, slots / align) * align;
  }
  /// The home of the key in a slot; `no_slot` if it is unknown.
  SLOTSCAPE_HOST_DEVICE Slot home_in(std::uint64_t slot, AnyKey of_key) const
  {
    if (home_of == HomeOf::hash) { return static_cast<Slot>(home(0, of_key)); }
    if (home_of == HomeOf::unknown || slot >= slots) { return no_slot; }
    std::uint64_t const given = read(homes, slot);
    return given < slots ? static_cast<Slot>(given) : no_slot;
  }

  /// The windows of a lookup, one after another.
  struct Path {
    std::uint64_t at = 0;      ///< the first slot of the current window
    std::uint64_t number = 0;  ///< number of windows before it
    std::uint64_t stride = 0;
    std::uint64_t begin = 0;  ///< start of the current ring
  };
  SLOTSCAPE_HOST_DEVICE Path path_of(AnyKey of_key) const { return path_from(home(0, of_key), of_key); }
  SLOTSCAPE_HOST_DEVICE Path path_from(std::uint64_t first, AnyKey of_key) const
  {
    Path path{first, 0, step, first};
    if (scheme == Scheme::perturbation) { path.stride = unreduced(hashes[0], of_key, key.bits, slots); }
    if (scheme == Scheme::double_hashing) {
      std::uint64_t const place = place_of(hashes[1], of_key, key.bits, lengths);
      path.stride = (odd_steps ? place | 1u : place + 1) * window % slots;
    }
    return path;
  }
  /// Returns false at the end, when the path leads to no further slots.
  SLOTSCAPE_HOST_DEVICE bool next(Path& path, AnyKey of_key) const
  {
    ++path.number;
    if (most_windows != 0 && path.number >= most_windows) { return false; }
    switch (scheme) {
      case Scheme::linear: path.at = after(path.at, path.stride); return path.number * path.stride < slots;
      case Scheme::double_hashing:
        path.at = after(path.at, path.stride);
        if (rings && path.at == path.begin) { path.at = path.begin = after(path.begin, window); }
        return path.number * window < slots;
      case Scheme::quadratic:
        if (ring != 0) { return next_in_ring(path); }
        path.at = after(path.at, path.stride);
        path.stride = after(path.stride, step);
        return path.number < slots;
      case Scheme::squares:
        path.at = after(path.at, path.stride);
        path.stride = after(path.stride, 2 * step);
        return path.number < slots;
      case Scheme::downward: path.at = after(path.at, slots - step); return path.number * step < slots;
      case Scheme::perturbation: {
        constexpr std::uint64_t until_lost = 13;  // steps, after which all bits of the hash are used up
        path.stride >>= 5;
        path.at = (5 * path.at + path.stride % slots + 1) % slots;
        return path.number < slots + until_lost;
      }
      case Scheme::alternating:  // step n goes n slots ahead, or n slots back to the other side
        path.at = after(path.at, path.number % 2 == 1 ? path.number : slots - path.number);
        return path.number < slots;
      case Scheme::cuckoo:
        if (path.number >= static_cast<std::uint64_t>(hash_count)) { return false; }
        path.at = home(static_cast<int>(path.number), of_key);
        return true;
      case Scheme::chains: {
        std::uint64_t const linked = link_of(path.at);
        if (linked >= slabs || path.number > slabs) { return false; }
        path.at = slots + linked * bucket_slots;
        return true;
      }
      case Scheme::unknown: break;
    }
    return false;
  }
  /// Slot `i` of the path's window.
  SLOTSCAPE_HOST_DEVICE std::uint64_t slot_of(Path const& path, std::uint64_t i) const
  {
    return path.at >= slots ? path.at + i : after(path.at, i);
  }

  /// Looks up the key that is in a slot, with up to `most` accesses.
  SLOTSCAPE_HOST_DEVICE Reached reach(std::uint64_t slot, AnyKey of_key, std::uint32_t most) const
  {
    if (!knows_homes()) { return {}; }
    Slot const first = home_in(slot, of_key);
    if (first == no_slot && slot >= slots) { return {Reach::not_followed, most}; }  // the homes of slabs are unknown
    if (first == no_slot) { return {Reach::nowhere}; }
    Found const looked = find_from(path_from(first, of_key), of_key, most);
    Reached result{Reach::nowhere, 0, looked.accesses, looked.slot};
    if (looked.slot == static_cast<Slot>(slot)) {
      result.reach = Reach::found;
      result.measure = looked.accesses - 1;
    } else if (looked.found) {
      result.reach = Reach::elsewhere;
    } else if (!looked.complete) {
      result.reach = Reach::not_followed;
      result.measure = scheme == Scheme::linear ? windows_between(first, slot) : most;
    }
    return result;
  }

  /// Looks up a key in the table's memory as its program would; gives up after `most` accesses.
  SLOTSCAPE_HOST_DEVICE Found find(AnyKey wanted, std::uint32_t most) const
  {
    return find_from(path_of(wanted), wanted, most);
  }
  /// `only`: accepts no other slot, even one that holds the key.
  SLOTSCAPE_HOST_DEVICE Found find_from(Path path, AnyKey wanted, std::uint32_t most, Slot only = no_slot) const
  {
    Found result;
    do {
      if (result.accesses == most) {
        result.complete = false;
        return result;
      }
      ++result.accesses;
      bool any_empty = false;
      for (std::uint64_t i = 0; i < window; ++i) {
        std::uint64_t const slot = slot_of(path, i);
        SlotRead const there = read_memory(slot);
        any_empty = any_empty || there.state == SlotState::empty;
        bool const counts = only == no_slot || static_cast<Slot>(slot) == only;
        if (there.has_key && there.key == wanted && counts) {
          result.found = there.state == SlotState::live;
          result.slot = static_cast<Slot>(slot);
          return result;
        }
      }
      if (any_empty && ends_at_empty) { return result; }
    } while (next(path, wanted));
    return result;
  }

  /// The number, among all slabs, of the slab after a bucket or slab that begins at slot `first`: `no_slab` at the end
  /// of a chain, and `slabs` if the next slab is not described.
  SLOTSCAPE_HOST_DEVICE std::uint64_t link_of(std::uint64_t first) const
  {
    auto const link = static_cast<std::uint32_t>(read(links, first));
    if (link == no_link) { return no_slab; }
    SlabsView const& lies_in = part_with(link, &SlabsView::number);
    if (link < lies_in.number || (link - lies_in.number) % link_unit != 0) { return slabs; }
    std::uint64_t const in_part = (link - lies_in.number) / link_unit;
    return in_part < lies_in.count ? lies_in.before + in_part : slabs;
  }

private:
  /// `base`: the array of the buckets.
  void take_links(Links const& described, std::string_view base, std::span<Array const> arrays);
  /// For quadratic probing: triangular numbers modulo a power of two visit every window.
  SLOTSCAPE_HOST_DEVICE bool next_in_ring(Path& path) const
  {
    do {
      path.at = (path.at + path.stride) % ring;
      path.stride = (path.stride + step) % ring;
    } while (path.at >= slots);
    return path.number * window < slots;
  }
  /// The number of windows from a home to a slot, in linear probing.
  SLOTSCAPE_HOST_DEVICE std::uint32_t windows_between(std::uint64_t first, std::uint64_t slot) const
  {
    std::uint64_t const distance = slot >= first ? slot - first : slot + slots - first;
    return static_cast<std::uint32_t>(distance / step);
  }
  /// Requires by < slots.
  SLOTSCAPE_HOST_DEVICE std::uint64_t after(std::uint64_t slot, std::uint64_t by) const
  {
    std::uint64_t const sum = slot + by;
    return sum >= slots ? sum % slots : sum;
  }
  SLOTSCAPE_HOST_DEVICE std::byte const* place(PartView const& part, std::uint64_t slot) const
  {
    if (!part.in_buckets) { return part.first + slot * part.stride; }
    std::uint64_t const bucket = slot / bucket_slots;
    std::uint64_t const inside = slot % bucket_slots * part.stride;
    if (slot < slots) { return part.first + bucket * bucket_stride + inside; }
    std::uint64_t const slab = bucket - slots / bucket_slots;
    SlabsView const& lies_in = part_with(slab, &SlabsView::before);
    return lies_in.first + (slab - lies_in.before) * bucket_stride + part.in_slab + inside;
  }
  /// The last part of the pool that begins at or before the slab; the first part if there is none.
  SLOTSCAPE_HOST_DEVICE SlabsView const& part_with(std::uint64_t slab, std::uint64_t SlabsView::*begin) const
  {
    std::uint32_t found = 0;
    for (std::uint32_t parts = pool_parts; parts > 1;) {
      std::uint32_t const half = parts / 2;
      bool const is_later = pool[found + half].*begin <= slab;
      found += is_later ? half : 0;
      parts = is_later ? parts - half : half;
    }
    return pool[found];
  }
};

}  // namespace slotscape::watch
