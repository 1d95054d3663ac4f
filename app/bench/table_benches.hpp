#pragma once

#include "app/bench/report.hpp"
#include "gpu/bench/table_bench.hpp"

#include <optional>
#include <string>
#include <vector>

namespace slotscape {

class BenchProgress;

/// What `slotscape bench tables` measures: every combination of these.
struct TableBenchSettings {
  std::vector<std::string> families;  ///< empty: all
  bool variants = false;              ///< each choice of each parameter, one parameter at a time
  std::vector<std::uint64_t> slots;   ///< empty: 2^24 on a GPU, 2^20 on the CPU
  std::vector<double> loads{0.5, 0.8, 0.9};
  bench::TimedMask operations = 0;  ///< 0: all but mixed
  KeySettings keys;
  HashKind hash = HashKind::murmur3;
  std::vector<int> key_bits{32};
  std::uint64_t batch = 0;  ///< as in `bench::TableCase`
  int repeats = 7;
  std::uint64_t seed = 1;
};

/// The names of what is timed, as on the command line.
template <>
std::span<EnumName<bench::Timed> const> enum_names();

/// The columns of its rows, and those that tell them apart.
std::vector<std::string> table_bench_columns();
std::vector<std::string> table_bench_identity();

/// Measures everything, row by row. Returns false if Ctrl-C ended it: rows are whole. Throws Error at a wrong answer.
bool run_table_benches(Backend backend, TableBenchSettings const& settings, BenchReport& report,
                       BenchProgress& progress);
/// How much work that is, for its progress.
double work_of(Backend backend, TableBenchSettings const& settings);

}  // namespace slotscape
