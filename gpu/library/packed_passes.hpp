#pragma once

#include "gpu/execution/atomics.hpp"
#include "gpu/library/codes.hpp"
#include "gpu/library/pair_passes.hpp"
#include "gpu/library/view.hpp"

/// The parallel loops of `PackedTable`.
namespace slotscape::library {

/// The values of a format's reserved keys, stored beside its table, so that every key can be stored. The empty value
/// means that the key is missing. All functions may be called concurrently.
template <PairFormat Format>
struct ReservedKeys {
  using Key = typename Format::Key;
  using Value = typename Format::Value;
  static constexpr std::uint64_t count = Format::empty_key - Format::locked_key + 1;

  Value* values;

  SLOTSCAPE_HOST_DEVICE static Key key(std::uint64_t i) { return static_cast<Key>(Format::locked_key + i); }
  SLOTSCAPE_HOST_DEVICE Value& value_of_key(Key key) const { return values[key - Format::locked_key]; }
  /// The empty value if the key is missing.
  SLOTSCAPE_HOST_DEVICE Value find(Key key) const { return exec::load_relaxed(value_of_key(key)); }
  SLOTSCAPE_HOST_DEVICE Outcome insert(Key key, Value value, Combine combine) const
  {
    if (value == Format::empty_value) { return Outcome::rejected; }
    Value seen = find(key);
    while (true) {
      bool const live = seen != Format::empty_value;
      Value const next = live ? combined<Format>(combine, seen, value) : value;
      Value const old = next == seen ? seen : exec::compare_exchange(value_of_key(key), seen, next);
      if (old == seen) { return live ? Outcome::updated : Outcome::inserted; }
      seen = old;
    }
  }
  /// Like `update_in`.
  template <class F>
  SLOTSCAPE_HOST_DEVICE Outcome update(Key key, F const& f) const
  {
    for (Value seen = find(key); seen != Format::empty_value;) {
      Value const next = f(seen);
      if (next == Format::empty_value) { return Outcome::rejected; }
      Value const old = exec::compare_exchange(value_of_key(key), seen, next);
      if (old == seen) { return Outcome::updated; }
      seen = old;
    }
    return Outcome::missing;
  }
  SLOTSCAPE_HOST_DEVICE Outcome erase(Key key) const
  {
    for (Value seen = find(key); seen != Format::empty_value;) {
      Value const old = exec::compare_exchange(value_of_key(key), seen, Format::empty_value);
      if (old == seen) { return Outcome::erased; }
      seen = old;
    }
    return Outcome::missing;
  }
};

namespace packed {

/// Encodes item first + i of an array as a word.
template <class T, class Word, class Items>
struct Encode {
  Items items;
  std::uint64_t first;
  Word* words;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { words[i] = Code<T, Word>::encode(items[first + i]); }
};

/// Delivers the value that a lookup found for key i, if the key is in the table.
template <PairFormat Format, class T, class Values>
struct Deliver {
  typename Format::Value const* words;
  Values values;
  std::uint64_t first;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (words[i] == Format::empty_value) { return; }
    values[first + i] = Code<T, typename Format::Value>::decode(words[i]);
  }
};

/// Runs an operation on key i if the key is reserved.
template <PairFormat Format, Operation operation>
struct OnReserved {
  ReservedKeys<Format> reserved;
  typename Format::Key const* keys;
  typename Format::Value* values;
  Outcome* outcomes;  ///< or null
  Combine combine;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    if (!Format::is_reserved(keys[i])) { return not_run; }
    Outcome const outcome = run(i);
    if (outcomes != nullptr) { outcomes[i] = outcome; }
    return outcome;
  }

private:
  SLOTSCAPE_HOST_DEVICE Outcome run(std::uint64_t i) const
  {
    if constexpr (operation == Operation::insert) {
      return reserved.insert(keys[i], values[i], combine);
    } else if constexpr (operation == Operation::erase) {
      return reserved.erase(keys[i]);
    } else {
      values[i] = reserved.find(keys[i]);
      return values[i] == Format::empty_value ? Outcome::missing : Outcome::found;
    }
  }
};

/// Sets the value of key i if it is a reserved key and exists.
template <PairFormat Format>
struct UpdateReserved {
  ReservedKeys<Format> reserved;
  typename Format::Key const* keys;
  typename Format::Value const* values;
  Outcome* outcomes;  ///< or null

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    if (!Format::is_reserved(keys[i])) { return not_run; }
    Outcome const outcome = reserved.update(keys[i], Always<typename Format::Value>{values[i]});
    if (outcomes != nullptr) { outcomes[i] = outcome; }
    return outcome;
  }
};

/// Calls f(key, value) for the pair encoded in a word, or for a reserved key.
template <PairFormat Format, class Key, class Value, class F>
struct OfPacked {
  F f;

  SLOTSCAPE_HOST_DEVICE auto operator()(typename Format::Word word) const
  {
    return f(Code<Key, typename Format::Key>::decode(key_of(word)),
             Code<Value, typename Format::Value>::decode(value_of(word)));
  }
};
template <PairFormat Format, class F>
struct OnEachReserved {
  ReservedKeys<Format> reserved;
  F f;  ///< of words

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const value = reserved.values[i];
    if (value != Format::empty_value) { f(pack(reserved.key(i), value)); }
  }
};
template <PairFormat Format, class Wanted>
struct EraseReservedIf {
  ReservedKeys<Format> reserved;
  Wanted wanted;  ///< of words

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    auto const key = reserved.key(i);
    auto const value = reserved.find(key);
    bool const erases = value != Format::empty_value && wanted(pack(key, value));
    return erases ? reserved.erase(key) : Outcome::missing;
  }
};
/// Merges a reserved key of another table.
template <PairFormat Format>
struct MergeReserved {
  ReservedKeys<Format> reserved;
  ReservedKeys<Format> others;
  Combine combine;

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    auto const value = others.values[i];
    return value == Format::empty_value ? not_run : reserved.insert(reserved.key(i), value, combine);
  }
};

/// Decodes words into two arrays, from place `first` on.
template <PairFormat Format, class Key, class Value, class Keys, class Values>
struct DecodePairs {
  typename Format::Word const* words;
  Keys keys;
  Values values;
  std::uint64_t first;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    keys[first + i] = Code<Key, typename Format::Key>::decode(key_of(words[i]));
    values[first + i] = Code<Value, typename Format::Value>::decode(value_of(words[i]));
  }
};
/// Lists the reserved keys one after another, with one thread.
template <PairFormat Format>
struct ListReserved {
  ReservedKeys<Format> reserved;
  typename Format::Word* words;  ///< room for all of them

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t) const
  {
    std::uint64_t place = 0;
    for (std::uint64_t i = 0; i < reserved.count; ++i) {
      if (reserved.values[i] != Format::empty_value) { words[place++] = pack(reserved.key(i), reserved.values[i]); }
    }
  }
};

}  // namespace packed
}  // namespace slotscape::library
