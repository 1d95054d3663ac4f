#pragma once

#include "app/base/findings.hpp"
#include "app/base/json.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// One line of a measurement: its fields in the order of the columns.
using BenchRow = Json;

/// The files of a measurement; empty paths are not written.
struct BenchFiles {
  std::filesystem::path csv = {};
  std::filesystem::path json = {};
  bool resume = false;  ///< keeps the rows of an earlier CSV file
};

/// Collects rows: prints each, appends it to the CSV file as soon as it is whole, and writes JSON at the end.
class BenchReport {
public:
  /// `identity`: the columns that tell rows apart; `shown`: those that are printed; if none, nothing is. Throws Error
  /// if a file cannot be written, or if the file to resume has other columns.
  BenchReport(std::vector<std::string> columns, std::vector<std::string> identity, std::vector<std::string> shown,
              BenchFiles files);

  /// Whether an earlier run has this row; only its identity matters.
  bool has(BenchRow const& row) const { return earlier_.contains(identity_of(row)); }
  std::size_t earlier() const { return earlier_.size(); }
  /// How many rows of an earlier run are as some of this one, but of other keys: their checksums differ.
  std::size_t of_other_keys() const;
  void add(BenchRow row);
  /// In place of rows of the same identity, which are taken out of the CSV file; at its end.
  void replace(std::vector<BenchRow> rows);
  /// Findings for the JSON file.
  void note(Findings const& findings) { add_findings(findings_, findings); }
  /// Writes the JSON file, of all rows of this run and earlier ones.
  void finish() const;
  std::vector<BenchRow> const& rows() const { return rows_; }

private:
  std::string identity_of(BenchRow const& row) const;
  /// What a row measures, whatever the keys of its files are, and how many.
  std::string case_of(BenchRow const& row) const;
  std::string checksums_of(BenchRow const& row) const;
  void write_csv() const;
  void read_earlier();
  void print(BenchRow const& row);

  std::vector<std::string> columns_;
  std::vector<std::string> identity_;
  std::vector<std::string> shown_;
  BenchFiles files_;
  std::vector<BenchRow> rows_;
  std::set<std::string> earlier_;
  std::vector<std::size_t> widths_;
  Findings findings_;
};

/// Rows as comma-separated values, with a line of the columns' names.
std::string to_csv(std::vector<BenchRow> const& rows, std::vector<std::string> const& columns);

/// The fields of a line of comma-separated values, which may be in quotes.
std::vector<std::string> split_csv(std::string_view line);

/// What a row has where there is no text.
Json text_or_null(std::string const& text);
/// As a CSV file has it: without quotation marks; nothing for null.
std::string field_of(Json const& value);

/// Rounded to so many significant digits, as rows keep numbers.
double rounded(double number, int digits = 5);

/// The median of samples, and how far apart the middle half of them lies, as a share of the median.
struct MedianOf {
  double median = 0.0;
  double spread = 0.0;
};
MedianOf median_of(std::vector<double> samples);

}  // namespace slotscape
