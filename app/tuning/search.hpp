#pragma once

#include "app/tuning/candidates.hpp"
#include "app/tuning/frontier.hpp"
#include "app/tuning/measure.hpp"
#include "app/tuning/pace.hpp"
#include "app/tuning/sweep.hpp"
#include "app/tuning/turns.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace slotscape::tuning {

/// The callbacks of a search to its caller.
struct SearchWatch {
  Progress progress;
  std::function<void(Phase, std::string const& doing)> begin;
  std::function<void(Results const&)> publish;
  std::function<double()> seconds;  ///< working time so far
};

/// Searches for the best table: every family coarsely, then around promising candidates, then closely at the winner.
/// Works on the calling thread.
///
/// Other programs may slow the machine down at some times and not at others. So one table, the pacemaker, is measured
/// repeatedly, rates are scaled to its best pace, and measurements during which the pace changed are repeated. In the
/// end, the best candidates are measured in turn until they can be told apart.
///
/// Earlier measurements count as if they had been made in this search, in turns of their own: more time adds to them,
/// and never replaces them.
class Search {
public:
  /// `start`: the workload and its keys. `sample`: some of the distinct keys, to judge hashes; if empty, hashes are not
  /// judged.
  Search(Results start, std::vector<Key> sample, SweepSettings const& settings, Measures measures,
         std::vector<Measured> known, SearchWatch watch);

  /// Returns false if ended on request. Throws Error if the present setting cannot serve the workload.
  bool run();

private:
  struct Stopped {};

  /// One measurement.
  struct Taken {
    Measured measured;
    double pace = 0.0;  ///< pace of the machine during the measurement; 0: unknown, and rates are not scaled
    int pass = 0;       ///< number of the pass in the check phase
    int before = 0;     ///< number of turns in an earlier check that the measurement stands for
  };

  /// A candidate and the data about it.
  struct Entry {
    Candidate candidate;
    std::optional<std::size_t> measured = {};  ///< index into `Results::measured`
    Stage stage = Stage::coarse;
    std::vector<Taken> coarse = {};
    std::vector<Taken> refined = {};
    std::vector<Taken> taken = {};    ///< measurements at its stage
    double cost = 0.0;                ///< seconds of the coarse measurement
    int expanded = 0;                 ///< number of steps that were taken around the candidate
    bool hopeless = false;            ///< whether it cannot be measured
    std::optional<Stage> known = {};  ///< measured before; needs no measurement up to this stage
    bool is_known(Stage at) const { return known && *known >= at; }
  };

  void coarse();
  void measure_present();
  void refine();
  void check();
  void note_unmeasured();
  void note_unmeasured_shards();
  void measure_families(double share);
  bool knows_family_of(Entry const& entry) const;

  bool refine_one();
  std::vector<std::size_t> worth_expanding() const;
  bool expand_one();
  void expand(std::size_t entry, std::size_t step);
  void decide_sizes();

  /// --- search_checks.cpp
  std::vector<std::size_t> finalists();
  std::optional<std::size_t> twin_of(std::size_t entry);
  std::vector<std::size_t> best_divided_and_whole() const;
  std::vector<std::size_t> best_own_and_by_others() const;
  std::vector<std::size_t> challengers();
  bool is_checked(std::size_t entry) const;
  std::vector<std::size_t> rivals() const;
  void compete(std::vector<std::size_t> entries, double share);
  void look_beyond_finalists();
  void make_sure();
  bool settled(std::vector<std::size_t> const& entries) const;
  void drop_beaten(std::vector<std::size_t>& entries) const;
  std::size_t entry_of(std::size_t measured) const;
  double score(std::size_t entry) const;
  double uncertainty(std::size_t entry) const;
  void count_failures();
  FailureResult failures_of(Candidate const& candidate, double seconds);
  void churn();
  std::optional<ChurnResult> churn_once(Candidate const& candidate);
  void judge_homes_of_choice();

  /// Adds candidates that are new.
  void add(Candidates candidates);
  LazyText bad_hash_of(Candidate const& candidate) const;
  LazyText cannot_join(Candidate const& candidate) const;
  std::uint64_t slots_for_sample(Candidate const& candidate) const;
  std::vector<Key> sample_for(TableSettings const& table) const;

  /// --- search_known.cpp
  void take_over_known();
  LazyText why_set_aside(Measured const& known, std::uint64_t most_keys) const;
  void keep_known_size();
  int fewest_known_turns() const;
  void add_remark(LazyText more);

  /// --- search_measure.cpp
  ///
  /// Returns false if the entry cannot be measured or would take too long.
  bool measure(std::size_t entry, Effort const& effort);
  static bool surprises(double rate, double expected);
  bool differ(std::vector<Taken> const& taken) const;
  void look_again(std::size_t entry, Effort const& effort);
  bool take(std::size_t entry, Effort const& effort, int pass = 0);
  void keep_pace();
  double measure_pacemaker();
  static void set_pace(Entry& entry, double pace);
  Effort effort_of(Stage stage) const;
  void put(std::size_t entry, Taken taken);
  void note(std::size_t entry, Taken taken);
  /// Scales the rates of all measurements to one pace, and publishes the results.
  void publish();
  Measured at_best_pace(Taken const& taken) const;
  Measured middle_of(std::vector<Taken> const& taken) const;
  std::vector<Turn> turns_of(std::size_t entry) const;
  Measured sum_of_turns(std::size_t entry) const;
  double jump_of(Entry const& entry, Measured const& checked) const;
  std::map<std::size_t, Measured> checked_ones() const;
  void skip(Candidate const& candidate, LazyText why);

  double left(double share) const;  ///< seconds until this share of the budget has been used up
  /// The throughput that the full table is expected to have.
  double estimate(Entry const& entry) const;
  void note_slowdown(std::size_t entry, double slowdown);
  double bytes_of(Entry const& entry) const;
  /// Entries that work and are within the memory budget.
  std::vector<std::size_t> usable() const;
  /// The usable entries that may be on the frontier, highest throughput per byte first.
  std::vector<std::size_t> promising() const;

  Results results_;
  std::vector<Key> sample_;
  SweepSettings settings_;
  Measures measures_;
  std::vector<Measured> known_;
  SearchWatch watch_;

  std::vector<Entry> entries_;
  std::uint64_t coarse_keys_ = 0;
  std::uint64_t full_keys_ = 0;  ///< keys in refined measurements; 0: as many as the workload has
  /// Throughput of a full table relative to a small one: for each entry; typical of a family, in one piece or in
  /// shards; and typical of all families.
  std::map<std::size_t, double> slowdowns_;
  std::map<std::pair<std::string, bool>, double> slowdown_of_;
  std::map<bool, double> usual_slowdown_;

  Pace pace_;
  std::optional<Candidate> pacemaker_;
  bool pacing_ = false;  ///< whether measurements during which the pace changed are being repeated
  /// Measurements since the pace was last measured.
  std::vector<std::pair<std::size_t, Effort>> since_pace_;
  int passes_ = 0;      ///< number of passes that the check has made
  int fair_turns_ = 0;  ///< number of turns that makes up for the good or bad luck of late entries
};

}  // namespace slotscape::tuning
