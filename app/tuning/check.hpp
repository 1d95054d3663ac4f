#pragma once

#include "app/tuning/results.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace slotscape::tuning {

/// A row that the bench should bring again.
struct CheckRow {
  std::string operation;  ///< as the bench writes it
  double rate = 0.0;      ///< operations a second
  double spread = 0.0;    ///< as a share
};

/// How anybody can check the figures of a candidate.
struct Check {
  std::string command;  ///< "slotscape bench tables --families ..."; empty where the bench cannot make these keys
  std::vector<CheckRow> rows = {};
  std::string remark = {};  ///< what the bench does not measure; may be empty
  double bytes_per_key = 0.0;
  double tolerance = 0.1;  ///< within which the rates should come again, as a share
};
Check check_of(Results const& results, Measured const& measured);
/// Keys of the stream that filled the measured table; nothing if that is not known.
std::optional<std::uint64_t> inserts_of(Results const& results, Measured const& measured);

/// What it should bring, in a line: "insert 12.3 M/s, find_hit 45.6 M/s, at 23.2 bytes a key".
std::string text_of(Check const& check);
/// How near its rates should be to those: "within 10 %".
std::string nearness_of(Check const& check);

}  // namespace slotscape::tuning
