#pragma once

#include "app/base/findings.hpp"
#include "app/bench/columns.hpp"
#include "app/bench/measure.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// What tells the row of one operation of a table apart; its slots are the actual ones.
struct RowIdentity {
  Backend backend = Backend::cpu;
  std::string device;
  TableSettings table;
  std::string variant;
  std::string keys = {};
  std::string keys_checksum = {};                   ///< as `keys_checksum`
  std::optional<double> asked_load = {};            ///< that the table was to reach
  std::optional<std::uint64_t> asked_inserts = {};  ///< that were to fill it, whatever its load
  std::uint64_t batch = 0;
};

/// What a filled table holds.
struct TableFacts {
  std::uint64_t live_keys = 0;
  std::uint64_t slots = 0;
  std::uint64_t bytes = 0;

  double load_factor() const { return static_cast<double>(live_keys) / static_cast<double>(slots); }
  double bytes_per_key() const { return static_cast<double>(bytes) / static_cast<double>(live_keys); }
};
TableFacts facts_of(bench::TableBench const& table);

/// One operation of a table, as a row has it. Without operations, or without a filled table, there are no figures.
struct TableRow {
  RowIdentity identity;
  std::string operation;
  OperationResult result = {};
  TableFacts facts = {};            ///< of the filled table
  std::optional<double> rate = {};  ///< operations a second, where that of the result is not meant
  Findings findings = {};

  bool ran() const { return result.count != 0; }
  bool is_filled() const { return facts.live_keys != 0; }
  /// The operation may have run on other keys than those of the filled table.
  TableFacts facts_meanwhile() const;
};

/// --- the columns of rows of tables: a file has a column for each line.
std::vector<RowColumn<TableRow>> const& table_identity_columns();
std::vector<RowColumn<TableRow>> const& table_figure_columns();
/// The place of the first column that others add.
inline constexpr std::size_t table_column_count = 32;

/// "NVIDIA H200"; of a table whose shards lie on several devices, with their number before it.
std::string devices_of_table(Backend backend, std::string const& device, TableSettings const& table);
/// "insert 0.25 hit 0.5 miss 0 erase 0.25"
std::string words_of_mix(bench::MixShares const& shares);

}  // namespace slotscape
