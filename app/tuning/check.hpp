#pragma once

#include "app/tuning/results.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// A row that the bench should reproduce.
struct CheckRow {
  std::string operation;  ///< name of the operation in the bench
  double rate = 0.0;      ///< operations a second
  double spread = 0.0;    ///< spread of the rate, as a share
};

/// A command to verify the figures of a candidate, and the expected results.
struct Check {
  std::string command;  ///< "slotscape bench tables --families ..."; empty where the bench cannot make these keys
  std::vector<CheckRow> rows = {};
  std::string remark = {};  ///< what the bench does not measure; may be empty
  double bytes_per_key = 0.0;
  double tolerance = 0.1;  ///< expected deviation of the rates, as a share
};
Check check_of(Results const& results, Measured const& measured);
/// The number of keys of the stream that filled the measured table; nullopt if unknown.
std::optional<std::uint64_t> inserts_of(Results const& results, Measured const& measured);

/// The expected results in one line: "insert 12.3 M/s, find_hit 45.6 M/s, at 23.2 bytes a key".
std::string text_of(Check const& check);
/// How close the rates should be: "within 10 %".
std::string nearness_of(Check const& check);

}  // namespace slotscape::tuning
