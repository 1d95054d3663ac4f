#pragma once

#include "gpu/base/progress.hpp"
#include "gpu/races/program.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace slotscape::races {

/// Statistics of a search.
struct Counts {
  std::uint64_t schedules = 0;  ///< run to their end
  std::uint64_t turns = 0;      ///< taken
  std::uint64_t moments = 0;    ///< different moments
  std::uint64_t met_again = 0;  ///< schedules abandoned at a moment that had been reached before
  std::uint64_t asleep = 0;     ///< turns not tried: another order of independent turns has the same result
  std::uint64_t put_off = 0;    ///< turns not tried while a thread ran independent steps
};

/// The end of a schedule, or the point where it cannot continue.
struct End {
  Moment const& moment;
  std::vector<Answer> const& results;
  Schedule const& schedule;
  std::string fault = {};  ///< an operation does not end, or leaves the table; the results are meaningless then
};

/// Why a program cannot continue from here; empty if it can, or has ended.
std::string fault_of(Program const& program, Moment const& moment);

struct SearchSettings {
  bool reduces = true;  ///< skip schedules that differ only in the order of independent turns
  std::size_t max_moments = std::size_t{1} << 21;  ///< moments remembered, ~100 bytes each; more only take longer
};

/// The result of a search.
struct Findings {
  Counts counts;
  std::uint64_t ends = 0;  ///< different ends
  std::uint64_t bad_ends = 0;
  Schedule shortest = {};  ///< leads to a bad end, with as few thread switches as its accesses allow
  bool complete = true;    ///< false if cancelled
};

/// Runs a program's schedules, depth first, and passes each different end to `good(end)`, which says whether it is
/// correct. Of schedules that differ only in the order of independent turns, one is enough:
///
/// - Sleep sets (Godefroid 1996) leave out turns whose other order has been tried. A moment is remembered by a
///   fingerprint of 128 bits, with the turns that slept there; when it is met again, only turns that no longer sleep
///   are tried. (The probability that two of ten million moments share a fingerprint is below 10^-24.)
/// - If a thread's next turns are independent of everything that other threads may still do, only these are tried (a
///   persistent set). What a thread may do is learned: the search assumes that it makes only the accesses seen so far,
///   and starts over if it meets another one. In the last round none was met. Then none exists: take a complete
///   schedule from some moment, in which other threads make the accesses w, and one of these, b, is the first that
///   depends on the turn a that was tried alone. Nothing in w before b depends on a, so a can be taken first, and then
///   w with b, which is shorter: by induction, b was met after a.
///
/// Turns are independent if they do not access the same word, or do not change it; and, if the program keeps time,
/// unless an operation begins with one of them and another ends with the other. All equivalent schedules have the same
/// number of turns, so the shortest bad one that is met is the shortest of all. Its progress counts schedules.
Findings search(Program& program, std::function<bool(End const&)> const& good, SearchSettings const& settings = {},
                Progress const& progress = {});

/// The number of all schedules; nullopt if more than `max_moments` moments would have to be remembered.
std::optional<double> count_schedules(Program& program, std::size_t max_moments);

/// An equivalent schedule with as few thread switches as possible.
Schedule with_fewest_switches(Program& program, Schedule const& schedule);

/// A search for tests with known expectations of a few operations.
class Interleavings {
public:
  using Check = std::function<void(Words const& memory, std::vector<Answer> const& results)>;

  Interleavings(std::vector<ScheduledOperation> operations, Check check)
      : operations_(std::move(operations)), check_(std::move(check))
  {
  }
  /// Passes each different end to `check(memory, results)`, and returns the number of ends. Throws Error if an
  /// operation does not end or leaves the memory.
  std::uint64_t explore(Words memory) const;

private:
  std::vector<ScheduledOperation> operations_;
  Check check_;
};

}  // namespace slotscape::races
