#pragma once

#include <span>
#include <string_view>

namespace slotscape {

/// Whether lower or higher values are better.
enum class Better : unsigned char { lower, higher, neither };

/// A number printed in a paper, and its source.
struct PrintedNumber {
  std::string_view experiment;
  std::string_view quantity;
  std::string_view unit;
  Better better;
  double value;                      ///< the middle if a range is printed
  double keys;                       ///< number of keys in the experiment; 0 if the paper does not say
  double load;                       ///< load factor; below 0: none, or not given
  std::string_view source;           ///< section, table or figure, and page
  std::string_view as_printed = {};  ///< set if `value` differs from the print: "15 to 19"
};

/// The numbers printed in one paper.
struct PrintedPaper {
  std::string_view name;      ///< on the command line
  std::string_view citation;  ///< author, year, title
  std::string_view device;
  std::span<PrintedNumber const> numbers;
  std::span<std::string_view const> not_repeated;  ///< printed numbers that are not measured here, and why
  std::span<std::string_view const> pictures;  ///< curves that the paper shows only as pictures: no numbers available
};

PrintedPaper const& farrell_2020();
PrintedPaper const& alcantara_2009();
PrintedPaper const& shortt_2020();

/// The numbers of one experiment, in the paper's order.
std::span<PrintedNumber const> numbers_of(PrintedPaper const& paper, std::string_view experiment);

}  // namespace slotscape
