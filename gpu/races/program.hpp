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
/// An operation with more accesses is considered endless.
inline constexpr std::uint32_t max_accesses = 600;

/// When threads see each other's accesses. In every model an access moves one word, a thread's accesses are made in
/// program order, and each word has a single order of writes.
///
/// `in_order`: sequential consistency. An access takes effect immediately, and all threads see the same memory.
///
/// `late_stores`: a plain store waits in its thread's buffer, and reaches memory in a separate turn. Stores to
/// different words leave a buffer in any order, stores to one word in program order. Until then, only the thread itself
/// reads them. A read-modify-write takes effect immediately, and waits only for the thread's own stores to the same
/// word: it is relaxed. A release store waits until the thread's buffer is empty. So this is partial store order with
/// relaxed atomics: it allows a subset of what C++ and PTX allow for relaxed accesses (message passing and store
/// buffering fail without a release), and no load reads from the future.
///
/// `stale_loads`: a load, except `load_fresh`, returns any word that has been in its place since this thread last read
/// or wrote there, or since the start: it models a cache that does not follow other threads' writes, yet never goes
/// back (coherence, which relaxed atomics have). Writes take effect immediately. This is what a family's loads may do
/// on a GPU: families write only by read-modify-writes.
///
/// The two weak models have no clock: nobody can tell that one operation ended before another began.
enum class MemoryModel : std::uint8_t { in_order, late_stores, stale_loads };

/// The next event: a thread makes its next access, or one of its earlier stores reaches memory.
struct Turn {
  enum class Kind : std::uint8_t { access, arrival };
  std::uint8_t thread = 0;
  Kind kind = Kind::access;
  /// For a stale load: how many of the newest writes to its place the load misses. For an arrival: the place.
  std::uint32_t which = 0;
  friend bool operator==(Turn const&, Turn const&) = default;
};
using Schedule = std::vector<Turn>;

/// The possible paths of one operation: a tree over the words that its accesses return. Each state is computed once.
class Operations {
public:
  using State = std::uint32_t;
  static constexpr State start = 0;

  explicit Operations(ScheduledOperation operation);

  /// Null once the operation has ended.
  Access const* next(State state) const { return states_[state].next ? &*states_[state].next : nullptr; }
  Answer const& result(State state) const { return states_[state].result; }
  std::uint32_t accesses(State state) const { return states_[state].accesses; }
  /// The state after its next access has returned this word.
  State after(State state, Word word);
  /// The place of its next access in the family's pseudocode.
  CodePlace place(State state) const;
  /// Whether the operation was abandoned after `max_accesses`.
  bool endless(State state) const { return states_[state].accesses >= max_accesses; }

private:
  struct Reached {
    std::optional<Access> next;
    Answer result{};
    std::uint32_t accesses = 0;
    State before = 0;
    Word word = 0;  ///< returned by the last access
    std::vector<std::pair<Word, State>> after = {};
  };
  Reached run(State before, std::uint32_t accesses, Words const& answers) const;
  /// The words that its accesses have returned.
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
    Word word;  ///< a word that the place held earlier
  };
  struct Seen {
    std::uint8_t thread;
    std::uint64_t place;
    std::uint32_t writes;  ///< number of writes to the place that the thread knows of
  };

  Words memory;
  std::array<Operations::State, max_threads> at{};
  std::array<std::uint8_t, max_threads> ended_before{};  ///< one bit per thread that ended before this one began
  std::vector<Store> waiting = {};                       ///< sorted by thread and place
  std::vector<Past> past = {};                           ///< sorted by place; oldest first within a place
  std::vector<Seen> seen = {};                           ///< sorted by thread and place; no entries for 0 writes
};

/// The effect of a turn on shared memory.
struct Effect {
  std::uint64_t place = 0;
  bool shared = false;  ///< false: no other thread could notice it
  bool writes = false;  ///< whether it changes memory
};

/// Threads with one operation each on shared memory. Not thread-safe itself.
class Program {
public:
  /// keeps_time: moments record which operations had ended before others began (only `in_order`).
  Program(std::vector<ScheduledOperation> const& operations, Words memory, MemoryModel model, bool keeps_time);

  std::size_t threads() const { return operations_.size(); }
  MemoryModel model() const { return model_; }
  bool keeps_time() const { return keeps_time_; }
  Moment start() const;
  /// The possible next turns, ordered by thread.
  std::vector<Turn> turns(Moment const& moment) const;
  bool has(Moment const& moment, Turn const& turn) const;
  /// Takes a possible turn. Returns the word that its access returned, or that arrived. Throws std::out_of_range if the
  /// access is outside the memory.
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
  /// The place of a thread's next access in the family's pseudocode.
  CodePlace place(Moment const& moment, std::size_t thread) const
  {
    return operations_[thread].place(moment.at[thread]);
  }

  Effect effect(Moment const& moment, Turn const& turn) const;
  /// Whether the thread's operation begins or ends with this turn.
  bool begins(Moment const& moment, Turn const& turn) const;
  bool ends(Moment const& moment, Turn const& turn);
  /// Whether two currently possible turns lead to the same moment in either order.
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
