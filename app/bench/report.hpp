#pragma once

#include "app/base/findings.hpp"
#include "app/base/json.hpp"

#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace slotscape {

/// One row of a measurement: its fields in the order of the columns.
using BenchRow = Json;

/// The output files of a measurement; empty paths are not written.
struct BenchFiles {
  std::filesystem::path csv = {};
  std::filesystem::path json = {};
  bool resume = false;  ///< keeps the rows of an earlier CSV file
};

/// Collects rows: prints each one, appends it to the CSV file as soon as it is complete, and writes JSON at the end.
class BenchReport {
public:
  /// `identity`: the columns that identify a row; `shown`: the columns to print; if empty, nothing is printed. Throws
  /// Error if a file cannot be written, or if the file to resume has other columns.
  BenchReport(std::vector<std::string> columns, std::vector<std::string> identity, std::vector<std::string> shown,
              BenchFiles files);

  /// Whether an earlier run has this row; only the identity is compared.
  bool has(BenchRow const& row) const { return earlier_.contains(identity_of(row)); }
  std::size_t earlier() const { return earlier_.size(); }
  /// The number of earlier rows that measure the same cases as rows of this run, but with other keys: the checksums
  /// differ.
  std::size_t of_other_keys() const;
  void add(BenchRow row);
  /// Replaces rows of the same identity, which are removed from the CSV file; the new rows are appended.
  void replace(std::vector<BenchRow> rows);
  /// Adds findings to the JSON file.
  void note(Findings const& findings) { add_findings(findings_, findings); }
  /// Writes the JSON file with all rows of this run and earlier ones.
  void finish() const;
  std::vector<BenchRow> const& rows() const { return rows_; }

private:
  std::string identity_of(BenchRow const& row) const;
  /// The case that a row measures, regardless of the content and size of key files.
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

/// Rows as comma-separated values, with a header line.
std::string to_csv(std::vector<BenchRow> const& rows, std::vector<std::string> const& columns);

/// Splits a line of comma-separated values; fields may be in quotes.
std::vector<std::string> split_csv(std::string_view line);

/// The text; null if it is empty.
Json text_or_null(std::string const& text);
/// A value as a field of a CSV file: without quotation marks; empty for null.
std::string field_of(Json const& value);

/// A number rounded to `digits` significant digits, as rows store numbers.
double rounded(double number, int digits = 5);

/// The median of samples, and their interquartile range as a share of it.
struct MedianOf {
  double median = 0.0;
  double spread = 0.0;
};
MedianOf median_of(std::vector<double> samples);

}  // namespace slotscape
