#pragma once

#include "gpu/execution/code_place.hpp"
#include "gpu/execution/machines.hpp"

#include <array>
#include <functional>
#include <vector>

namespace slotscape {

/// One memory access, as a thread requests it.
struct Access {
  using Word = Narrow::Word;
  enum class Kind : std::uint8_t {
    load,
    load_fresh,
    compare_exchange,
    exchange,
    add,
    store,         ///< a plain store: only published tables use it
    release_store  ///< becomes visible only after the thread's earlier stores
  };
  Kind kind;
  std::uint64_t place;  ///< a slot, or metadata, which follows the slots
  Word expected;
  Word desired;

  bool is_load() const { return kind == Kind::load || kind == Kind::load_fresh; }
  bool is_store() const { return kind == Kind::store || kind == Kind::release_store; }
  /// The contents of the place after the access, if it held `old` before.
  Word after(Word old) const
  {
    switch (kind) {
      case Kind::load:
      case Kind::load_fresh: return old;
      case Kind::compare_exchange: return old == expected ? desired : old;
      case Kind::add: return old + desired;
      case Kind::exchange:
      case Kind::store:
      case Kind::release_store: break;
    }
    return desired;
  }
};

/// The machine that stops before each access. An operation depends only on what its accesses return, so a thread's
/// whole state is the list of those words: `answers` replays them, and the first access without an answer is thrown.
///
/// Metadata follows the slots in memory, from `metadata_start` on. The slots of a window, and the numbers of a metadata
/// window, are read one by one.
struct ScheduledMachine {
  using Format = Narrow;
  using Word = Format::Word;

  std::vector<Word> const* answers;
  std::size_t* position;
  std::uint64_t metadata_start = 0;
  CodePlace* place = nullptr;  ///< output: pseudocode place of the access that it stops before; or null

  template <class... Variables>
  void at(char const* line, Variables const&... variables) const
  {
    if (place == nullptr) { return; }
    *place = {line, {}};
    note(variables...);
  }

  Word load(Slot slot) const { return answer({Access::Kind::load, slot, 0, 0}); }
  Word load_fresh(Slot slot) const { return answer({Access::Kind::load_fresh, slot, 0, 0}); }
  Word compare_exchange(Slot slot, Word expected, Word desired) const
  {
    return answer({Access::Kind::compare_exchange, slot, expected, desired});
  }
  Word exchange(Slot slot, Word desired) const { return answer({Access::Kind::exchange, slot, 0, desired}); }
  void load_window(Slot first, Word* out, int count) const
  {
    for (int i = 0; i < count; ++i) { out[i] = load(first + static_cast<Slot>(i)); }
  }
  std::uint64_t load_metadata(std::uint64_t index) const
  {
    return answer({Access::Kind::load, metadata_start + index, 0, 0});
  }
  template <int count>
  std::array<std::uint64_t, count> load_metadata_window(std::uint64_t index) const
  {
    std::array<std::uint64_t, count> window;
    for (int i = 0; i < count; ++i) { window[i] = load_metadata(index + static_cast<std::uint64_t>(i)); }
    return window;
  }
  std::uint64_t add_metadata(std::uint64_t index, std::uint64_t more) const
  {
    return answer({Access::Kind::add, metadata_start + index, 0, more});
  }
  std::uint64_t compare_exchange_metadata(std::uint64_t index, std::uint64_t expected, std::uint64_t desired) const
  {
    return answer({Access::Kind::compare_exchange, metadata_start + index, expected, desired});
  }

  /// --- Only used by published tables (gpu/races/published.hpp).
  std::uint64_t exchange_metadata(std::uint64_t index, std::uint64_t desired) const
  {
    return answer({Access::Kind::exchange, metadata_start + index, 0, desired});
  }
  void store(Slot slot, Word word) const { answer({Access::Kind::store, slot, 0, word}); }
  void release_store(Slot slot, Word word) const { answer({Access::Kind::release_store, slot, 0, word}); }
  void store_metadata(std::uint64_t index, std::uint64_t word) const
  {
    answer({Access::Kind::store, metadata_start + index, 0, word});
  }

private:
  void note() const {}
  template <class Number, class... Others>
  void note(char const* name, Number number, Others const&... others) const
  {
    place->variables.emplace_back(name, static_cast<std::uint64_t>(number));
    note(others...);
  }
  Word answer(Access const& access) const
  {
    if (*position == answers->size()) { throw access; }
    return (*answers)[(*position)++];
  }
};

/// One thread's operation, runnable on the scheduled machine.
using ScheduledOperation = std::function<Result<Narrow>(ScheduledMachine const&)>;

}  // namespace slotscape
