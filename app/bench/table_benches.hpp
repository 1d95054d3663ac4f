#pragma once

#include "app/bench/measure.hpp"
#include "app/bench/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

class BenchProgress;

inline constexpr double usual_max_seconds = 60.0;  ///< limit for the operations of one kind in one repeat

/// The settings of `slotscape bench tables`, which measures every combination of them.
struct TableBenchSettings {
  std::vector<std::string> families;  ///< as in `table_of_words`, or `bench::rivals`; empty: all families
  bool rivals = false;                ///< also measure all rivals
  bool variants = false;              ///< each choice of each parameter, one parameter at a time
  std::vector<std::uint64_t> slots;   ///< empty: 2^24 on a GPU, 2^20 on the CPU
  std::vector<double> loads{0.5, 0.8, 0.9};
  bench::TimedMask operations = 0;  ///< 0: all except mixed
  KeySettings keys;
  HashChoice hash = {};
  std::vector<int> key_bits{32};
  std::vector<std::uint32_t> shards{1};  ///< for tables whose words do not specify shards
  KeysStart keys_start = KeysStart::spread;
  ShardDevices devices = ShardDevices::one;
  std::uint64_t zipf_keys = 0;  ///< as in `bench::TableCase`
  std::uint64_t batch = 0;      ///< see `bench::TableCase`, which also describes the members below
  std::uint64_t inserts = 0;    ///< number of insertions; if not 0, `loads` is ignored
  std::uint64_t max_batches = 0;
  bench::MixShares mix = {};
  bool at_load = false;  ///< insertions and erasures replace keys of the filled table (`measure_replacement`)
  double max_seconds = usual_max_seconds;  ///< as in `bench::TableCase`
  int repeats = 7;
  std::uint64_t seed = 1;
};

/// A table's settings that differ from the defaults: "functions=3 bucket=8".
std::string variant_of(TableSettings const& table);

/// Parses a family and the table's non-default settings: "cuckoo functions=3 bucket=8", "linear_probing hash=fibonacci
/// deletion=tombstone_reuse combine=add". Throws Error that lists the choices.
TableSettings table_of_words(std::string const& words);
/// Checks words typed after --families. Throws Error that names the families and, where rivals are accepted, the
/// rivals.
std::string typed_table(std::string const& words);
std::string typed_table_or_rival(std::string const& words);
std::string words_of_table(TableSettings const& table);

/// Why a case cannot be measured, as the end of a sentence; empty if it can.
std::string obstacle(Backend backend, bench::TableCase const& subject);
/// Why a case does not fit in memory, as the end of a sentence; empty if it does.
std::string too_large(Backend backend, bench::TableCase const& subject);

/// Every combination, in the order of measurement.
std::vector<bench::TableCase> table_cases(Backend backend, TableBenchSettings const& settings);

/// The columns of the rows, and those that identify a row: the mix of `mixed`, and which batches of which keys were
/// timed, in addition to the columns of all table rows.
std::vector<std::string> bench_tables_columns();
std::vector<std::string> bench_tables_identity();

/// Measures everything, row by row. Returns false if Ctrl-C ended it; rows are never partial. Throws Error if an answer
/// is wrong.
bool run_table_benches(Backend backend, TableBenchSettings const& settings, BenchReport& report,
                       BenchProgress& progress);
/// The amount of work, for the progress display.
double work_of(bench::TableCase const& subject);
double work_of(Backend backend, TableBenchSettings const& settings);

}  // namespace slotscape
