#pragma once

#include "gpu/library/options.hpp"
#include "gpu/library/passes.hpp"
#include "gpu/library/view.hpp"

/// The parallel loops over a table's pairs, and those of calls that do not wait.
namespace slotscape::library {

/// Calls f(word) for the live pair in slot i, if there is one.
template <TableFamily Family, class View, class F>
struct OnLive {
  LiveWordAt<Family, View> words;
  F f;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    auto const word = words(i);
    if (word != View::Format::empty_word) { f(word); }
  }
};

/// The word of slot first + i if it holds a live pair that is wanted, else the empty word.
template <TableFamily Family, class View, class Wanted>
struct WantedWordAt {
  LiveWordAt<Family, View> words;
  Wanted wanted;

  SLOTSCAPE_HOST_DEVICE typename View::Word operator()(std::uint64_t i) const
  {
    auto const word = words(i);
    return word != View::Format::empty_word && wanted(word) ? word : View::Format::empty_word;
  }
};

/// Calls f(key, value) for a pair, or f(key) for a key without a value.
template <PairFormat Format, class F>
struct OfWord {
  F f;

  SLOTSCAPE_HOST_DEVICE auto operator()(typename Format::Word word) const
  {
    if constexpr (Format::has_values) {
      return f(key_of(word), value_of(word));
    } else {
      return f(key_of(word));
    }
  }
};

/// Sets the value of key i if the key exists. View: a view that has `change`.
template <class View>
struct UpdateEach {
  View view;
  typename View::Key const* keys;
  typename View::Value const* values;
  Outcome* outcomes;  ///< or null

  SLOTSCAPE_HOST_DEVICE Outcome operator()(std::uint64_t i) const
  {
    Outcome const outcome = view.change(keys[i], Always<typename View::Value>{values[i]});
    if (outcomes != nullptr) { outcomes[i] = outcome; }
    return outcome;
  }
};

template <PairFormat Format>
struct TakeKeys {
  typename Format::Word const* words;
  typename Format::Key* keys;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { keys[i] = key_of(words[i]); }
};

/// Counts an outcome, with one addition for all threads that have the same one.
SLOTSCAPE_HOST_DEVICE inline void count_outcome(Tally& counts, Outcome outcome)
{
  std::uint64_t& count = counts.counts[static_cast<std::size_t>(outcome)];
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
  unsigned const same = __match_any_sync(__activemask(), static_cast<unsigned>(outcome));
  if (static_cast<int>(threadIdx.x & 31u) == __ffs(static_cast<int>(same)) - 1) {
    exec::fetch_add(count, static_cast<std::uint64_t>(__popc(same)));
  }
#else
  exec::fetch_add(count, std::uint64_t{1});
#endif
}

/// Records the outcome of key i where outcomes or counts are wanted.
SLOTSCAPE_HOST_DEVICE inline void note(AsyncOptions const& wanted, std::uint64_t i, Outcome outcome)
{
  if (wanted.outcomes != nullptr) { wanted.outcomes[i] = outcome; }
  if (wanted.counts != nullptr) { count_outcome(*wanted.counts, outcome); }
}

/// Copies items of an iterator, starting with number `first`.
template <class T, class Items>
struct CopyItems {
  Items items;
  std::uint64_t first;
  T* copies;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { copies[i] = static_cast<T>(items[first + i]); }
};
/// Whether a lookup found a value.
template <class Value>
struct TellWhether {
  Value const* values;
  Value missing;
  bool* are_there;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { are_there[i] = values[i] != missing; }
};

/// --- Operations by single threads through a view, for calls that do not wait.

template <class View, class Keys, class Values>
struct FindThrough {
  View view;
  Keys keys;
  Values values;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const
  {
    if (auto const found = view.find(keys[i])) { values[i] = found.value; }
  }
};
template <class View, class Keys>
struct TellThrough {
  View view;
  Keys keys;
  bool* are_there;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { are_there[i] = view.contains(keys[i]); }
};
template <class View, class Keys, class Values>
struct InsertThrough {
  View view;
  Keys keys;
  Values values;
  AsyncOptions wanted;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { note(wanted, i, view.insert(keys[i], values[i])); }
};
template <class View, class Keys>
struct InsertKeysThrough {
  View view;
  Keys keys;
  AsyncOptions wanted;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { note(wanted, i, view.insert(keys[i])); }
};
template <class View, class Keys>
struct EraseThrough {
  View view;
  Keys keys;
  AsyncOptions wanted;

  SLOTSCAPE_HOST_DEVICE void operator()(std::uint64_t i) const { note(wanted, i, view.erase(keys[i])); }
};

}  // namespace slotscape::library
