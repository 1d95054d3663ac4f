#pragma once

#include "gpu/workloads/batch_buffers.hpp"
#include "gpu/workloads/key_stream.hpp"
#include "gpu/workloads/settings.hpp"

namespace slotscape {

/// Writes the operations of one generated batch: inserts first, then finds, then erases. `order` shuffles them, unless
/// the table cannot insert and erase at once.
template <PairFormat Format>
struct DrawBatch {
  using Key = typename Format::Key;
  using Value = typename Format::Value;

  std::uint64_t inserts;
  std::uint64_t finds;
  BatchRequest request;
  KeyStream<Format> stream;
  std::uint64_t first_insert;  ///< number in the stream of the first new key
  std::uint64_t find_seed;
  Key const* live;
  std::uint64_t live_count;
  Shuffle erased;  ///< selects the live keys to erase
  Shuffle order;
  bool mix;
  Operation* operations;
  Key* keys;
  Value* values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    std::uint64_t const number = mix ? order(static_cast<std::uint32_t>(i)) : i;
    if (number < inserts) {
      std::uint64_t const n = first_insert + number;
      write(i, Operation::insert, stream.key(n), stream.value(n));
    } else if (number < inserts + finds) {
      write(i, Operation::find, find_key(number - inserts), Format::empty_value);
    } else {
      write(i, Operation::erase, erase_key(number - inserts - finds), Format::empty_value);
    }
  }

private:
  SLOTSCAPE_HOST_DEVICE void write(std::uint64_t i, Operation operation, Key key, Value value) const
  {
    operations[i] = operation;
    keys[i] = key;
    values[i] = value;
  }

  SLOTSCAPE_HOST_DEVICE Key find_key(std::uint64_t number) const
  {
    if (request.find_keys == KeyChoice::stream) { return stream.key(random64(find_seed, number)); }
    bool hit = request.find_keys == KeyChoice::hits;
    if (request.find_keys == KeyChoice::mixed) { hit = random_unit(find_seed + 1, number) < request.hit_share; }
    if (hit && live_count != 0) { return live[random_below(find_seed, number, live_count)]; }
    return stream.miss(find_seed + number);
  }

  SLOTSCAPE_HOST_DEVICE Key erase_key(std::uint64_t number) const
  {
    if (request.erase_keys == KeyChoice::hits) { return live[erased(static_cast<std::uint32_t>(number))]; }
    if (request.erase_keys == KeyChoice::misses) { return stream.miss(find_seed + 2 + number); }
    return stream.key(random64(find_seed + 2, number));
  }
};

/// Keys that the stream never gives.
template <PairFormat Format>
struct DrawMisses {
  KeyStream<Format> stream;
  typename Format::Key* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { keys[i] = stream.miss(i); }
};

}  // namespace slotscape
