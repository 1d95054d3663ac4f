#pragma once

#include "gpu/execution/scheduled.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace slotscape::races {

using Word = Narrow::Word;
using Words = std::vector<Word>;
using Answer = Result<Narrow>;

inline constexpr std::size_t max_threads = 4;
/// An operation with more accesses is taken to have no end.
inline constexpr std::uint32_t max_accesses = 600;

/// When threads see each other's accesses. In every model an access moves one word, a thread's accesses are made in the
/// order of its program, and each word has one order of writes.
///
/// `in_order`: sequential consistency. An access acts on memory at once, and all threads see the same memory.
///
/// `late_stores`: a plain store waits in its thread's buffer, and reaches memory at a turn of its own. Stores to
/// different words leave a buffer in any order, those to one word in the order in which they were made. Meanwhile only
/// the thread itself reads them. A read-modify-write acts on memory at once, and waits for no store but the thread's
/// own to the same word: it is relaxed. A release store waits until the thread's buffer is empty. So it is partial
/// store order with relaxed atomics: what is let through is a part of what C++ and PTX allow for relaxed accesses
/// (message passing and store buffering fail without a release), and no load reads from the future.
///
/// `stale_loads`: a load, but for `load_fresh`, returns any word that was in its place since this thread last read or
/// wrote there, or since all began: what a cache returns that does not follow other threads' writes, yet never goes
/// back (coherence, which relaxed atomics have). Writes act at once. This is what a load of a family may do on a GPU,
/// whose families write by read-modify-writes only.
///
/// The two weak models have no clock: nobody can tell that one operation ended before another began.
enum class MemoryModel : std::uint8_t { in_order, late_stores, stale_loads };

/// What happens next: a thread makes its next access, or a store that it has made reaches memory.
struct Turn {
  enum class Kind : std::uint8_t { access, arrival };
  std::uint8_t thread = 0;
  Kind kind = Kind::access;
  /// Of a stale load: how many of the newest writes to its place it does not see. Of an arrival: the place.
  std::uint32_t which = 0;
  friend bool operator==(Turn const&, Turn const&) = default;
};
using Schedule = std::vector<Turn>;

/// One operation's way: a tree of what its accesses return. Each of its states is computed once.
class Operations {
public:
  using State = std::uint32_t;
  static constexpr State start = 0;

  explicit Operations(ScheduledOperation operation);

  /// Null once the operation has ended.
  Access const* next(State state) const { return states_[state].next ? &*states_[state].next : nullptr; }
  Answer const& result(State state) const { return states_[state].result; }
  std::uint32_t accesses(State state) const { return states_[state].accesses; }
  /// After its next access has returned this word.
  State after(State state, Word word);
  /// Where its next access is in the family's pseudocode.
  CodePlace place(State state) const;
  /// Whether it was given up after `max_accesses`.
  bool endless(State state) const { return states_[state].accesses >= max_accesses; }

private:
  struct Reached {
    std::optional<Access> next;
    Answer result{};
    std::uint32_t accesses = 0;
    State before = 0;
    Word word = 0;  ///< that the last access returned
    std::vector<std::pair<Word, State>> after = {};
  };
  Reached run(State before, std::uint32_t accesses, Words const& answers) const;
  /// What its accesses have returned.
  Words answers(State state) const;

  ScheduledOperation operation_;
  std::vector<Reached> states_;
};

/// A few threads and their memory at one moment.
struct Moment {
  struct Store {
    std::uint8_t thread;
    std::uint64_t place;
    Word word;
  };
  struct Past {
    std::uint64_t place;
    Word word;  ///< that was there before
  };
  struct Seen {
    std::uint8_t thread;
    std::uint64_t place;
    std::uint32_t writes;  ///< to the place that the thread knows of
  };

  Words memory;
  std::array<Operations::State, max_threads> at{};
  std::array<std::uint8_t, max_threads> ended_before{};  ///< a bit for each thread that ended before this one began
  std::vector<Store> waiting = {};                       ///< sorted by thread and place
  std::vector<Past> past = {};                           ///< sorted by place; of a place, the oldest first
  std::vector<Seen> seen = {};                           ///< sorted by thread and place; without entries for 0 writes
};

/// What a turn does to memory that threads share.
struct Effect {
  std::uint64_t place = 0;
  bool shared = false;  ///< false: it touches nothing that another thread could notice
  bool writes = false;  ///< and changes what is there
};

/// Threads with an operation each on a shared memory. Not for several threads of the machine at once.
class Program {
public:
  /// keeps_time: moments remember which operations had ended before others began (only `in_order`).
  Program(std::vector<ScheduledOperation> const& operations, Words memory, MemoryModel model, bool keeps_time);

  std::size_t threads() const { return operations_.size(); }
  MemoryModel model() const { return model_; }
  bool keeps_time() const { return keeps_time_; }
  Moment start() const;
  /// What can happen next, threads in order.
  std::vector<Turn> turns(Moment const& moment) const;
  bool has(Moment const& moment, Turn const& turn) const;
  /// Takes a turn that can happen. Returns the word that its access returned, or that arrived. Throws std::out_of_range
  /// if it is beyond the memory.
  Word take(Moment& moment, Turn const& turn);

  bool ended(Moment const& moment) const;
  bool ended(Moment const& moment, std::size_t thread) const { return next(moment, thread) == nullptr; }
  Access const* next(Moment const& moment, std::size_t thread) const
  {
    return operations_[thread].next(moment.at[thread]);
  }
  std::uint32_t accesses(Moment const& moment, std::size_t thread) const
  {
    return operations_[thread].accesses(moment.at[thread]);
  }
  bool endless(Moment const& moment, std::size_t thread) const
  {
    return operations_[thread].endless(moment.at[thread]);
  }
  std::vector<Answer> results(Moment const& moment) const;
  /// Where a thread's next access is in the family's pseudocode.
  CodePlace place(Moment const& moment, std::size_t thread) const
  {
    return operations_[thread].place(moment.at[thread]);
  }

  Effect effect(Moment const& moment, Turn const& turn) const;
  /// Whether the thread's operation begins, or ends, with this turn.
  bool begins(Moment const& moment, Turn const& turn) const;
  bool ends(Moment const& moment, Turn const& turn);
  /// Whether two turns that can happen now lead to the same moment in both orders.
  bool independent(Moment const& moment, Turn const& a, Turn const& b);

private:
  Word returned(Moment const& moment, Turn const& turn) const;
  void write(Moment& moment, std::uint64_t place, Word word) const;
  void add_accesses(Moment const& moment, std::uint8_t thread, std::vector<Turn>& turns) const;

  std::vector<Operations> operations_;
  Words memory_;
  MemoryModel model_;
  bool keeps_time_;
};

}  // namespace slotscape::races
