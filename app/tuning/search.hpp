#pragma once

#include "app/tuning/candidates.hpp"
#include "app/tuning/frontier.hpp"
#include "app/tuning/measure.hpp"
#include "app/tuning/sweep.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// What a search tells, and asks, of the one who runs it.
struct SearchWatch {
  bench::GoOn go_on;
  std::function<void(Phase, std::string const& doing)> begin;
  std::function<void(Results const&)> publish;
  std::function<double()> seconds;  ///< of work so far
};

/// Looks for the best table: every family coarsely, then around what is promising, then closely at the winner. It works
/// on the thread that calls it.
class Search {
public:
  /// `start`: the workload and its keys. `sample`: some of the different keys, to judge hashes; none: they are not
  /// judged.
  Search(Results start, std::vector<Key> sample, SweepSettings const& settings, Measures measures,
         std::vector<Measured> known, SearchWatch watch);

  /// False if it was asked to end. Throws Error if the present setting cannot serve the workload.
  bool run();

private:
  struct Stopped {};

  /// A candidate and what is known of it.
  struct Entry {
    Candidate candidate;
    std::optional<std::size_t> measured = {};  ///< into `Results::measured`
    Stage stage = Stage::coarse;
    double coarse = 0.0;                ///< operations a second, as measured coarsely
    double cost = 0.0;                  ///< seconds that the coarse measurement took
    int expanded = 0;                   ///< how many of the steps around it were taken
    bool hopeless = false;              ///< cannot be measured
    std::vector<Measured> passes = {};  ///< of finalists
  };

  void coarse();
  void measure_present();
  void refine();
  void check();

  bool refine_one();
  bool expand_one();
  void expand(std::size_t entry, std::size_t step);
  void decide_sizes();
  void check_finalists();
  void check_in_turn(std::vector<std::size_t> const& entries, double share);
  void try_higher_load();
  void check_rivals();
  void count_failures();
  FailureResult failures_of(Candidate const& candidate, double seconds);
  void churn(std::size_t measured);

  /// Adds candidates that are new.
  void add(Candidates candidates);
  bool is_badly_hashed(Candidate const& candidate);
  /// False if it cannot be measured, or would take too long.
  bool measure(std::size_t entry, Effort const& effort);
  Effort effort_of(Stage stage) const;
  Measured const* known_of(Candidate const& candidate, Stage stage) const;
  void note(std::size_t entry, Measured measured, double seconds);
  void skip(Candidate const& candidate, std::string why);

  double left(double share) const;  ///< seconds until this share of the budget is used up
  /// Throughput of the full table.
  double estimate(Entry const& entry) const;
  double bytes_of(Entry const& entry) const;
  /// Entries that may be on the frontier, the most throughput a byte first.
  std::vector<std::size_t> promising() const;

  Results results_;
  std::vector<Key> sample_;
  SweepSettings settings_;
  Measures measures_;
  std::vector<Measured> known_;
  SearchWatch watch_;

  std::vector<Entry> entries_;
  std::uint64_t coarse_keys_ = 0;
  std::uint64_t full_keys_ = 0;  ///< of refined measurements; 0: as many as the workload has
  /// Throughput of a full table, compared with that of a small one: of the latest of each family.
  std::map<std::string, double> slowdowns_;
};

}  // namespace slotscape::tuning
