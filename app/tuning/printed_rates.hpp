#pragma once

#include "app/bench/papers/printed_numbers.hpp"
#include "app/tuning/workload.hpp"

#include <string>
#include <vector>

namespace slotscape::tuning {

/// A speed that a paper prints, to be laid over what is measured here. It is of one kind of operation.
struct PrintedRate {
  PrintedPaper const* paper;
  PrintedNumber const* number;
  std::string_view table;  ///< what was measured: "linear probing"
  bool insertion = false;  ///< or lookups of keys that are there
  double load = 0.0;
  double bytes_per_key = 0.0;  ///< with 32-bit keys and values; 0: the paper does not say
  double rate = 0.0;           ///< operations a second
};

/// Those of operations that the workload has, of all papers.
std::vector<PrintedRate> printed_rates(Workload const& workload);
/// The number, and where it stands.
std::string text_of(PrintedRate const& rate);
/// What the papers have as pictures only, a line for each.
std::string pictures_without_numbers();

}  // namespace slotscape::tuning
