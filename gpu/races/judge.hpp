#pragma once

#include "gpu/races/interleavings.hpp"
#include "gpu/races/shared_table.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::races {

/// The shared table of several threads, and their operations.
struct Race {
  std::shared_ptr<SharedTable const> table;
  std::vector<Call> calls;  ///< one for each thread, from 1 to `max_threads`
  MemoryModel memory = MemoryModel::in_order;
};
Program program_of(Race const& race);

/// Whether a table used by one thread could have had this history.
struct Verdict {
  bool legal = false;
  std::vector<std::uint8_t> order = {};  ///< of threads, if legal: a sequential order with the same results
  std::string fault = {};                ///< if not legal: the reason
};

/// Checks histories for linearizability (Herlihy & Wing 1990): is there an order of the operations in which each
/// follows all that had ended before it began, and in which a map used by one thread gives the same answers and ends
/// with the same pairs? Memory models without a clock leave out the first condition. An insertion may be `full` if the
/// table's own insertion is `full` in that order. If the family's insertions move keys and are repeated as long as
/// others succeed, it may also be `full` if a concurrent insertion succeeded. The table itself must satisfy its
/// guarantees when nobody uses it.
class Judge {
public:
  explicit Judge(Race const& race);

  Verdict verdict(End const& end) const;
  /// The verdict without an explanation, for a search.
  bool legal(End const& end) const;

private:
  using Contents = std::map<Narrow::Key, Narrow::Value>;
  struct Order {
    std::vector<std::uint8_t> threads;
    std::vector<Answer> own;  ///< the table's own answers, by thread
  };

  bool in_time(Order const& order, End const& end) const;
  /// The map's contents after the operations in this order; nullopt if the map would have given other answers.
  std::optional<Contents> explained(Order const& order, std::vector<Answer> const& results) const;
  bool may_be_full(Order const& order, std::size_t thread, std::vector<Answer> const& results) const;
  std::string unexplained(End const& end, Contents const& contents) const;
  std::string words_of(Order const& order) const;

  Race race_;
  Contents before_;
  std::vector<Order> orders_;
};

/// "erase 5, then insert 21: 10".
std::string words_of(std::vector<Call> const& calls, std::vector<std::uint8_t> const& order);
/// An operation's answer: "inserted", "found 10".
std::string text_of(Call const& call, Answer const& answer);

/// The result of a search through all schedules of a race.
struct Report {
  Findings findings;
  Verdict verdict;                       ///< on the shortest bad history, if any
  std::optional<double> schedules = {};  ///< number of schedules, if counted
  bool legal() const { return findings.bad_ends == 0; }
};
/// counted: maximum number of moments to remember for counting all schedules; 0: do not count.
Report explore(Race const& race, SearchSettings const& settings = {}, Progress const& progress = {},
               std::size_t counted = 0);

}  // namespace slotscape::races
