#pragma once

#include "app/bench/papers/printed_numbers.hpp"
#include "app/tuning/workload.hpp"

#include <string>
#include <vector>

namespace slotscape::tuning {

/// A rate printed in a paper for one kind of operation, to compare with our measurements.
struct PrintedRate {
  PrintedPaper const* paper;
  PrintedNumber const* number;
  std::string_view table;  ///< the measured table: "linear probing"
  bool insertion = false;  ///< otherwise, the rate is of lookups of keys in the table
  double load = 0.0;
  double bytes_per_key = 0.0;  ///< with 32-bit keys and values; 0: not stated
  double rate = 0.0;           ///< operations per second
};

/// The rates from all papers for the operations of the workload.
std::vector<PrintedRate> printed_rates(Workload const& workload);
/// The rate as text, with its source.
std::string text_of(PrintedRate const& rate);
/// Results that the papers give only as figures, one per line.
std::string pictures_without_numbers();

}  // namespace slotscape::tuning
