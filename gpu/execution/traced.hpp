#pragma once

#include "gpu/base/error.hpp"
#include "gpu/execution/code_place.hpp"
#include "gpu/execution/machines.hpp"

#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace slotscape {

/// The maximum number of accesses of one operation that are traced.
inline constexpr std::size_t max_traced = 1u << 14;

/// Thrown by the traced machine after `max_traced` accesses.
class TooManyAccesses : public Error {
public:
  TooManyAccesses()
      : Error("This operation takes more than " + std::to_string(max_traced) +
              " memory accesses, too many to step through. Purge the tombstones, or rehash into more slots.")
  {
  }
};

/// One access, as recorded by the traced machine.
template <PairFormat Format>
struct TracedAccess {
  using Word = typename Format::Word;
  enum class Kind : std::uint8_t { read, compare_and_swap, exchange, metadata };
  Kind kind;
  std::uint64_t where;      ///< the first slot, or the index for `metadata`
  std::vector<Word> found;  ///< contents of the slots; empty for `metadata`
  bool writes = false;
  Word written{};                    ///< the slot's new word, if the access `writes`
  std::uint64_t metadata_found = 0;  ///< for `metadata`
  std::uint64_t metadata_written = 0;
  CodePlace place = {};
  std::vector<std::uint64_t> metadata_window = {};  ///< all numbers of an access that read several at once
};

/// The machine that records each access. It writes to a private copy, so the table does not change.
template <PairFormat F>
struct TracedMachine {
  using Format = F;
  using Word = typename Format::Word;
  using Access = TracedAccess<Format>;
  struct Record {
    std::function<Word(Slot)> read;  ///< the table's own words
    std::function<std::uint64_t(std::uint64_t)> read_metadata;
    std::map<Slot, Word> changed = {};
    std::map<std::uint64_t, std::uint64_t> changed_metadata = {};
    std::vector<Access> accesses = {};
    CodePlace place = {};
  };
  Record* record;

  template <class... Variables>
  void at(char const* line, Variables const&... variables) const
  {
    record->place = {line, {}};
    note(variables...);
  }

  Word load(Slot slot) const
  {
    Word word;
    load_window(slot, &word, 1);
    return word;
  }
  Word load_fresh(Slot slot) const { return load(slot); }
  void load_window(Slot first, Word* out, int count) const
  {
    for (int i = 0; i < count; ++i) { out[i] = word(first + static_cast<Slot>(i)); }
    add({Access::Kind::read, first, std::vector<Word>(out, out + count)});
  }
  Word compare_exchange(Slot slot, Word expected, Word desired) const
  {
    Word const found = word(slot);
    write({Access::Kind::compare_and_swap, slot, {found}, found == expected, desired});
    return found;
  }
  Word exchange(Slot slot, Word desired) const
  {
    Word const found = word(slot);
    write({Access::Kind::exchange, slot, {found}, true, desired});
    return found;
  }
  std::uint64_t load_metadata(std::uint64_t index) const { return access_metadata(index, false, 0); }
  template <int count>
  std::array<std::uint64_t, count> load_metadata_window(std::uint64_t index) const
  {
    std::array<std::uint64_t, count> window;
    for (int i = 0; i < count; ++i) { window[i] = metadata(index + static_cast<std::uint64_t>(i)); }
    Access access{Access::Kind::metadata, index, {}, false, Word{}, window[0], window[0]};
    access.metadata_window.assign(window.begin(), window.end());
    add(std::move(access));
    return window;
  }
  std::uint64_t add_metadata(std::uint64_t index, std::uint64_t more) const
  {
    return access_metadata(index, true, metadata(index) + more);
  }
  std::uint64_t compare_exchange_metadata(std::uint64_t index, std::uint64_t expected, std::uint64_t desired) const
  {
    return access_metadata(index, metadata(index) == expected, desired);
  }

private:
  void note() const {}
  template <class Number, class... Others>
  void note(char const* name, Number number, Others const&... others) const
  {
    record->place.variables.emplace_back(name, static_cast<std::uint64_t>(number));
    note(others...);
  }
  Word word(Slot slot) const
  {
    auto const changed = record->changed.find(slot);
    return changed == record->changed.end() ? record->read(slot) : changed->second;
  }
  std::uint64_t metadata(std::uint64_t index) const
  {
    auto const changed = record->changed_metadata.find(index);
    return changed == record->changed_metadata.end() ? record->read_metadata(index) : changed->second;
  }
  void add(Access access) const
  {
    if (record->accesses.size() == max_traced) { throw TooManyAccesses(); }
    access.place = record->place;
    record->accesses.push_back(std::move(access));
  }
  void write(Access const& access) const
  {
    if (access.writes) { record->changed[static_cast<Slot>(access.where)] = access.written; }
    add(access);
  }
  std::uint64_t access_metadata(std::uint64_t index, bool writes, std::uint64_t written) const
  {
    std::uint64_t const found = metadata(index);
    add({Access::Kind::metadata, index, {}, writes, Word{}, found, writes ? written : found});
    if (writes) { record->changed_metadata[index] = written; }
    return found;
  }
};

}  // namespace slotscape
