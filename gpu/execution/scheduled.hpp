#pragma once

#include "gpu/execution/machines.hpp"

#include <functional>
#include <set>
#include <utility>
#include <vector>

namespace slotscape {

/// One memory access, as a thread requests it.
struct Access {
  using Word = Narrow::Word;
  enum class Kind : std::uint8_t { load, compare_exchange, exchange, add };
  Kind kind;
  std::uint64_t slot;
  Word expected;
  Word desired;

  /// Performs the access; returns the old word. Throws std::out_of_range for a slot that there is not.
  Word apply(std::vector<Word>& memory) const
  {
    Word const old = memory.at(slot);
    bool const writes = kind == Kind::exchange || (kind == Kind::compare_exchange && old == expected);
    if (writes) { memory[slot] = desired; }
    if (kind == Kind::add) { memory[slot] += desired; }
    return old;
  }
};

/// The machine that stops before each access. An operation depends only on what its accesses return, so a thread's
/// whole state is the list of those words: `answers` replays them, and the first access without an answer is thrown.
///
/// Metadata follows the slots in memory, from `metadata_start` on. The lanes of a window are read one by one.
struct ScheduledMachine {
  using Format = Narrow;
  using Word = Format::Word;

  std::vector<Word> const* answers;
  std::size_t* position;
  std::uint64_t metadata_start = 0;

  Word load(Slot slot) const { return answer({Access::Kind::load, slot, 0, 0}); }
  Word load_fresh(Slot slot) const { return load(slot); }
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
  std::uint64_t add_metadata(std::uint64_t index, std::uint64_t more) const
  {
    return answer({Access::Kind::add, metadata_start + index, 0, more});
  }
  std::uint64_t compare_exchange_metadata(std::uint64_t index, std::uint64_t expected, std::uint64_t desired) const
  {
    return answer({Access::Kind::compare_exchange, metadata_start + index, expected, desired});
  }

private:
  Word answer(Access access) const
  {
    if (*position == answers->size()) { throw access; }
    return (*answers)[(*position)++];
  }
};

/// One thread's operation, runnable on the scheduled machine.
using ScheduledOperation = std::function<Result<Narrow>(ScheduledMachine const&)>;

/// Tries every interleaving of a few threads, access by access, and passes each final state to `check(memory,
/// results)`. A state that several interleavings reach is explored once. Returns the number of distinct final states.
class Interleavings {
  using Word = Narrow::Word;
  using Result = slotscape::Result<Narrow>;

public:
  using Check = std::function<void(std::vector<Word> const& memory, std::vector<Result> const& results)>;

  Interleavings(std::vector<ScheduledOperation> operations, Check check)
      : operations_(std::move(operations)), check_(std::move(check))
  {
  }

  std::size_t explore(std::vector<Word> memory)
  {
    seen_.clear();
    ends_ = 0;
    visit({std::move(memory), std::vector<std::vector<Word>>(operations_.size())});
    return ends_;
  }

private:
  /// The memory, and what each thread's accesses have returned so far: the complete state.
  using State = std::pair<std::vector<Word>, std::vector<std::vector<Word>>>;

  void visit(State const& state)
  {
    if (!seen_.insert(state).second) { return; }
    std::vector<Result> results;
    for (std::size_t thread = 0; thread < operations_.size(); ++thread) {
      std::size_t position = 0;
      try {
        results.push_back(operations_[thread](ScheduledMachine{&state.second[thread], &position}));
      } catch (Access const& access) {
        State next = state;
        next.second[thread].push_back(access.apply(next.first));
        visit(next);
      }
    }
    if (results.size() == operations_.size()) {
      ++ends_;
      check_(state.first, results);
    }
  }

  std::vector<ScheduledOperation> operations_;
  Check check_;
  std::set<State> seen_;
  std::size_t ends_ = 0;
};

}  // namespace slotscape
