#pragma once

#include "app/base/findings.hpp"
#include "app/bench/columns.hpp"
#include "app/bench/measure.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slotscape {

/// The identity of a row, which holds one operation of a table; the number of slots is the actual one.
struct RowIdentity {
  Backend backend = Backend::cpu;
  std::string device;
  TableSettings table;
  std::string variant;
  std::string keys = {};
  std::string keys_checksum = {};                   ///< as `keys_checksum`
  std::optional<double> asked_load = {};            ///< the requested load factor
  std::optional<std::uint64_t> asked_inserts = {};  ///< the requested number of insertions, whatever the load factor
  std::uint64_t batch = 0;
};

/// The contents of a filled table.
struct TableFacts {
  std::uint64_t live_keys = 0;
  std::uint64_t slots = 0;
  std::uint64_t bytes = 0;

  double load_factor() const { return static_cast<double>(live_keys) / static_cast<double>(slots); }
  double bytes_per_key() const { return static_cast<double>(bytes) / static_cast<double>(live_keys); }
};
TableFacts facts_of(bench::TableBench const& table);

/// One operation of a table, as stored in a row. Without operations, or without a filled table, there are no figures.
struct TableRow {
  RowIdentity identity;
  std::string operation;
  OperationResult result = {};
  TableFacts facts = {};            ///< contents of the filled table
  std::optional<double> rate = {};  ///< operations per second, if it differs from that of the result
  Findings findings = {};

  bool ran() const { return result.count != 0; }
  bool is_filled() const { return facts.live_keys != 0; }
  /// The facts during the operation, which may have run on other keys than those of the filled table.
  TableFacts facts_meanwhile() const;
};

/// --- the columns of table rows: each entry is a column of the file.
std::vector<RowColumn<TableRow>> const& table_identity_columns();
std::vector<RowColumn<TableRow>> const& table_figure_columns();
/// The position of the first additional column.
inline constexpr std::size_t table_column_count = 32;

/// "NVIDIA H200"; preceded by the number of devices if the table's shards are on several.
std::string devices_of_table(Backend backend, std::string const& device, TableSettings const& table);
/// "insert 0.25 hit 0.5 miss 0 erase 0.25"
std::string words_of_mix(bench::MixShares const& shares);

}  // namespace slotscape
