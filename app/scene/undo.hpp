#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>

namespace slotscape {

/// An undo and redo history. The oldest states are dropped beyond `most` states, or if they take too much memory.
template <class State>
class UndoList {
public:
  static constexpr std::size_t most = 200;
  static constexpr std::uint64_t max_bytes = std::uint64_t{1} << 30;

  /// `before`: the state before the user did `what`. bytes: the memory that the state takes.
  void record(State before, std::string what, std::uint64_t bytes = 0)
  {
    future_.clear();
    past_.push_back({std::move(before), std::move(what), bytes});
    while (past_.size() > most || (past_.size() > 1 && bytes_kept() > max_bytes)) { past_.pop_front(); }
  }
  void clear()
  {
    past_.clear();
    future_.clear();
  }

  /// Descriptions of the changes that `undo` and `redo` would affect; empty if there are none.
  std::string undoes() const { return past_.empty() ? std::string() : past_.back().what; }
  std::string redoes() const { return future_.empty() ? std::string() : future_.back().what; }

  /// How many changes to undo to return to the state before the last `what`; 0 if there is no such change, or if a
  /// later change's state does not satisfy `may_be_left_out`.
  template <class Predicate>
  std::size_t changes_since(std::string_view what, Predicate may_be_left_out) const
  {
    for (std::size_t count = 1; count <= past_.size(); ++count) {
      Entry const& entry = past_[past_.size() - count];
      if (entry.what == what) { return count; }
      if (!may_be_left_out(entry.state)) { return 0; }
    }
    return 0;
  }

  /// exchange(state) restores a state and returns the current one. If it throws, nothing is lost.
  template <class Exchange>
  void undo(Exchange exchange)
  {
    move_one(past_, future_, exchange);
  }
  template <class Exchange>
  void redo(Exchange exchange)
  {
    move_one(future_, past_, exchange);
  }

private:
  struct Entry {
    State state;
    std::string what;
    std::uint64_t bytes;
  };

  std::uint64_t bytes_kept() const
  {
    auto const add = [](std::uint64_t sum, Entry const& entry) { return sum + entry.bytes; };
    return std::accumulate(past_.begin(), past_.end(), std::uint64_t{0}, add);
  }

  template <class Exchange>
  static void move_one(std::deque<Entry>& from, std::deque<Entry>& to, Exchange exchange)
  {
    if (from.empty()) { return; }
    Entry present{exchange(std::as_const(from.back().state)), from.back().what, from.back().bytes};
    from.pop_back();
    to.push_back(std::move(present));
  }

  std::deque<Entry> past_;
  std::deque<Entry> future_;
};

/// Detects that a camera has been moved and has come to rest; moves without a rest between them count as one.
template <class Place>
class RestingCamera {
public:
  static constexpr double rest_seconds = 0.5;

  /// Makes this the place to compare with, so that it is not recorded as a move.
  void settle(Place const& place) { settled_ = latest_ = place; }
  /// Whether the camera rests at another place than the settled one.
  bool has_moved_to(Place const& place, double elapsed_seconds)
  {
    rests_ = place == latest_ ? rests_ + elapsed_seconds : 0.0;
    latest_ = place;
    return place != settled_ && rests_ >= rest_seconds;
  }
  Place const& settled() const { return settled_; }

private:
  Place settled_;
  Place latest_;
  double rests_ = 0.0;  ///< seconds since the camera last moved
};

}  // namespace slotscape
