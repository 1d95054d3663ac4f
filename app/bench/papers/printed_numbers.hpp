#pragma once

#include <span>
#include <string_view>

namespace slotscape {

/// What makes one value better than another.
enum class Better : unsigned char { lower, higher, neither };

/// A number as a paper prints it, and where.
struct PrintedNumber {
  std::string_view experiment;
  std::string_view quantity;
  std::string_view unit;
  Better better;
  double value;                      ///< of a range, the middle
  double keys;                       ///< that the experiment had; 0 if the paper does not say
  double load;                       ///< load factor; below 0: none, or not said
  std::string_view source;           ///< section, table or figure, and page
  std::string_view as_printed = {};  ///< where the value alone would say something else: "15 to 19"
};

/// What one paper prints.
struct PrintedPaper {
  std::string_view name;      ///< on the command line
  std::string_view citation;  ///< author, year, title
  std::string_view device;
  std::span<PrintedNumber const> numbers;
  std::span<std::string_view const> not_repeated;  ///< printed numbers without an experiment here, and why
  std::span<std::string_view const> pictures;      ///< curves that the paper has as pictures only: not available
};

PrintedPaper const& farrell_2020();
PrintedPaper const& alcantara_2009();
PrintedPaper const& shortt_2020();

/// The numbers of one experiment, in the paper's order.
std::span<PrintedNumber const> numbers_of(PrintedPaper const& paper, std::string_view experiment);

}  // namespace slotscape
