#pragma once

#include "gpu/workloads/batch_buffers.hpp"
#include "gpu/workloads/key_stream.hpp"
#include "gpu/workloads/settings.hpp"

namespace slotscape {

/// For each kind of operation, the position of its next key in the stream.
struct StreamPlace {
  std::uint64_t insert = 0;
  std::uint64_t find = 0;
  std::uint64_t erase = 0;
};

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
  StreamPlace from;     ///< where each kind of operation continues in the stream
  bool takes_in_order;  ///< also for finds and erases of stream keys
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
      std::uint64_t const n = from.insert + number;
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
    if (request.find_keys == KeyChoice::stream) { return stream_key(from.find, number, find_seed); }
    bool hit = request.find_keys == KeyChoice::hits;
    if (request.find_keys == KeyChoice::mixed) { hit = random_unit(find_seed + 1, number) < request.hit_share; }
    if (hit && live_count != 0) { return live[random_below(find_seed, number, live_count)]; }
    return stream.miss(find_seed + number);
  }

  SLOTSCAPE_HOST_DEVICE Key erase_key(std::uint64_t number) const
  {
    if (request.erase_keys == KeyChoice::hits) { return live[erased(static_cast<std::uint32_t>(number))]; }
    if (request.erase_keys == KeyChoice::misses) { return stream.miss(find_seed + 2 + number); }
    return stream_key(from.erase, number, find_seed + 2);
  }

  SLOTSCAPE_HOST_DEVICE Key stream_key(std::uint64_t first, std::uint64_t number, std::uint64_t random_seed) const
  {
    return stream.key(takes_in_order ? first + number : random64(random_seed, number));
  }
};

/// Draws keys that the stream never yields.
template <PairFormat Format>
struct DrawMisses {
  KeyStream<Format> stream;
  typename Format::Key* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { keys[i] = stream.miss(i); }
};

}  // namespace slotscape
