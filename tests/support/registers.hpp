#pragma once

#include "gpu/base/pair_format.hpp"
#include "gpu/base/types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Recorded histories of many threads on a table, checked for linearizability (Herlihy & Wing 1990).
namespace slotscape::registers {

/// A value that is not known, or that nobody was told.
inline constexpr std::uint64_t untold = ~std::uint64_t{0};

/// The outcome of an insertion of which nobody says whether the key was there.
inline constexpr Outcome stored{254};

/// One operation on one key: it took effect at some time from `invoked` to `returned`, by one clock of all threads.
struct Recorded {
  std::uint64_t key = 0;
  std::uint64_t value = untold;  ///< that an insertion brought, that a lookup found, that an erasure took
  std::uint64_t invoked = 0;
  std::uint64_t returned = 0;
  std::uint32_t thread = 0;
  Operation operation = Operation::find;
  Combine combine = Combine::replace;  ///< of an insertion
  Outcome outcome = Outcome::missing;  ///< of an insertion `missing`: it was to change the value of a key that is there
};

/// What is known of a key.
struct Register {
  bool is_there = false;
  std::uint64_t value = 0;                            ///< 0 if it is not
  auto operator<=>(Register const&) const = default;  // NOLINT(modernize-use-nullptr)
};

/// Does to a key what an operation does; false, and nothing, if it could not have answered as it did.
inline bool perform(Recorded const& operation, Register& key)
{
  if (operation.outcome == stored) {
    key = {true, key.is_there ? combined<Wide>(operation.combine, key.value, operation.value) : operation.value};
    return true;
  }
  bool const has_value = key.is_there && (operation.value == untold || operation.value == key.value);
  switch (operation.outcome) {
    case Outcome::inserted:
      if (key.is_there) { return false; }
      key = {true, operation.value};
      return true;
    case Outcome::updated:
      if (key.is_there) { key.value = combined<Wide>(operation.combine, key.value, operation.value); }
      return key.is_there;
    case Outcome::found: return has_value;
    case Outcome::erased:
      if (has_value) { key = {}; }
      return has_value;
    case Outcome::missing:
    case Outcome::full: return !key.is_there;
    case Outcome::rejected: return true;
  }
  return false;
}

inline std::string text_of(Recorded const& operation)
{
  constexpr std::array names{"insert", "find", "erase"};
  std::string text = "[" + std::to_string(operation.invoked) + ", " + std::to_string(operation.returned) + "] T" +
                     std::to_string(operation.thread) + " " + names[static_cast<std::size_t>(operation.operation)] +
                     " " + std::to_string(operation.key);
  if (operation.value != untold) { text += ": " + std::to_string(operation.value); }
  if (operation.outcome == stored) { return text + ", stored"; }
  return text + ", " + std::string(outcome_names[static_cast<std::size_t>(operation.outcome)]);
}

/// Goes through the operations on one key in the order of time, with all the states in which the key may be: its value,
/// and which of the operations under way have taken effect. An operation does so no sooner than it must: when it
/// returns, or before another one that returns (Wing & Gong 1993, Lowe 2017). One that changes nothing does as soon as
/// it can, which hinders no other.
class KeyChecker {
public:
  explicit KeyChecker(std::vector<Recorded> operations)
      : operations_(std::move(operations)), places_(operations_.size())
  {
  }

  /// What is wrong, or nothing. At first the key is not there.
  std::string fault()
  {
    struct Event {
      std::uint64_t time;
      bool returns;  ///< second: operations that touch at one time may have been at once
      std::size_t operation;
      auto operator<=>(Event const&) const = default;  // NOLINT(modernize-use-nullptr)
    };
    std::vector<Event> events;
    for (std::size_t i = 0; i < operations_.size(); ++i) {
      events.push_back({operations_[i].invoked, false, i});
      events.push_back({operations_[i].returned, true, i});
    }
    std::ranges::sort(events);
    for (Event const& event : events) {
      std::string const why = event.returns ? end(event.operation) : begin(event.operation);
      if (!why.empty()) { return why + ":" + text_of_open(); }
    }
    return {};
  }

private:
  struct State {
    Register value;
    std::uint64_t done;                              ///< a bit for each place of an operation that has taken effect
    auto operator<=>(State const&) const = default;  // NOLINT(modernize-use-nullptr)
  };
  using States = std::set<State>;
  static constexpr std::size_t most_at_once = 64;
  static constexpr std::size_t most_states = std::size_t{1} << 18;

  static std::uint64_t bit(std::size_t place) { return std::uint64_t{1} << place; }

  std::string begin(std::size_t operation)
  {
    std::size_t const place = static_cast<std::size_t>(std::countr_one(used_));
    if (place == most_at_once) { return "undecided, too many operations at once"; }
    used_ |= bit(place);
    at_[place] = operation;
    places_[operation] = place;
    States settled;
    for (State const& state : states_) { settled.insert(settle(state)); }
    states_ = std::move(settled);
    return {};
  }

  std::string end(std::size_t operation)
  {
    std::size_t const place = places_[operation];
    States after;
    States seen;
    std::vector<State> open(states_.begin(), states_.end());
    while (!open.empty()) {
      State const state = open.back();
      open.pop_back();
      if (!seen.insert(state).second) { continue; }
      if (seen.size() > most_states) { return "undecided, too many orders"; }
      if ((state.done & bit(place)) != 0) {
        after.insert({state.value, state.done & ~bit(place)});
        continue;
      }
      for (std::uint64_t left = used_ & ~state.done; left != 0; left &= left - 1) {
        auto const next = static_cast<std::size_t>(std::countr_zero(left));
        State then{state.value, state.done | bit(next)};
        if (perform(operations_[at_[next]], then.value)) { open.push_back(settle(then)); }
      }
    }
    if (after.empty()) {
      return "no order explains what T" + std::to_string(operations_[operation].thread) + " was told";
    }
    used_ &= ~bit(place);
    states_ = std::move(after);
    return {};
  }

  /// With all that changes nothing.
  State settle(State state) const
  {
    for (std::uint64_t left = used_ & ~state.done; left != 0; left &= left - 1) {
      auto const place = static_cast<std::size_t>(std::countr_zero(left));
      Register value = state.value;
      if (perform(operations_[at_[place]], value) && value == state.value) { state.done |= bit(place); }
    }
    return state;
  }

  /// What is under way, and what the key may have.
  std::string text_of_open() const
  {
    std::string text;
    for (std::uint64_t left = used_; left != 0; left &= left - 1) {
      text += "\n  " + text_of(operations_[at_[static_cast<std::size_t>(std::countr_zero(left))]]);
    }
    std::set<Register> values;
    for (State const& state : states_) { values.insert(state.value); }
    text += "\n  after which the key has";
    for (Register const& each : values) { text += " " + (each.is_there ? std::to_string(each.value) : "no value"); }
    return text;
  }

  std::vector<Recorded> operations_;
  std::vector<std::size_t> places_;  ///< of operations under way
  std::array<std::size_t, most_at_once> at_{};
  std::uint64_t used_ = 0;  ///< a bit for each place that is taken
  States states_{{Register(), 0}};
};

/// What is wrong with a history that begins with an empty table, or nothing. Keys have nothing to do with each other: a
/// history adds up if those of all keys do (Herlihy & Wing 1990, theorem 1).
inline std::string fault_in(std::vector<Recorded> const& history)
{
  std::map<std::uint64_t, std::vector<Recorded>> by_key;
  for (Recorded const& operation : history) { by_key[operation.key].push_back(operation); }
  for (auto& [key, operations] : by_key) {
    if (std::string fault = KeyChecker(std::move(operations)).fault(); !fault.empty()) { return fault; }
  }
  return {};
}

/// Where loads may be stale, as in the L1 cache of a GPU, what changes nothing may have been true at any time since the
/// thread last met the key, or all began.
inline void allow_stale_loads(std::vector<Recorded>& history)
{
  if (history.empty()) { return; }
  std::ranges::sort(history, {}, &Recorded::invoked);
  std::uint64_t const first = history.front().invoked;
  std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint64_t> last_met;
  for (Recorded& operation : history) {
    std::uint64_t& met = last_met.try_emplace({operation.thread, operation.key}, first).first->second;
    bool const changes = operation.outcome == Outcome::inserted || operation.outcome == Outcome::erased ||
                         (operation.outcome == Outcome::updated && operation.combine != Combine::keep_first);
    if (!changes) { operation.invoked = met; }
    met = operation.returned;
  }
}

}  // namespace slotscape::registers
