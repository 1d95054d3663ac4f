#pragma once

#include "gpu/races/interleavings.hpp"
#include "gpu/races/shared_table.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::races {

/// What several threads share, and what they do.
struct Race {
  std::shared_ptr<SharedTable const> table;
  std::vector<Call> calls;  ///< one for each thread, from 1 to `max_threads`
  MemoryModel memory = MemoryModel::in_order;
};
Program program_of(Race const& race);

/// Whether a history is one that a table used by one thread could have had.
struct Verdict {
  bool legal = false;
  std::vector<std::uint8_t> order = {};  ///< of the threads, if legal: one after another they would have done the same
  std::string fault = {};                ///< else
};

/// Checks histories for linearizability (Herlihy & Wing 1990): is there an order of the operations, in which none comes
/// before one that had ended when it began, and in which a map used by one thread gives the same answers and ends with
/// the same pairs? A model of memory without a clock leaves out the second condition. An insertion may be `full` where
/// the table's own insertion is, in that order; and, in families whose insertions move keys and are repeated as long as
/// others succeed, also beside one that did. The table itself must be as it promises when nobody uses it.
class Judge {
public:
  explicit Judge(Race const& race);

  Verdict verdict(End const& end) const;
  /// The same without words, for a search.
  bool legal(End const& end) const;

private:
  using Contents = std::map<Narrow::Key, Narrow::Value>;
  struct Order {
    std::vector<std::uint8_t> threads;
    std::vector<Answer> own;  ///< the table's own answers, by thread
  };

  bool in_time(Order const& order, End const& end) const;
  /// The map's contents after the order; nothing if it would have answered otherwise.
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

/// What a search through all schedules of a race has found.
struct Report {
  Findings findings;
  Verdict verdict;                       ///< on the shortest bad history, if there is one
  std::optional<double> schedules = {};  ///< how many there are, if they were counted
  bool legal() const { return findings.bad_ends == 0; }
};
/// counted: most moments to remember for counting all schedules; 0: they are not counted.
Report explore(Race const& race, SearchSettings const& settings = {}, Progress const& progress = {},
               std::size_t counted = 0);

}  // namespace slotscape::races
