#pragma once

#include "gpu/base/random.hpp"
#include "gpu/execution/executor.hpp"
#include "gpu/tables/slot_mark.hpp"

#include <algorithm>

namespace slotscape {

namespace live_keys {

struct FlagTail {
  Shuffle chosen;
  std::uint32_t keep;
  std::uint8_t* flags;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (std::uint32_t const p = chosen(static_cast<std::uint32_t>(i)); p >= keep) { flags[p - keep] = 1; }
  }
};
struct Hole {
  Shuffle chosen;
  std::uint32_t keep;
  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint64_t i) const
  {
    std::uint32_t const p = chosen(static_cast<std::uint32_t>(i));
    return p < keep ? p : no_slot;
  }
};
struct Filler {
  std::uint8_t const* flags;
  std::uint32_t keep;
  SLOTSCAPE_HOST_DEVICE std::uint32_t operator()(std::uint64_t i) const
  {
    return flags[i] == 0 ? keep + static_cast<std::uint32_t>(i) : no_slot;
  }
};
template <class Key>
struct FillHole {
  std::uint32_t const* holes;
  std::uint32_t const* fillers;
  Key* keys;
  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { keys[holes[i]] = keys[fillers[i]]; }
};
template <PairFormat Format>
struct Inserted {
  using Key = typename Format::Key;
  Key const* keys;
  Operation const* operations;
  Outcome const* outcomes;
  SLOTSCAPE_HOST_DEVICE Key operator()(std::uint64_t i) const
  {
    return operations[i] == Operation::insert && outcomes[i] == Outcome::inserted ? keys[i] : Format::empty_key;
  }
};
template <PairFormat Format>
struct LiveKey {
  typename Format::Word const* words;
  SlotMark const* marks;
  SLOTSCAPE_HOST_DEVICE typename Format::Key operator()(std::uint64_t slot) const
  {
    return state_of(marks[slot]) == SlotState::live ? key_of(words[slot]) : Format::empty_key;
  }
};

}  // namespace live_keys

/// The live keys of a table as a dense array on its device, from which distinct random keys can be drawn whatever the
/// table's layout. Their order depends only on the operations, never on thread scheduling, so a replay draws the same
/// keys.
template <exec::Executor Exec, PairFormat Format>
class LiveKeys {
  using Key = typename Format::Key;

public:
  LiveKeys(Exec& exec, std::uint64_t slots) : exec_(exec), keys_(exec, slots) {}

  std::uint64_t count() const { return count_; }
  Key const* data() const { return keys_.data(); }
  void clear() { count_ = 0; }

  typename Exec::template Buffer<Key> save() const
  {
    typename Exec::template Buffer<Key> keys(exec_, count_);
    exec_.copy(keys.data(), static_cast<Key const*>(keys_.data()), count_);
    return keys;
  }
  void restore(typename Exec::template Buffer<Key> const& keys)
  {
    count_ = keys.size();
    exec_.copy(keys_.data(), keys.data(), count_);
  }

  /// Resizes for a table of `slots` slots; drops keys beyond that number.
  void resize(std::uint64_t slots)
  {
    typename Exec::template Buffer<Key> keys(exec_, slots);
    count_ = std::min(count_, slots);
    exec_.copy(keys.data(), static_cast<Key const*>(keys_.data()), count_);
    keys_ = std::move(keys);
  }

  /// Removes the `taken` keys at chosen(0), chosen(1), ...; the last keys fill the holes.
  void remove(Shuffle chosen, std::uint64_t taken)
  {
    std::uint64_t const keep = count_ - taken;
    exec::grow(exec_, flags_, taken);
    exec::grow(exec_, holes_, taken);
    exec::grow(exec_, fillers_, taken);
    exec_.fill(flags_.data(), taken, std::uint8_t{0});
    exec_.for_each(taken, live_keys::FlagTail{chosen, static_cast<std::uint32_t>(keep), flags_.data()});
    std::uint64_t const holes =
        exec_.select(taken, no_slot, holes_.data(), live_keys::Hole{chosen, static_cast<std::uint32_t>(keep)});
    exec_.select(taken, no_slot, fillers_.data(), live_keys::Filler{flags_.data(), static_cast<std::uint32_t>(keep)});
    exec_.for_each(holes, live_keys::FillHole<Key>{holes_.data(), fillers_.data(), keys_.data()});
    count_ = keep;
  }

  /// Appends the keys of the operations that inserted one. If a batch holds a key twice, either of the operations may
  /// have inserted it: sorting makes the order deterministic.
  void append_inserted(Key const* keys, Operation const* operations, Outcome const* outcomes, std::uint64_t count,
                       bool may_repeat)
  {
    Key* const end = keys_.data() + count_;
    std::uint64_t const added =
        exec_.select(count, Format::empty_key, end, live_keys::Inserted<Format>{keys, operations, outcomes});
    if (may_repeat) { exec_.sort(end, added); }
    count_ += added;
  }

  /// Rebuilds the array from the table's contents, in key order.
  void rebuild(typename Format::Word const* words, SlotMark const* marks, std::uint64_t slots)
  {
    count_ = exec_.select(slots, Format::empty_key, keys_.data(), live_keys::LiveKey<Format>{words, marks});
    exec_.sort(keys_.data(), count_);
  }

private:
  Exec& exec_;
  typename Exec::template Buffer<Key> keys_;
  std::uint64_t count_ = 0;
  typename Exec::template Buffer<std::uint8_t> flags_;
  typename Exec::template Buffer<std::uint32_t> holes_;
  typename Exec::template Buffer<std::uint32_t> fillers_;
};

}  // namespace slotscape
