#pragma once

#include "app/bench/measure.hpp"
#include "app/bench/report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

class BenchProgress;

inline constexpr double usual_max_seconds = 60.0;  ///< of operations of one kind in one repeat

/// What `slotscape bench tables` measures: every combination of these.
struct TableBenchSettings {
  std::vector<std::string> families;  ///< as in `table_of_words`, or `bench::rivals`; empty: all families
  bool rivals = false;                ///< all of them, too
  bool variants = false;              ///< each choice of each parameter, one parameter at a time
  std::vector<std::uint64_t> slots;   ///< empty: 2^24 on a GPU, 2^20 on the CPU
  std::vector<double> loads{0.5, 0.8, 0.9};
  bench::TimedMask operations = 0;  ///< 0: all but mixed
  KeySettings keys;
  HashChoice hash = {};
  std::vector<int> key_bits{32};
  std::vector<std::uint32_t> shards{1};  ///< of tables whose words say nothing else
  KeysStart keys_start = KeysStart::spread;
  ShardDevices devices = ShardDevices::one;
  std::uint64_t zipf_keys = 0;  ///< as in `bench::TableCase`
  std::uint64_t batch = 0;      ///< the same, and all that follow
  std::uint64_t inserts = 0;    ///< if it is not 0, `loads` does not count
  std::uint64_t max_batches = 0;
  bench::MixShares mix = {};
  bool at_load = false;  ///< insertions and erasures replace keys of the filled table (`measure_replacement`)
  double max_seconds = usual_max_seconds;  ///< as in `bench::TableCase`
  int repeats = 7;
  std::uint64_t seed = 1;
};

/// "functions=3 bucket=8": what is not usual about a table.
std::string variant_of(TableSettings const& table);

/// A family, and what is not usual about its table: "cuckoo functions=3 bucket=8", "linear_probing hash=fibonacci
/// deletion=tombstone_reuse combine=add". Throws Error that says what there is to choose from.
TableSettings table_of_words(std::string const& words);
/// Such words as typed after --families. Throws Error that names the families and, unless only tables of the program
/// will do, the rivals.
std::string typed_table(std::string const& words);
std::string typed_table_or_rival(std::string const& words);
std::string words_of_table(TableSettings const& table);

/// Why a case cannot be measured, as the end of a sentence; empty if it can.
std::string obstacle(Backend backend, bench::TableCase const& subject);
/// The same if there is not enough memory.
std::string too_large(Backend backend, bench::TableCase const& subject);

/// Every combination, in the order in which they are measured.
std::vector<bench::TableCase> table_cases(Backend backend, TableBenchSettings const& settings);

/// The columns of their rows, and those that tell them apart: what `mixed` mixes, and which batches of which keys were
/// timed, besides what all rows of tables have.
std::vector<std::string> bench_tables_columns();
std::vector<std::string> bench_tables_identity();

/// Measures everything, row by row. Returns false if Ctrl-C ended it: rows are whole. Throws Error at a wrong answer.
bool run_table_benches(Backend backend, TableBenchSettings const& settings, BenchReport& report,
                       BenchProgress& progress);
/// How much work that is, for its progress.
double work_of(bench::TableCase const& subject);
double work_of(Backend backend, TableBenchSettings const& settings);

}  // namespace slotscape
